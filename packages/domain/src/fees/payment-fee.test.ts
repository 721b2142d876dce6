import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../money/decimal.ts';
import { sumMoney } from '../money/money.ts';
import { amountDue, isFeePercentage, paymentFee } from './payment-fee.ts';

const at = (paypal_fee_percentage: string | null) => ({ add_paypal_fees: true, paypal_fee_percentage });
const off = { add_paypal_fees: false, paypal_fee_percentage: '2.9' };

describe('payment fee', () => {
  it.each([
    ['100.00', null, '3.30'],
    ['115.00', null, '3.74'],
    ['230.00', null, '7.18'],
    ['1000.00', null, '30.18'],
    ['100.00', '3.4', '3.83'],
    ['100.00', '0', '0.30'],
    ['0.01', null, '0.31'],
    ['0.00', null, '0.00'],
    ['-5.00', null, '0.00'],
  ])('on %s at %s percent is %s', (amount, percentage, fee) => {
    expect(paymentFee(amount, at(percentage))).toBe(fee);
  });

  it('is zero when switched off, even with an invalid percentage', () => {
    expect(paymentFee('100.00', off)).toBe('0.00');
    expect(paymentFee('100.00', { add_paypal_fees: false, paypal_fee_percentage: '100' })).toBe('0.00');
  });

  it.each(['100', '100.000', '250', '-0.1'])('refuses %s percent', (percentage) => {
    expect(isFeePercentage(percentage)).toBe(false);
    expect(() => paymentFee('100.00', at(percentage))).toThrow(RangeError);
  });

  it.each(['0', '2.9', '99.999'])('allows %s percent', (percentage) => {
    expect(isFeePercentage(percentage)).toBe(true);
  });

  it('is added to the invoice total, and kept separate for bank payers', () => {
    expect(amountDue('115.00', at(null))).toEqual({ amount: '115.00', fee: '3.74', total: '118.74' });
    expect(amountDue('230.00', at(null))).toEqual({ amount: '230.00', fee: '7.18', total: '237.18' });
    expect(amountDue('230.00', off)).toEqual({ amount: '230.00', fee: '0.00', total: '230.00' });
  });

  it('leaves the firm the full amount, to half a cent, after the provider’s fee', () => {
    const anyCents = fc.integer({ min: 1, max: 100_000_000 });
    const anyTenths = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(anyCents, anyTenths, (cents, tenths) => {
        const amount = decimal(String(cents)).times('0.01').toFixed(2);
        const percentage = decimal(String(tenths)).times('0.1').toFixed(1);
        const { fee, total } = amountDue(amount, at(percentage));
        const kept = decimal(total).times(decimal('100').minus(percentage)).times('0.01').minus('0.30');
        expect(kept.minus(amount).abs().lte('0.005')).toBe(true);
        expect(sumMoney([amount, fee])).toBe(total);
      }),
    );
  });
});
