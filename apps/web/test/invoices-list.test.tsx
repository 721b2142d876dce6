import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CUSTOMER, JOB } from './fixtures.ts';
import {
  buildInvoicePage,
  CREDIT_NOTE,
  DUE_INVOICE,
  findInvoiceLink,
  getInvoiceNumbers,
  INVOICE_SUMMARY,
  LAST_YEAR_INVOICE,
  OLDEST_INVOICES_CALL,
  OVERDUE_INVOICE,
  OVERDUE_SUMMARY,
  openInvoiceList,
  PAID_INVOICE,
  REPLACED_INVOICE,
} from './open-invoices.ts';
import { EMPTY_INVOICE_SUMMARY, pressButton, typeInto } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setViewportWidth(1024);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const getListTotals = () => within(screen.getByLabelText('List totals'));
const getGroup = (name: string) => within(screen.getByRole('group', { name }));

const fakeNovember = () => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T12:00:00Z') });

it('lists the oldest debt first with customer, due date, days late and amount, linked to the payment page', async () => {
  fakeNovember();
  setViewportWidth(1440);
  openInvoiceList('/invoices', {
    [OLDEST_INVOICES_CALL]: () =>
      buildInvoicePage(OVERDUE_INVOICE, DUE_INVOICE, PAID_INVOICE, REPLACED_INVOICE, CREDIT_NOTE, LAST_YEAR_INVOICE),
  });
  const late = await findInvoiceLink('INV-2026-0187');
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
  expect((await findInvoiceLink('INV-2026-0209')).textContent).toContain('in 3 days');
  expect(getInvoiceNumbers()).toEqual([
    'INV-2026-0187',
    'INV-2026-0209',
    'INV-2026-0208',
    'INV-2026-0207',
    'CN-2026-0003',
    'INV-2026-0205',
  ]);
  expect((await findInvoiceLink('INV-2026-0205')).textContent).toContain('Dec 5, 2025');
});

