import type { CustomerRow } from '@callout/contract/customers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, openPage, press, refuse, typeInto } from './open-page.tsx';
import { CUSTOMER, OWNER } from './people.ts';

const COMPANY: CustomerRow = {
  ...CUSTOMER,
  matched: null,
  id: 'company',
  name: 'Bea Hall',
  company_name: 'Anchor Cafe',
  status: 'inactive',
};

function openList(path: string, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => OWNER,
    'GET /customers/count': () => ({ total: 2_000 }),
    'GET /customers/count?search=zzz': () => ({ total: 0 }),
    'GET /customers/count?status=inactive': () => ({ total: 92 }),
    'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER, COMPANY], next_cursor: null }),
    'GET /customers?search=zzz&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
    'GET /customers?status=inactive&sort=name&order=asc': () => ({ rows: [COMPANY], next_cursor: null }),
    ...more,
  });
}

it('says how many of how many a filter finds, and marks only who is inactive', async () => {
  openList('/customers?status=inactive');
  await waitFor(() => expect(document.body.textContent).toContain('92 of 2,000 customers'));
  const list = await screen.findByRole('list', { name: 'Customers' });
  expect(within(list).getByText('Inactive')).toBeDefined();
  expect(within(list).getByText('Anchor Cafe')).toBeDefined();
  expect(within(list).queryByText('Active')).toBeNull();
});

it('a search that found nothing hands its words to the new customer', async () => {
  openList('/customers?search=zzz');
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Add New Customer' });
  expect(new URL(link.href).search).toBe('?name=zzz');
});

it('clearing a search that found nothing does not claim that there are no customers', async () => {
  const answer = Promise.withResolvers<void>();
  openList('/customers?search=zzz', {
    'GET /customers?sort=name&order=asc': async () => {
      await answer.promise;
      return { rows: [CUSTOMER], next_cursor: null };
    },
  });
  await screen.findByText('Nothing matches “zzz”.');
  const clear = screen.getByRole('button', { name: 'Clear search and filters' });
  await act(async () => fireEvent.click(clear));
  await screen.findByText('Loading customers');
  expect(screen.queryByText('No customers found')).toBeNull();
  await act(async () => answer.resolve());
  await screen.findByRole('link', { name: /^Ana Rossi/ });
});

it('sorting is in the address', async () => {
  const { router } = openList('/customers', {
    'GET /customers?sort=company_name&order=asc': () => ({ rows: [COMPANY, CUSTOMER], next_cursor: null }),
    'GET /customers?sort=company_name&order=desc': () => ({ rows: [CUSTOMER, COMPANY], next_cursor: null }),
  });
  const names = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
  await waitFor(() => expect(names()).toEqual(['Ana Rossi', 'Bea Hall']));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sort by Company' })));
  await waitFor(() => expect(names()).toEqual(['Bea Hall', 'Ana Rossi']));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sort by Company , ascending' })));
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'company_name', order: 'desc' }));
});

it('a page that was opened by a link starts at its heading', async () => {
  openList('/customers', { [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER });
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  row.focus();
  await act(async () => fireEvent.click(row));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Ana Rossi' })));
});

it('the arrow keys walk the rows', async () => {
  openList('/customers');
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  row.focus();
  fireEvent.keyDown(row, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Bea Hall');
});

it('a link with parameters that mean nothing opens the list all the same', async () => {
  openList('/customers?status=sleeping&sort=weight&order=sideways');
  expect(await screen.findByRole('link', { name: /^Ana Rossi/ })).toBeDefined();
});

it('filters and sort are in the URL, and a filter that finds nobody says so and is cleared', async () => {
  const { router } = openList('/customers', {
    'GET /customers/count?status=inactive': () => ({ total: 0 }),
    'GET /customers?sort=company_name&order=asc': () => ({ rows: [COMPANY, CUSTOMER], next_cursor: null }),
    'GET /customers?status=inactive&sort=company_name&order=asc': () => ({ rows: [], next_cursor: null }),
  });
  await press(/^Filters/);
  typeInto('Sort by', 'company_name');
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'company_name' }));
  typeInto('Status', 'inactive');
  await screen.findByText('There are no inactive customers.');
  expect(router.state.location.search).toEqual({ status: 'inactive', sort: 'company_name' });
  await press('Clear search and filters');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(router.state.location.search).toEqual({ sort: 'company_name' });
});

it('a list that cannot be read says why and is read again on request', async () => {
  const list = { answer: (): unknown => refuse('FORBIDDEN') };
  openList('/customers', { 'GET /customers?sort=name&order=asc': () => list.answer() });
  await screen.findByText('A failure on purpose');
  list.answer = () => ({ rows: [CUSTOMER], next_cursor: null });
  await press('Retry');
  expect(await screen.findByRole('link', { name: /^Ana Rossi/ })).toBeDefined();
});

it('text that looks like markup is shown as it was typed', async () => {
  const name = '<img src=x onerror=alert(1)>';
  const hostile = { ...CUSTOMER, name, notes: '<script>alert(2)</script>' };
  openList('/customers', {
    'GET /customers?sort=name&order=asc': () => ({ rows: [hostile], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => hostile,
  });
  const row = await screen.findByRole('link', { name: /^<img src=x onerror=alert\(1\)>/ });
  await act(async () => fireEvent.click(row));
  await screen.findByRole('heading', { level: 1, name });
  expect(screen.getByText('<script>alert(2)</script>')).toBeDefined();
});
