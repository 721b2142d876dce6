import type { JobRow } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { getJobStatusPill } from '../src/features/jobs/job-list-filter.ts';
import { setMyTimeZone } from '../src/lib/time-zone.ts';
import { ADMIN_USER, CUSTOMER, DRAINS_CATEGORY, GAS_CATEGORY, JOB, JOB_PAGE_RESPONSES, SAM } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';

const BOOKED_JOB: JobRow = { ...JOB, timer_status: null, matched: null };
/** A job as created by accepting a quote without a customer. */
const UNASSIGNED_JOB: JobRow = {
  ...BOOKED_JOB,
  id: 'bare',
  title: 'Blocked drain',
  job_number: 'J26030043',
  status: 'pending',
  customer: null,
  staff: null,
  categories: [],
  booking_date: null,
};
const NEWEST_JOBS_CALL = 'GET /jobs?sort=created_at&order=desc';
const buildJobPage = (...rows: JobRow[]) => ({ rows, next_cursor: null });

function openJobList(path: string, responses: MockApi = {}) {
  const opened = openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /categories': () => ({ rows: [DRAINS_CATEGORY, GAS_CATEGORY] }),
    'GET /jobs/count': () => ({ total: 2 }),
    [NEWEST_JOBS_CALL]: () => buildJobPage(BOOKED_JOB, UNASSIGNED_JOB),
    [`GET /jobs/${JOB.id}`]: () => JOB,
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

/** The part of `window.happyDOM` that tests use. */
interface HappyDomViewport {
  setViewport: (viewport: { width: number }) => void;
}
const setViewportWidth = (width: number) => (window as Window & { happyDOM: HappyDomViewport }).happyDOM.setViewport({ width });
afterEach(() => {
  setViewportWidth(1024);
  vi.restoreAllMocks();
  window.dispatchEvent(new Event('online'));
});

const getTitles = () => [...document.querySelectorAll('[data-name]')].map(({ textContent }) => textContent);
const getOptionTexts = (label: string) => [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);

it('lists the newest job first with customer, staff member, categories and status', async () => {
  openJobList('/jobs');
  const row = await screen.findByRole<HTMLAnchorElement>('link', { name: /^Roof repair/ });
  expect(row.pathname).toBe(`/jobs/${JOB.id}`);
  for (const text of ['#J26030042', 'Ana Rossi', 'Sam Leota', 'Drains', 'Booked']) within(row).getByText(text);
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'New Job' }).pathname).toBe('/jobs/new');
  await screen.findByText(/^2 jobs$|^2$/);
});

it('opens a job offline with the data from its row', async () => {
  openJobList('/jobs');
  const row = await screen.findByRole('link', { name: /^Roof repair/ });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await act(async () => fireEvent.click(row));
  const main = within(screen.getByRole('main'));
  await main.findByRole('heading', { level: 1, name: 'Roof repair' });
  for (const text of ['#J26030042', 'Booked', 'Ana Rossi', 'Sam Leota', 'Drains']) expect(main.getByText(text)).toBeDefined();
  main.getByText(/Apr 6, 2026$/);
  main.getByText("The rest will load when you're back online.");
});

it('labels the missing fields of a job', async () => {
  openJobList('/jobs');
  const row = await screen.findByRole('link', { name: /^Blocked drain/ });
  for (const text of ['No Customer', 'Unassigned', 'Uncategorized', 'Pending']) expect(within(row).getByText(text)).toBeDefined();
});

