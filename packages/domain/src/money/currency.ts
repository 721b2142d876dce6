/** In the order onboarding offers them. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'AUD', 'NZD'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** In the order settings offers them. */
export const SETTINGS_CURRENCIES = ['NZD', 'USD', 'AUD', 'EUR', 'GBP'] as const satisfies readonly Currency[];

/** What each place starts from while no currency is stored; a stored one wins everywhere. */
export const ONBOARDING_CURRENCY: Currency = 'USD';
export const SETTINGS_CURRENCY: Currency = 'NZD';
export const PAYMENT_LINK_CURRENCY: Currency = 'USD';

const FALLBACK_SYMBOL = '$';
const SYMBOLS: Record<Currency, string> = { USD: '$', EUR: '€', GBP: '£', AUD: '$', NZD: '$' };

function isCurrency(code: string | null | undefined): code is Currency {
  return CURRENCIES.some((currency) => currency === code);
}

/** An unknown or absent currency shows as '$'. */
export function currencySymbol(currency: string | null | undefined): string {
  return isCurrency(currency) ? SYMBOLS[currency] : FALLBACK_SYMBOL;
}

/** The currency an online payment is asked in. */
export function paymentLinkCurrency(currency: string | null | undefined): Currency {
  return isCurrency(currency) ? currency : PAYMENT_LINK_CURRENCY;
}
