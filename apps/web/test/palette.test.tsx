import type { CustomerRow } from '@callout/contract/customers';
import type { InvoiceRow } from '@callout/contract/invoices';
import type { JobRow } from '@callout/contract/jobs';
import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { INVOICE } from './billing-fixtures.ts';
import { cleanupCallbacks } from './clean-up.ts';
import { ADMIN_USER, CUSTOMER, ITEM, JOB, PROFILE, QUOTE, QUOTE_ROW, SUPPLIER } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton } from './open-page.tsx';

const buildCustomerRow = (id: string, name: string, overrides: Partial<CustomerRow> = {}): CustomerRow => ({
  id,
  name,
  email: '',
  phone: '021 555 000',
  address: '',
  company_name: null,
  contact_name: null,
  status: 'active',
  last_interaction: null,
  created_at: '2026-03-01T08:00:00.000Z',
  matched: 'name',
  ...overrides,
});

const buildCustomerPage = (...rows: CustomerRow[]) => ({ rows, next_cursor: null });

const buildCustomerSearch = (term: string) => `GET /customers?search=${term}&sort=name&order=asc`;
const buildJobSearch = (term: string) => `GET /jobs/find?search=${encodeURIComponent(term)}`;
const buildQuoteSearch = (term: string) => `GET /quotes/find?search=${encodeURIComponent(term)}`;

const ROOF_JOB: JobRow = {
  ...JOB,
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null },
  timer_status: null,
  matched: 'title',
};

const buildInvoiceSearch = (term: string) =>
  `GET /invoices?search=${encodeURIComponent(term.replace(/^#/, ''))}&sort=invoice_number&order=desc`;
const buildItemSearch = (term: string) => `GET /items/search?search=${encodeURIComponent(term)}`;

const ROOF_INVOICE: InvoiceRow = { ...INVOICE, job_status: 'invoiced', is_mail_failed: false, matched: null };

/** Builds empty job, quote, invoice and item results for the search `terms`. */
const buildEmptyResponses = (...terms: string[]): MockApi => {
  const calls = terms.flatMap((term) => [buildJobSearch(term), buildQuoteSearch(term), buildInvoiceSearch(term), buildItemSearch(term)]);
  return Object.fromEntries(calls.map((call) => [call, () => ({ rows: [], next_cursor: null })]));
};

const SEARCH_TERMS = ['smith', 'jones', 'zzz', 'anch', 'sm', 'smi', 'zoe', '#J2603', 'ro', 'ross', 'q0012', 'ana', 'inv-2026', 'cp-15'];

async function openPalette(responses: MockApi) {
  const page = openPage('/todo', { 'GET /me': () => ADMIN_USER, ...buildEmptyResponses(...SEARCH_TERMS), ...responses });
  await screen.findByRole('heading', { name: 'To Do' });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const input = await screen.findByRole('combobox', { name: 'Search or go to' });
  return { ...page, input, type: (value: string) => fireEvent.change(input, { target: { value } }) };
}

const getOptionTexts = () => screen.queryAllByRole('option').map((option) => option.textContent);

it('opens the first result for the latest term on Enter, not a result of the previous term', async () => {
  const { input, type, path } = await openPalette({
    [buildCustomerSearch('smith')]: () => buildCustomerPage(buildCustomerRow('smith', 'Ana Smith')),
    [buildCustomerSearch('jones')]: () => buildCustomerPage(buildCustomerRow('jones', 'Ben Jones')),
    // Never resolves, because the test checks only the path.
    'GET /customers/jones': () => new Promise(() => undefined),
    'GET /invoices/summary?customer_id=jones': () => new Promise(() => undefined),
  });
  type('smith');
  await screen.findByRole('option', { name: /Ana Smith/ });
  type('jones');
  fireEvent.keyDown(input, { key: 'Enter' });
  expect(path()).toBe('/todo');
  await waitFor(() => expect(path()).toBe('/customers/jones'));
});

