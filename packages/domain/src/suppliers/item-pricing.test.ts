import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimal } from '../money/decimal.ts';
import {
  calculateProfitMargin,
  calculateSellingPrice,
  type ItemPricing,
  isValidMarginPercentage,
  PRICING_METHODS,
} from './item-pricing.ts';

const item = (pricing: Partial<ItemPricing>): ItemPricing => ({
  cost_price: '0',
  pricing_method: 'margin',
  margin_percentage: null,
  markup_amount: null,
  fixed_price: null,
  is_service: false,
  ...pricing,
});
const margin = (cost_price: string, margin_percentage: string) => item({ cost_price, margin_percentage });
const markup = (cost_price: string, markup_amount: string | null) => item({ pricing_method: 'markup', cost_price, markup_amount });
const fixed = (cost_price: string, fixed_price: string | null) => item({ pricing_method: 'fixed', cost_price, fixed_price });

it('a margin is a percentage from 0 to 100', () => {
  const margins = ['-0.1', '0', '0.1', '99.9', '100', '100.1'];
  expect(margins.map(isValidMarginPercentage)).toEqual([false, true, true, true, true, false]);
});

describe('selling price', () => {
  it.each([
    ['70 at a margin of 30', margin('70', '30'), '100.00'],
    ['100 at a margin of 30', margin('100', '30'), '142.86'],
    ['a margin of 0', margin('100', '0'), '100.00'],
    ['a margin of 100', margin('100', '100'), '100.00'],
    ['a markup', markup('100', '25'), '125.00'],
    ['a markup on a cost of 0', markup('0', '25'), '25.00'],
    ['no markup', markup('12.50', null), '12.50'],
    ['a fixed price', fixed('60', '99'), '99.00'],
    ['no fixed price', fixed('60', null), '60.00'],
    ['a fixed price of 0', fixed('50', '0'), '0.00'],
    ['a margin on a cost of 0', margin('0', '30'), '0.00'],
    ['a margin on a cost of 0 with a fixed price', { ...margin('0', '30'), fixed_price: '45' }, '45.00'],
    ['a service with a fixed price', { ...fixed('40', '120'), is_service: true }, '120.00'],
    ['a fixed price left over from another method', { ...markup('100', '25'), fixed_price: '45' }, '125.00'],
  ])('is calculated for %s', (_name, pricing, price) => {
    expect(calculateSellingPrice(pricing)).toBe(price);
  });
});

describe('profit margin', () => {
  it.each([
    ['a profit of one third', fixed('100', '150'), '33.3'],
    ['a loss', fixed('100', '80'), '-25.0'],
    ['an item without a cost', fixed('0', '10'), '100.0'],
    ['a service', { ...fixed('40', '120'), is_service: true }, '100.0'],
    ['an item given away', fixed('50', '0'), '0.0'],
    ['a margin of 30', margin('100', '30'), '30.0'],
  ])('is calculated for %s', (_name, pricing, percent) => {
    expect(calculateProfitMargin(pricing)).toBe(percent);
  });
});

const amount = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
const percentage = fc.integer({ min: 0, max: 1000 }).map((tenths) => toDecimal(String(tenths)).times('0.1').toFixed(1));
const anyItem = fc.record({
  cost_price: amount,
  pricing_method: fc.constantFrom(...PRICING_METHODS),
  margin_percentage: fc.option(percentage),
  markup_amount: fc.option(amount),
  fixed_price: fc.option(amount),
  is_service: fc.boolean(),
});

describe('price of any item', () => {
  it('is in whole cents and never below cost with a margin or markup', () => {
    fc.assert(
      fc.property(anyItem, (pricing) => {
        const price = calculateSellingPrice(pricing);
        expect(price).toMatch(/^\d+\.\d\d$/);
        expect(calculateProfitMargin(pricing)).toMatch(/^-?\d+\.\d$/);
        const isPricedByCost = pricing.pricing_method !== 'fixed' && pricing.fixed_price === null;
        expect(!isPricedByCost || toDecimal(price).gte(pricing.cost_price)).toBe(true);
      }),
    );
  });

  it('earns the chosen margin to the cent', () => {
    fc.assert(
      fc.property(amount, percentage, (cost, percent) => {
        fc.pre(percent !== '0.0' && percent !== '100.0');
        const price = toDecimal(calculateSellingPrice(margin(cost, percent)));
        const error = price.times(toDecimal('100').minus(toDecimal(percent))).minus(toDecimal(cost).times('100'));
        expect(error.abs().lte(toDecimal('100').minus(toDecimal(percent)).times('0.005'))).toBe(true);
      }),
    );
  });
});

it('keeps the values that the database and saved requests contain', () => {
  expect(PRICING_METHODS).toEqual(['margin', 'markup', 'fixed']);
});