it('labels paid and replaced invoices and shows credit notes as negative amounts', async () => {
  setViewportWidth(1440);
  openInvoiceList();
  const paid = await findInvoiceLink('INV-2026-0208');
  expect(within(paid).getByText('Paid')).toBeDefined();
  expect(within(paid).getByText('Immediately')).toBeDefined();
  const replaced = await findInvoiceLink('INV-2026-0207');
  expect(within(replaced).getByText('Replaced')).toBeDefined();
  expect(replaced.querySelector('.line-through')).not.toBeNull();
  expect(within(replaced).getByText(/^Replaced by INV-2026-0209 · #J/)).toBeDefined();
  const credit = await findInvoiceLink('CN-2026-0003');
  expect(within(credit).getByText('Credit note')).toBeDefined();
  expect(credit.textContent).toContain('-90.00');
  expect(credit.textContent).not.toContain('late');
});

it('includes the overpaid amount in the totals, so that the totals add up', async () => {
  openInvoiceList('/invoices', { 'GET /invoices/summary': () => ({ ...INVOICE_SUMMARY, overpaid: '200.00' }) });
  await screen.findByText('4 invoices, 1 credit note');
  expect(getListTotals().getByText('Overpaid').nextElementSibling?.textContent).toBe('$200.00');
});

it('shows the totals of the listed invoices, from which credit notes are subtracted', async () => {
  openInvoiceList();
  await findInvoiceLink('INV-2026-0187');
  await screen.findByText('4 invoices, 1 credit note');
  for (const text of ['$1,630.98', '$212.74', '$376.00', '$1,344.98']) expect(getListTotals().getByText(text)).toBeDefined();
  expect(
    screen.getByText('Total counts every document on its own date. Paid and Outstanding are as of today, without canceled invoices.'),
  ).toBeDefined();
});

it('says that credit notes are subtracted if the totals add up', async () => {
  const total = { ...INVOICE_SUMMARY.total, amount: '1520.98' };
  openInvoiceList('/invoices', { 'GET /invoices/summary': () => ({ ...INVOICE_SUMMARY, total, overpaid: '200.00' }) });
  expect(await screen.findByText('Credit notes are subtracted from the total.')).toBeDefined();
});

it('says so instead of showing totals if a search matches too many invoices', async () => {
  openInvoiceList('/invoices?search=e', {
    'GET /invoices?search=e&sort=late_after&order=asc': () => buildInvoicePage(OVERDUE_INVOICE),
    'GET /invoices/summary?search=e': () => ({
      ...INVOICE_SUMMARY,
      is_capped: true,
      filters: { ...INVOICE_SUMMARY.filters, all: null, paid: null },
    }),
  });
  expect(await screen.findByRole('button', { name: 'All 10,000+' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Unpaid 2' })).toBeDefined();
  expect(await screen.findByText('More than 10,000 invoices match. Narrow them down to see their totals.')).toBeDefined();
  expect(screen.queryByLabelText('List totals')).toBeNull();
});

it('names the credit note and the new invoice of a corrected one', async () => {
  setViewportWidth(1440);
  const corrected = {
    ...REPLACED_INVOICE,
    state: 'credited' as const,
    shown_status: 'canceled' as const,
    credited_by: { id: CREDIT_NOTE.id, invoice_number: CREDIT_NOTE.invoice_number },
  };
  openInvoiceList('/invoices', { [OLDEST_INVOICES_CALL]: () => buildInvoicePage(corrected) });
  const link = await findInvoiceLink(corrected.invoice_number);
  expect(within(link).getByText(/^Canceled by CN-2026-0003, replaced by INV-2026-0209 · #J/)).toBeDefined();
  expect(link.querySelector('.line-through')).toBeNull();
});

it('formats thousands in the invoice count of the aging strip', async () => {
  openInvoiceList('/invoices', {
    'GET /invoices/summary': () => ({ ...INVOICE_SUMMARY, outstanding: { count: 1000, amount: '1344.98' } }),
  });
  expect(await screen.findByRole('button', { name: 'Outstanding $1,344.98 1,000 invoices' })).toBeDefined();
});

it('shows debt by age and filters the list by each nonzero age', async () => {
  const { search } = openInvoiceList('/invoices', {
    'GET /invoices?age=days_60&sort=late_after&order=asc': () => buildInvoicePage(OVERDUE_INVOICE),
    'GET /invoices/summary?age=days_60': () => OVERDUE_SUMMARY,
    'GET /invoices?filter=unpaid&sort=late_after&order=asc': () => buildInvoicePage(OVERDUE_INVOICE, DUE_INVOICE),
    'GET /invoices/summary?filter=unpaid': () => INVOICE_SUMMARY,
  });
  await findInvoiceLink('INV-2026-0187');
  const strip = getGroup('Outstanding by age');
  expect(strip.getByRole('button', { name: /^Outstanding \$1,344\.98 2 invoices$/ })).toBeDefined();
  expect(strip.getByRole<HTMLButtonElement>('button', { name: /^1–30 days late \$0\.00/ }).disabled).toBe(true);
  await pressButton(/^31–60 days late/);
  await waitFor(() => expect(getInvoiceNumbers()).toEqual(['INV-2026-0187']));
  expect(search()).toEqual({ age: 'days_60' });
  await waitFor(() => expect(getListTotals().getByText('$318.60')).toBeDefined());
  expect(getGroup('Show').getByRole('button', { name: /^Unpaid/, pressed: true })).toBeDefined();
  // Filtering by age must not change the aging strip itself.
  expect(getGroup('Outstanding by age').getByRole('button', { name: /^Outstanding \$1,344\.98/ })).toBeDefined();
  await pressButton(/^31–60 days late/);
  await waitFor(() => expect(search()).toEqual({}));
  await pressButton(/^Outstanding/);
  await waitFor(() => expect(search()).toEqual({ filter: 'unpaid' }));
});

it('shows counts on the filter tabs, which replace an age filter and update the URL', async () => {
  const { search } = openInvoiceList('/invoices?age=days_60', {
    'GET /invoices?age=days_60&sort=late_after&order=asc': () => buildInvoicePage(OVERDUE_INVOICE),
    'GET /invoices/summary?age=days_60': () => OVERDUE_SUMMARY,
    'GET /invoices?filter=paid&sort=late_after&order=asc': () => buildInvoicePage(PAID_INVOICE),
    'GET /invoices/summary?filter=paid': () => ({ ...INVOICE_SUMMARY, total: { ...INVOICE_SUMMARY.total, amount: '276.00' } }),
  });
  await findInvoiceLink('INV-2026-0187');
  expect(
    getGroup('Show')
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['All5', 'Unpaid2', 'Overdue1', 'Paid1']);
  await pressButton(/^Paid/);
  await waitFor(() => expect(getInvoiceNumbers()).toEqual(['INV-2026-0208']));
  expect(search()).toEqual({ filter: 'paid' });
  await pressButton(/^All/);
  await waitFor(() => expect(search()).toEqual({}));
});

it('stores a chosen period as dates in the URL and uses those as the initial custom dates', async () => {
  fakeNovember();
  const october = 'from=2026-10-01&to=2026-10-31';
  const fromFifth = 'from=2026-10-05&to=2026-10-31';
  const { search } = openInvoiceList('/invoices', {
    [`GET /invoices?${october}&sort=late_after&order=asc`]: () => buildInvoicePage(OVERDUE_INVOICE),
    [`GET /invoices/summary?${october}`]: () => OVERDUE_SUMMARY,
    [`GET /invoices?${fromFifth}&sort=late_after&order=asc`]: () => buildInvoicePage(OVERDUE_INVOICE),
    [`GET /invoices/summary?${fromFifth}`]: () => OVERDUE_SUMMARY,
  });
  await findInvoiceLink('INV-2026-0187');
  const choices = [...screen.getByLabelText<HTMLSelectElement>('Period').options].map(({ text }) => text);
  expect(choices).toEqual([
    'All time',
    'This month',
    'Last month',
    'This quarter',
    'Last quarter',
    'This year',
    'Last year',
    'Custom dates',
  ]);
  typeInto('Period', 'last-month');
  await waitFor(() => expect(search()).toEqual({ from: '2026-10-01', to: '2026-10-31' }));
  await waitFor(() => expect(getInvoiceNumbers()).toEqual(['INV-2026-0187']));
  typeInto('Period', 'custom-dates');
  // Browsers report a date like this while the user is still typing the year.
  typeInto('First day', '0202-10-05');
  expect(search()).toEqual({ from: '2026-10-01', to: '2026-10-31' });
  typeInto('First day', '2026-10-05');
  await waitFor(() => expect(search()).toEqual({ from: '2026-10-05', to: '2026-10-31' }));
  typeInto('Period', 'all-time');
  await waitFor(() => expect(search()).toEqual({}));
});

it('resets custom dates to All time when the URL has no dates, as after Back', async () => {
  fakeNovember();
  const october = 'from=2026-10-01&to=2026-10-31';
  const fromFifth = 'from=2026-10-05&to=2026-10-31';
  const { router, search } = openInvoiceList(`/invoices?${october}`, {
    [`GET /invoices?${october}&sort=late_after&order=asc`]: () => buildInvoicePage(OVERDUE_INVOICE),
    [`GET /invoices/summary?${october}`]: () => OVERDUE_SUMMARY,
    [`GET /invoices?${fromFifth}&sort=late_after&order=asc`]: () => buildInvoicePage(OVERDUE_INVOICE),
    [`GET /invoices/summary?${fromFifth}`]: () => OVERDUE_SUMMARY,
  });
  await findInvoiceLink('INV-2026-0187');
  typeInto('Period', 'custom-dates');
  typeInto('First day', '2026-10-05');
  await waitFor(() => expect(search()).toEqual({ from: '2026-10-05', to: '2026-10-31' }));
  await act(() => router.navigate({ to: '/invoices' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Period').value).toBe('all-time'));
  expect(screen.queryByLabelText('First day')).toBeNull();
});

it('recognizes the period of the dates in a URL and rejects reversed dates', async () => {
  fakeNovember();
  const reversed = 'from=2026-11-30&to=2026-11-01';
  const { router } = openInvoiceList('/invoices?from=2026-10-01&to=2026-12-31', {
    'GET /invoices?from=2026-10-01&to=2026-12-31&sort=late_after&order=asc': () => buildInvoicePage(OVERDUE_INVOICE),
    'GET /invoices/summary?from=2026-10-01&to=2026-12-31': () => OVERDUE_SUMMARY,
    [`GET /invoices?${reversed}&sort=late_after&order=asc`]: () => buildInvoicePage(),
    [`GET /invoices/summary?${reversed}`]: () => EMPTY_INVOICE_SUMMARY,
  });
  await findInvoiceLink('INV-2026-0187');
  expect(screen.getByLabelText<HTMLSelectElement>('Period').value).toBe('this-quarter');
  await act(() => router.navigate({ to: '/invoices', search: { from: '2026-11-30', to: '2026-11-01' } }));
  expect(await screen.findByText("The last day can't be before the first")).toBeDefined();
});

it('sorts by column header or the Sort by menu, stores the search in the URL and exports the same rows', async () => {
  const { search } = openInvoiceList('/invoices', {
    'GET /invoices?sort=customer&order=asc': () => buildInvoicePage(DUE_INVOICE),
    'GET /invoices?sort=total_amount&order=desc': () => buildInvoicePage(PAID_INVOICE),
    'GET /invoices?search=kauri&sort=total_amount&order=desc': () => buildInvoicePage(OVERDUE_INVOICE),
    'GET /invoices/summary?search=kauri': () => OVERDUE_SUMMARY,
  });
  await findInvoiceLink('INV-2026-0187');
  const file = () => screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  expect(file()).toBe('/api/invoices.csv?sort=late_after&order=asc');
  expect(screen.getByLabelText<HTMLSelectElement>('Sort by').selectedOptions[0]?.text).toBe('Oldest unpaid first');
  await pressButton('Sort by Customer');
  await waitFor(() => expect(search()).toEqual({ sort: 'customer' }));
  typeInto('Sort by', 'total_amount desc');
  await waitFor(() => expect(search()).toEqual({ sort: 'total_amount' }));
  typeInto('Search invoices', 'kauri');
  await waitFor(() => expect(search()).toEqual({ sort: 'total_amount', search: 'kauri' }));
  await waitFor(() => expect(getInvoiceNumbers()).toEqual(['INV-2026-0187']));
  expect(file()).toBe('/api/invoices.csv?search=kauri&sort=total_amount&order=desc');
});

it('names the customer that the list is filtered by and clears that filter', async () => {
  const { search } = openInvoiceList(`/invoices?customer_id=${CUSTOMER.id}&filter=unpaid`, {
    [`GET /invoices?filter=unpaid&customer_id=${CUSTOMER.id}&sort=late_after&order=asc`]: () => buildInvoicePage(OVERDUE_INVOICE),
    [`GET /invoices/summary?customer_id=${CUSTOMER.id}`]: () => OVERDUE_SUMMARY,
    [`GET /invoices/summary?filter=unpaid&customer_id=${CUSTOMER.id}`]: () => OVERDUE_SUMMARY,
    'GET /invoices?filter=unpaid&sort=late_after&order=asc': () => buildInvoicePage(OVERDUE_INVOICE, DUE_INVOICE),
    'GET /invoices/summary?filter=unpaid': () => INVOICE_SUMMARY,
  });
  expect(await screen.findByText('Only Kauri Property Management')).toBeDefined();
  await pressButton('Show all customers');
  await waitFor(() => expect(getInvoiceNumbers()).toHaveLength(2));
  expect(search()).toEqual({ filter: 'unpaid' });
});

it("does not show another customer's name while the filtered list loads", async () => {
  const [reads, other] = [Promise.withResolvers<void>(), { ...OVERDUE_INVOICE, customer_id: '018f0000-0000-7000-8000-0000000000c9' }];
  const { router } = openInvoiceList('/invoices', {
    [OLDEST_INVOICES_CALL]: () => buildInvoicePage({ ...other, customer_name: 'Somebody else' }),
    [`GET /invoices?customer_id=${CUSTOMER.id}&sort=late_after&order=asc`]: () =>
      reads.promise.then(() => buildInvoicePage(OVERDUE_INVOICE)),
    [`GET /invoices/summary?customer_id=${CUSTOMER.id}`]: () => OVERDUE_SUMMARY,
  });
  await findInvoiceLink('INV-2026-0187');
  await act(() => router.navigate({ to: '/invoices', search: { customer_id: CUSTOMER.id } }));
  expect(screen.getByRole('button', { name: 'Show all customers' }).textContent).toBe('Only one customer');
  reads.resolve();
  expect(await screen.findByText('Only Kauri Property Management')).toBeDefined();
});

it("loads the next page of invoices with the previous page's cursor", async () => {
  openInvoiceList('/invoices', {
    [OLDEST_INVOICES_CALL]: () => ({ rows: [OVERDUE_INVOICE], next_cursor: 'abc' }),
    'GET /invoices?sort=late_after&order=asc&cursor=abc': () => buildInvoicePage(DUE_INVOICE),
  });
  await waitFor(() => expect(getInvoiceNumbers()).toEqual(['INV-2026-0187', 'INV-2026-0209']));
});

it('shows invoice cards on a phone, with period and sort order behind Filters', async () => {
  setViewportWidth(390);
  openInvoiceList();
  const card = await findInvoiceLink('INV-2026-0187');
  for (const text of ['Kauri Property Management', 'Overdue', '36 days late', '418.60', '318.60 left'])
    expect(within(card).getByText(text)).toBeDefined();
  const filters = screen.getByRole('button', { name: 'Filters' });
  expect(filters.getAttribute('aria-expanded')).toBe('false');
  await pressButton('Filters');
  expect(filters.getAttribute('aria-expanded')).toBe('true');
});

it('offers the tab Not sent only while there are unsent invoices, without a countdown for them', async () => {
  const unsent = { ...DUE_INVOICE, sent_at: null, shown_status: 'unsent' as const };
  const { router } = openInvoiceList('/invoices', {
    'GET /invoices/summary': () => ({ ...INVOICE_SUMMARY, filters: { ...INVOICE_SUMMARY.filters, unsent: 1 } }),
    'GET /invoices?filter=unsent&sort=late_after&order=asc': () => buildInvoicePage(unsent),
    'GET /invoices/summary?filter=unsent': () => ({ ...INVOICE_SUMMARY, filters: { ...INVOICE_SUMMARY.filters, unsent: 1 } }),
  });
  await pressButton(/^Not sent/);
  await waitFor(() => expect(getInvoiceNumbers()).toEqual([unsent.invoice_number]));
  expect(router.state.location.search).toEqual({ filter: 'unsent' });
  expect(screen.queryByText(/^in \d+ days$/)).toBeNull();
});