it('opens nothing on Enter when there are no results, even after the next search', async () => {
  const { input, type, path } = await openPalette({
    [buildCustomerSearch('zzz')]: () => buildCustomerPage(),
    [buildCustomerSearch('smith')]: () => buildCustomerPage(buildCustomerRow('smith', 'Ana Smith')),
  });
  type('zzz');
  fireEvent.keyDown(input, { key: 'Enter' });
  await screen.findByText('No results. Try a different search.');
  type('smith');
  await screen.findByRole('option', { name: /Ana Smith/ });
  expect(path()).toBe('/todo');
});

it('shows a company by its name with the person beside it', async () => {
  const { type } = await openPalette({
    [buildCustomerSearch('anch')]: () => buildCustomerPage(buildCustomerRow('1', 'Bea Hall', { company_name: 'Anchor Cafe' })),
  });
  type('anch');
  await waitFor(() => expect(getOptionTexts()).toEqual(['Anchor CafeBea Hall']));
});

it('keeps customer results that still match while more is typed', async () => {
  const { type } = await openPalette({
    [buildCustomerSearch('sm')]: () => buildCustomerPage(buildCustomerRow('1', 'Ana Smith'), buildCustomerRow('2', 'Bo Small')),
    [buildCustomerSearch('smi')]: () => new Promise(() => undefined),
  });
  type('sm');
  await screen.findByRole('option', { name: /Bo Small/ });
  type('smi');
  expect(getOptionTexts()).toEqual(['Ana Smith021 555 000']);
});

it('shows the contact person who matched the search for a customer', async () => {
  const { type } = await openPalette({
    [buildCustomerSearch('zoe')]: () =>
      buildCustomerPage(
        buildCustomerRow('1', 'Zoe Adams'),
        buildCustomerRow('2', 'Aaron', { company_name: 'Harbour Cafe', contact_name: 'Zoe Smith', matched: 'contact' }),
      ),
  });
  type('zoe');
  const option = await screen.findByRole('option', { name: /Aaron/ });
  within(option).getByText('Contact: Zoe Smith');
  expect(screen.getAllByText(/^Contact:/)).toHaveLength(1);
});

