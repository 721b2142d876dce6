import type { CalendarJob, CalendarTask } from '@callout/contract/calendar';
import type { ContractOutputs } from '@callout/contract/contract';
import { addDays, localDate, startOfDay } from '@callout/domain/time/zoned-time';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type Answers, DASHBOARD, openPage, press, refuse } from './open-page.tsx';
import { CUSTOMER, DRAINS, GAS, JOB, OWNER, PROFILE, SAM } from './people.ts';

type RecentJob = ContractOutputs['dashboard']['recentJobs']['rows'][number];

const ZONE = 'Pacific/Auckland';
const today = () => localDate(new Date().toISOString(), ZONE);
const CATEGORIES = 'GET /dashboard/categories?created_from={instant}&created_to={instant}';
const RECENT = 'GET /dashboard/jobs?created_from={instant}&created_to={instant}&order=desc';
const BOOKINGS = 'GET /calendar?from={instant}&to={instant}&staff_id=staff-1';

const open = (more: Answers = {}, role: 'admin' | 'staff' | 'accountant' = 'admin', path = '/dashboard') =>
  openPage(path, { ...DASHBOARD, 'GET /me': () => ({ ...OWNER, start_card_dismissed: true, profile: { ...PROFILE, role } }), ...more });

const findPart = (name: string) => screen.findByRole('region', { name });
const hrefOf = (element: HTMLElement) => element.getAttribute('href');
const linksOf = (part: HTMLElement) => within(part).getAllByRole('link').map(hrefOf);
const choose = (label: string, value: string) => act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));

/** Booked today at this hour in Auckland. */
const booking = (hour: string, more: Partial<CalendarJob> = {}): CalendarJob => ({
  id: `018f0000-0000-7000-8000-0000000000${hour.replace('-', 'a')}`,
  job_number: JOB.job_number,
  title: 'Roof repair',
  status: 'booked',
  duration: '2.00',
  booking_date: new Date(Date.parse(startOfDay(today(), ZONE)) + Number(hour) * 3_600_000).toISOString(),
  address: '1 High Street',
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null, phone: CUSTOMER.phone },
  staff: { id: SAM.id, name: SAM.name, hex_code: null },
  timer_status: null,
  ...more,
});
const bookings = (...jobs: CalendarJob[]) => ({ [BOOKINGS]: () => ({ jobs, tasks: [], is_cut: false }) });

const RECENT_JOB: RecentJob = {
  id: JOB.id,
  job_number: JOB.job_number,
  title: JOB.title,
  status: 'booked',
  booking_date: JOB.booking_date,
  created_at: JOB.created_at,
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: 'Rossi Ltd' },
  staff: { id: SAM.id, name: SAM.name, hex_code: null },
  categories: [DRAINS, GAS],
  timer_status: null,
};

it('has four quick actions, of which New Task opens its form', async () => {
  const { router } = open({ 'GET /staff-names': () => ({ rows: [] }) });
  const actions = await screen.findByRole('navigation', { name: 'Quick actions' });
  const links = within(actions).getAllByRole('link');
  expect(links.map((link) => [link.textContent, hrefOf(link)])).toEqual([
    ['New Customer', '/customers/new'],
    ['New Quote', '/quotes/new'],
    ['New Job', '/jobs/new'],
    ['New Task', '/todo?add=true'],
  ]);
  fireEvent.click(within(actions).getByRole('link', { name: 'New Task' }));
  await screen.findByRole('dialog', { name: 'Add Task' });
  expect(router.state.location.href).toBe('/todo?add=true');
});

const tiles = async () => {
  const list = await screen.findByRole('list', { name: 'Statistics' });
  await waitFor(() => expect(list.textContent).toContain('1,204'));
  return within(list)
    .getAllByRole('listitem')
    .map((tile) => [tile.textContent, within(tile).queryByRole('link')?.getAttribute('href')]);
};
const counts = { 'GET /dashboard/counts': () => ({ customers: 1204, active_jobs: 37, tasks: 12, staff: 4, categories: 3 }) };

it('has five tiles that lead to the lists they count', async () => {
  open(counts);
  expect(await tiles()).toEqual([
    ['Customers1,204', '/customers?status=active'],
    ['Active Jobs37', '/jobs?group=active'],
    ['Tasks12', '/todo'],
    ['Staff4', '/staff'],
    ['Categories3', '/settings?tab=categories'],
  ]);
});

it('shows the numbers of staff and categories without a link to those who may not open the list, and no money', async () => {
  open({ ...counts, 'GET /dashboard/money': () => refuse('FORBIDDEN') }, 'staff');
  expect((await tiles()).slice(3)).toEqual([
    ['Staff4', undefined],
    ['Categories3', undefined],
  ]);
  expect(screen.queryByRole('region', { name: 'Money' })).toBeNull();
});

