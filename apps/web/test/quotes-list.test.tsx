import type { QuoteRow } from '@callout/contract/quotes';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { quoteStatusPill } from '../src/features/quotes/quote-filter.ts';
import { type Answers, openPage, press, refuse, typeInto, waitForToasts } from './open-page.tsx';
import { CUSTOMER, OWNER, PROFILE, QUOTE, QUOTE_ROW } from './people.ts';

/** As the deletion of its customer leaves it, long after its last day. */
const OLD: QuoteRow = {
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
const NEWEST = 'GET /quotes?sort=created_at&order=desc';
const page = (...rows: QuoteRow[]) => ({ rows, next_cursor: null });

function openList(path: string, more: Answers = {}, role: Role = 'admin') {
  const opened = openPage(path, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    'GET /quotes/count': () => ({ total: 2 }),
    [NEWEST]: () => page(QUOTE_ROW, OLD),
    [`GET /quotes/${QUOTE.id}`]: () => QUOTE,
    'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
    ...more,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setWidth(1024);
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

const titles = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
const row = (title: RegExp) => screen.findByRole<HTMLAnchorElement>('link', { name: title });

it('the newest quote comes first, each with number, customer, status, total and last day', async () => {
  openList('/quotes');
  const first = await row(/^Heat pump/);
  expect(first.pathname).toBe(`/quotes/${QUOTE.id}`);
  for (const text of ['Q001234', 'Ana Rossi', 'Draft', '$230.00', 'Apr 30, 2026']) expect(within(first).getByText(text)).toBeDefined();
  expect(within(first).queryByText('Email failed')).toBeNull();
  expect(titles()).toEqual([QUOTE.title, 'New gutters']);
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'New Quote' }).pathname).toBe('/quotes/new');
  expect(await screen.findByText(/^2 quotes$|^2$/)).toBeDefined();
});

it('a quote without a customer is a Quick Price; a failed email and a passed last day show', async () => {
  openList('/quotes');
  const old = await row(/^New gutters/);
  for (const text of ['Quick Price', 'Expired', '$12,345.60', 'No expiry', 'Email failed'])
    expect(within(old).getByText(text)).toBeDefined();
});