it('finds a job by number and opens it on Enter', async () => {
  const { input, type, path } = await openPalette({
    [buildCustomerSearch('%23J2603')]: () => buildCustomerPage(),
    [buildJobSearch('#J2603')]: () => ({ rows: [ROOF_JOB] }),
    [`GET /jobs/${JOB.id}`]: () => JOB,
    'GET /staff-names': () => ({ rows: [] }),
  });
  type('#J2603');
  await waitFor(() => expect(getOptionTexts()).toEqual(['Roof repair#J26030042 · Ana Rossi']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  await screen.findByRole('heading', { level: 1, name: 'Roof repair' });
});

it('keeps job results whose title, number or customer still matches while more is typed', async () => {
  const { type } = await openPalette({
    [buildCustomerSearch('ro')]: () => buildCustomerPage(),
    [buildCustomerSearch('ross')]: () => buildCustomerPage(),
    [buildJobSearch('ro')]: () => ({ rows: [ROOF_JOB, { ...ROOF_JOB, id: 'other', title: 'Rope', customer: null }] }),
    [buildJobSearch('ross')]: () => new Promise(() => undefined),
  });
  type('ro');
  await screen.findByRole('option', { name: /Rope/ });
  type('ross');
  expect(getOptionTexts()).toEqual(['Roof repair#J26030042 · Ana Rossi']);
});

it('finds a quote by number and opens it on Enter', async () => {
  const { input, type, path } = await openPalette({
    [buildCustomerSearch('q0012')]: () => buildCustomerPage(),
    [buildQuoteSearch('q0012')]: () => ({ rows: [QUOTE_ROW] }),
    [`GET /quotes/${QUOTE.id}`]: () => QUOTE,
    'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
  });
  type('q0012');
  await waitFor(() => expect(getOptionTexts()).toEqual(['Heat pump for the loungeQ001234 · Ana Rossi']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await waitFor(() => expect(path()).toBe(`/quotes/${QUOTE.id}`));
  await screen.findByRole('heading', { level: 1, name: QUOTE.title });
});

it('labels a quote without a customer as Quick Price', async () => {
  const { type } = await openPalette({
    [buildCustomerSearch('ana')]: () => buildCustomerPage(),
    [buildQuoteSearch('ana')]: () => ({ rows: [{ ...QUOTE_ROW, customer: null }] }),
  });
  type('ana');
  await waitFor(() => expect(getOptionTexts()).toEqual(['Heat pump for the loungeQ001234 · Quick Price']));
});

it('finds an invoice by number and opens its payment page on Enter', async () => {
  const { input, type, path } = await openPalette({
    [buildCustomerSearch('inv-2026')]: () => buildCustomerPage(),
    [buildInvoiceSearch('inv-2026')]: () => ({ rows: [ROOF_INVOICE], next_cursor: null }),
    // Never resolves, because the test checks only the path.
    'GET /jobs/{id}/billing': () => new Promise(() => undefined),
  });
  type('inv-2026');
  await waitFor(() => expect(getOptionTexts()).toEqual(['INV-2026-0187Ana Rossi · Roof repair']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}/payment`));
});

it('does not search invoices for roles without access to them', async () => {
  const requests: string[] = [];
  const { type } = await openPalette({
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' } }),
    [buildCustomerSearch('inv-2026')]: () => buildCustomerPage(),
    [buildInvoiceSearch('inv-2026')]: () => {
      requests.push('invoices');
      return { rows: [ROOF_INVOICE], next_cursor: null };
    },
  });
  type('inv-2026');
  await screen.findByText('No results. Try a different search.');
  expect(requests).toEqual([]);
});

it('finds an item by SKU and opens its dialog on Enter', async () => {
  const { input, type, router } = await openPalette({
    [buildCustomerSearch('cp-15')]: () => buildCustomerPage(),
    [buildItemSearch('cp-15')]: () => ({
      rows: [{ ...ITEM, supplier: { id: SUPPLIER.id, company_name: SUPPLIER.company_name }, matched: 'sku' }],
      next_cursor: null,
    }),
    'GET /suppliers/{id}': () => SUPPLIER,
    'GET /items/{id}': () => ITEM,
    'GET /items?supplier_id={id}&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
  });
  type('cp-15');
  await waitFor(() => expect(getOptionTexts()).toEqual(['Copper pipe 15 mmCP-15 · Harbour Pipes']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await screen.findByRole('dialog', { name: 'Edit Item' });
  expect(router.state.location.href).toBe(`/items-services/suppliers/${SUPPLIER.id}?item=${ITEM.id}`);
});

it('shows a failed search next to the other results and repeats it on Retry', async () => {
  let isBroken = true;
  const { type } = await openPalette({
    [buildCustomerSearch('smith')]: () => buildCustomerPage(buildCustomerRow('smith', 'Ana Smith')),
    [buildJobSearch('smith')]: () => (isBroken ? failWith('FORBIDDEN', 'You may not see this.') : { rows: [ROOF_JOB] }),
    [buildCustomerSearch('zzz')]: () => failWith('FORBIDDEN', 'You may not see this.'),
  });
  type('zzz');
  const alert = await screen.findByRole('alert');
  within(alert).getByText('You may not see this.');
  expect(screen.queryByText('No results. Try a different search.')).toBeNull();
  type('smith');
  await screen.findByRole('option', { name: /Ana Smith/ });
  await screen.findByRole('alert');
  isBroken = false;
  await pressButton('Retry');
  await screen.findByRole('option', { name: /Roof repair/ });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows an offline message instead of "No results"', async () => {
  const { type } = await openPalette({});
  onlineManager.setOnline(false);
  cleanupCallbacks.push(() => onlineManager.setOnline(true));
  type('smith');
  await screen.findByText('Unable to connect to the server. Please check your internet connection and try again.');
  expect(screen.queryByText('No results. Try a different search.')).toBeNull();
});