it('says when the numbers cannot be loaded, after three more attempts, and loads them again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let attempts = 0;
  open({
    'GET /dashboard/counts': () => {
      attempts += 1;
      return attempts <= 4 ? refuse('INTERNAL') : counts['GET /dashboard/counts']();
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
  await tiles();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'));
});

it('shows what is below the day once the day is known, one part after the other, so that nothing jumps', async () => {
  const day = Promise.withResolvers<object>();
  open({ [BOOKINGS]: () => day.promise, [RECENT]: () => ({ rows: [RECENT_JOB] }) });
  const numbers = await screen.findByRole('list', { name: 'Statistics', hidden: true });
  const recent = screen.getByRole('region', { name: 'Recent Jobs', hidden: true });
  const shown = () => [numbers, recent].map((part) => part.closest('[hidden]') === null);
  expect(shown()).toEqual([false, false]);
  const seen: boolean[][] = [];
  const observer = new MutationObserver(() => seen.push(shown()));
  observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['hidden'] });
  await act(async () => day.resolve(bookings()[BOOKINGS]?.() ?? {}));
  await waitFor(() => expect(seen.at(-1)).toEqual([true, true]));
  expect(seen).toContainEqual([true, false]);
  observer.disconnect();
});

it('shows my jobs of today in order, with whom to call and where to go', async () => {
  open(
    bookings(
      booking('-6', { title: 'Since yesterday', duration: '24.00' }),
      booking('13', { title: 'Second', address: null, customer: null }),
      booking('08'),
      booking('15', { title: 'Third', status: 'complete' }),
      booking('16', { title: 'Called off', status: 'canceled' }),
    ),
  );
  const part = await findPart('Today');
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
  expect(hrefOf(within(first).getByRole('link', { name: 'Call Ana Rossi' }))).toBe('tel:021555123');
  expect(hrefOf(within(first).getByRole('link', { name: 'Directions to Roof repair' }))).toContain('destination=1%20High%20Street');
  expect(second.textContent).toContain('No Customer');
  expect(within(second).getAllByRole('link')).toHaveLength(1);
  expect(within(third).getAllByRole('link')).toHaveLength(1);
  expect(third.textContent).toContain('Complete');
});

it('shows my tasks of today between my jobs, unless they are done', async () => {
  const task: CalendarTask = {
    id: '018f0000-0000-7000-8000-0000000000c1',
    title: 'Order a pipe',
    color: 'blue',
    status: 'active',
    calendar_date: booking('9').booking_date,
    calendar_duration: null,
    staff: null,
  };
  const done: CalendarTask = { ...task, id: '018f0000-0000-7000-8000-0000000000c2', title: 'Call Ana', status: 'completed' };
  const jobs = [booking('13', { title: 'Second' }), booking('08')];
  open({ [BOOKINGS]: () => ({ jobs, tasks: [done, task], is_cut: false }) });
  const part = await findPart('Today');
  const rows = await within(part).findAllByRole('listitem');
  expect(rows.map((row) => within(row).getByRole('link', { name: /^(Roof repair|Order a pipe|Second|Call Ana)$/ }).textContent)).toEqual([
    'Roof repair',
    'Order a pipe',
    'Second',
  ]);
  within(part).getByText('2 jobs, 1 task');
  expect(rows[1]?.textContent).toBe('9:00 AM – 10:00 AMTaskOrder a pipe');
  expect(hrefOf(within(part).getByRole('link', { name: 'Order a pipe' }))).toBe(`/todo?task=${task.id}`);
});

it('asks for the day of the shown zone', async () => {
  const asked: string[] = [];
  open();
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', (request: Request) => {
    asked.push(decodeURIComponent(request.url));
    return answer(request);
  });
  await findPart('Today');
  await screen.findByText('Nothing booked today');
  const call = asked.find((url) => url.includes('/calendar?')) ?? '';
  expect(call).toContain(`from=${startOfDay(today(), ZONE)}&to=${startOfDay(addDays(today(), 1), ZONE)}`);
  const week = asked.find((url) => url.includes('/dashboard/categories?')) ?? '';
  expect(week).toContain(`created_from=${startOfDay(addDays(today(), -7), ZONE)}`);
});

it.each([
  ['my other work', 3, '/jobs?group=active&staff_id=staff-1'],
  ['to book a job where there is none', 0, '/jobs/new'],
])('offers %s when nothing is booked', async (_what, active_jobs, link) => {
  open({ 'GET /dashboard/counts': () => ({ customers: 1, active_jobs, tasks: 0, staff: 1, categories: 0 }) });
  const part = await findPart('Today');
  await within(part).findByText('Nothing booked today');
  await waitFor(() => expect(linksOf(part)).toEqual([link, '/calendar']));
});

const TWO_CATEGORIES = {
  rows: [
    { ...GAS, jobs: 3 },
    { ...DRAINS, jobs: 1 },
  ],
};

it('draws the categories to scale and leads from each to its jobs', async () => {
  open({ [CATEGORIES]: () => TWO_CATEGORIES });
  const part = await findPart('Jobs by Category');
  const list = await within(part).findByRole('list', { name: 'Categories' });
  const rows = within(list).getAllByRole('link');
  expect(rows.map((row) => row.textContent)).toEqual(['Gas3 jobs (75.0%)', 'Drains1 jobs (25.0%)']);
  expect(rows.map(hrefOf)).toEqual([GAS, DRAINS].map(({ id }) => `/jobs?category_id=${id}&group=not-canceled&created=week`));
  const segments = [...part.querySelectorAll<HTMLElement>('[data-share]')];
  expect(segments.map(({ style }) => style.flexGrow)).toEqual(['3', '1']);
  expect(new Set(segments.map(({ style }) => style.backgroundColor)).size).toBe(2);
});

