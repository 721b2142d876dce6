import { groupThousands } from '../text/count-text.ts';
import { isStorableAmount } from './amount.ts';
import { currencySymbol } from './currency.ts';
import { roundMoney } from './money.ts';

const TYPED_AMOUNT = /^(?<whole>\d{1,3}(?:,\d{3})+|\d*)(?:\.(?<cents>\d{0,2}))?$/;

/** Symbol, thousands separators and 2 decimals, rounded half up: '-$1,234.50'. */
export function formatMoney(amount: string, currency: string | null | undefined): string {
  const bare = formatAmount(amount);
  return bare.startsWith('-') ? `-${currencySymbol(currency)}${bare.slice(1)}` : `${currencySymbol(currency)}${bare}`;
}

/** The lines of a table whose totals carry the symbol: '1,234.50'. */
export function formatAmount(amount: string): string {
  const [whole = '', cents = ''] = roundMoney(amount).split('.');
  return `${groupThousands(whole)}.${cents}`;
}

/** '$45.00/hr' */
export function formatHourlyRate(rate: string, currency: string | null | undefined): string {
  return `${formatMoney(rate, currency)}/hr`;
}

/**
 * What a person typed, as exact money with 2 decimals, or null when it is not an amount that can be stored. A third decimal, another currency's symbol and
 * '12,50' are refused instead of guessed at: a wrong guess is a wrong invoice.
 */
export function parseMoney(text: string, currency: string | null | undefined): string | null {
  const [, sign = '', unsigned = ''] = /^([-−]?)(.*)$/s.exec(text.trim()) ?? [];
  const symbol = currencySymbol(currency);
  const typed = unsigned.startsWith(symbol) ? unsigned.slice(symbol.length).trimStart() : unsigned;
  const { whole = '', cents = '' } = TYPED_AMOUNT.exec(typed)?.groups ?? {};
  const digits = whole.replaceAll(',', '');
  if (digits + cents === '' || !isStorableAmount(digits || '0')) return null;
  return roundMoney(`${sign && '-'}${digits || '0'}.${cents || '0'}`);
}
