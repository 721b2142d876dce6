import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildInvoiceDocument } from '../invoices/invoice-document.ts';
import { calculateLineTotal, sumMoney } from '../money/money.ts';
import { parseMoney } from '../money/money-format.ts';
import { calculateJobTotals } from './job-price.ts';
import { addToQuantity, applyLineDiscount, calculateLinePrice, formatLineDiscount, formatPricedLine, NO_DISCOUNT } from './line-price.ts';

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

  const pricedLine = fc.record({ unit_price: cents, quantity, discount, tax_inclusive: fc.boolean() });

  it('adds up on the invoice: lines to the job total, and every printed line from its price and discount', () => {
    fc.assert(
      fc.property(fc.array(pricedLine, { minLength: 1, maxLength: 8 }), fc.constantFrom('0', '7', '15', '21'), (drawn, tax_rate) => {
        const items = drawn.map(({ unit_price, quantity: count, discount: typed, tax_inclusive }) => {
          const { discount: off, total_price } = calculateLinePrice({ unit_price, quantity: count, ...typed });
          const text = { name: 'Pipe', description: null, is_service: false, tax_inclusive, quantity: count, unit_price };
          return { ...text, discount: off, discount_percent: typed.discount_percent, total: total_price };
        });
        const job = { title: 'Roof', job_type: 'fixed', fixed_amount: '500.00' } as const;
        const totals = calculateJobTotals(
          job,
          items.map((item) => ({ ...item, total_price: item.total })),
          tax_rate,
        );
        const document = buildInvoiceDocument(
          {
            ...job,
            job_number: 'J25010042',
            description: null,
            items,
            tax_rate,
            fees: { add_paypal_fees: false, paypal_fee_percentage: null },
            currency: 'NZD',
            issuer: { company_name: null, address: null, phone: null, email: null },
            customer: null,
            due_on: null,
          },
          null,
        );
        expect(document.exact).toMatchObject({ subtotal: totals.subtotal, tax: totals.tax_amount, amount: totals.total_amount });
        expect(sumMoney([document.exact.subtotal, document.exact.tax])).toBe(document.exact.amount);
        for (const printed of document.items) {
          const toAmount = (text: string) => parseMoney(text, 'NZD') ?? `not an amount: ${text}`;
          const off = printed.discount === undefined ? '0.00' : toAmount(printed.discount.replace(/^.*: /, ''));
          const full = calculateLineTotal(toAmount(printed.unit_price), printed.quantity);
          expect(sumMoney([full, off])).toBe(toAmount(printed.total));
        }
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

describe('a line with its price', () => {
  const line = { quantity: '2', name: 'Tap', unit_price: '1045.00' };
  it.each([
    [{ discount: '0.00', discount_percent: null }, '2 × Tap at 1,045.00'],
    [{ discount: '209.00', discount_percent: '10.00' }, '2 × Tap at 1,045.00 (Discount 10%: -209.00)'],
  ])('with the discount %j is %s', (discount, text) => {
    expect(formatPricedLine({ ...line, ...discount })).toBe(text);
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
