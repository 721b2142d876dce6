import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CREDIT, DUE, LATE, link, numbers, OLD, OLDEST, ONE_LATE, openList, PAID, page, REPLACED, SUMMARY } from './open-invoices.ts';
import { NOTHING_OWED, press, typeInto, waitForToasts } from './open-page.tsx';
import { CUSTOMER, JOB } from './people.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setWidth(1024);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

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
  expect(within(replaced).getByText(/^Replaced by INV-2026-0209 · #J/)).toBeDefined();
  const credit = await link('CN-2026-0003');
  expect(within(credit).getByText('Credit note')).toBeDefined();
  expect(credit.textContent).toContain('-90.00');
  expect(credit.textContent).not.toContain('late');
});

it('the totals name what was overpaid, without which they would not add up', async () => {
  openList('/invoices', { 'GET /invoices/summary': () => ({ ...SUMMARY, paid: '576.00' }) });
  await screen.findByText('3 invoices');
  expect(totals().getByText('Overpaid').nextElementSibling?.textContent).toBe('$200.00');
});

it('the totals are those of the rows, and say what they leave out', async () => {
  openList();
  await link('INV-2026-0187');
  await screen.findByText('3 invoices');
  for (const text of ['$1,720.98', '$376.00', '$1,344.98']) expect(totals().getByText(text)).toBeDefined();
  expect(screen.getByText("Replaced or canceled invoices and credit notes aren't counted.")).toBeDefined();
});

it('the strip counts thousands as the tabs do', async () => {
  openList('/invoices', { 'GET /invoices/summary': () => ({ ...SUMMARY, outstanding: { count: 1000, amount: '1344.98' } }) });
  expect(await screen.findByRole('button', { name: 'Outstanding $1,344.98 1,000 invoices' })).toBeDefined();
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
  expect(choices).toEqual(['All time', 'This month', 'Last month', 'This quarter', 'This year', 'Custom dates']);
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

it('custom dates are all time again at an address without days, as Back may lead to', async () => {
  inNovember();
  const october = 'from=2026-10-01&to=2026-10-31';
  const fromFifth = 'from=2026-10-05&to=2026-10-31';
  const { router, search } = openList(`/invoices?${october}`, {
    [`GET /invoices?${october}&sort=late_after&order=asc`]: () => page(LATE),
    [`GET /invoices/summary?${october}`]: () => ONE_LATE,
    [`GET /invoices?${fromFifth}&sort=late_after&order=asc`]: () => page(LATE),
    [`GET /invoices/summary?${fromFifth}`]: () => ONE_LATE,
  });
  await link('INV-2026-0187');
  typeInto('Period', 'own-dates');
  typeInto('First day', '2026-10-05');
  await waitFor(() => expect(search()).toEqual({ from: '2026-10-05', to: '2026-10-31' }));
  await act(() => router.navigate({ to: '/invoices' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Period').value).toBe('all-time'));
  expect(screen.queryByLabelText('First day')).toBeNull();
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
  expect(await screen.findByText('The last day must not be before the first')).toBeDefined();
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

it('while the invoices of one customer are read, it names nobody else', async () => {
  const [reads, other] = [Promise.withResolvers<void>(), { ...LATE, customer_id: '018f0000-0000-7000-8000-0000000000c9' }];
  const { router } = openList('/invoices', {
    [OLDEST]: () => page({ ...other, customer_name: 'Somebody else' }),
    [`GET /invoices?customer_id=${CUSTOMER.id}&sort=late_after&order=asc`]: () => reads.promise.then(() => page(LATE)),
    [`GET /invoices/summary?customer_id=${CUSTOMER.id}`]: () => ONE_LATE,
  });
  await link('INV-2026-0187');
  await act(() => router.navigate({ to: '/invoices', search: { customer_id: CUSTOMER.id } }));
  expect(screen.getByRole('button', { name: 'Show all customers' }).textContent).toBe('Only one customer');
  reads.resolve();
  expect(await screen.findByText('Only Kauri Property Management')).toBeDefined();
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
  await press('More actions for INV-2026-0187');
  await chooseItem('Copy invoice number');
  await waitForToasts('Invoice number copied');
  expect(copied).toEqual(['INV-2026-0187']);
  await press('More actions for INV-2026-0187');
  await chooseItem('Download PDF');
  expect(downloads).toEqual([`/api/invoices/${LATE.id}/pdf as INV-2026-0187.pdf`]);
});

it('a browser that does not let a page copy says the number', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  openList();
  await link('INV-2026-0187');
  await press('More actions for INV-2026-0187');
  await chooseItem('Copy invoice number');
  await waitForToasts('Your browser blocked copying. The number is INV-2026-0187.');
  expect(numbers()).toHaveLength(5);
});
