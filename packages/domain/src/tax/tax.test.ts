import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumMoney } from '../money/money.ts';
import { calculateTaxTotals, getTaxInclusionLabel, getTaxRate, isValidTaxRate, splitInclusiveTotal, type TaxTotals } from './tax.ts';

const inc = (total: string) => ({ total, tax_inclusive: true });
const exc = (total: string) => ({ total, tax_inclusive: false });
const formatTotals = (totals: TaxTotals) => `${totals.subtotal} + ${totals.tax_amount} = ${totals.total_amount}`;

describe('tax', () => {
  it.each([
    ['an inclusive line', [inc('115.00')], '15', '100.00 + 15.00 = 115.00'],
    ['an inclusive line that does not divide evenly', [inc('100.00')], '15', '86.96 + 13.04 = 100.00'],
    ['an exclusive line', [exc('100.00')], '15', '100.00 + 15.00 = 115.00'],
    ['an inclusive and an exclusive line', [inc('115.00'), exc('100.00')], '15', '200.00 + 30.00 = 230.00'],
    ['two lines of two cents', [inc('0.02'), exc('0.02')], '15', '0.04 + 0.00 = 0.04'],
    ['a rate of zero', [inc('100.00')], '0', '100.00 + 0.00 = 100.00'],
    ['a rate of 100', [inc('100.00'), exc('50.00')], '100', '100.00 + 100.00 = 200.00'],
    ['a subtotal of 7.15499…, which rounding twice would make 7.16', [inc('7.79')], '8.875', '7.15 + 0.64 = 7.79'],
    ['no lines', [], '15', '0.00 + 0.00 = 0.00'],
    ['a credit', [inc('-115.00')], '15', '-100.00 + -15.00 = -115.00'],
    ['a credit that clears a line', [inc('115.00'), exc('-100.00')], '15', '0.00 + 0.00 = 0.00'],
    [
      'three exclusive lines whose tax is rounded once, not three times',
      [exc('0.10'), exc('0.10'), exc('0.10')],
      '15',
      '0.30 + 0.05 = 0.35',
    ],
  ])('splits %s', (_name, lines, rate, expected) => {
    expect(formatTotals(calculateTaxTotals(lines, rate))).toBe(expected);
  });

  it.each([
    ['99.99', '12.5', '88.88 + 11.11 = 99.99'],
    ['1000.00', '15', '869.57 + 130.43 = 1000.00'],
    ['0.00', '15', '0.00 + 0.00 = 0.00'],
  ])('extracts the tax from %s at %s percent', (total, rate, expected) => {
    expect(formatTotals(splitInclusiveTotal(total, rate))).toBe(expected);
  });

  it('is 15 percent unless the company has its own rate, even if that is 0', () => {
    expect(getTaxRate(null)).toBe('15');
    expect(getTaxRate(undefined)).toBe('15');
    expect(getTaxRate('0')).toBe('0');
    expect(getTaxRate('12.5')).toBe('12.5');
  });

  it('rejects a rate that is negative or not a number', () => {
    expect(() => calculateTaxTotals([], '-1')).toThrow(RangeError);
    expect(() => calculateTaxTotals([], '')).toThrow(RangeError);
  });

  it('labels a price as including or excluding GST', () => {
    expect([getTaxInclusionLabel(true), getTaxInclusionLabel(false)]).toEqual(['inc GST', 'exc GST']);
  });
});

const MILLS = 1000n;
const cents = fc.bigInt({ min: -100_000_000n, max: 100_000_000n });
const anyLine = fc.record({ cents, tax_inclusive: fc.boolean() });
const anyRate = fc.bigInt({ min: 0n, max: 100n * MILLS });

const toDecimalText = (value: bigint, places: number) => {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};
const divideHalfUp = (dividend: bigint, divisor: bigint) => {
  const size = ((dividend < 0n ? -dividend : dividend) * 2n + divisor) / (2n * divisor);
  return dividend < 0n ? -size : size;
};

describe('tax on random line items', () => {
  it('adds up to the cent and matches integer arithmetic', () => {
    fc.assert(
      fc.property(fc.array(anyLine), anyRate, (lines, mills) => {
        const totals = calculateTaxTotals(
          lines.map((line) => ({ total: toDecimalText(line.cents, 2), tax_inclusive: line.tax_inclusive })),
          toDecimalText(mills, 3),
        );
        const sum = (inclusive: boolean) =>
          lines.filter((line) => line.tax_inclusive === inclusive).reduce((total, line) => total + line.cents, 0n);
        const [hundred, gross] = [100n * MILLS, 100n * MILLS + mills];
        const weighted = sum(true) * hundred + sum(false) * gross;
        expect(totals.subtotal).toBe(toDecimalText(divideHalfUp(weighted, gross), 2));
        expect(totals.total_amount).toBe(toDecimalText(divideHalfUp(weighted, hundred), 2));
        expect(sumMoney([totals.subtotal, totals.tax_amount])).toBe(totals.total_amount);
      }),
    );
  });

  it('does not depend on the order of the lines', () => {
    fc.assert(
      fc.property(fc.array(anyLine), anyRate, (lines, mills) => {
        const taxed = lines.map((line) => ({ total: toDecimalText(line.cents, 2), tax_inclusive: line.tax_inclusive }));
        expect(calculateTaxTotals(taxed.toReversed(), toDecimalText(mills, 3))).toEqual(calculateTaxTotals(taxed, toDecimalText(mills, 3)));
      }),
    );
  });
});

it('accepts a rate from 0 to 100 percent inclusive', () => {
  expect(['-0.001', '0', '12.5', '100', '100.001', '101'].map(isValidTaxRate)).toEqual([false, true, true, true, false, false]);
});
