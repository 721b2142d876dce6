import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimal } from '../money/decimal.ts';
import { sumMoney } from '../money/money.ts';
import { calculateAmountDue, calculatePaymentFee, isValidFeePercentage } from './payment-fee.ts';

const withPercentage = (paypal_fee_percentage: string | null) => ({ add_paypal_fees: true, paypal_fee_percentage });
const FEES_OFF = { add_paypal_fees: false, paypal_fee_percentage: '2.9' };

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
  ])('for %s at %s percent is %s', (amount, percentage, fee) => {
    expect(calculatePaymentFee(amount, withPercentage(percentage))).toBe(fee);
  });

  it('is zero when fees are turned off, even with an invalid percentage', () => {
    expect(calculatePaymentFee('100.00', FEES_OFF)).toBe('0.00');
    expect(calculatePaymentFee('100.00', { add_paypal_fees: false, paypal_fee_percentage: '100' })).toBe('0.00');
  });

  it.each(['100', '100.000', '250', '-0.1'])('rejects a rate of %s percent', (percentage) => {
    expect(isValidFeePercentage(percentage)).toBe(false);
    expect(() => calculatePaymentFee('100.00', withPercentage(percentage))).toThrow(RangeError);
  });

  it.each(['0', '2.9', '99.999'])('accepts a rate of %s percent', (percentage) => {
    expect(isValidFeePercentage(percentage)).toBe(true);
  });

  it('is added to the online total but not to the bank transfer amount', () => {
    expect(calculateAmountDue('115.00', withPercentage(null))).toEqual({ amount: '115.00', fee: '3.74', total: '118.74' });
    expect(calculateAmountDue('230.00', withPercentage(null))).toEqual({ amount: '230.00', fee: '7.18', total: '237.18' });
    expect(calculateAmountDue('230.00', FEES_OFF)).toEqual({ amount: '230.00', fee: '0.00', total: '230.00' });
  });

  it('leaves the firm the full amount, within half a cent, after the provider’s deduction', () => {
    const anyCents = fc.integer({ min: 1, max: 100_000_000 });
    const anyTenths = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(anyCents, anyTenths, (cents, tenths) => {
        const amount = toDecimal(String(cents)).times('0.01').toFixed(2);
        const percentage = toDecimal(String(tenths)).times('0.1').toFixed(1);
        const { fee, total } = calculateAmountDue(amount, withPercentage(percentage));
        const received = toDecimal(total).times(toDecimal('100').minus(percentage)).times('0.01').minus('0.30');
        expect(received.minus(amount).abs().lte('0.005')).toBe(true);
        expect(sumMoney([amount, fee])).toBe(total);
      }),
    );
  });
});
