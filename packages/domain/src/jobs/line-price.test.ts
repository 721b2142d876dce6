import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculateLineTotal, sumMoney } from '../money/money.ts';
import { addToQuantity, applyLineDiscount, calculateLinePrice, formatLineDiscount, NO_DISCOUNT } from './line-price.ts';

const percentOf = (percent: string) => ({ discount_percent: percent, discount_amount: null });
const amountOf = (amount: string) => ({ discount_percent: null, discount_amount: amount });

describe('line discount', () => {
  it.each([
    ['115.00', percentOf('10'), '11.50', '103.50'],
    ['0.05', percentOf('10'), '0.01', '0.04'],
    ['10.01', percentOf('50'), '5.01', '5.00'],
    ['100.00', percentOf('33.33'), '33.33', '66.67'],
    ['100.00', percentOf('100'), '100.00', '0.00'],
    ['100.00', amountOf('20'), '20.00', '80.00'],
    ['100.00', NO_DISCOUNT, '0.00', '100.00'],
  ])('takes off %s with %j: %s, which leaves %s', (price, discount, off, total) => {
    expect(applyLineDiscount(price, discount)).toEqual({ discount: off, total_price: total });
  });

  it('never makes a line negative', () => {
    expect(applyLineDiscount('15.00', amountOf('20.00'))).toEqual({ discount: '15.00', total_price: '0.00' });
  });

  const cents = fc.integer({ min: 0, max: 100_000_000 }).map((count) => (count / 100).toFixed(2));
  const quantity = fc.integer({ min: 1000, max: 9_999_999 }).map((thousandths) => String(thousandths / 1000));
  const discount = fc.oneof(
    fc.integer({ min: 1, max: 10_000 }).map((hundredths) => percentOf(String(hundredths / 100))),
    cents.map(amountOf),
    fc.constant(NO_DISCOUNT),
  );

  it('adds up with the total to quantity times price, to the cent', () => {
    fc.assert(
      fc.property(cents, quantity, discount, (unit_price, count, taken) => {
        const price = calculateLinePrice({ unit_price, quantity: count, ...taken });
        expect(sumMoney([price.discount, price.total_price])).toBe(calculateLineTotal(unit_price, count));
        expect(Number(price.total_price)).toBeGreaterThanOrEqual(0);
        expect(Number(price.discount)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each([
    [{ discount: '11.50', discount_percent: '10.00' }, 'Discount 10%: -11.50'],
    [{ discount: '1234.50', discount_percent: null }, 'Discount: -1,234.50'],
    [{ discount: '0.00', discount_percent: '10.00' }, null],
  ])('of %j is printed as %j', (line, text) => {
    expect(formatLineDiscount(line)).toBe(text);
  });
});

describe('relative quantity change', () => {
  it.each([
    ['1', 1, '2'],
    ['2.5', -1, '1.5'],
    ['1.5', -1, '1'],
    ['1', -5, '1'],
    ['999999.5', 1, '1000000'],
  ])('turns %s by %s into %s', (quantity, by, changed) => {
    expect(addToQuantity(quantity, by)).toBe(changed);
  });
});
