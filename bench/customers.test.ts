import { NewCustomer } from '@callout/contract/customers';
import { expect, it } from 'vitest';
import { generateCustomers } from './customers.ts';

it('gives the same customers for the same seed and others for another', () => {
  expect(generateCustomers(1, 200)).toEqual(generateCustomers(1, 200));
  expect(generateCustomers(1, 1)).not.toEqual(generateCustomers(2, 1));
});

it('gives customers that a person could have typed in, each under an id of its own', () => {
  const customers = generateCustomers(1, 2000);
  for (const customer of customers) expect(NewCustomer.parse(customer)).toMatchObject({ id: customer.id, name: customer.name });
  expect(new Set(customers.map(({ id }) => id)).size).toBe(customers.length);
});

it('has surnames that thousands bear and surnames that hardly anybody bears', () => {
  const count = new Map<string, number>();
  for (const { name } of generateCustomers(1, 20_000)) {
    const surname = name.split(' ').at(-1) ?? '';
    count.set(surname, (count.get(surname) ?? 0) + 1);
  }
  const counts = [...count.values()];
  expect(Math.max(...counts)).toBeGreaterThan(1000);
  expect(counts.filter((times) => times <= 3).length).toBeGreaterThan(500);
});
