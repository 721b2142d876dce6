import type { CustomerRow } from '@callout/contract/customers';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, openPage } from './open-page.tsx';
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
    'GET /notifications/unread': () => ({ count: 0 }),
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
  const clear = screen.getByRole('button', { name: 'Clear search and filter' });
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
