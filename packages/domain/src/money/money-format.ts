import { groupThousands } from '../text/count-format.ts';
import { isStorableAmount } from './amount.ts';
import { getCurrencySymbol } from './currency.ts';
import { roundMoney } from './money.ts';

const TYPED_AMOUNT_PATTERN = /^(?<whole>\d{1,3}(?:,\d{3})+|\d*)(?:\.(?<cents>\d{0,2}))?$/;

/** Formats an amount with symbol, thousands separators and 2 decimals, rounded half up: '-$1,234.50'. */
export function formatMoney(amount: string, currency: string | null | undefined): string {
  const bare = formatAmount(amount);
  return bare.startsWith('-') ? `-${getCurrencySymbol(currency)}${bare.slice(1)}` : `${getCurrencySymbol(currency)}${bare}`;
}

/** Formats an amount without a symbol, for tables that show the symbol only on the total: '1,234.50'. */
export function formatAmount(amount: string): string {
  const [whole = '', cents = ''] = roundMoney(amount).split('.');
  return `${groupThousands(whole)}.${cents}`;
}

/** Formats a rate as '$45.00/hr'. */
export function formatHourlyRate(rate: string, currency: string | null | undefined): string {
  return `${formatMoney(rate, currency)}/hr`;
}

/**
 * Parses user input into a decimal string with 2 decimals; null if it isn't a storable amount. Rejects a third decimal, another currency's
 * symbol and '12,50' instead of guessing, because a wrong guess would end up on an invoice.
 */
export function parseMoney(text: string, currency: string | null | undefined): string | null {
  const [, sign = '', unsigned = ''] = /^([-−]?)(.*)$/s.exec(text.trim()) ?? [];
  const symbol = getCurrencySymbol(currency);
  const typed = unsigned.startsWith(symbol) ? unsigned.slice(symbol.length).trimStart() : unsigned;
  const { whole = '', cents = '' } = TYPED_AMOUNT_PATTERN.exec(typed)?.groups ?? {};
  const digits = whole.replaceAll(',', '');
  if (digits + cents === '' || !isStorableAmount(digits || '0')) return null;
  return roundMoney(`${sign && '-'}${digits || '0'}.${cents || '0'}`);
}
