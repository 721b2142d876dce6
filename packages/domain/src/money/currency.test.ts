import { describe, expect, it } from 'vitest';
import { CURRENCIES, getCurrencySymbol, resolvePaymentLinkCurrency, SETTINGS_CURRENCIES } from './currency.ts';

describe('currency', () => {
  it('has the symbol $ if it is a dollar currency', () => {
    expect(CURRENCIES.map((currency) => `${currency} ${getCurrencySymbol(currency)}`)).toEqual([
      'USD $',
      'EUR €',
      'GBP £',
      'AUD $',
      'NZD $',
    ]);
  });

  it('can be chosen in Settings, where NZD comes first', () => {
    expect(SETTINGS_CURRENCIES).toEqual(['NZD', 'USD', 'AUD', 'EUR', 'GBP']);
    expect(SETTINGS_CURRENCIES.toSorted()).toEqual(CURRENCIES.toSorted());
  });

  it.each([null, undefined, '', 'XXX', 'usd', '__proto__', 'constructor'])('defaults to $ and USD when it is %j', (currency) => {
    expect(getCurrencySymbol(currency)).toBe('$');
    expect(resolvePaymentLinkCurrency(currency)).toBe('USD');
  });

  it('is used for payment links if it is stored', () => {
    expect(resolvePaymentLinkCurrency('NZD')).toBe('NZD');
  });
});
