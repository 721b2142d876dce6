import type { InvoiceRow, InvoiceSummary } from '@callout/contract/invoices';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { NO_CONNECTION } from '../src/lib/request.ts';
import { type Answers, NOTHING_OWED, openPage, press, refuse, typeInto, waitForToasts } from './open-page.tsx';
import { CUSTOMER, JOB, OWNER, PROFILE } from './people.ts';

const LATE: InvoiceRow = {
  id: '018f0000-0000-7000-8000-0000000001a1',
  kind: 'invoice',
  invoice_number: 'INV-2026-0187',
  job_id: JOB.id,
  job_number: 'J26100871',
  title: 'Hot water repair, unit 2',
  customer_id: CUSTOMER.id,
  customer_name: 'Kauri Property Management',
  issued_on: '2026-10-05',
  due_on: '2026-10-12',
  late_after: '2026-10-12',
  state: 'open',
  shown_status: 'overdue',
  days_late: 36,
  subtotal: '364.00',
  tax_amount: '54.60',
  total_amount: '418.60',
  paid_amount: '100.00',
  balance: '318.60',
  currency: 'NZD',
  replaced_by: null,
  created_at: '2026-10-05T00:00:00.000Z',
  job_status: 'invoiced',
  is_mail_failed: false,
  matched: null,
};
const row = (number: number, change: Partial<InvoiceRow>): InvoiceRow => ({
  ...LATE,
  id: `018f0000-0000-7000-8000-0000000002${String(number).padStart(2, '0')}`,
  invoice_number: `INV-2026-02${String(number).padStart(2, '0')}`,
  paid_amount: '0.00',
  ...change,
});
const DUE = row(9, {
  customer_name: 'Ōrākei Dental Ltd',
  shown_status: 'due',
  due_on: '2026-11-20',
  late_after: '2026-11-20',
  days_late: -3,
  total_amount: '1026.38',
  balance: '1026.38',
});
const PAID = row(8, { shown_status: 'paid', due_on: null, total_amount: '276.00', paid_amount: '276.00', balance: '0.00' });
const REPLACED = row(7, {
  state: 'replaced',
  shown_status: 'replaced',
  balance: '0.00',
  replaced_by: { id: DUE.id, invoice_number: DUE.invoice_number, kind: 'invoice' },
});
const CREDIT = row(6, {
  kind: 'credit_note',
  invoice_number: 'CN-2026-0003',
  shown_status: 'paid',
  total_amount: '90.00',
  balance: '0.00',
});

const OLD = row(5, { issued_on: '2025-12-05', shown_status: 'paid' });

const SUMMARY: InvoiceSummary = {
  total: { count: 3, amount: '1720.98' },
  paid: '376.00',
  outstanding: { count: 2, amount: '1344.98' },
  ages: [
    { age: 'current', count: 1, amount: '1026.38' },
    { age: 'days_30', count: 0, amount: '0.00' },
    { age: 'days_60', count: 1, amount: '318.60' },
    { age: 'days_90', count: 0, amount: '0.00' },
    { age: 'older', count: 0, amount: '0.00' },
  ],
  filters: { all: 5, unpaid: 2, overdue: 1, paid: 1 },
};
const ONE_LATE: InvoiceSummary = {
  ...SUMMARY,
  total: { count: 1, amount: '418.60' },
  paid: '100.00',
  outstanding: { count: 1, amount: '318.60' },
};

const page = (...rows: InvoiceRow[]) => ({ rows, next_cursor: null });
const OLDEST = 'GET /invoices?sort=late_after&order=asc';

function openList(path = '/invoices', more: Answers = {}, role: Role = 'admin') {
  const opened = openPage(path, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    [OLDEST]: () => page(LATE, DUE, PAID, REPLACED, CREDIT),
    'GET /invoices/summary': () => SUMMARY,
    ...more,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

const JOBS: Answers = {
  'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
  'GET /jobs/count': () => ({ total: 0 }),
};

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setWidth(1024);
  vi.restoreAllMocks();
  vi.useRealTimers();
  window.dispatchEvent(new Event('online'));
});

