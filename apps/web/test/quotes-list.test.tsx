import type { QuoteRow } from '@callout/contract/quotes';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { getQuoteStatusPill } from '../src/features/quotes/quote-list-filter.ts';
import { ADMIN_USER, CUSTOMER, PROFILE, QUOTE, QUOTE_ROW } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

/** An expired quote whose customer was deleted and whose last email failed. */
const EXPIRED_ROW: QuoteRow = {
  ...QUOTE_ROW,
  id: '018f0000-0000-7000-8000-000000000022',
  quote_number: 'Q000077',
  title: 'New gutters',
  status: 'sent',
  shown_status: 'expired',
  total_amount: '12345.60',
  valid_until: null,
  customer: null,
  is_mail_failed: true,
};
const NEWEST_QUOTES_CALL = 'GET /quotes?sort=created_at&order=desc';
const buildPage = (...rows: QuoteRow[]) => ({ rows, next_cursor: null });

function openQuoteList(path: string, responses: MockApi = {}, role: Role = 'admin') {
  const opened = openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    'GET /quotes/count': () => ({ total: 2 }),
    [NEWEST_QUOTES_CALL]: () => buildPage(QUOTE_ROW, EXPIRED_ROW),
    [`GET /quotes/${QUOTE.id}`]: () => QUOTE,
    'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
    ...responses,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setViewportWidth(1024);
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

const getRowTitles = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
const findRow = (title: RegExp) => screen.findByRole<HTMLAnchorElement>('link', { name: title });

it('lists the newest quotes first with number, customer, status, total and expiry date', async () => {
  openQuoteList('/quotes');
  const firstRow = await findRow(/^Heat pump/);
  expect(firstRow.pathname).toBe(`/quotes/${QUOTE.id}`);
  for (const text of ['Q001234', 'Ana Rossi', 'Draft', '$230.00', 'Apr 30, 2026']) expect(within(firstRow).getByText(text)).toBeDefined();
  expect(within(firstRow).queryByText('Email failed')).toBeNull();
  expect(getRowTitles()).toEqual([QUOTE.title, 'New gutters']);
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'New Quote' }).pathname).toBe('/quotes/new');
  expect(await screen.findByText(/^2 quotes$|^2$/)).toBeDefined();
});

it('labels a quote without a customer as Quick Price and shows its expiry and a failed email', async () => {
  openQuoteList('/quotes');
  const expiredRow = await findRow(/^New gutters/);
  for (const text of ['Quick Price', 'Expired', '$12,345.60', 'No expiry', 'Email failed'])
    expect(within(expiredRow).getByText(text)).toBeDefined();
});

