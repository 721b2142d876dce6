import type { JobRow } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { statusPill } from '../src/features/jobs/job-filter.ts';
import { chooseTimeZone } from '../src/lib/time-zone.ts';
import { type Answers, openPage, press, refuse, typeInto } from './open-page.tsx';
import { CUSTOMER, DRAINS, GAS, JOB, JOB_PARTS, OWNER, SAM } from './people.ts';

const ROW: JobRow = { ...JOB, timer_status: null, matched: null };
/** As a quote that was accepted without a customer leaves it. */
const BARE: JobRow = {
  ...ROW,
  id: 'bare',
  title: 'Blocked drain',
  job_number: 'J26030043',
  status: 'pending',
  customer: null,
  staff: null,
  categories: [],
  booking_date: null,
};
const NEWEST = 'GET /jobs?sort=created_at&order=desc';
const page = (...rows: JobRow[]) => ({ rows, next_cursor: null });

function openList(path: string, more: Answers = {}) {
  const opened = openPage(path, {
    'GET /me': () => OWNER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /categories': () => ({ rows: [DRAINS, GAS] }),
    'GET /jobs/count': () => ({ total: 2 }),
    [NEWEST]: () => page(ROW, BARE),
    [`GET /jobs/${JOB.id}`]: () => JOB,
    ...JOB_PARTS,
    ...more,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

/** What happy-dom adds to the window. */
interface Viewport {
  setViewport: (viewport: { width: number }) => void;
}
const setWidth = (width: number) => (window as Window & { happyDOM: Viewport }).happyDOM.setViewport({ width });
afterEach(() => {
  setWidth(1024);
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

const titles = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
const optionsOf = (label: string) => [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);

it('the newest job comes first, each with customer, person, categories, day and status', async () => {
  openList('/jobs');
  const row = await screen.findByRole<HTMLAnchorElement>('link', { name: /^Roof repair/ });
  expect(row.pathname).toBe(`/jobs/${JOB.id}`);
  for (const text of ['#J26030042', 'Ana Rossi', 'Sam Leota', 'Drains', 'Booked']) within(row).getByText(text);
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'New Job' }).pathname).toBe('/jobs/new');
  await screen.findByText(/^2 jobs$|^2$/);
});

it('without a connection a job opens with what its row knows', async () => {
  openList('/jobs');
  const row = await screen.findByRole('link', { name: /^Roof repair/ });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => fireEvent.click(row));
  const main = within(screen.getByRole('main'));
  await main.findByRole('heading', { level: 1, name: 'Roof repair' });
  for (const text of ['#J26030042', 'Booked', 'Ana Rossi', 'Sam Leota', 'Drains']) expect(main.getByText(text)).toBeDefined();
  main.getByText(/Apr 6, 2026$/);
  main.getByText("The rest shows when you're online again.");
});

it('what a job does not have is named', async () => {
  openList('/jobs');
  const row = await screen.findByRole('link', { name: /^Blocked drain/ });
  for (const text of ['No Customer', 'Unassigned', 'Uncategorized', 'Pending']) expect(within(row).getByText(text)).toBeDefined();
});

it('a phone shows cards without column heads, with the day of the booking', async () => {
  setWidth(390);
  openList('/jobs');
  const card = await screen.findByRole('link', { name: /^Roof repair/ });
  expect(within(card).getByText('Apr 6, 2026')).toBeDefined();
  expect(within(card).getByText('Sam Leota · Drains')).toBeDefined();
  expect(within(card).getByText('#J26030042 · Ana Rossi')).toBeDefined();
  expect(within(screen.getByRole('link', { name: /^Blocked drain/ })).getByText('Not scheduled')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Sort by Customer' })).toBeNull();
});

it('the toggle reveals a select each for status, person and category, and each is in the URL', async () => {
  const filters = `status=booked&staff_id=${SAM.id}&category_id=${GAS.id}`;
  const { search } = openList('/jobs', {
    'GET /jobs?status=booked&sort=created_at&order=desc': () => page(ROW),
    'GET /jobs/count?status=booked': () => ({ total: 1 }),
    [`GET /jobs?status=booked&staff_id=${SAM.id}&sort=created_at&order=desc`]: () => page(ROW),
    [`GET /jobs/count?status=booked&staff_id=${SAM.id}`]: () => ({ total: 1 }),
    [`GET /jobs?${filters}&sort=created_at&order=desc`]: () => page(),
    [`GET /jobs/count?${filters}`]: () => ({ total: 0 }),
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(screen.getByLabelText('Status').closest('[hidden]')).not.toBeNull();
  await press(/^Filters/);
  expect(screen.getByLabelText('Status').closest('[hidden]')).toBeNull();
  expect(optionsOf('Status')).toEqual(['All Status', 'Pending', 'Contacted', 'Booked', 'Complete', 'Invoiced', 'Paid', 'Canceled']);
  await waitFor(() => expect(optionsOf('Staff Member')).toEqual(['All Staff', 'Sam Leota']));
  expect(optionsOf('Category')).toEqual(['All Categories', 'Drains', 'Gas']);
  typeInto('Status', 'booked');
  await waitFor(() => expect(titles()).toEqual(['Roof repair']));
  typeInto('Staff Member', SAM.id);
  await waitFor(() => expect(search()).toEqual({ status: 'booked', staff_id: SAM.id }));
  typeInto('Category', GAS.id);
  await screen.findByText('No jobs match these filters.');
  expect(search()).toEqual({ status: 'booked', staff_id: SAM.id, category_id: GAS.id });
  await press('Clear search and filters');
  await waitFor(() => expect(titles()).toEqual(['Roof repair', 'Blocked drain']));
  expect(search()).toEqual({});
});

it('what a link from elsewhere has chosen shows as chips, each can be removed', async () => {
  // The evening of November 16 in Auckland.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T09:00:00Z') });
  const period = 'created_from=2026-11-08T11%3A00%3A00.000Z&created_to=2026-11-16T10%3A59%3A59.999Z';
  const { search } = openList('/jobs?group=active&created=week', {
    [`GET /jobs?sort=created_at&order=desc&group=active&${period}`]: () => page(),
    [`GET /jobs/count?group=active&${period}`]: () => ({ total: 0 }),
    [`GET /jobs?sort=created_at&order=desc&${period}`]: () => page(ROW),
    [`GET /jobs/count?${period}`]: () => ({ total: 1 }),
  });
  await screen.findByText('No jobs match these filters.');
  const chips = screen.getByRole('list', { name: 'Filters from this link' });
  expect([...chips.children].map(({ textContent }) => textContent)).toEqual(['Active', 'Created in the last 7 days']);
  await press('Remove filter: Active');
  await waitFor(() => expect(titles()).toEqual(['Roof repair']));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove filter: Created in the last 7 days');
  expect(search()).toEqual({ created: 'week' });
  await press('Remove filter: Created in the last 7 days');
  await waitFor(() => expect(titles()).toEqual(['Roof repair', 'Blocked drain']));
  expect(search()).toEqual({});
  expect(document.activeElement?.textContent).toBe('Filters');
  expect(screen.queryByRole('list', { name: 'Filters from this link' })).toBeNull();
  vi.useRealTimers();
});

it('a search is in the URL and its cross empties it', async () => {
  const { search } = openList('/jobs', {
    'GET /jobs?search=roof&sort=created_at&order=desc': () => page(ROW),
    'GET /jobs/count?search=roof': () => ({ total: 1 }),
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(screen.getByPlaceholderText('Search jobs...')).toBeDefined();
  typeInto('Search jobs', 'roof');
  await waitFor(() => expect(titles()).toEqual(['Roof repair']));
  expect(search()).toEqual({ search: 'roof' });
  await press('Clear search');
  await waitFor(() => expect(titles()).toEqual(['Roof repair', 'Blocked drain']));
  expect(search()).toEqual({});
});

it('a column head sorts, and turns round what it sorts already', async () => {
  const { search } = openList('/jobs', {
    'GET /jobs?sort=customer&order=asc': () => page(BARE, ROW),
    'GET /jobs?sort=customer&order=desc': () => page(ROW, BARE),
  });
  await waitFor(() => expect(titles()).toEqual(['Roof repair', 'Blocked drain']));
  for (const name of ['Job', 'Customer', 'Staff', 'Category', 'Status']) screen.getByRole('button', { name: `Sort by ${name}` });
  await press('Sort by Customer');
  await waitFor(() => expect(titles()).toEqual(['Blocked drain', 'Roof repair']));
  expect(search()).toEqual({ sort: 'customer', order: 'asc' });
  await press('Sort by Customer , ascending');
  await waitFor(() => expect(search()).toEqual({ sort: 'customer' }));
  await waitFor(() => expect(titles()).toEqual(['Roof repair', 'Blocked drain']));
});

it('without jobs it says so and leads to the first one', async () => {
  const answer = Promise.withResolvers<unknown>();
  openList('/jobs', { [NEWEST]: () => answer.promise, 'GET /jobs/count': () => ({ total: 0 }) });
  await screen.findByText('Loading...');
  await act(async () => answer.resolve(page()));
  await screen.findByText('No jobs found');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Add New Job' }).pathname).toBe('/jobs/new');
});

it('a list that cannot be read says why and is read again on request', async () => {
  const list = { answer: (): unknown => refuse('FORBIDDEN') };
  openList('/jobs', { [NEWEST]: () => list.answer() });
  await screen.findByText('A failure on purpose');
  list.answer = () => page(ROW);
  await press('Retry');
  expect(await screen.findByRole('link', { name: /^Roof repair/ })).toBeDefined();
});

it('a link with parameters that mean nothing opens the list all the same', async () => {
  openList('/jobs?status=sleeping&sort=weight&staff_id=nobody');
  expect(await screen.findByRole('link', { name: /^Roof repair/ })).toBeDefined();
});

it('the pills are colored by status, and gray for one that is unknown', () => {
  const statuses = ['pending', 'contacted', 'booked', 'canceled', 'complete', 'paid', 'invoiced', 'foo'];
  expect(statuses.map((status) => statusPill(status).tone)).toEqual([
    'warn',
    'info',
    'violet',
    'danger',
    'ok',
    'accent',
    'info',
    'neutral',
  ]);
});

it('the arrow keys walk the rows', async () => {
  openList('/jobs');
  const row = await screen.findByRole('link', { name: /^Roof repair/ });
  row.focus();
  fireEvent.keyDown(row, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Blocked drain');
});

it.each([1280, 390])("a customer's jobs show person and category at %s px, and open", async (width) => {
  setWidth(width);
  openList(`/customers/${CUSTOMER.id}?tab=jobs`, {
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    [`GET /jobs?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`]: () => page(ROW),
  });
  const row = await screen.findByRole<HTMLAnchorElement>('link', { name: /^Roof repair/ });
  expect(row.pathname).toBe(`/jobs/${JOB.id}`);
  for (const text of ['#J26030042', 'Sam Leota', 'Drains', 'Booked']) expect(row.textContent).toContain(text);
});

it('shows days in the zone that is chosen, also when that changes while it is open', async () => {
  setWidth(390);
  openList('/jobs');
  await screen.findByText('Apr 6, 2026');
  act(() => chooseTimeZone('America/New_York'));
  expect(await screen.findByText('Apr 5, 2026')).toBeDefined();
});