it('shows job cards with the booking date and without column headers on a phone', async () => {
  setViewportWidth(390);
  openJobList('/jobs');
  const card = await screen.findByRole('link', { name: /^Roof repair/ });
  expect(within(card).getByText('Apr 6, 2026')).toBeDefined();
  expect(within(card).getByText('Sam Leota · Drains')).toBeDefined();
  expect(within(card).getByText('#J26030042 · Ana Rossi')).toBeDefined();
  expect(within(screen.getByRole('link', { name: /^Blocked drain/ })).getByText('Not scheduled')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Sort by Customer' })).toBeNull();
});

it('filters by status, staff member and category and stores each filter in the URL', async () => {
  const filters = `status=booked&staff_id=${SAM.id}&category_id=${GAS_CATEGORY.id}`;
  const { search } = openJobList('/jobs', {
    'GET /jobs?status=booked&sort=created_at&order=desc': () => buildJobPage(BOOKED_JOB),
    'GET /jobs/count?status=booked': () => ({ total: 1 }),
    [`GET /jobs?status=booked&staff_id=${SAM.id}&sort=created_at&order=desc`]: () => buildJobPage(BOOKED_JOB),
    [`GET /jobs/count?status=booked&staff_id=${SAM.id}`]: () => ({ total: 1 }),
    [`GET /jobs?${filters}&sort=created_at&order=desc`]: () => buildJobPage(),
    [`GET /jobs/count?${filters}`]: () => ({ total: 0 }),
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(screen.getByLabelText('Status').closest('[hidden]')).not.toBeNull();
  await pressButton(/^Filters/);
  expect(screen.getByLabelText('Status').closest('[hidden]')).toBeNull();
  expect(getOptionTexts('Status')).toEqual(['All Status', 'Pending', 'Contacted', 'Booked', 'Complete', 'Invoiced', 'Paid', 'Canceled']);
  await waitFor(() => expect(getOptionTexts('Staff Member')).toEqual(['All Staff', 'Sam Leota']));
  expect(getOptionTexts('Category')).toEqual(['All Categories', 'Drains', 'Gas']);
  typeInto('Status', 'booked');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair']));
  typeInto('Staff Member', SAM.id);
  await waitFor(() => expect(search()).toEqual({ status: 'booked', staff_id: SAM.id }));
  typeInto('Category', GAS_CATEGORY.id);
  await screen.findByText('No jobs match these filters.');
  expect(search()).toEqual({ status: 'booked', staff_id: SAM.id, category_id: GAS_CATEGORY.id });
  await pressButton('Clear search and filters');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair', 'Blocked drain']));
  expect(search()).toEqual({});
});

it('shows filters from a link as removable chips', async () => {
  // This instant is 10 PM on November 16 in Auckland.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T09:00:00Z') });
  const period = 'created_from=2026-11-08T11%3A00%3A00.000Z&created_to=2026-11-16T10%3A59%3A59.999Z';
  const { search } = openJobList('/jobs?group=active&created=week', {
    [`GET /jobs?sort=created_at&order=desc&group=active&${period}`]: () => buildJobPage(),
    [`GET /jobs/count?group=active&${period}`]: () => ({ total: 0 }),
    [`GET /jobs?sort=created_at&order=desc&${period}`]: () => buildJobPage(BOOKED_JOB),
    [`GET /jobs/count?${period}`]: () => ({ total: 1 }),
  });
  await screen.findByText('No jobs match these filters.');
  const chips = screen.getByRole('list', { name: 'Active filters' });
  expect([...chips.children].map(({ textContent }) => textContent)).toEqual(['Active', 'Created in the last 7 days']);
  await pressButton('Remove filter: Active');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair']));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove filter: Created in the last 7 days');
  expect(search()).toEqual({ created: 'week' });
  await pressButton('Remove filter: Created in the last 7 days');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair', 'Blocked drain']));
  expect(search()).toEqual({});
  expect(document.activeElement?.textContent).toBe('Filters');
  expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
  vi.useRealTimers();
});

/** A Wednesday. This instant is 10:59 PM in Auckland, 13 hours ahead of UTC. */
const LATE_ON_WEDNESDAY = Date.parse('2026-11-18T09:59:00Z');
const TODAY = 'booked_from=2026-11-17T11%3A00%3A00.000Z&booked_to=2026-11-18T10%3A59%3A59.999Z';
const buildBookingResponses = (period: string, ...rows: JobRow[]): MockApi => ({
  [`GET /jobs?sort=created_at&order=desc&${period}`]: () => buildJobPage(...rows),
  [`GET /jobs/count?${period}`]: () => ({ total: rows.length }),
});

it("filters by booking date in the company's time zone and keeps the date relative in the URL", async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: LATE_ON_WEDNESDAY });
  const { search } = openJobList('/jobs', {
    ...buildBookingResponses(TODAY, { ...BOOKED_JOB, booking_date: '2026-11-17T20:30:00.000Z' }),
    ...buildBookingResponses('booking=none', UNASSIGNED_JOB),
    ...buildBookingResponses('booked_to=2026-11-17T10%3A59%3A59.999Z&booking=unfinished', BOOKED_JOB),
  });
  await pressButton(/^Filters/);
  const choices = ['All Dates', 'Today', 'Tomorrow', 'This week', 'Next 7 days', 'Overdue', 'Without a date', 'Custom dates'];
  expect(getOptionTexts('Booking date')).toEqual(choices);
  typeInto('Booking date', 'today');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair']));
  expect(search()).toEqual({ booked: 'today' });
  typeInto('Booking date', 'none');
  await waitFor(() => expect(getTitles()).toEqual(['Blocked drain']));
  typeInto('Booking date', 'overdue');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair']));
  expect(search()).toEqual({ booked: 'overdue' });
  vi.useRealTimers();
});

