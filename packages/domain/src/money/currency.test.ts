import { describe, expect, it } from 'vitest';
import { CURRENCIES, currencySymbol, paymentLinkCurrency, SETTINGS_CURRENCIES } from './currency.ts';

describe('currency', () => {
  it('shows every dollar as $', () => {
    expect(CURRENCIES.map((currency) => `${currency} ${currencySymbol(currency)}`)).toEqual(['USD $', 'EUR €', 'GBP £', 'AUD $', 'NZD $']);
  });

  it('offers the same currencies in settings, New Zealand first', () => {
    expect(SETTINGS_CURRENCIES).toEqual(['NZD', 'USD', 'AUD', 'EUR', 'GBP']);
    expect(SETTINGS_CURRENCIES.toSorted()).toEqual(CURRENCIES.toSorted());
  });

  it.each([null, undefined, '', 'XXX', 'usd', '__proto__', 'constructor'])('shows %j as $ and charges it in USD', (currency) => {
    expect(currencySymbol(currency)).toBe('$');
    expect(paymentLinkCurrency(currency)).toBe('USD');
  });

  it('charges in the stored currency', () => {
    expect(paymentLinkCurrency('NZD')).toBe('NZD');
  });
});
