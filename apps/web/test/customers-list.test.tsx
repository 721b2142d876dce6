import type { CustomerRow } from '@callout/contract/customers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';

const COMPANY_CUSTOMER: CustomerRow = {
  ...CUSTOMER,
  matched: null,
  id: 'company',
  name: 'Bea Hall',
  company_name: 'Anchor Cafe',
  status: 'inactive',
};

afterEach(() => {
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

function openCustomerList(path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /customers/count': () => ({ total: 1_000 }),
    'GET /customers/count?search=zzz': () => ({ total: 0 }),
    'GET /customers/count?status=inactive': () => ({ total: 92 }),
    'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER, COMPANY_CUSTOMER], next_cursor: null }),
    'GET /customers?search=zzz&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
    'GET /customers?status=inactive&sort=name&order=asc': () => ({ rows: [COMPANY_CUSTOMER], next_cursor: null }),
    ...responses,
  });
}

it('shows how many customers match the filter, and marks only inactive ones', async () => {
  openCustomerList('/customers?status=inactive');
  await waitFor(() => expect(document.body.textContent).toContain('92 of 1,000 customers'));
  const list = await screen.findByRole('list', { name: 'Customers' });
  expect(within(list).getByText('Inactive')).toBeDefined();
  expect(within(list).getByText('Anchor Cafe')).toBeDefined();
  expect(within(list).queryByText('Active')).toBeNull();
});

it('shows 1,000+ when counting stopped', async () => {
  openCustomerList('/customers?status=inactive', {
    'GET /customers/count': () => ({ total: 1_001 }),
    'GET /customers/count?status=inactive': () => ({ total: 1_001 }),
    'GET /customers?status=inactive&sort=name&order=asc': () => ({ rows: [COMPANY_CUSTOMER], next_cursor: 'next' }),
    'GET /customers?status=inactive&sort=name&order=asc&cursor=next': () => new Promise(() => undefined),
  });
  await waitFor(() => expect(document.body.textContent).toContain('1,000+ customers'));
  expect(document.body.textContent).not.toContain('1,000+ of');
  expect((await screen.findByText('Anchor Cafe')).closest('li')?.getAttribute('aria-setsize')).toBe('-1');
});

it('says that a search needs a connection and shows no count for it while offline', async () => {
  openCustomerList('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  typeInto('Search customers', 'zzz');
  await screen.findByText('Searching and filtering need a connection. This is what was loaded before.');
  expect(screen.getByRole('link', { name: /^Ana Rossi/ })).toBeDefined();
  expect(document.body.textContent).toContain('1,000 customers');
  expect(document.body.textContent).not.toContain('1,000 of');
});

it('a search without results prefills the name of a new customer', async () => {
  openCustomerList('/customers?search=zzz');
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Add New Customer' });
  expect(new URL(link.href).search).toBe('?name=zzz');
});

it('clearing a search without results shows a loading state, not an empty list', async () => {
  const response = Promise.withResolvers<void>();
  openCustomerList('/customers?search=zzz', {
    'GET /customers?sort=name&order=asc': async () => {
      await response.promise;
      return { rows: [CUSTOMER], next_cursor: null };
    },
  });
  await screen.findByText('Nothing matches “zzz”.');
  const clear = screen.getByRole('button', { name: 'Clear search and filters' });
  await act(async () => fireEvent.click(clear));
  await screen.findByText('Loading customers');
  expect(screen.queryByText('No customers found')).toBeNull();
  await act(async () => response.resolve());
  await screen.findByRole('link', { name: /^Ana Rossi/ });
});

it('keeps the sort order of the customer list in the URL', async () => {
  const { router } = openCustomerList('/customers', {
    'GET /customers?sort=company_name&order=asc': () => ({ rows: [COMPANY_CUSTOMER, CUSTOMER], next_cursor: null }),
    'GET /customers?sort=company_name&order=desc': () => ({ rows: [CUSTOMER, COMPANY_CUSTOMER], next_cursor: null }),
  });
  const getNames = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
  await waitFor(() => expect(getNames()).toEqual(['Ana Rossi', 'Bea Hall']));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sort by Company' })));
  await waitFor(() => expect(getNames()).toEqual(['Bea Hall', 'Ana Rossi']));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Sort by Company , ascending' })));
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'company_name', order: 'desc' }));
});

it('focuses the heading of a page opened from a link', async () => {
  openCustomerList('/customers', { [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER });
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  row.focus();
  await act(async () => fireEvent.click(row));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Ana Rossi' })));
});

it('arrow keys move the focus between customer rows', async () => {
  openCustomerList('/customers');
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  row.focus();
  fireEvent.keyDown(row, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Bea Hall');
});

it('ignores invalid URL parameters of the customer list', async () => {
  openCustomerList('/customers?status=sleeping&sort=weight&order=sideways');
  expect(await screen.findByRole('link', { name: /^Ana Rossi/ })).toBeDefined();
});

it('keeps filters and sort in the URL, and offers to clear a filter without matches', async () => {
  const { router } = openCustomerList('/customers', {
    'GET /customers/count?status=inactive': () => ({ total: 0 }),
    'GET /customers?sort=company_name&order=asc': () => ({ rows: [COMPANY_CUSTOMER, CUSTOMER], next_cursor: null }),
    'GET /customers?status=inactive&sort=company_name&order=asc': () => ({ rows: [], next_cursor: null }),
  });
  await pressButton(/^Filters/);
  typeInto('Sort by', 'company_name');
  await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'company_name' }));
  typeInto('Status', 'inactive');
  await screen.findByText('There are no inactive customers.');
  expect(router.state.location.search).toEqual({ status: 'inactive', sort: 'company_name' });
  await pressButton('Clear search and filters');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(router.state.location.search).toEqual({ sort: 'company_name' });
});

it('shows why the customer list could not be loaded and reloads it on Retry', async () => {
  const list = { respond: (): unknown => failWith('FORBIDDEN') };
  openCustomerList('/customers', { 'GET /customers?sort=name&order=asc': () => list.respond() });
  await screen.findByText('A failure on purpose');
  list.respond = () => ({ rows: [CUSTOMER], next_cursor: null });
  await pressButton('Retry');
  expect(await screen.findByRole('link', { name: /^Ana Rossi/ })).toBeDefined();
});

it('shows text that looks like markup exactly as it was typed', async () => {
  const name = '<img src=x onerror=alert(1)>';
  const hostile = { ...CUSTOMER, name, notes: '<script>alert(2)</script>' };
  openCustomerList('/customers', {
    'GET /customers?sort=name&order=asc': () => ({ rows: [hostile], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => hostile,
  });
  const row = await screen.findByRole('link', { name: /^<img src=x onerror=alert\(1\)>/ });
  await act(async () => fireEvent.click(row));
  await screen.findByRole('heading', { level: 1, name });
  expect(screen.getByText('<script>alert(2)</script>')).toBeDefined();
});
