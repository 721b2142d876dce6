import { CURRENCIES, currencySymbol } from '@callout/domain/money/currency';

/** In the order onboarding offers them, each with its symbol. */
export const CURRENCY_CHOICES = CURRENCIES.map((code) => ({ value: code, label: `${code} (${currencySymbol(code)})` }));