async function link(number: string): Promise<HTMLAnchorElement> {
  const name = await screen.findByText(number);
  const found = name.closest('a');
  if (!found) throw new Error(`${number} is not in a link`);
  return found;
}
const numbers = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
const totals = () => within(screen.getByLabelText('Totals of the list'));
const group = (name: string) => within(screen.getByRole('group', { name }));

const inNovember = () => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T12:00:00Z') });

async function chooseItem(name: string): Promise<void> {
  const item = await screen.findByRole('menuitem', { name });
  await act(async () => fireEvent.click(item));
}

it('the oldest debt comes first, each with customer, due day, days late and amount, and opens the payment page', async () => {
  inNovember();
  setWidth(1440);
  openList('/invoices', { [OLDEST]: () => page(LATE, DUE, PAID, REPLACED, CREDIT, OLD) });
  const late = await link('INV-2026-0187');
  expect(late.pathname).toBe(`/jobs/${JOB.id}/payment`);
  for (const text of [
    'Kauri Property Management',
    'Hot water repair, unit 2',
    '#J26100871',
    '36 days late',
    'Overdue',
    '418.60',
    '318.60 left',
  ])
    expect(within(late).getByText(text)).toBeDefined();
  expect(late.textContent).toContain('Oct 5Oct 12');
  expect((await link('INV-2026-0209')).textContent).toContain('in 3 days');
  expect(numbers()).toEqual(['INV-2026-0187', 'INV-2026-0209', 'INV-2026-0208', 'INV-2026-0207', 'CN-2026-0003', 'INV-2026-0205']);
  expect((await link('INV-2026-0205')).textContent).toContain('Dec 5, 2025');
});

it('paid, replaced and canceled ones say so, and a credit note is negative', async () => {
  setWidth(1440);
  openList();
  const paid = await link('INV-2026-0208');
  expect(within(paid).getByText('Paid')).toBeDefined();
  expect(within(paid).getByText('Immediately')).toBeDefined();
  const replaced = await link('INV-2026-0207');
  expect(within(replaced).getByText('Replaced')).toBeDefined();
  expect(within(replaced).getByText('Replaced by INV-2026-0209')).toBeDefined();
  const credit = await link('CN-2026-0003');
  expect(within(credit).getByText('Credit note')).toBeDefined();
  expect(credit.textContent).toContain('-90.00');
  expect(credit.textContent).not.toContain('late');
});

it('the totals are those of the rows, and say what they leave out', async () => {
  openList();
  await link('INV-2026-0187');
  await screen.findByText('3 invoices');
  for (const text of ['$1,720.98', '$376.00', '$1,344.98']) expect(totals().getByText(text)).toBeDefined();
  expect(screen.getByText("Replaced or canceled invoices and credit notes aren't counted.")).toBeDefined();
});

it('the strip shows the debt by age, and each part that has some filters', async () => {
  const { search } = openList('/invoices', {
    'GET /invoices?age=days_60&sort=late_after&order=asc': () => page(LATE),
    'GET /invoices/summary?age=days_60': () => ONE_LATE,
    'GET /invoices?filter=unpaid&sort=late_after&order=asc': () => page(LATE, DUE),
    'GET /invoices/summary?filter=unpaid': () => SUMMARY,
  });
  await link('INV-2026-0187');
  const strip = group('Outstanding by age');
  expect(strip.getByRole('button', { name: /^Outstanding \$1,344\.98 2 invoices$/ })).toBeDefined();
  expect(strip.getByRole<HTMLButtonElement>('button', { name: /^1–30 days late \$0\.00/ }).disabled).toBe(true);
  await press(/^31–60 days late/);
  await waitFor(() => expect(numbers()).toEqual(['INV-2026-0187']));
  expect(search()).toEqual({ age: 'days_60' });
  await waitFor(() => expect(totals().getByText('$318.60')).toBeDefined());
  expect(group('Show').getByRole('button', { name: /^Unpaid/, pressed: true })).toBeDefined();
  // The strip still shows all of the debt.
  expect(group('Outstanding by age').getByRole('button', { name: /^Outstanding \$1,344\.98/ })).toBeDefined();
  await press(/^31–60 days late/);
  await waitFor(() => expect(search()).toEqual({}));
  await press(/^Outstanding/);
  await waitFor(() => expect(search()).toEqual({ filter: 'unpaid' }));
});

