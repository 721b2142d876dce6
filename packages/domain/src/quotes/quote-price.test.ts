import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateJobTotals } from '../jobs/job-price.ts';
import { toDecimal } from '../money/decimal.ts';
import { calculateLineTotal, sumMoney } from '../money/money.ts';
import { calculateQuoteTotals, calculateSectionTotals, estimateProfit } from './quote-price.ts';

const line = (unit_price: string, quantity = '1', tax_inclusive = true) => ({ unit_price, quantity, tax_inclusive });
const section = (...items: ReturnType<typeof line>[]) => ({ items });

describe('section price', () => {
  it('is 80.00 plus 12.00 tax at 15 % for 57.50 including tax and 3 x 10.00 excluding tax', () => {
    expect(calculateSectionTotals(section(line('57.50'), line('10.00', '3', false)), '15')).toEqual({
      subtotal: '80.00',
      tax_amount: '12.00',
      total_amount: '92.00',
    });
  });
});

describe('quote price', () => {
  const [required, first, second] = [section(line('230.00')), section(line('200.00', '1', false)), section(line('46.00', '2'))];

  it.each([
    ['none', [required], '230.00'],
    ['the first', [required, first], '460.00'],
    ['the second', [required, second], '322.00'],
    ['both', [required, first, second], '552.00'],
  ])('includes the required section and %s of the options', (_name, sections, total_amount) => {
    expect(calculateQuoteTotals(sections, '15')).toMatchObject({ total_amount, rounding: '0.00' });
  });

  it('reports the cent lost by adding up rounded section totals', () => {
    const small = section(line('0.03', '1', false));
    expect(calculateSectionTotals(small, '15').total_amount).toBe('0.03');
    expect(calculateQuoteTotals([small, small], '15')).toEqual({
      subtotal: '0.06',
      tax_amount: '0.01',
      total_amount: '0.07',
      rounding: '0.01',
    });
  });

  it('adds up to the cent and matches the resulting job, for any sections at any rate', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 }).map((value) => toDecimal(String(value)).times('0.01').toFixed(2));
    const quantity = fc.integer({ min: 1000, max: 500_000 }).map((value) => toDecimal(String(value)).times('0.001').toFixed(3));
    const anyLine = fc.record({ unit_price: cents, quantity, tax_inclusive: fc.boolean() });
    const anySection = fc.record({ items: fc.array(anyLine, { maxLength: 8 }) });
    const anyRate = fc.integer({ min: 0, max: 100_0000 }).map((value) => toDecimal(String(value)).times('0.0001').toFixed(4));
    fc.assert(
      fc.property(fc.array(anySection, { maxLength: 6 }), anyRate, (sections, rate) => {
        const { subtotal, tax_amount, total_amount, rounding } = calculateQuoteTotals(sections, rate);
        expect(sumMoney([subtotal, tax_amount])).toBe(total_amount);
        expect(sumMoney([...sections.map((each) => calculateSectionTotals(each, rate).total_amount), rounding])).toBe(total_amount);
        const lines = sections
          .flatMap(({ items }) => items)
          .map((item) => ({ name: '', total: calculateLineTotal(item.unit_price, item.quantity), tax_inclusive: item.tax_inclusive }));
        const job = { title: '', job_type: 'fixed', fixed_amount: null } as const;
        expect(calculateJobTotals(job, lines, rate)).toEqual({ subtotal, tax_amount, total_amount });
      }),
    );
  });
});

describe('estimated profit', () => {
  const item = (unit_price: string, cost_price: string | null, quantity: string, is_service = false) => ({
    unit_price,
    cost_price,
    quantity,
    is_service,
  });

  it('is price minus cost, but the full price of a service: (100 - 70) x 2 + 80 x 1 + (10 - 12.50) x 4', () => {
    expect(estimateProfit([item('100', '70', '2'), item('80', '50', '1', true), item('10', '12.50', '4')])).toBe('130.00');
  });

  it('is the full price of a line without a cost price', () => {
    expect(estimateProfit([item('19.99', null, '1.5')])).toBe('29.99');
    expect(estimateProfit([])).toBe('0.00');
  });
});
