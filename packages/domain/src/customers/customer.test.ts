import { expect, it } from 'vitest';
import { CUSTOMER_STATUSES, CUSTOMER_TYPES, formatCustomerName, getCustomerType } from './customer.ts';

it('derives the customer type from the company name', () => {
  expect(getCustomerType({ company_name: 'Acme' })).toBe('company');
  expect(getCustomerType({ company_name: null })).toBe('individual');
  expect(getCustomerType({ company_name: '' })).toBe('individual');
});

it("displays the company name, else the person's name, else No Customer", () => {
  expect(formatCustomerName({ name: 'Ana', company_name: 'Acme' })).toBe('Acme');
  expect(formatCustomerName({ name: 'Ana', company_name: null })).toBe('Ana');
  expect(formatCustomerName(null)).toBe('No Customer');
});

it('keeps the values that the database and saved requests contain', () => {
  expect(CUSTOMER_STATUSES).toEqual(['active', 'inactive']);
  expect(CUSTOMER_TYPES).toEqual(['individual', 'company']);
});
