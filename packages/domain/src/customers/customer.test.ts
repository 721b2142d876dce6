import { expect, it } from 'vitest';
import { customerLabel, customerType } from './customer.ts';

it('derives the type from the company name', () => {
  expect(customerType({ company_name: 'Acme' })).toBe('company');
  expect(customerType({ company_name: null })).toBe('individual');
  expect(customerType({ company_name: '' })).toBe('individual');
});

it('shows the company, then the name, then No Customer', () => {
  expect(customerLabel({ name: 'Ana', company_name: 'Acme' })).toBe('Acme');
  expect(customerLabel({ name: 'Ana', company_name: null })).toBe('Ana');
  expect(customerLabel(null)).toBe('No Customer');
});