it('the categories are those of this week, until another period is chosen, which the URL keeps', async () => {
  const { router } = open({ [CATEGORIES]: () => ({ rows: [] }), 'GET /dashboard/categories': () => TWO_CATEGORIES });
  const part = await findPart('Jobs by Category');
  await within(part).findByText('No jobs found for the selected period');
  const select = screen.getByLabelText<HTMLSelectElement>('Period of Jobs by Category');
  expect([...select.options].map(({ text }) => text)).toEqual(['Today', 'This Week', 'This Month', 'Lifetime']);
  expect(select.value).toBe('week');
  await choose('Period of Jobs by Category', 'lifetime');
  const list = await within(part).findByRole('list', { name: 'Categories' });
  expect(linksOf(list)[0]).toBe(`/jobs?category_id=${GAS.id}&group=not-canceled`);
  expect(router.state.location.href).toBe('/dashboard?categories=lifetime');
});

it('shows recent jobs with all that the specification names', async () => {
  const bare = { ...RECENT_JOB, id: 'other', booking_date: null, customer: null, staff: null, categories: [] };
  open({ [RECENT]: () => ({ rows: [RECENT_JOB, bare], total: 2 }) });
  const list = await screen.findByRole('list', { name: 'Recent Jobs' });
  const [full, empty] = within(list).getAllByRole('link') as [HTMLElement, HTMLElement];
  for (const text of ['Roof repair', '#J26030042', 'Booked', 'Apr 6, 2026', 'Sam Leota', 'Rossi Ltd', 'Drains, Gas'])
    within(full).getByText(text);
  for (const text of ['Not scheduled', 'Unassigned', 'No Customer', 'Uncategorized']) within(empty).getByText(text);
  expect(hrefOf(full)).toBe(`/jobs/${JOB.id}`);
});

it('recent jobs turn around, have three periods, and say how many more there are', async () => {
  const first = { ...RECENT_JOB, title: 'First' };
  const { router } = open({
    [RECENT]: () => ({ rows: [RECENT_JOB], total: 31 }),
    [RECENT.replace('desc', 'asc')]: () => ({ rows: [first], total: 31 }),
  });
  const part = await findPart('Recent Jobs');
  await within(part).findByText('Roof repair');
  const select = screen.getByLabelText<HTMLSelectElement>('Period of Recent Jobs');
  expect([...select.options].map(({ text }) => text)).toEqual(['Today', 'This Week', 'This Month']);
  expect(select.value).toBe('week');
  expect(hrefOf(within(part).getByRole('link', { name: 'All 31 jobs' }))).toBe('/jobs?created=week');
  await press('Newest First');
  await within(part).findByText('First');
  screen.getByRole('button', { name: 'Oldest First' });
  expect(router.state.location.href).toBe('/dashboard?order=asc');
});

it('says when there are no recent jobs, and when they cannot be read', async () => {
  let isBroken = false;
  open({ [RECENT]: () => (isBroken ? refuse('FORBIDDEN', 'No') : { rows: [], total: 0 }) });
  const part = await findPart('Recent Jobs');
  await within(part).findByText('No jobs found for the selected period');
  isBroken = true;
  await choose('Period of Recent Jobs', 'day');
  expect((await within(part).findByRole('alert')).textContent).toContain('Retry');
});

it('shows what is owed, what is late and what was not billed, each with its list', async () => {
  open(
    {
      'GET /dashboard/money': () => ({
        currency: 'NZD',
        outstanding: { amount: '12840.50', invoices: 9 },
        overdue: { amount: '1200.10', invoices: 1 },
        uninvoiced: { amount: '3410.00', jobs: 4 },
      }),
    },
    'accountant',
  );
  const part = await findPart('Money');
  await within(part).findByText('$12,840.50');
  const rows = within(part).getAllByRole('link');
  expect(rows.map((row) => [row.textContent, hrefOf(row)])).toEqual([
    ['Outstanding9 invoices$12,840.50', '/invoices?filter=unpaid'],
    ['Overdue1 invoice$1,200.10', '/invoices?filter=overdue'],
    ['Done, not invoiced4 jobs$3,410.00', '/jobs?group=uninvoiced'],
  ]);
});

it('over night, greeting, date and Today become those of the next day', async () => {
  vi.useFakeTimers({ now: new Date('2026-04-06T11:59:50Z'), toFake: ['Date'] });
  const asked: string[] = [];
  open({
    [BOOKINGS]: () => {
      asked.push(today());
      return { jobs: today() === '2026-04-06' ? [booking('9')] : [], tasks: [], is_cut: false };
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
  expect(asked).toEqual(['2026-04-06', '2026-04-07']);
});
