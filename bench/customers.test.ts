import { NewCustomer } from '@callout/contract/customers';
import { expect, it } from 'vitest';
import { generateCustomers } from './customers.ts';

it('generates the same customers for the same seed and different ones for another seed', () => {
  expect(generateCustomers(1, 200)).toEqual(generateCustomers(1, 200));
  expect(generateCustomers(1, 1)).not.toEqual(generateCustomers(2, 1));
});

it('generates valid customers with unique ids', () => {
  const customers = generateCustomers(1, 2000);
  for (const customer of customers) expect(NewCustomer.parse(customer)).toMatchObject({ id: customer.id, name: customer.name });
  expect(new Set(customers.map(({ id }) => id)).size).toBe(customers.length);
});

it('generates very common as well as very rare surnames', () => {
  const countBySurname = new Map<string, number>();
  for (const { name } of generateCustomers(1, 20_000)) {
    const surname = name.split(' ').at(-1) ?? '';
    countBySurname.set(surname, (countBySurname.get(surname) ?? 0) + 1);
  }
  const counts = [...countBySurname.values()];
  expect(Math.max(...counts)).toBeGreaterThan(1000);
  expect(counts.filter((total) => total <= 3).length).toBeGreaterThan(500);
});
