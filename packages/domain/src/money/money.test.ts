import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateLineTotal, isPositiveAmount, isZeroAmount, roundMoney, subtractMoney, sumMoney } from './money.ts';

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
const toMoney = (count: number) => {
  const digits = String(Math.abs(count)).padStart(3, '0');
  return `${count < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

describe('money', () => {
  it.each([
    ['0.00', true, false],
    ['-0.00', true, false],
    ['0.01', false, true],
    ['-0.01', false, false],
    ['0.0000000000000000000000001', false, true],
  ])('%s is zero: %s, positive: %s', (amount, zero, positive) => {
    expect([isZeroAmount(amount), isPositiveAmount(amount)]).toEqual([zero, positive]);
  });

  it.each([
    ['0.005', '0.01'],
    ['0.0049999999999999999999999', '0.00'],
    ['1.005', '1.01'],
    ['2.675', '2.68'],
    ['-0.005', '-0.01'],
    ['-0.004', '0.00'],
    ['9.995', '10.00'],
    ['5', '5.00'],
    ['99999999999999999999.995', '100000000000000000000.00'],
  ])('rounds %s half up to %s', (amount, rounded) => {
    expect(roundMoney(amount)).toBe(rounded);
  });

  it('adds and subtracts exactly', () => {
    expect(sumMoney(['0.10', '0.20'])).toBe('0.30');
    expect(sumMoney([])).toBe('0.00');
    expect(sumMoney(['0.0374', '0.001'])).toBe('0.0384');
    expect(subtractMoney('0.30', '0.10')).toBe('0.20');
    expect(subtractMoney('0.10', '0.10')).toBe('0.00');
  });

  it('adds cents like integer arithmetic, in any order', () => {
    fc.assert(
      fc.property(fc.array(cents), (amounts) => {
        const total = toMoney(amounts.reduce((sum, amount) => sum + amount, 0));
        expect(sumMoney(amounts.map(toMoney))).toBe(total);
        expect(sumMoney(amounts.toReversed().map(toMoney))).toBe(total);
      }),
    );
  });

  it('subtracts back to the original amount', () => {
    fc.assert(
      fc.property(cents, cents, (amount, other) => {
        expect(subtractMoney(sumMoney([toMoney(amount), toMoney(other)]), toMoney(other))).toBe(toMoney(amount));
      }),
    );
  });
});

describe('line total', () => {
  it.each([
    ['18.00', '10', '180.00'],
    ['142.86', '7', '1000.02'],
    ['45.50', '1.25', '56.88'],
    ['0.00', '3', '0.00'],
    ['-5.00', '2', '-10.00'],
  ])('%s x %s is %s', (unitPrice, quantity, total) => {
    expect(calculateLineTotal(unitPrice, quantity)).toBe(total);
  });

  it('rounds the unit price before multiplying: 100 / 0.7 x 7 is 1000.02, not 1000.00', () => {
    expect(calculateLineTotal('142.857142857142857143', '7')).toBe('1000.02');
  });

  it('equals the unit price added up quantity times', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 50 }), (unitPrice, quantity) => {
        expect(calculateLineTotal(toMoney(unitPrice), String(quantity))).toBe(
          sumMoney(Array.from({ length: quantity }, () => toMoney(unitPrice))),
        );
      }),
    );
  });
});
