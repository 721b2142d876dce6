import type { Debtor } from '@callout/contract/invoices';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton } from './open-page.tsx';

const KAURI_DEBTOR: Debtor = {
  id: CUSTOMER.id,
  customer_id: CUSTOMER.id,
  customer_name: 'Kauri Property Management',
  invoices: 2,
  unsent: 0,
  current: '0.00',
  days_30: '1063.75',
  days_60: '418.60',
  days_90: '0.00',
  older: '0.00',
  total: '1482.35',
};
const DELETED_DEBTOR: Debtor = {
  ...KAURI_DEBTOR,
  id: 'deleted',
  customer_id: null,
  customer_name: 'J. Wihongi',
  invoices: 1,
  unsent: 0,
  days_30: '310.50',
  days_60: '0.00',
  total: '310.50',
};
const TOTALS = {
  customers: 2,
  invoices: 3,
  unsent: 0,
  current: '0.00',
  days_30: '1374.25',
  days_60: '418.60',
  days_90: '0.00',
  older: '0.00',
  total: '1792.85',
};

const openDebtors = (responses: MockApi = {}) =>
  openPage('/invoices/debtors', {
    'GET /me': () => ADMIN_USER,
    'GET /invoices/debtors': () => ({ rows: [KAURI_DEBTOR, DELETED_DEBTOR], next_cursor: null, total: TOTALS }),
    ...responses,
  });

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setViewportWidth(1024);
});

const getRowCells = (name: RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('lists debtors by age of debt with a totals row', async () => {
  openDebtors();
  await screen.findByRole('table', { name: 'Customers by age of debt' });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Customer',
    'Invoices',
    'Not due yet',
    '1–30 days late',
    '31–60 days late',
    '61–90 days late',
    'Over 90 days late',
    'Total',
  ]);
  expect(getRowCells(/^Kauri/)).toEqual(['2', '–', '1,063.75', '418.60', '–', '–', '1,482.35']);
  expect(getRowCells(/^All customers/)).toEqual(['3', '$0.00', '$1,374.25', '$418.60', '$0.00', '$0.00', '$1,792.85']);
});

it.each([1024, 390])('links a debtor to their unpaid invoices, and a deleted customer to a search by name, at %s px', async (width) => {
  setViewportWidth(width);
  openDebtors();
  const link = await screen.findByRole('link', { name: /^Kauri/ });
  expect(link.getAttribute('href')).toBe(`/invoices?filter=unpaid&customer_id=${CUSTOMER.id}`);
  expect(screen.getByRole('link', { name: /^J\. Wihongi/ }).getAttribute('href')).toBe('/invoices?filter=unpaid&search=J.+Wihongi');
});

it('shows only nonzero debt ages on a phone', async () => {
  setViewportWidth(390);
  openDebtors();
  const card = within(await screen.findByRole('link', { name: /^Kauri/ }));
  for (const text of ['1–30 days late', '1,063.75', '31–60 days late', '418.60', '1,482.35']) expect(card.getByText(text)).toBeDefined();
  expect(card.queryByText('Not due yet')).toBeNull();
  expect(screen.getByText('$1,792.85')).toBeDefined();
});

it.each([
  [1, '1 of 2 invoices not sent yet', 1024],
  [2, '2 invoices, not sent yet', 390],
])('says that %i of 2 invoices are not sent: %s', async (unsent, text, width) => {
  setViewportWidth(width);
  openDebtors({
    'GET /invoices/debtors': () => ({ rows: [{ ...KAURI_DEBTOR, unsent }, DELETED_DEBTOR], next_cursor: null, total: TOTALS }),
  });
  expect(await screen.findByText(text)).toBeDefined();
  expect(screen.getAllByText(/not sent yet/)).toHaveLength(1);
});

it.each([1024, 390])('marks a deleted customer at %s px', async (width) => {
  setViewportWidth(width);
  openDebtors();
  await screen.findByText('J. Wihongi');
  expect(screen.getAllByText('Deleted')).toHaveLength(1);
});

const openTwoPages = () =>
  openDebtors({
    'GET /invoices/debtors': () => ({ rows: [KAURI_DEBTOR], next_cursor: 'next', total: TOTALS }),
    'GET /invoices/debtors?cursor=next': () => ({ rows: [DELETED_DEBTOR], next_cursor: null, total: TOTALS }),
  });

it.each([1024, 390])('shows more customers on request, with the totals of all from the start, at %s px', async (width) => {
  setViewportWidth(width);
  openTwoPages();
  expect(await screen.findByText('$1,792.85')).toBeDefined();
  expect(screen.getByText('2 customers')).toBeDefined();
  expect(screen.queryByText('J. Wihongi')).toBeNull();
  await pressButton('Show more');
  expect(await screen.findByText('J. Wihongi')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('loads all customers before it prints them', async () => {
  const printed: (string | null)[] = [];
  vi.stubGlobal('print', () => printed.push(document.body.textContent));
  openTwoPages();
  await screen.findByRole('table');
  await pressButton('Print');
  await waitFor(() => expect(printed).toEqual([expect.stringContaining('J. Wihongi')]));
});

it('prints the debtors with the date above the table', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  openDebtors();
  await screen.findByRole('table');
  await pressButton('Print');
  expect(print).toHaveBeenCalledOnce();
  expect(screen.getByText(/^Who owes us, /)).toBeDefined();
});

it('shows an empty state and disables printing when there are no debtors', async () => {
  openDebtors({ 'GET /invoices/debtors': () => ({ rows: [], next_cursor: null, total: { ...TOTALS, customers: 0 } }) });
  expect(await screen.findByText('Nobody owes you anything')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Print' }).disabled).toBe(true);
});

it('shows why debtors failed to load and reloads them on Retry', async () => {
  const server = { response: (): unknown => failWith('FORBIDDEN') };
  openDebtors({ 'GET /invoices/debtors': () => server.response() });
  expect(await screen.findByText('A failure on purpose')).toBeDefined();
  server.response = () => ({ rows: [KAURI_DEBTOR], next_cursor: null, total: TOTALS });
  await pressButton('Retry');
  expect(await screen.findByRole('table')).toBeDefined();
});