it('the tabs have their counts, replace an age and are in the URL', async () => {
  const { search } = openList('/invoices?age=days_60', {
    'GET /invoices?age=days_60&sort=late_after&order=asc': () => page(LATE),
    'GET /invoices/summary?age=days_60': () => ONE_LATE,
    'GET /invoices?filter=paid&sort=late_after&order=asc': () => page(PAID),
    'GET /invoices/summary?filter=paid': () => ({ ...SUMMARY, total: { count: 1, amount: '276.00' } }),
  });
  await link('INV-2026-0187');
  expect(
    group('Show')
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['All5', 'Unpaid2', 'Overdue1', 'Paid1']);
  await press(/^Paid/);
  await waitFor(() => expect(numbers()).toEqual(['INV-2026-0208']));
  expect(search()).toEqual({ filter: 'paid' });
  await press(/^All/);
  await waitFor(() => expect(search()).toEqual({}));
});

it('a period of the calendar becomes days in the URL, and own dates start from it', async () => {
  inNovember();
  const october = 'from=2026-10-01&to=2026-10-31';
  const fromFifth = 'from=2026-10-05&to=2026-10-31';
  const { search } = openList('/invoices', {
    [`GET /invoices?${october}&sort=late_after&order=asc`]: () => page(LATE),
    [`GET /invoices/summary?${october}`]: () => ONE_LATE,
    [`GET /invoices?${fromFifth}&sort=late_after&order=asc`]: () => page(LATE),
    [`GET /invoices/summary?${fromFifth}`]: () => ONE_LATE,
  });
  await link('INV-2026-0187');
  const choices = [...screen.getByLabelText<HTMLSelectElement>('Period').options].map(({ text }) => text);
  expect(choices).toEqual(['All time', 'This month', 'Last month', 'This quarter', 'This year', 'Own dates']);
  typeInto('Period', 'last-month');
  await waitFor(() => expect(search()).toEqual({ from: '2026-10-01', to: '2026-10-31' }));
  await waitFor(() => expect(numbers()).toEqual(['INV-2026-0187']));
  typeInto('Period', 'own-dates');
  // A year while it is typed.
  typeInto('First day', '0202-10-05');
  expect(search()).toEqual({ from: '2026-10-01', to: '2026-10-31' });
  typeInto('First day', '2026-10-05');
  await waitFor(() => expect(search()).toEqual({ from: '2026-10-05', to: '2026-10-31' }));
  typeInto('Period', 'all-time');
  await waitFor(() => expect(search()).toEqual({}));
});

it('a link with days shows the period they are, and says when they are reversed', async () => {
  inNovember();
  const reversed = 'from=2026-11-30&to=2026-11-01';
  const { router } = openList('/invoices?from=2026-10-01&to=2026-12-31', {
    'GET /invoices?from=2026-10-01&to=2026-12-31&sort=late_after&order=asc': () => page(LATE),
    'GET /invoices/summary?from=2026-10-01&to=2026-12-31': () => ONE_LATE,
    [`GET /invoices?${reversed}&sort=late_after&order=asc`]: () => page(),
    [`GET /invoices/summary?${reversed}`]: () => NOTHING_OWED,
  });
  await link('INV-2026-0187');
  expect(screen.getByLabelText<HTMLSelectElement>('Period').value).toBe('this-quarter');
  await act(() => router.navigate({ to: '/invoices', search: { from: '2026-11-30', to: '2026-11-01' } }));
  expect(await screen.findByText('The last day is before the first')).toBeDefined();
});

