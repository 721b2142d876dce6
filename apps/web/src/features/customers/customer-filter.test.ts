import { expect, it } from 'vitest';
import { customerFilter, customersSearch, isFiltered } from './customer-filter.ts';

it('sorts by name, ascending, when the address says nothing', () => {
  expect(customerFilter({})).toEqual({ sort: 'name', order: 'asc' });
  expect(isFiltered(customerFilter({ sort: 'created_at' }))).toBe(false);
});

it('reads a blank search as none', () => {
  expect(customerFilter({ search: '   ' })).toEqual({ sort: 'name', order: 'asc' });
});

it('gives the address back that it was read from', () => {
  const params = { search: 'high street', status: 'inactive', sort: 'last_interaction', order: 'desc' } as const;
  expect(customersSearch(customerFilter(params))).toEqual(params);
  expect(customersSearch(customerFilter({ sort: 'name', order: 'asc' }))).toEqual({});
});
