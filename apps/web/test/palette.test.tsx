import type { CustomerRow } from '@callout/contract/customers';
import type { InvoiceRow } from '@callout/contract/invoices';
import type { JobRow } from '@callout/contract/jobs';
import { onlineManager } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { closing } from './clean-up.ts';
import { type Answers, openPage, press, refuse } from './open-page.tsx';
import { CUSTOMER, INVOICE, ITEM, JOB, OWNER, PROFILE, QUOTE, QUOTE_ROW, SUPPLIER } from './people.ts';

const customer = (id: string, name: string, more: Partial<CustomerRow> = {}): CustomerRow => ({
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
  ...more,
});

const list = (...rows: CustomerRow[]) => ({ rows, next_cursor: null });

const search = (term: string) => `GET /customers?search=${term}&sort=name&order=asc`;
const jobSearch = (term: string) => `GET /jobs/find?search=${encodeURIComponent(term)}`;
const quoteSearch = (term: string) => `GET /quotes/find?search=${encodeURIComponent(term)}`;

const ROOF: JobRow = {
  ...JOB,
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null },
  timer_status: null,
  matched: 'title',
};

const invoiceSearch = (term: string) => `GET /invoices?search=${encodeURIComponent(term.replace(/^#/, ''))}&sort=invoice_number&order=desc`;
const itemSearch = (term: string) => `GET /items/search?search=${encodeURIComponent(term)}`;

const ROOF_BILL: InvoiceRow = { ...INVOICE, job_status: 'invoiced', is_mail_failed: false, matched: null };

/** Nothing but customers is found for these terms. */
const noWork = (...terms: string[]): Answers => {
  const calls = terms.flatMap((term) => [jobSearch(term), quoteSearch(term), invoiceSearch(term), itemSearch(term)]);
  return Object.fromEntries(calls.map((call) => [call, () => ({ rows: [], next_cursor: null })]));
};

const TERMS = ['smith', 'jones', 'zzz', 'anch', 'sm', 'smi', 'zoe', '#J2603', 'ro', 'ross', 'q0012', 'ana', 'inv-2026', 'cp-15'];

async function openPalette(answers: Answers) {
  const page = openPage('/todo', { 'GET /me': () => OWNER, ...noWork(...TERMS), ...answers });
  await screen.findByRole('heading', { name: 'To Do' });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const input = await screen.findByRole('combobox', { name: 'Search or go to' });
  return { ...page, input, type: (value: string) => fireEvent.change(input, { target: { value } }) };
}

const options = () => screen.queryAllByRole('option').map((option) => option.textContent);

