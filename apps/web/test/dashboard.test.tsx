import type { CalendarJob, CalendarTask } from '@callout/contract/calendar';
import type { ContractOutputs } from '@callout/contract/contract';
import { addDays, getStartOfDay, toLocalDate } from '@callout/domain/time/zoned-time';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER, DRAINS_CATEGORY, GAS_CATEGORY, JOB, PROFILE, SAM } from './fixtures.ts';
import { DASHBOARD_RESPONSES, failWith, type MockApi, openPage, pressButton } from './open-page.tsx';

type RecentJob = ContractOutputs['dashboard']['recentJobs']['rows'][number];

const TIME_ZONE = 'Pacific/Auckland';
const getToday = () => toLocalDate(new Date().toISOString(), TIME_ZONE);
const CATEGORIES_CALL = 'GET /dashboard/categories?created_from={instant}&created_to={instant}';
const RECENT_JOBS_CALL = 'GET /dashboard/jobs?created_from={instant}&created_to={instant}&order=desc';
const BOOKINGS_CALL = 'GET /calendar?from={instant}&to={instant}&staff_id=staff-1';

const openDashboard = (responses: MockApi = {}, role: 'admin' | 'staff' | 'accountant' = 'admin', path = '/dashboard') =>
  openPage(path, {
    ...DASHBOARD_RESPONSES,
    'GET /me': () => ({ ...ADMIN_USER, start_card_dismissed: true, profile: { ...PROFILE, role } }),
    ...responses,
  });

const findSection = (name: string) => screen.findByRole('region', { name });
const getHref = (element: HTMLElement) => element.getAttribute('href');
const getLinkHrefs = (part: HTMLElement) => within(part).getAllByRole('link').map(getHref);
const selectOption = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));

/** Builds a job booked for today at `hour` in Auckland; a negative hour falls on yesterday. */
const buildBooking = (hour: string, overrides: Partial<CalendarJob> = {}): CalendarJob => ({
  id: `018f0000-0000-7000-8000-0000000000${hour.replace('-', 'a')}`,
  job_number: JOB.job_number,
  title: 'Roof repair',
  status: 'booked',
  duration: '2.00',
  booking_date: new Date(Date.parse(getStartOfDay(getToday(), TIME_ZONE)) + Number(hour) * 3_600_000).toISOString(),
  address: '1 High Street',
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null, phone: CUSTOMER.phone },
  staff: { id: SAM.id, name: SAM.name, hex_code: null },
  timer_status: null,
  ...overrides,
});
const mockBookings = (...jobs: CalendarJob[]) => ({ [BOOKINGS_CALL]: () => ({ jobs, tasks: [], is_cut: false }) });

const RECENT_JOB: RecentJob = {
  id: JOB.id,
  job_number: JOB.job_number,
  title: JOB.title,
  status: 'booked',
  booking_date: JOB.booking_date,
  created_at: JOB.created_at,
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: 'Rossi Ltd' },
  staff: { id: SAM.id, name: SAM.name, hex_code: null },
  categories: [DRAINS_CATEGORY, GAS_CATEGORY],
  timer_status: null,
};

it('shows four quick actions and opens the task form from New Task', async () => {
  const { router } = openDashboard({ 'GET /staff-names': () => ({ rows: [] }) });
  const actions = await screen.findByRole('navigation', { name: 'Quick actions' });
  const links = within(actions).getAllByRole('link');
  expect(links.map((link) => [link.textContent, getHref(link)])).toEqual([
    ['New Customer', '/customers/new'],
    ['New Quote', '/quotes/new'],
    ['New Job', '/jobs/new'],
    ['New Task', '/todo?add=true'],
  ]);
  fireEvent.click(within(actions).getByRole('link', { name: 'New Task' }));
  await screen.findByRole('dialog', { name: 'Add Task' });
  expect(router.state.location.href).toBe('/todo?add=true');
});

const findTiles = async () => {
  const list = await screen.findByRole('list', { name: 'Statistics' });
  await waitFor(() => expect(list.textContent).toContain('1,204'));
  return within(list)
    .getAllByRole('listitem')
    .map((tile) => [tile.textContent, within(tile).queryByRole('link')?.getAttribute('href')]);
};
const COUNTS_RESPONSE = { 'GET /dashboard/counts': () => ({ customers: 1204, active_jobs: 37, tasks: 12, staff: 4, categories: 3 }) };

it('links each of the five tiles to the list it counts', async () => {
  openDashboard(COUNTS_RESPONSE);
  expect(await findTiles()).toEqual([
    ['Customers1,204', '/customers?status=active'],
    ['Active Jobs37', '/jobs?group=active'],
    ['Tasks12', '/todo'],
    ['Staff4', '/staff'],
    ['Categories3', '/settings?tab=categories'],
  ]);
});