it('sorts by the heads of the columns and by Sort by; search is in the URL; the file has the same rows', async () => {
  const { search } = openList('/invoices', {
    'GET /invoices?sort=customer&order=asc': () => page(DUE),
    'GET /invoices?sort=total_amount&order=desc': () => page(PAID),
    'GET /invoices?search=kauri&sort=total_amount&order=desc': () => page(LATE),
    'GET /invoices/summary?search=kauri': () => ONE_LATE,
  });
  await link('INV-2026-0187');
  const file = () => screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  expect(file()).toBe('/api/invoices.csv?sort=late_after&order=asc');
  expect(screen.getByLabelText<HTMLSelectElement>('Sort by').selectedOptions[0]?.text).toBe('Oldest unpaid first');
  await press('Sort by Customer');
  await waitFor(() => expect(search()).toEqual({ sort: 'customer' }));
  typeInto('Sort by', 'total_amount desc');
  await waitFor(() => expect(search()).toEqual({ sort: 'total_amount' }));
  typeInto('Search invoices', 'kauri');
  await waitFor(() => expect(search()).toEqual({ sort: 'total_amount', search: 'kauri' }));
  await waitFor(() => expect(numbers()).toEqual(['INV-2026-0187']));
  expect(file()).toBe('/api/invoices.csv?search=kauri&sort=total_amount&order=desc');
});

it('the invoices of one customer say whose they are, and lead back to all', async () => {
  const { search } = openList(`/invoices?customer_id=${CUSTOMER.id}&filter=unpaid`, {
    [`GET /invoices?filter=unpaid&customer_id=${CUSTOMER.id}&sort=late_after&order=asc`]: () => page(LATE),
    [`GET /invoices/summary?customer_id=${CUSTOMER.id}`]: () => ONE_LATE,
    [`GET /invoices/summary?filter=unpaid&customer_id=${CUSTOMER.id}`]: () => ONE_LATE,
    'GET /invoices?filter=unpaid&sort=late_after&order=asc': () => page(LATE, DUE),
    'GET /invoices/summary?filter=unpaid': () => SUMMARY,
  });
  expect(await screen.findByText('Only Kauri Property Management')).toBeDefined();
  await press('Show all customers');
  await waitFor(() => expect(numbers()).toHaveLength(2));
  expect(search()).toEqual({ filter: 'unpaid' });
});

it('the next page is read with the cursor of the one before', async () => {
  openList('/invoices', {
    [OLDEST]: () => ({ rows: [LATE], next_cursor: 'abc' }),
    'GET /invoices?sort=late_after&order=asc&cursor=abc': () => page(DUE),
  });
  await waitFor(() => expect(numbers()).toEqual(['INV-2026-0187', 'INV-2026-0209']));
});

it('a phone shows cards, with period and order behind Filters', async () => {
  setWidth(390);
  openList();
  const card = await link('INV-2026-0187');
  for (const text of ['Kauri Property Management', 'Overdue', '36 days late', '418.60', '318.60 left'])
    expect(within(card).getByText(text)).toBeDefined();
  const filters = screen.getByRole('button', { name: 'Filters' });
  expect(filters.getAttribute('aria-expanded')).toBe('false');
  await press('Filters');
  expect(filters.getAttribute('aria-expanded')).toBe('true');
});

it.each([1440, 390])('the menu of a row copies its number and downloads its PDF at %s px', async (width) => {
  setWidth(width);
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  const downloads: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(`${this.getAttribute('href')} as ${this.download}`);
  });
  openList();
  await link('INV-2026-0187');
  await press('Actions for INV-2026-0187');
  await chooseItem('Copy invoice number');
  await waitForToasts('Invoice number copied');
  expect(copied).toEqual(['INV-2026-0187']);
  await press('Actions for INV-2026-0187');
  await chooseItem('Download PDF');
  expect(downloads).toEqual([`/api/invoices/${LATE.id}/pdf as INV-2026-0187.pdf`]);
});