it('shows quote cards without column headings on a phone', async () => {
  setViewportWidth(390);
  openQuoteList('/quotes');
  const card = await findRow(/^Heat pump/);
  for (const text of ['Q001234', 'Ana Rossi', 'Draft', '$230.00']) expect(within(card).getByText(text)).toBeDefined();
  expect(within(await findRow(/^New gutters/)).getByText('Email failed')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Sort by Total' })).toBeNull();
});

it('shows the company name of a business customer', async () => {
  openQuoteList('/quotes', {
    [NEWEST_QUOTES_CALL]: () => buildPage({ ...QUOTE_ROW, customer: { id: CUSTOMER.id, name: 'Ana', company_name: 'Anchor Cafe' } }),
  });
  expect(within(await findRow(/^Heat pump/)).getByText('Anchor Cafe')).toBeDefined();
});

it('filters quotes by status and keeps the filter in the URL', async () => {
  const { search } = openQuoteList('/quotes', {
    'GET /quotes?status=expired&sort=created_at&order=desc': () => buildPage(EXPIRED_ROW),
    'GET /quotes/count?status=expired': () => ({ total: 1 }),
    'GET /quotes?status=rejected&sort=created_at&order=desc': () => buildPage(),
    'GET /quotes/count?status=rejected': () => ({ total: 0 }),
  });
  await findRow(/^Heat pump/);
  await pressButton(/^Filters/);
  const options = [...screen.getByLabelText<HTMLSelectElement>('Status').options].map(({ text }) => text);
  expect(options).toEqual(['All Status', 'Draft', 'Sent', 'Accepted', 'Rejected', 'Expired']);
  typeInto('Status', 'expired');
  await waitFor(() => expect(getRowTitles()).toEqual(['New gutters']));
  expect(search()).toEqual({ status: 'expired' });
  typeInto('Status', 'rejected');
  expect(await screen.findByText('There are no rejected quotes.')).toBeDefined();
  expect(screen.getByText('No quotes found')).toBeDefined();
  await pressButton('Clear search and filters');
  await waitFor(() => expect(getRowTitles()).toHaveLength(2));
  expect(search()).toEqual({});
});

it('searches quotes and keeps the search in the URL', async () => {
  const { search } = openQuoteList('/quotes', {
    'GET /quotes?search=gut&sort=created_at&order=desc': () => buildPage(EXPIRED_ROW),
    'GET /quotes/count?search=gut': () => ({ total: 1 }),
  });
  await findRow(/^Heat pump/);
  typeInto('Search quotes', 'gut');
  await waitFor(() => expect(getRowTitles()).toEqual(['New gutters']));
  expect(search()).toEqual({ search: 'gut' });
});

it('sorts by title, total or expiry date from the column headings and the Sort by menu', async () => {
  const sortOrders = ['title', 'total_amount', 'valid_until'].flatMap((sort) => [`${sort}&order=asc`, `${sort}&order=desc`]);
  const { search } = openQuoteList(
    '/quotes',
    Object.fromEntries(sortOrders.map((order) => [`GET /quotes?sort=${order}`, () => buildPage(EXPIRED_ROW, QUOTE_ROW)])),
  );
  await findRow(/^Heat pump/);
  for (const [label, sort] of [
    ['Quote title', 'title'],
    ['Total', 'total_amount'],
    ['Valid Until', 'valid_until'],
  ] as const) {
    await pressButton(`Sort by ${label}`);
    await waitFor(() => expect(search()).toEqual({ sort, order: 'asc' }));
    await pressButton(`Sort by ${label} , ascending`);
    await waitFor(() => expect(search()).toEqual({ sort }));
  }
  await pressButton(/^Filters/);
  const options = [...screen.getByLabelText<HTMLSelectElement>('Sort by').options].map(({ value }) => value);
  expect(options).toEqual(['created_at', 'title', 'total_amount', 'valid_until']);
  typeInto('Sort by', 'created_at');
  await waitFor(() => expect(search()).toEqual({}));
});

it('ignores unknown status and sort values in the URL of the quote list', async () => {
  openQuoteList('/quotes?status=sleeping&sort=weight');
  expect(await findRow(/^Heat pump/)).toBeDefined();
});

it('shows an empty state with a link to create the first quote', async () => {
  openQuoteList('/quotes', { [NEWEST_QUOTES_CALL]: () => buildPage(), 'GET /quotes/count': () => ({ total: 0 }) });
  expect(await screen.findByText('No quotes found')).toBeDefined();
  expect(screen.getAllByRole('link', { name: 'New Quote' }).map((link) => link.getAttribute('href'))).toEqual([
    '/quotes/new',
    '/quotes/new',
  ]);
});

it('shows why the quote list failed to load and reloads it on Retry', async () => {
  const list = { respond: (): unknown => failWith('FORBIDDEN') };
  openQuoteList('/quotes', { [NEWEST_QUOTES_CALL]: () => list.respond() });
  expect(await screen.findByText('A failure on purpose')).toBeDefined();
  list.respond = () => buildPage(QUOTE_ROW);
  await pressButton('Retry');
  await findRow(/^Heat pump/);
});

it.each(['accountant', 'staff'] as const)('hides Delete from the %s role, and New Quote from staff', async (role) => {
  openQuoteList('/quotes', {}, role);
  await findRow(/^Heat pump/);
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  expect(screen.queryAllByRole('link', { name: 'New Quote' })).toHaveLength(role === 'staff' ? 0 : 1);
});

async function openDeleteDialog() {
  await pressButton(`Actions for ${QUOTE.title}`);
  const item = await screen.findByRole('menuitem', { name: 'Delete' });
  await act(async () => fireEvent.click(item));
  return within(await screen.findByRole('alertdialog', { name: 'Delete Quote' }));
}

it.each([1024, 390])('deletes a quote from its row menu after a confirmation at %s px', async (width) => {
  setViewportWidth(width);
  const server = { rows: [QUOTE_ROW, EXPIRED_ROW] };
  openQuoteList('/quotes', {
    [NEWEST_QUOTES_CALL]: () => buildPage(...server.rows),
    [`DELETE /quotes/${QUOTE.id}`]: () => {
      server.rows = [EXPIRED_ROW];
      return {};
    },
  });
  await findRow(/^Heat pump/);
  const dialog = await openDeleteDialog();
  expect(dialog.getByText('Are you sure you want to delete this quote? This action cannot be undone.')).toBeDefined();
  expect(dialog.getByText('Heat pump for the lounge (Q001234)')).toBeDefined();
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Delete Quote' })));
  await waitForToasts('Quote deleted successfully');
  await waitFor(() => expect(getRowTitles()).toEqual(['New gutters']));
});

it('keeps the quote when deleting it is canceled or fails', async () => {
  openQuoteList('/quotes', { [`DELETE /quotes/${QUOTE.id}`]: () => failWith('FORBIDDEN', 'No') });
  await findRow(/^Heat pump/);
  const dialog = await openDeleteDialog();
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Cancel' })));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  const secondDialog = await openDeleteDialog();
  await act(async () => fireEvent.click(secondDialog.getByRole('button', { name: 'Delete Quote' })));
  await waitForToasts('Failed to delete quote: No');
  expect(getRowTitles()).toEqual([QUOTE.title, 'New gutters']);
});

it('opens a quote offline with the data from its row', async () => {
  openQuoteList('/quotes');
  const link = await findRow(/^Heat pump/);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => fireEvent.click(link));
  const main = within(screen.getByRole('main'));
  expect(await main.findByRole('heading', { level: 1, name: QUOTE.title })).toBeDefined();
  for (const text of ['Q001234', 'Draft', 'Ana Rossi', '$230.00', 'Apr 30, 2026']) expect(main.getByText(text)).toBeDefined();
  expect(main.getByText("The rest will load when you're back online.")).toBeDefined();
});

it('colors the status pills gray, blue, green, red and yellow, and gray for an unknown status', () => {
  const statuses = ['draft', 'sent', 'accepted', 'rejected', 'expired', 'foo'];
  expect(statuses.map((status) => getQuoteStatusPill(status).tone)).toEqual(['neutral', 'info', 'ok', 'danger', 'warn', 'neutral']);
});

it.each([1280, 390])("lists a customer's quotes with number, total, status and dates at %s px", async (width) => {
  setViewportWidth(width);
  openQuoteList(`/customers/${CUSTOMER.id}?tab=quotes`, {
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    [`GET /quotes?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`]: () => buildPage(QUOTE_ROW),
  });
  const link = await findRow(/^Heat pump/);
  expect(link.pathname).toBe(`/quotes/${QUOTE.id}`);
  for (const text of ['Q001234', '$230.00', 'Draft', 'Mar 1, 2026', 'Apr 30, 2026']) expect(link.textContent).toContain(text);
  const newQuoteLinks = screen.getAllByRole('link', { name: 'New Quote' });
  for (const { href } of newQuoteLinks as HTMLAnchorElement[]) expect(href).toContain(`/quotes/new?customer=${CUSTOMER.id}`);
});
