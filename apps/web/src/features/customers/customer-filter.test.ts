import { expect, it } from 'vitest';
import { isFiltered } from '../../lib/list-filter.ts';
import { customerFilter } from './customer-filter.ts';

it('sorts by name, ascending, when the address says nothing', () => {
  expect(customerFilter.read({})).toEqual({ sort: 'name', order: 'asc' });
  expect(isFiltered(customerFilter.read({ sort: 'created_at' }))).toBe(false);
});

it('reads a blank search as none', () => {
  expect(customerFilter.read({ search: '   ' })).toEqual({ sort: 'name', order: 'asc' });
});

it('gives the address back that it was read from', () => {
  const params = { search: 'high street', status: 'inactive', sort: 'last_interaction', order: 'desc' } as const;
  expect(customerFilter.write(customerFilter.read(params))).toEqual(params);
  expect(customerFilter.write(customerFilter.read({ sort: 'name', order: 'asc' }))).toEqual({});
});

it('sorts by a date from the newest, and turns round what is sorted already', () => {
  const filter = customerFilter.read({});
  expect(customerFilter.sortBy(filter, 'created_at')).toEqual({ sort: 'created_at', order: 'desc' });
  expect(customerFilter.sortBy(filter, 'name')).toEqual({ sort: 'name', order: 'desc' });
  expect(customerFilter.countChanged(customerFilter.sortBy(filter, 'created_at'))).toBe(1);
});
