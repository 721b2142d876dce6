import type { CustomerRow } from '@callout/contract/customers';
import { expect, it } from 'vitest';
import { uniqueRows } from '../../lib/unique-rows.ts';
import { type CustomerPages, withCustomer, withoutCustomer } from './customers-cache.ts';

function row(id: string, name: string): CustomerRow {
  return {
    id,
    name,
    email: 'a@example.com',
    phone: '1',
    address: 'x',
    company_name: null,
    contact_name: null,
    matched: null,
    status: 'active',
    created_at: '2026-01-01T00:00:00Z',
    last_interaction: null,
  };
}

const pages: CustomerPages = {
  pages: [
    { rows: [row('1', 'Ana'), row('2', 'Ben')], next_cursor: 'c' },
    { rows: [row('3', 'Cleo')], next_cursor: null },
  ],
  pageParams: [undefined, 'c'],
};

const names = (data: CustomerPages) => uniqueRows(data.pages).map((customer) => customer.name);

it('takes a deleted customer out of its page and leaves the others', () => {
  expect(names(withoutCustomer(pages, '2'))).toEqual(['Ana', 'Cleo']);
  expect(names(pages)).toEqual(['Ana', 'Ben', 'Cleo']);
});

it('shows a change where the row stands', () => {
  expect(names(withCustomer(pages, row('3', 'Cleopatra')))).toEqual(['Ana', 'Ben', 'Cleopatra']);
});

it('shows a customer once that moved from one page to the next between two reads', () => {
  const moved: CustomerPages = { ...pages, pages: [...pages.pages, { rows: [row('1', 'Zoe')], next_cursor: null }] };
  expect(names(moved)).toEqual(['Ana', 'Ben', 'Cleo']);
});