it('hides links to restricted lists and the Money section from staff', async () => {
  openDashboard({ ...COUNTS_RESPONSE, 'GET /dashboard/money': () => failWith('FORBIDDEN') }, 'staff');
  expect((await findTiles()).slice(3)).toEqual([
    ['Staff4', undefined],
    ['Categories3', undefined],
  ]);
  expect(screen.queryByRole('region', { name: 'Money' })).toBeNull();
});

it('shows an error after three failed retries of the statistics and reloads them on Retry', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let attempts = 0;
  openDashboard({
    'GET /dashboard/counts': () => {
      attempts += 1;
      return attempts <= 4 ? failWith('INTERNAL') : COUNTS_RESPONSE['GET /dashboard/counts']();
    },
  });
  await screen.findByRole('list', { name: 'Statistics' });
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Unable to load dashboard statistics. Please check your connection and try again.');
  expect(attempts).toBe(4);
  const retry = within(alert).getByRole('button', { name: 'Retry' });
  retry.focus();
  fireEvent.click(retry);
  await findTiles();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'));
});

it('reveals the sections below Today one by one after Today has loaded, so the layout does not shift', async () => {
  const day = Promise.withResolvers<object>();
  openDashboard({ [BOOKINGS_CALL]: () => day.promise, [RECENT_JOBS_CALL]: () => ({ rows: [RECENT_JOB] }) });
  const numbers = await screen.findByRole('list', { name: 'Statistics', hidden: true });
  const recent = screen.getByRole('region', { name: 'Recent Jobs', hidden: true });
  const getVisibility = () => [numbers, recent].map((part) => part.closest('[hidden]') === null);
  expect(getVisibility()).toEqual([false, false]);
  const seen: boolean[][] = [];
  const observer = new MutationObserver(() => seen.push(getVisibility()));
  observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['hidden'] });
  await act(async () => day.resolve(mockBookings()[BOOKINGS_CALL]?.() ?? {}));
  await waitFor(() => expect(seen.at(-1)).toEqual([true, true]));
  expect(seen).toContainEqual([true, false]);
  observer.disconnect();
});

it('lists my jobs for today in order, with call and directions links', async () => {
  openDashboard(
    mockBookings(
      buildBooking('-6', { title: 'Since yesterday', duration: '24.00' }),
      buildBooking('13', { title: 'Second', address: null, customer: null }),
      buildBooking('08'),
      buildBooking('15', { title: 'Third', status: 'complete' }),
      buildBooking('16', { title: 'Called off', status: 'canceled' }),
    ),
  );
  const part = await findSection('Today');
  const rows = await within(part).findAllByRole('listitem');
  within(part).getByText('4 jobs');
  expect(rows.map((row) => within(row).getByRole('link', { name: /^(Since yesterday|Roof repair|Second|Third)$/ }).textContent)).toEqual([
    'Since yesterday',
    'Roof repair',
    'Second',
    'Third',
  ]);
  const [earlier, first, second, third] = rows as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  expect(earlier.textContent).toMatch(/^Yesterday, 6:00 PM – /);
  expect(first.textContent).toMatch(/8:00 AM – 10:00 AM.*Booked.*Roof repair.*Ana Rossi.*1 High Street/);
  expect(getHref(within(first).getByRole('link', { name: 'Call Ana Rossi' }))).toBe('tel:021555123');
  expect(getHref(within(first).getByRole('link', { name: 'Directions to Roof repair' }))).toContain('destination=1%20High%20Street');
  expect(second.textContent).toContain('No Customer');
  expect(within(second).getAllByRole('link')).toHaveLength(1);
  expect(within(third).getAllByRole('link')).toHaveLength(1);
  expect(third.textContent).toContain('Complete');
});

it('lists my open tasks for today among my jobs', async () => {
  const task: CalendarTask = {
    id: '018f0000-0000-7000-8000-0000000000c1',
    title: 'Order a pipe',
    color: 'blue',
    status: 'active',
    calendar_date: buildBooking('9').booking_date,
    calendar_duration: null,
    staff: null,
  };
  const done: CalendarTask = { ...task, id: '018f0000-0000-7000-8000-0000000000c2', title: 'Call Ana', status: 'completed' };
  const jobs = [buildBooking('13', { title: 'Second' }), buildBooking('08')];
  openDashboard({ [BOOKINGS_CALL]: () => ({ jobs, tasks: [done, task], is_cut: false }) });
  const part = await findSection('Today');
  const rows = await within(part).findAllByRole('listitem');
  expect(rows.map((row) => within(row).getByRole('link', { name: /^(Roof repair|Order a pipe|Second|Call Ana)$/ }).textContent)).toEqual([
    'Roof repair',
    'Order a pipe',
    'Second',
  ]);
  within(part).getByText('2 jobs, 1 task');
  expect(rows[1]?.textContent).toBe('9:00 AM – 10:00 AMTaskOrder a pipe');
  expect(getHref(within(part).getByRole('link', { name: 'Order a pipe' }))).toBe(`/todo?task=${task.id}`);
});

