/** In the order onboarding offers them. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'AUD', 'NZD'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const ONBOARDING_CURRENCY: Currency = 'USD';

const SYMBOLS: Record<Currency, string> = { USD: '$', EUR: '€', GBP: '£', AUD: 'A$', NZD: 'NZ$' };

/** An unknown or absent currency shows as '$'. */
export function currencySymbol(currency: string | null | undefined): string {
  return Object.entries(SYMBOLS).find(([code]) => code === currency)?.[1] ?? '$';
}
