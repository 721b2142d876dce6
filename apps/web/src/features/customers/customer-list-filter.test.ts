import { expect, it } from 'vitest';
import { isFiltered } from '../../lib/list-filter.ts';
import { customerListFilter } from './customer-list-filter.ts';

it('sorts by name in ascending order if the URL has no sort', () => {
  expect(customerListFilter.fromParams({})).toEqual({ sort: 'name', order: 'asc' });
  expect(isFiltered(customerListFilter.fromParams({ sort: 'created_at' }))).toBe(false);
});

it('ignores a blank search', () => {
  expect(customerListFilter.fromParams({ search: '   ' })).toEqual({ sort: 'name', order: 'asc' });
});

it('round-trips URL parameters and omits the defaults', () => {
  const params = { search: 'high street', status: 'inactive', sort: 'last_interaction', order: 'desc' } as const;
  expect(customerListFilter.toParams(customerListFilter.fromParams(params))).toEqual(params);
  expect(customerListFilter.toParams(customerListFilter.fromParams({ sort: 'name', order: 'asc' }))).toEqual({});
});

it('sorts dates newest first and reverses the order if a column is already sorted', () => {
  const filter = customerListFilter.fromParams({});
  expect(customerListFilter.withSort(filter, 'created_at')).toEqual({ sort: 'created_at', order: 'desc' });
  expect(customerListFilter.withSort(filter, 'name')).toEqual({ sort: 'name', order: 'desc' });
});

it('counts filters, but not the sort order', () => {
  const filter = customerListFilter.fromParams({ sort: 'created_at', order: 'asc' });
  expect(customerListFilter.countActive(filter)).toBe(0);
  expect(customerListFilter.countActive({ ...filter, status: 'inactive' })).toBe(1);
});