it('a phone shows cards without column heads', async () => {
  setWidth(390);
  openList('/quotes');
  const card = await row(/^Heat pump/);
  for (const text of ['Q001234', 'Ana Rossi', 'Draft', '$230.00']) expect(within(card).getByText(text)).toBeDefined();
  expect(within(await row(/^New gutters/)).getByText('Email failed')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Sort by Total' })).toBeNull();
});

it('a company is named by its name', async () => {
  openList('/quotes', { [NEWEST]: () => page({ ...QUOTE_ROW, customer: { id: CUSTOMER.id, name: 'Ana', company_name: 'Anchor Cafe' } }) });
  expect(within(await row(/^Heat pump/)).getByText('Anchor Cafe')).toBeDefined();
});

it('the status filter has all five and all, and is in the URL', async () => {
  const { search } = openList('/quotes', {
    'GET /quotes?status=expired&sort=created_at&order=desc': () => page(OLD),
    'GET /quotes/count?status=expired': () => ({ total: 1 }),
    'GET /quotes?status=rejected&sort=created_at&order=desc': () => page(),
    'GET /quotes/count?status=rejected': () => ({ total: 0 }),
  });
  await row(/^Heat pump/);
  await press(/^Filters/);
  const options = [...screen.getByLabelText<HTMLSelectElement>('Status').options].map(({ text }) => text);
  expect(options).toEqual(['All Status', 'Draft', 'Sent', 'Accepted', 'Rejected', 'Expired']);
  typeInto('Status', 'expired');
  await waitFor(() => expect(titles()).toEqual(['New gutters']));
  expect(search()).toEqual({ status: 'expired' });
  typeInto('Status', 'rejected');
  expect(await screen.findByText('There are no rejected quotes.')).toBeDefined();
  expect(screen.getByText('No quotes found')).toBeDefined();
  await press('Clear search and filters');
  await waitFor(() => expect(titles()).toHaveLength(2));
  expect(search()).toEqual({});
});

it('a search is in the URL', async () => {
  const { search } = openList('/quotes', {
    'GET /quotes?search=gut&sort=created_at&order=desc': () => page(OLD),
    'GET /quotes/count?search=gut': () => ({ total: 1 }),
  });
  await row(/^Heat pump/);
  typeInto('Search quotes', 'gut');
  await waitFor(() => expect(titles()).toEqual(['New gutters']));
  expect(search()).toEqual({ search: 'gut' });
});

it('title, total and last day sort by their heads, and by Sort by', async () => {
  const sorted = ['title', 'total_amount', 'valid_until'].flatMap((sort) => [`${sort}&order=asc`, `${sort}&order=desc`]);
  const { search } = openList('/quotes', Object.fromEntries(sorted.map((by) => [`GET /quotes?sort=${by}`, () => page(OLD, QUOTE_ROW)])));
  await row(/^Heat pump/);
  for (const [label, sort] of [
    ['Quote title', 'title'],
    ['Total', 'total_amount'],
    ['Valid Until', 'valid_until'],
  ] as const) {
    await press(`Sort by ${label}`);
    await waitFor(() => expect(search()).toEqual({ sort, order: 'asc' }));
    await press(`Sort by ${label} , ascending`);
    await waitFor(() => expect(search()).toEqual({ sort }));
  }
  await press(/^Filters/);
  const options = [...screen.getByLabelText<HTMLSelectElement>('Sort by').options].map(({ value }) => value);
  expect(options).toEqual(['created_at', 'title', 'total_amount', 'valid_until']);
  typeInto('Sort by', 'created_at');
  await waitFor(() => expect(search()).toEqual({}));
});

it('a link with parameters that mean nothing opens the list all the same', async () => {
  openList('/quotes?status=sleeping&sort=weight');
  expect(await row(/^Heat pump/)).toBeDefined();
});

it('without quotes it says so and leads to the first one', async () => {
  openList('/quotes', { [NEWEST]: () => page(), 'GET /quotes/count': () => ({ total: 0 }) });
  expect(await screen.findByText('No quotes found')).toBeDefined();
  expect(screen.getAllByRole('link', { name: 'New Quote' }).map((link) => link.getAttribute('href'))).toEqual([
    '/quotes/new',
    '/quotes/new',
  ]);
});

it('a list that cannot be read says why and is read again on request', async () => {
  const list = { answer: (): unknown => refuse('FORBIDDEN') };
  openList('/quotes', { [NEWEST]: () => list.answer() });
  expect(await screen.findByText('A failure on purpose')).toBeDefined();
  list.answer = () => page(QUOTE_ROW);
  await press('Retry');
  await row(/^Heat pump/);
});

it.each(['accountant', 'staff'] as const)('%s deletes nothing, and staff make nothing', async (role) => {
  openList('/quotes', {}, role);
  await row(/^Heat pump/);
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  expect(screen.queryAllByRole('link', { name: 'New Quote' })).toHaveLength(role === 'staff' ? 0 : 1);
});

async function askToDelete() {
  await press(`Actions for ${QUOTE.title}`);
  const item = await screen.findByRole('menuitem', { name: 'Delete' });
  await act(async () => fireEvent.click(item));
  return within(await screen.findByRole('alertdialog', { name: 'Delete Quote' }));
}

it.each([1024, 390])('a row is deleted behind its menu, after a question, at %s px', async (width) => {
  setWidth(width);
  const server = { rows: [QUOTE_ROW, OLD] };
  openList('/quotes', {
    [NEWEST]: () => page(...server.rows),
    [`DELETE /quotes/${QUOTE.id}`]: () => {
      server.rows = [OLD];
      return {};
    },
  });
  await row(/^Heat pump/);
  const question = await askToDelete();
  expect(question.getByText('Are you sure you want to delete this quote? This action cannot be undone.')).toBeDefined();
  expect(question.getByText('Heat pump for the lounge (Q001234)')).toBeDefined();
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete Quote' })));
  await waitForToasts('Quote deleted successfully');
  await waitFor(() => expect(titles()).toEqual(['New gutters']));
});

it('Cancel deletes nothing, and a deletion that fails says why and keeps the row', async () => {
  openList('/quotes', { [`DELETE /quotes/${QUOTE.id}`]: () => refuse('FORBIDDEN', 'No') });
  await row(/^Heat pump/);
  const question = await askToDelete();
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel' })));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  const again = await askToDelete();
  await act(async () => fireEvent.click(again.getByRole('button', { name: 'Delete Quote' })));
  await waitForToasts('Failed to delete quote: No');
  expect(titles()).toEqual([QUOTE.title, 'New gutters']);
});

it('without a connection a quote opens with what its row knows', async () => {
  openList('/quotes');
  const link = await row(/^Heat pump/);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => fireEvent.click(link));
  const main = within(screen.getByRole('main'));
  expect(await main.findByRole('heading', { level: 1, name: QUOTE.title })).toBeDefined();
  for (const text of ['Q001234', 'Draft', 'Ana Rossi', '$230.00', 'Apr 30, 2026']) expect(main.getByText(text)).toBeDefined();
  expect(main.getByText("The rest shows when you're online again.")).toBeDefined();
});

it('the pills are gray, blue, green, red and yellow, and gray for a status that is unknown', () => {
  const statuses = ['draft', 'sent', 'accepted', 'rejected', 'expired', 'foo'];
  expect(statuses.map((status) => quoteStatusPill(status).tone)).toEqual(['neutral', 'info', 'ok', 'danger', 'warn', 'neutral']);
});

it.each([1280, 390])("a customer's quotes show number, total, status and days at %s px, and open", async (width) => {
  setWidth(width);
  openList(`/customers/${CUSTOMER.id}?tab=quotes`, {
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    [`GET /quotes?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`]: () => page(QUOTE_ROW),
  });
  const link = await row(/^Heat pump/);
  expect(link.pathname).toBe(`/quotes/${QUOTE.id}`);
  for (const text of ['Q001234', '$230.00', 'Draft', 'Mar 1, 2026', 'Apr 30, 2026']) expect(link.textContent).toContain(text);
  const add = screen.getByRole('link', { name: 'New Quote' });
  expect(add.getAttribute('href')).toBe(`/quotes/new?customer=${CUSTOMER.id}`);
});
