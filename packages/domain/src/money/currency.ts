/** Supported currencies, in the order that onboarding lists them. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'AUD', 'NZD'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The supported currencies, in the order that Settings lists them. */
export const SETTINGS_CURRENCIES = ['NZD', 'USD', 'AUD', 'EUR', 'GBP'] as const satisfies readonly Currency[];

/** This default and the two below apply while the company has no stored currency. */
export const DEFAULT_ONBOARDING_CURRENCY: Currency = 'USD';
export const DEFAULT_SETTINGS_CURRENCY: Currency = 'NZD';
export const DEFAULT_PAYMENT_LINK_CURRENCY: Currency = 'USD';

const FALLBACK_SYMBOL = '$';
const CURRENCY_SYMBOLS: Record<Currency, string> = { USD: '$', EUR: '€', GBP: '£', AUD: '$', NZD: '$' };

function isCurrency(code: string | null | undefined): code is Currency {
  return CURRENCIES.some((currency) => currency === code);
}

/** Returns the symbol of a currency; '$' if the currency is unknown or missing. */
export function getCurrencySymbol(currency: string | null | undefined): string {
  return isCurrency(currency) ? CURRENCY_SYMBOLS[currency] : FALLBACK_SYMBOL;
}

/** Returns the currency of online payments; USD if the company's currency is unknown or missing. */
export function resolvePaymentLinkCurrency(currency: string | null | undefined): Currency {
  return isCurrency(currency) ? currency : DEFAULT_PAYMENT_LINK_CURRENCY;
}