it('Enter right after another name was typed opens the first result for it, not the customer found before', async () => {
  const { input, type, path } = await openPalette({
    [search('smith')]: () => list(customer('smith', 'Ana Smith')),
    [search('jones')]: () => list(customer('jones', 'Ben Jones')),
    // Still loading when the test ends: only the path counts here.
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

it('Enter for a term that finds nothing opens nothing, now or for the next term', async () => {
  const { input, type, path } = await openPalette({
    [search('zzz')]: () => list(),
    [search('smith')]: () => list(customer('smith', 'Ana Smith')),
  });
  type('zzz');
  fireEvent.keyDown(input, { key: 'Enter' });
  await screen.findByText('No results. Try a different search.');
  type('smith');
  await screen.findByRole('option', { name: /Ana Smith/ });
  expect(path()).toBe('/todo');
});

it('a company is titled by its name, with the person beside it', async () => {
  const { type } = await openPalette({ [search('anch')]: () => list(customer('1', 'Bea Hall', { company_name: 'Anchor Cafe' })) });
  type('anch');
  await waitFor(() => expect(options()).toEqual(['Anchor CafeBea Hall']));
});

it('results stay while a name is typed further, as far as they match it', async () => {
  const { type } = await openPalette({
    [search('sm')]: () => list(customer('1', 'Ana Smith'), customer('2', 'Bo Small')),
    [search('smi')]: () => new Promise(() => undefined),
  });
  type('sm');
  await screen.findByRole('option', { name: /Bo Small/ });
  type('smi');
  expect(options()).toEqual(['Ana Smith021 555 000']);
});

it('a customer found by the contact says so', async () => {
  const { type } = await openPalette({
    [search('zoe')]: () =>
      list(
        customer('1', 'Zoe Adams'),
        customer('2', 'Aaron', { company_name: 'Harbour Cafe', contact_name: 'Zoe Smith', matched: 'contact' }),
      ),
  });
  type('zoe');
  const option = await screen.findByRole('option', { name: /Aaron/ });
  within(option).getByText('Contact: Zoe Smith');
  expect(screen.getAllByText(/^Contact:/)).toHaveLength(1);
});

it('a job is found by its number, and Enter opens it', async () => {
  const { input, type, path } = await openPalette({
    [search('%23J2603')]: () => list(),
    [jobSearch('#J2603')]: () => ({ rows: [ROOF] }),
    [`GET /jobs/${JOB.id}`]: () => JOB,
    'GET /staff-names': () => ({ rows: [] }),
  });
  type('#J2603');
  await waitFor(() => expect(options()).toEqual(['Roof repair#J26030042 · Ana Rossi']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  await screen.findByRole('heading', { level: 1, name: 'Roof repair' });
});

it('jobs stay while a word is typed further, as far as their title, number or customer matches it', async () => {
  const { type } = await openPalette({
    [search('ro')]: () => list(),
    [search('ross')]: () => list(),
    [jobSearch('ro')]: () => ({ rows: [ROOF, { ...ROOF, id: 'other', title: 'Rope', customer: null }] }),
    [jobSearch('ross')]: () => new Promise(() => undefined),
  });
  type('ro');
  await screen.findByRole('option', { name: /Rope/ });
  type('ross');
  expect(options()).toEqual(['Roof repair#J26030042 · Ana Rossi']);
});

it('a quote is found by its number, and Enter opens it', async () => {
  const { input, type, path } = await openPalette({
    [search('q0012')]: () => list(),
    [quoteSearch('q0012')]: () => ({ rows: [QUOTE_ROW] }),
    [`GET /quotes/${QUOTE.id}`]: () => QUOTE,
    'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
  });
  type('q0012');
  await waitFor(() => expect(options()).toEqual(['Heat pump for the loungeQ001234 · Ana Rossi']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await waitFor(() => expect(path()).toBe(`/quotes/${QUOTE.id}`));
  await screen.findByRole('heading', { level: 1, name: QUOTE.title });
});

it('a quote without a customer is a Quick Price', async () => {
  const { type } = await openPalette({
    [search('ana')]: () => list(),
    [quoteSearch('ana')]: () => ({ rows: [{ ...QUOTE_ROW, customer: null }] }),
  });
  type('ana');
  await waitFor(() => expect(options()).toEqual(['Heat pump for the loungeQ001234 · Quick Price']));
});

it('an invoice is found by its number, and Enter opens its payment page', async () => {
  const { input, type, path } = await openPalette({
    [search('inv-2026')]: () => list(),
    [invoiceSearch('inv-2026')]: () => ({ rows: [ROOF_BILL], next_cursor: null }),
    // Still loading when the test ends: only the path counts here.
    'GET /jobs/{id}/billing': () => new Promise(() => undefined),
  });
  type('inv-2026');
  await waitFor(() => expect(options()).toEqual(['INV-2026-0187Ana Rossi · Roof repair']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}/payment`));
});

it('invoices are not looked for by those who may not see them', async () => {
  const asked: string[] = [];
  const { type } = await openPalette({
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role: 'staff' } }),
    [search('inv-2026')]: () => list(),
    [invoiceSearch('inv-2026')]: () => {
      asked.push('invoices');
      return { rows: [ROOF_BILL], next_cursor: null };
    },
  });
  type('inv-2026');
  await screen.findByText('No results. Try a different search.');
  expect(asked).toEqual([]);
});

it('an item is found by its SKU, and Enter opens its dialog', async () => {
  const { input, type, router } = await openPalette({
    [search('cp-15')]: () => list(),
    [itemSearch('cp-15')]: () => ({
      rows: [{ ...ITEM, supplier: { id: SUPPLIER.id, company_name: SUPPLIER.company_name }, matched: 'sku' }],
      next_cursor: null,
    }),
    'GET /suppliers/{id}': () => SUPPLIER,
    'GET /items/{id}': () => ITEM,
    'GET /items?supplier_id={id}&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
  });
  type('cp-15');
  await waitFor(() => expect(options()).toEqual(['Copper pipe 15 mmCP-15 · Harbour Pipes']));
  fireEvent.keyDown(input, { key: 'Enter' });
  await screen.findByRole('dialog', { name: 'Edit Item' });
  expect(router.state.location.href).toBe(`/items-services/suppliers/${SUPPLIER.id}?item=${ITEM.id}`);
});

it('a search that fails says so beside what it found, and can be tried again', async () => {
  let isBroken = true;
  const { type } = await openPalette({
    [search('smith')]: () => list(customer('smith', 'Ana Smith')),
    [jobSearch('smith')]: () => (isBroken ? refuse('FORBIDDEN', 'You may not see this.') : { rows: [ROOF] }),
    [search('zzz')]: () => refuse('FORBIDDEN', 'You may not see this.'),
  });
  type('zzz');
  const alert = await screen.findByRole('alert');
  within(alert).getByText('You may not see this.');
  expect(screen.queryByText('No results. Try a different search.')).toBeNull();
  type('smith');
  await screen.findByRole('option', { name: /Ana Smith/ });
  await screen.findByRole('alert');
  isBroken = false;
  await press('Retry');
  await screen.findByRole('option', { name: /Roof repair/ });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('without a connection it says that, not that nothing was found', async () => {
  const { type } = await openPalette({});
  onlineManager.setOnline(false);
  closing.push(() => onlineManager.setOnline(true));
  type('smith');
  await screen.findByText('Unable to connect to the server. Please check your internet connection and try again.');
  expect(screen.queryByText('No results. Try a different search.')).toBeNull();
});