it('shows the time of bookings in a list of one day, and moves on to the next day at midnight', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: LATE_ON_WEDNESDAY });
  setViewportWidth(390);
  openJobList('/jobs?booked=today', {
    ...buildBookingResponses(TODAY, { ...BOOKED_JOB, booking_date: '2026-11-17T20:30:00.000Z' }),
    ...buildBookingResponses('booked_from=2026-11-18T11%3A00%3A00.000Z&booked_to=2026-11-19T10%3A59%3A59.999Z', UNASSIGNED_JOB),
  });
  const card = await screen.findByRole('link', { name: /^Roof repair/ });
  expect(within(card).getByText('9:30 AM')).toBeDefined();
  vi.setSystemTime(Date.parse('2026-11-18T11:00:00Z'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(getTitles()).toEqual(['Blocked drain']));
  vi.useRealTimers();
});

it('filters by custom booking dates and drops them with the choice', async () => {
  const { search } = openJobList('/jobs?booked=custom', {
    ...buildBookingResponses('booked_from=2026-10-31T11%3A00%3A00.000Z', BOOKED_JOB, UNASSIGNED_JOB),
    ...buildBookingResponses('booked_from=2026-10-31T11%3A00%3A00.000Z&booked_to=2026-11-30T10%3A59%3A59.999Z', BOOKED_JOB),
    'GET /jobs?sort=created_at&order=desc': () => buildJobPage(BOOKED_JOB, UNASSIGNED_JOB),
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  typeInto('First day', '2026-11-01');
  await waitFor(() => expect(search()).toEqual({ booked: 'custom', from: '2026-11-01' }));
  typeInto('Last day', '2026-11-30');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair']));
  expect(search()).toEqual({ booked: 'custom', from: '2026-11-01', to: '2026-11-30' });
  typeInto('Booking date', '');
  await waitFor(() => expect(search()).toEqual({}));
  expect(screen.queryByLabelText('First day')).toBeNull();
});

it('stores the job search in the URL and clears it with the clear button', async () => {
  const { search } = openJobList('/jobs', {
    'GET /jobs?search=roof&sort=created_at&order=desc': () => buildJobPage(BOOKED_JOB),
    'GET /jobs/count?search=roof': () => ({ total: 1 }),
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  expect(screen.getByPlaceholderText('Search jobs...')).toBeDefined();
  typeInto('Search jobs', 'roof');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair']));
  expect(search()).toEqual({ search: 'roof' });
  await pressButton('Clear search');
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair', 'Blocked drain']));
  expect(search()).toEqual({});
});

it('sorts by column header and reverses the order on a second click', async () => {
  const { search } = openJobList('/jobs', {
    'GET /jobs?sort=customer&order=asc': () => buildJobPage(UNASSIGNED_JOB, BOOKED_JOB),
    'GET /jobs?sort=customer&order=desc': () => buildJobPage(BOOKED_JOB, UNASSIGNED_JOB),
  });
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair', 'Blocked drain']));
  for (const name of ['Job', 'Customer', 'Staff', 'Category', 'Status']) screen.getByRole('button', { name: `Sort by ${name}` });
  await pressButton('Sort by Customer');
  await waitFor(() => expect(getTitles()).toEqual(['Blocked drain', 'Roof repair']));
  expect(search()).toEqual({ sort: 'customer', order: 'asc' });
  await pressButton('Sort by Customer , ascending');
  await waitFor(() => expect(search()).toEqual({ sort: 'customer' }));
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair', 'Blocked drain']));
});

it('sorts by booking date, the next job first, from the column on wide desktops', async () => {
  setViewportWidth(1440);
  const { search } = openJobList('/jobs', { 'GET /jobs?sort=booking_date&order=asc': () => buildJobPage(UNASSIGNED_JOB, BOOKED_JOB) });
  await waitFor(() => expect(getTitles()).toEqual(['Roof repair', 'Blocked drain']));
  await pressButton('Sort by Booked for');
  await waitFor(() => expect(getTitles()).toEqual(['Blocked drain', 'Roof repair']));
  expect(search()).toEqual({ sort: 'booking_date', order: 'asc' });
});

it('links to the new job form when there are no jobs', async () => {
  const response = Promise.withResolvers<unknown>();
  openJobList('/jobs', { [NEWEST_JOBS_CALL]: () => response.promise, 'GET /jobs/count': () => ({ total: 0 }) });
  await screen.findByText('Loading...');
  await act(async () => response.resolve(buildJobPage()));
  await screen.findByText('No jobs found');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Add New Job' }).pathname).toBe('/jobs/new');
});

it('shows why jobs failed to load and reloads them on Retry', async () => {
  const list = { response: (): unknown => failWith('FORBIDDEN') };
  openJobList('/jobs', { [NEWEST_JOBS_CALL]: () => list.response() });
  await screen.findByText('A failure on purpose');
  list.response = () => buildJobPage(BOOKED_JOB);
  await pressButton('Retry');
  expect(await screen.findByRole('link', { name: /^Roof repair/ })).toBeDefined();
});

it('ignores invalid URL parameters of the job list', async () => {
  openJobList('/jobs?status=sleeping&sort=weight&staff_id=nobody');
  expect(await screen.findByRole('link', { name: /^Roof repair/ })).toBeDefined();
});

it('colors status pills by status, with gray for an unknown status', () => {
  const statuses = ['pending', 'contacted', 'booked', 'canceled', 'complete', 'paid', 'invoiced', 'foo'];
  expect(statuses.map((status) => getJobStatusPill(status).tone)).toEqual([
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

it('moves between job rows with the arrow keys', async () => {
  openJobList('/jobs');
  const row = await screen.findByRole('link', { name: /^Roof repair/ });
  row.focus();
  fireEvent.keyDown(row, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('Blocked drain');
});

it.each([1280, 390])("lists a customer's jobs with staff member and category at %s px", async (width) => {
  setViewportWidth(width);
  openJobList(`/customers/${CUSTOMER.id}?tab=jobs`, {
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    [`GET /jobs?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`]: () => buildJobPage(BOOKED_JOB),
  });
  const row = await screen.findByRole<HTMLAnchorElement>('link', { name: /^Roof repair/ });
  expect(row.pathname).toBe(`/jobs/${JOB.id}`);
  for (const text of ['#J26030042', 'Sam Leota', 'Drains', 'Booked']) expect(row.textContent).toContain(text);
});

it('updates the dates of jobs when the display time zone changes', async () => {
  setViewportWidth(390);
  openJobList('/jobs');
  await screen.findByText('Apr 6, 2026');
  act(() => setMyTimeZone('America/New_York'));
  expect(await screen.findByText('Apr 5, 2026')).toBeDefined();
});
