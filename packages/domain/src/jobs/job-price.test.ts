import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimal } from '../money/decimal.ts';
import { calculateLineTotal, sumMoney } from '../money/money.ts';
import { calculateJobTotals, type PricedJob } from './job-price.ts';

const fixedJob: PricedJob = { job_type: 'fixed', fixed_amount: '500.00' };
const line = (total_price: string, tax_inclusive = true) => ({ total_price, tax_inclusive });
const totals = (subtotal: string, tax_amount: string, total_amount: string) => ({ subtotal, tax_amount, total_amount });

describe('job price', () => {
  it('is the fixed amount, including tax, if the job has no items', () => {
    expect(calculateJobTotals(fixedJob, [], '15')).toEqual(totals('434.78', '65.22', '500.00'));
  });

  it('is the total of the items if there are any', () => {
    expect(calculateJobTotals(fixedJob, [line('115.00')], '15')).toEqual(totals('100.00', '15.00', '115.00'));
    expect(calculateJobTotals(fixedJob, [line('115.00'), line('100.00', false)], '15')).toEqual(totals('200.00', '30.00', '230.00'));
  });

  it.each([
    ['an hourly job', { ...fixedJob, job_type: 'hourly' as const }],
    ['a fixed job without an amount', { ...fixedJob, fixed_amount: null }],
  ])('is zero for %s without items', (_name, job) => {
    expect(calculateJobTotals(job, [], '15')).toEqual(totals('0.00', '0.00', '0.00'));
  });

  it('adds up to the cent for any items at any rate', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 }).map((value) => toDecimal(String(value)).times('0.01').toFixed(2));
    const anyItem = fc.record({ price: cents, quantity: fc.integer({ min: 1, max: 5000 }), tax_inclusive: fc.boolean() });
    const anyRate = fc.integer({ min: 0, max: 100_0000 }).map((value) => toDecimal(String(value)).times('0.0001').toFixed(4));
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 30 }), anyRate, (items, rate) => {
        const lines = items.map(({ price, quantity, tax_inclusive }) => line(calculateLineTotal(price, String(quantity)), tax_inclusive));
        const { subtotal, tax_amount, total_amount } = calculateJobTotals(fixedJob, lines, rate);
        expect(sumMoney([subtotal, tax_amount])).toBe(total_amount);
      }),
    );
  });
});