it('requests the current day in the display time zone', async () => {
  const requests: string[] = [];
  openDashboard();
  const mockFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (request: Request) => {
    requests.push(decodeURIComponent(request.url));
    return mockFetch(request);
  });
  await findSection('Today');
  await screen.findByText('Nothing booked today');
  const call = requests.find((url) => url.includes('/calendar?')) ?? '';
  expect(call).toContain(`from=${getStartOfDay(getToday(), TIME_ZONE)}&to=${getStartOfDay(addDays(getToday(), 1), TIME_ZONE)}`);
  const week = requests.find((url) => url.includes('/dashboard/categories?')) ?? '';
  expect(week).toContain(`created_from=${getStartOfDay(addDays(getToday(), -7), TIME_ZONE)}`);
});

it.each([
  ['links to my other active jobs', 3, '/jobs?group=active&staff_id=staff-1'],
  ['a link to book the first job', 0, '/jobs/new'],
])('shows %s when nothing is booked today', async (_what, active_jobs, link) => {
  openDashboard({ 'GET /dashboard/counts': () => ({ customers: 1, active_jobs, tasks: 0, staff: 1, categories: 0 }) });
  const part = await findSection('Today');
  await within(part).findByText('Nothing booked today');
  await waitFor(() => expect(getLinkHrefs(part)).toEqual([link, '/calendar']));
});

const TWO_CATEGORIES = {
  rows: [
    { ...GAS_CATEGORY, jobs: 3 },
    { ...DRAINS_CATEGORY, jobs: 1 },
  ],
};

it('draws categories in proportion to their job counts and links each to its jobs', async () => {
  openDashboard({ [CATEGORIES_CALL]: () => TWO_CATEGORIES });
  const part = await findSection('Jobs by Category');
  const list = await within(part).findByRole('list', { name: 'Categories' });
  const rows = within(list).getAllByRole('link');
  expect(rows.map((row) => row.textContent)).toEqual(['Gas3 jobs (75.0%)', 'Drains1 jobs (25.0%)']);
  expect(rows.map(getHref)).toEqual(
    [GAS_CATEGORY, DRAINS_CATEGORY].map(({ id }) => `/jobs?category_id=${id}&group=not-canceled&created=week`),
  );
  const segments = [...part.querySelectorAll<HTMLElement>('[data-share]')];
  expect(segments.map(({ style }) => style.flexGrow)).toEqual(['3', '1']);
  expect(new Set(segments.map(({ style }) => style.backgroundColor)).size).toBe(2);
});

it("shows this week's categories by default and stores the chosen period in the URL", async () => {
  const { router } = openDashboard({ [CATEGORIES_CALL]: () => ({ rows: [] }), 'GET /dashboard/categories': () => TWO_CATEGORIES });
  const part = await findSection('Jobs by Category');
  await within(part).findByText('No jobs found for the selected period');
  const select = screen.getByLabelText<HTMLSelectElement>('Period for Jobs by Category');
  expect([...select.options].map(({ text }) => text)).toEqual(['Today', 'This Week', 'This Month', 'Lifetime']);
  expect(select.value).toBe('week');
  await selectOption('Period for Jobs by Category', 'lifetime');
  const list = await within(part).findByRole('list', { name: 'Categories' });
  expect(getLinkHrefs(list)[0]).toBe(`/jobs?category_id=${GAS_CATEGORY.id}&group=not-canceled`);
  expect(router.state.location.href).toBe('/dashboard?categories=lifetime');
});

it('shows all details of a recent job', async () => {
  const bare = { ...RECENT_JOB, id: 'other', booking_date: null, customer: null, staff: null, categories: [] };
  openDashboard({ [RECENT_JOBS_CALL]: () => ({ rows: [RECENT_JOB, bare], total: 2 }) });
  const list = await screen.findByRole('list', { name: 'Recent Jobs' });
  const [full, empty] = within(list).getAllByRole('link') as [HTMLElement, HTMLElement];
  for (const text of ['Roof repair', '#J26030042', 'Booked', 'Apr 6, 2026', 'Sam Leota', 'Rossi Ltd', 'Drains, Gas'])
    within(full).getByText(text);
  for (const text of ['Not scheduled', 'Unassigned', 'No Customer', 'Uncategorized']) within(empty).getByText(text);
  expect(getHref(full)).toBe(`/jobs/${JOB.id}`);
});

