import { expect, it } from 'vitest';
import { generateCustomers } from './customers.ts';
import { generateQuotes } from './quotes.ts';

const customers = generateCustomers(1, 200);

it('generates the same quotes for the same seed and different ones for another seed', () => {
  expect(generateQuotes(1, 50, customers)).toEqual(generateQuotes(1, 50, customers));
  expect(generateQuotes(1, 1, customers)).not.toEqual(generateQuotes(2, 1, customers));
});

it('generates quotes with unique ids, numbers and tokens, half of them open for acceptance', () => {
  const quotes = generateQuotes(1, 500, customers);
  for (const key of ['id', 'quote_number', 'token'] as const) expect(new Set(quotes.map((quote) => quote[key])).size).toBe(quotes.length);
  expect(quotes.filter(({ status, valid_until }) => status === 'sent' && valid_until === null)).toHaveLength(250);
});
