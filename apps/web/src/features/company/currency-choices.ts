import { CURRENCIES, type Currency, currencySymbol, SETTINGS_CURRENCIES } from '@callout/domain/money/currency';

const withSymbols = (codes: readonly Currency[]) => codes.map((code) => ({ value: code, label: `${code} (${currencySymbol(code)})` }));

/** In the order onboarding offers them, each with its symbol. */
export const CURRENCY_CHOICES = withSymbols(CURRENCIES);

/** In the order the settings offer them. */
export const SETTINGS_CURRENCY_CHOICES = withSymbols(SETTINGS_CURRENCIES);