it('sorts recent jobs both ways, offers three periods and links to all matching jobs', async () => {
  const first = { ...RECENT_JOB, title: 'First' };
  const { router } = openDashboard({
    [RECENT_JOBS_CALL]: () => ({ rows: [RECENT_JOB], total: 31 }),
    [RECENT_JOBS_CALL.replace('desc', 'asc')]: () => ({ rows: [first], total: 31 }),
  });
  const part = await findSection('Recent Jobs');
  await within(part).findByText('Roof repair');
  const select = screen.getByLabelText<HTMLSelectElement>('Period for Recent Jobs');
  expect([...select.options].map(({ text }) => text)).toEqual(['Today', 'This Week', 'This Month']);
  expect(select.value).toBe('week');
  expect(getHref(within(part).getByRole('link', { name: 'All 31 jobs' }))).toBe('/jobs?created=week');
  await pressButton('Newest First');
  await within(part).findByText('First');
  screen.getByRole('button', { name: 'Oldest First' });
  expect(router.state.location.href).toBe('/dashboard?order=asc');
});

it('links to all recent jobs without a number when counting stopped', async () => {
  openDashboard({ [RECENT_JOBS_CALL]: () => ({ rows: [RECENT_JOB], total: 1_001 }) });
  expect(getHref(await screen.findByRole('link', { name: 'See all jobs' }))).toBe('/jobs?created=week');
});

it('shows an empty state for recent jobs and an error when they fail to load', async () => {
  let isBroken = false;
  openDashboard({ [RECENT_JOBS_CALL]: () => (isBroken ? failWith('FORBIDDEN', 'No') : { rows: [], total: 0 }) });
  const part = await findSection('Recent Jobs');
  await within(part).findByText('No jobs found for the selected period');
  isBroken = true;
  await selectOption('Period for Recent Jobs', 'day');
  expect((await within(part).findByRole('alert')).textContent).toContain('Retry');
});

it('shows outstanding, overdue, unsent and uninvoiced amounts, each linked to its list', async () => {
  openDashboard(
    {
      'GET /dashboard/money': () => ({
        currency: 'NZD',
        outstanding: { amount: '12840.50', invoices: 9 },
        overdue: { amount: '1200.10', invoices: 1 },
        unsent: { amount: '230.00', invoices: 2 },
        uninvoiced: { amount: '3410.00', jobs: 4 },
      }),
    },
    'accountant',
  );
  const part = await findSection('Money');
  await within(part).findByText('$12,840.50');
  const rows = within(part).getAllByRole('link');
  expect(rows.map((row) => [row.textContent, getHref(row)])).toEqual([
    ['Outstanding9 invoices$12,840.50', '/invoices?filter=unpaid'],
    ['Overdue1 invoice$1,200.10', '/invoices?filter=overdue'],
    ['Not sent yet2 invoices, included in Outstanding$230.00', '/invoices?filter=unsent'],
    ['Done, not invoiced4 jobs$3,410.00', '/jobs?group=uninvoiced'],
  ]);
});

it('updates the greeting, date and Today section overnight', async () => {
  vi.useFakeTimers({ now: new Date('2026-04-06T11:59:50Z'), toFake: ['Date'] });
  const requests: string[] = [];
  openDashboard({
    [BOOKINGS_CALL]: () => {
      requests.push(getToday());
      return { jobs: getToday() === '2026-04-06' ? [buildBooking('9')] : [], tasks: [], is_cut: false };
    },
  });
  await screen.findByRole('heading', { level: 1, name: /^Good evening/ });
  screen.getByText(/^Monday, April 6/);
  await screen.findByRole('link', { name: 'Roof repair' });
  vi.setSystemTime(new Date('2026-04-06T19:00:00Z'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await screen.findByRole('heading', { level: 1, name: /^Good morning/ });
  screen.getByText(/^Tuesday, April 7/);
  await screen.findByText('Nothing booked today');
  expect(requests).toEqual(['2026-04-06', '2026-04-07']);
});

it('counts jobs without a category beside the shares, also if no job has one', async () => {
  openDashboard({ [CATEGORIES_CALL]: () => ({ rows: [], uncategorized: 3 }) });
  const section = await findSection('Jobs by Category');
  await within(section).findByText('Uncategorized: 3 jobs');
  expect(within(section).queryByText('No jobs found for the selected period')).toBeNull();
});