it('a browser that does not let a page copy says the number', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  openList();
  await link('INV-2026-0187');
  await press('Actions for INV-2026-0187');
  await chooseItem('Copy invoice number');
  await waitForToasts('Your browser blocked copying. The number is INV-2026-0187.');
});

it('an invoice whose email failed says so', async () => {
  openList('/invoices', { [OLDEST]: () => page({ ...LATE, is_mail_failed: true }) });
  expect(within(await link('INV-2026-0187')).getByText('Email failed')).toBeDefined();
});

it('without invoices it says so and leads to the jobs that are complete', async () => {
  openList('/invoices', { [OLDEST]: () => page(), 'GET /invoices/summary': () => NOTHING_OWED });
  expect(await screen.findByText('No invoices yet')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Completed jobs' }).getAttribute('href')).toBe('/jobs?status=complete');
  expect(screen.queryByRole('link', { name: 'Export CSV' })).toBeNull();
  expect(screen.queryByLabelText('Search invoices')).toBeNull();
});

it('a search without results offers to clear it; nothing overdue is good news', async () => {
  const { search } = openList('/invoices?search=zzz', {
    'GET /invoices?search=zzz&sort=late_after&order=asc': () => page(),
    'GET /invoices/summary?search=zzz': () => NOTHING_OWED,
    'GET /invoices?filter=overdue&sort=late_after&order=asc': () => page(),
    'GET /invoices/summary?filter=overdue': () => NOTHING_OWED,
  });
  expect(await screen.findByText('Nothing matches “zzz”.')).toBeDefined();
  await press('Clear search and filters');
  await link('INV-2026-0187');
  expect(search()).toEqual({});
  await press(/^Overdue/);
  expect(await screen.findByText('Nobody owes you anything here.')).toBeDefined();
});

it('a list that cannot be read says why once, and is read again on request', async () => {
  const server = { isDown: true };
  const answer =
    <Data,>(data: Data) =>
    () =>
      server.isDown ? refuse('FORBIDDEN') : data;
  openList('/invoices', { [OLDEST]: answer(page(LATE)), 'GET /invoices/summary': answer(SUMMARY) });
  expect(await screen.findAllByText('A failure on purpose')).toHaveLength(1);
  server.isDown = false;
  await press('Retry');
  await link('INV-2026-0187');
});

it('sums that cannot be read leave the list as it is, and are read again on request', async () => {
  const sums = { answer: (): unknown => refuse('FORBIDDEN', 'No sums') };
  openList('/invoices', { 'GET /invoices/summary': () => sums.answer() });
  await link('INV-2026-0187');
  expect(await screen.findByText('No sums')).toBeDefined();
  sums.answer = () => SUMMARY;
  await press('Retry');
  expect(await screen.findByText('3 invoices')).toBeDefined();
});

it('without a connection it says so once, and shows the list when the connection is back', async () => {
  openList('/jobs', JOBS);
  const invoices = await screen.findByRole('link', { name: 'Invoices' });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => fireEvent.click(invoices));
  expect(await within(screen.getByRole('main')).findAllByText(NO_CONNECTION)).toHaveLength(1);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await link('INV-2026-0187');
});

it('a link with parameters that mean nothing opens the list all the same', async () => {
  openList('/invoices?filter=sleeping&age=young&from=yesterday&customer_id=7&sort=weight&order=up');
  expect(await link('INV-2026-0187')).toBeDefined();
});

it.each([
  ['manager', 1],
  ['accountant', 1],
  ['staff', 0],
] as const)('the jobs page of a %s leads to the invoices %s times', async (role, count) => {
  openList('/jobs', JOBS, role);
  await screen.findByText('No jobs found');
  expect(screen.queryAllByRole('link', { name: 'Invoices' })).toHaveLength(count);
});
