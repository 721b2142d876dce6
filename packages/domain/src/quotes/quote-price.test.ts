import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateJobTotals } from '../jobs/job-price.ts';
import { toDecimal } from '../money/decimal.ts';
import { calculateLineTotal, sumMoney } from '../money/money.ts';
import { calculateQuoteTotals, calculateSectionTotals, estimateProfit, hasSectionTax } from './quote-price.ts';

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

describe('the subtotal and tax of sections', () => {
  it('are shown if none is rounded', () => {
    expect(hasSectionTax([section(line('57.50'), line('10.00', '3', false)), section(line('230.00'))], '15')).toBe(true);
  });

  it('are not shown if they may not add up: 8.70 + 8.70 for two sections at 10.00 including tax, but 17.39 for both', () => {
    const ten = section(line('10.00'));
    expect(calculateSectionTotals(ten, '15').subtotal).toBe('8.70');
    expect(calculateQuoteTotals([ten, ten], '15').subtotal).toBe('17.39');
    expect(hasSectionTax([ten, ten], '15')).toBe(false);
    expect(hasSectionTax([ten, section(line('230.00'))], '15')).toBe(false);
    // The subtotal of 0.05 excluding tax is exact, but its total of 0.0575 is rounded.
    expect(hasSectionTax([section(line('0.05', '1', false)), section(line('230.00'))], '15')).toBe(false);
  });

  it('are shown in any case if there is only one section', () => {
    expect(hasSectionTax([section(line('10.00'))], '15')).toBe(true);
    expect(hasSectionTax([], '15')).toBe(true);
  });

  it('add up for every selection of sections that show them', () => {
    const cents = fc.integer({ min: 0, max: 4000 }).map((n) => (n / 100).toFixed(2));
    const sections = fc.array(fc.array(fc.tuple(cents, fc.boolean()), { maxLength: 2 }), { minLength: 2, maxLength: 3 });
    const property = fc.property(sections, fc.constantFrom('0', '10', '15', '25'), (priced, rate) => {
      const all = priced.map((lines) => section(...lines.map(([price, isInclusive]) => line(price, '1', isInclusive))));
      fc.pre(hasSectionTax(all, rate));
      for (const selected of [all, all.slice(1), all.slice(0, -1)]) {
        const figures = selected.map((each) => calculateSectionTotals(each, rate));
        const { subtotal, tax_amount, rounding } = calculateQuoteTotals(selected, rate);
        expect([sumMoney(figures.map((each) => each.subtotal)), sumMoney(figures.map((each) => each.tax_amount))]).toEqual([
          subtotal,
          tax_amount,
        ]);
        expect(rounding).toBe('0.00');
      }
    });
    fc.assert(property);
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
          .map((item) => ({ total_price: calculateLineTotal(item.unit_price, item.quantity), tax_inclusive: item.tax_inclusive }));
        const job = { job_type: 'fixed', fixed_amount: null } as const;
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
