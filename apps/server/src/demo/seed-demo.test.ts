import type { ContractOutputs } from '@callout/contract/contract';
import { calculateEventEnd, detectClashes, isBusyStatus } from '@callout/domain/calendar/calendar-event';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { subtractMoney, sumMoney } from '@callout/domain/money/money';
import { QUOTE_STATUSES } from '@callout/domain/quotes/quote';
import { TASK_COLORS } from '@callout/domain/tasks/task';
import { addDays, getEndOfDay, getStartOfDay, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, expect, it } from 'vitest';
import { signIn } from '../../test/accounts.ts';
import { readPersistentRows } from '../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { DEMO_PASSWORD, seedDemo } from './seed-demo.ts';

const TIME_ZONE = 'Pacific/Auckland';
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

let test: TestApp;
const getMonthAgo = () => new Date(test.app.platform.now().getTime() - MONTH_MS).toISOString();
const toBooking = ({ id, staff }: { id: string; staff: { id: string } | null }, start: string, hours: string | null) => ({
  id,
  staffId: staff?.id ?? null,
  start,
  end: calculateEventEnd(start, hours),
});
const signInAs = async (name: string) => test.client(await signIn(test, `${name}@demo.example`, DEMO_PASSWORD));

beforeAll(async () => {
  test = await startTestApp();
  await seedDemo(test.app.platform);
}, 240_000);

it('creates about 200 jobs over a year, with several of every status', async () => {
  const client = await signInAs('mia');
  const counts = await Promise.all(JOB_STATUSES.map((status) => client.jobs.count({ status })));
  for (const { total } of counts) expect(total).toBeGreaterThan(3);
  const { total } = await client.jobs.count({});
  expect([total > 180, total < 230]).toEqual([true, true]);
});

it('creates sixty quotes, with several of every status and a job for each accepted one', async () => {
  const client = await signInAs('mia');
  const counts = await Promise.all(QUOTE_STATUSES.map((status) => client.quotes.count({ status })));
  for (const { total } of counts) expect(total).toBeGreaterThan(9);
  expect((await client.quotes.count({})).total).toBe(60);
  const { rows } = await client.quotes.list({ status: 'accepted' });
  const { acceptance, total_amount, mails, first_opened_at } = await client.quotes.get({ id: rows[0]?.id ?? '' });
  const job = await client.jobs.get({ id: acceptance?.job_id ?? '' });
  expect(job).toMatchObject({ status: 'pending', job_number: acceptance?.job_number, totals: { total_amount: acceptance?.total_amount } });
  expect([mails[0]?.status, first_opened_at === null, Number(total_amount) >= Number(acceptance?.total_amount)]).toEqual([
    'sent',
    false,
    true,
  ]);
});

it('saves a view of the jobs list for the owner that finds jobs', async () => {
  const client = await signInAs('mia');
  const [view] = (await client.jobViews.list()).rows;
  expect(view).toMatchObject({ name: 'Waiting for parts', filter: { search: 'waiting for parts', group: 'active' } });
  expect((await client.jobs.list({ search: view?.filter.search, group: 'active' })).rows.map(({ title }) => title).toSorted()).toEqual([
    'Gas bayonet for heater',
    'Spouting repair',
  ]);
});

it('accepts quotes within working hours', async () => {
  const client = await signInAs('mia');
  const { rows } = await client.quotes.list({ status: 'accepted' });
  const quotes = await Promise.all(rows.map(({ id }) => client.quotes.get({ id })));
  const times = quotes.map(({ acceptance }) => acceptance?.accepted_at ?? '');
  const isWorkingHours = (time: string) => {
    const [from, to] = ['08:00', '18:00'].map((hour) => toInstant(toLocalDate(time, TIME_ZONE), hour, TIME_ZONE));
    return from !== undefined && to !== undefined && time >= from && time < to;
  };
  expect(times.filter((time) => !isWorkingHours(time))).toEqual([]);
});

it('creates a thumbnail for every photo and bills all hours of a paid job', async () => {
  const client = await signInAs('mia');
  const { rows } = await client.jobs.list({ search: 'cylinder', order: 'asc', sort: 'created_at' });
  const jobs = await Promise.all(rows.map(({ id }) => client.jobs.get({ id })));
  const paid = jobs.find(({ status }) => status === 'paid');
  expect(paid?.timer).toMatchObject({ timer_status: 'paused', allocated_seconds: paid?.timer.finished_seconds });
  expect(paid?.items.map(({ sku }) => sku)).toEqual(['EC-180', 'TV-20', 'CU-22-3', 'BV-20', 'SV-HOUR']);
  const comments = await Promise.all(rows.map(({ id }) => client.comments.list({ job_id: id })));
  const photos = comments.flatMap((list) => list.rows.flatMap(({ attachments }) => attachments));
  expect(photos.length).toBeGreaterThan(0);
  for (const { thumbnail_url } of photos) expect(thumbnail_url).not.toBeNull();
});

it('has a job in progress with a discounted line and time entered by hand, and office notes in comments', async () => {
  const client = await signInAs('mia');
  const { rows } = await client.jobs.list({ search: 'cylinder', group: 'active', sort: 'created_at', order: 'desc' });
  const inProgress = rows.find(({ timer_status }) => timer_status === 'started');
  const { items } = await client.jobs.get({ id: inProgress?.id ?? '' });
  expect(items.map(({ sku, discount_percent }) => [sku, discount_percent])).toContainEqual(['EC-180', '10']);
  const { rows: events } = await client.comments.history({ id: inProgress?.id ?? '' });
  expect(events.map(({ action }) => action)).toContain('time_added');
  const check = rows.find(({ title }) => title === 'Annual cylinder check');
  const comments = await client.comments.list({ job_id: check?.id ?? '' });
  expect(comments.rows.map(({ content }) => content)).toEqual(['Caretaker will let you into the boiler room.']);
});

it('leaves one timer running', async () => {
  const { timer } = await (await signInAs('sam')).timer.active();
  expect(timer?.timer_status).toBe('started');
});

it('books everyone today, with tasks in the calendar and a single half-hour clash', async () => {
  const client = await signInAs('mia');
  const now = test.app.platform.now().toISOString();
  const today = toLocalDate(now, TIME_ZONE);
  const from = getStartOfDay(today, TIME_ZONE);
  const { jobs, tasks } = await client.calendar.events({ from, to: getEndOfDay(addDays(today, 40), TIME_ZONE) });
  const entries = [
    ...jobs.map(({ staff, booking_date: start }) => ({ staff, start })),
    ...tasks.map(({ staff, calendar_date: start }) => ({ staff, start })),
  ];
  const people = new Set(entries.filter(({ start }) => start < getEndOfDay(today, TIME_ZONE)).map(({ staff }) => staff?.name));
  expect(jobs.some(({ staff, booking_date }) => staff?.name === 'Mia Tane' && booking_date < getEndOfDay(today, TIME_ZONE))).toBe(true);
  expect(people).toEqual(new Set(['Josh Harper', 'Sam Leota', 'Hemi Walker', 'Mia Tane', 'Ngaire Bell']));
  expect(jobs.filter((job) => job.timer_status === 'started').map(({ title }) => title)).toEqual(['Replace leaking hot water cylinder']);
  const clashes = detectClashes([
    ...jobs.filter(({ status }) => isBusyStatus(status)).map((job) => toBooking(job, job.booking_date, job.duration)),
    ...tasks.map((task) => toBooking(task, task.calendar_date, task.calendar_duration)),
  ]);
  expect(clashes.map(({ laterId, minutes }) => [jobs.find(({ id }) => id === laterId)?.title, minutes])).toEqual([
    ['Blocked drain, urgent', 30],
  ]);
});

it('leaves six jobs unscheduled, with different lengths and customers', async () => {
  const client = await signInAs('mia');
  const { rows, total } = await client.calendar.unscheduled({});
  expect([total, new Set(rows.map(({ customer }) => customer?.id)).size]).toEqual([6, 6]);
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['pending', 'contacted']));
  expect(rows.find(({ title }) => title === 'Backflow test, units 1–6')?.customer?.company_name).toBe('Kauri Property Management');
  expect(new Set(rows.map(({ duration }) => duration)).size).toBeGreaterThan(3);
});

it('creates tasks of every color, some completed and some without a date', async () => {
  const client = await signInAs('mia');
  const { rows } = await client.tasks.list({});
  expect(new Set(rows.map(({ color }) => color)).size).toBe(TASK_COLORS.length);
  const active = rows.filter(({ status }) => status === 'active');
  expect([active.length, rows.length]).toEqual([8, 12]);
  expect(active.some(({ calendar_date }) => calendar_date === null)).toBe(true);
});

it('fills every board column, and every category with jobs of the last month', async () => {
  const client = await signInAs('mia');
  const { columns } = await client.board.get({});
  for (const { total } of columns) expect(total).toBeGreaterThan(3);
  const counts = await Promise.all(
    (await client.categories.list({})).rows.map(({ id }) => client.jobs.count({ category_id: id, created_from: getMonthAgo() })),
  );
  for (const { total } of counts) expect(total).toBeGreaterThan(3);
});

it('creates no job or time entry in the future', async () => {
  const { rows } = await test.owner.query(
    `select max(greatest(j.created_at, e.started_at, e.ended_at)) <= now() as is_past from jobs j left join time_entries e on e.job_id = j.id`,
  );
  expect(rows).toEqual([{ is_past: true }]);
});

it('creates a year of invoices and payments that add up to the cent', async () => {
  const client = await signInAs('ngaire');
  const rows: ContractOutputs['invoices']['list']['rows'] = [];
  let cursor: string | undefined;
  do {
    const page = await client.invoices.list({ sort: 'invoice_number', cursor });
    rows.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  const { total, paid, outstanding, ages, filters } = await client.invoices.summary({});
  const debtors = await client.invoices.debtors({});
  const open = rows.filter(({ kind, state }) => kind === 'invoice' && state === 'open');
  const sumTotals = (kind: string) => sumMoney(rows.filter((row) => row.kind === kind).map((row) => row.total_amount));
  expect([total.invoices + total.credit_notes, total.amount, paid]).toEqual([
    rows.length,
    subtractMoney(sumTotals('invoice'), sumTotals('credit_note')),
    sumMoney(open.map((row) => row.paid_amount)),
  ]);
  // Every canceled invoice has its credit note, so that only open invoices remain in the total.
  expect(subtractMoney(total.amount, paid)).toBe(outstanding.amount);
  expect([sumMoney(ages.map(({ amount }) => amount)), debtors.total.total]).toEqual([outstanding.amount, outstanding.amount]);
  // The demo has debts of every age and invoices of every status.
  for (const { count } of ages) expect(count).toBeGreaterThan(0);
  expect(new Set(rows.map(({ shown_status }) => shown_status))).toEqual(new Set(['due', 'overdue', 'paid', 'canceled']));
  expect([rows.length > 130, (filters.paid ?? 0) > 80, rows.some(({ kind }) => kind === 'credit_note')]).toEqual([true, true, true]);
  expect(rows.filter(({ balance, paid_amount }) => Number(balance) > 0 && Number(paid_amount) > 0).length).toBeGreaterThan(2);
  const months = [...new Set(rows.map(({ issued_on }) => issued_on.slice(0, 7)))];
  expect(months.length).toBeGreaterThan(11);
});

it('keeps job amounts equal to their payments and invoices, with gapless invoice numbers', async () => {
  const { rows: mismatches } = await test.owner.query(
    `select j.job_number, j.status, j.paid_amount, j.billed_amount, p.paid, i.total from jobs j
      left join (select job_id, sum(amount) as paid from payments group by job_id) p on p.job_id = j.id
      left join (select job_id, sum(total_amount) as total from invoices where kind = 'invoice' and state = 'open' group by job_id) i on i.job_id = j.id
      where j.paid_amount <> coalesce(p.paid, 0) or j.billed_amount is distinct from i.total
        or (j.status = 'paid') <> (coalesce(p.paid, 0) > 0 and p.paid = i.total)
        or (j.status = 'invoiced') <> (i.total > coalesce(p.paid, 0))`,
  );
  expect(mismatches).toEqual([]);
  const { rows: gaps } = await test.owner.query(
    `select kind, year from invoices group by kind, year having count(*) <> max(number) or min(number) <> 1`,
  );
  expect(gaps).toEqual([]);
  const { rows: unordered } = await test.owner.query(
    `select invoice_number from (select *, lag(created_at) over (partition by kind, year order by number) as before from invoices) i
      where before > created_at`,
  );
  expect(unordered).toEqual([]);
  const client = await signInAs('ngaire');
  const { rows } = await client.invoices.list({ sort: 'total_amount', order: 'desc' });
  for (const { job_id } of rows.slice(0, 10)) {
    const { differs, invoices } = await client.invoices.billing({ id: job_id });
    expect([differs, invoices.every(({ is_intact }) => is_intact)]).toEqual([false, true]);
  }
});

it('requests deposits on accepted quotes, all paid except the newest', async () => {
  const client = await signInAs('mia');
  const { rows } = await client.quotes.list({ status: 'accepted' });
  const quotes = await Promise.all(rows.map(({ id }) => client.quotes.get({ id })));
  const jobs = await Promise.all(quotes.map(({ acceptance }) => client.jobs.get({ id: acceptance?.job_id ?? '' })));
  const withDeposit = jobs.filter(({ deposit_amount }) => deposit_amount !== null);
  const unpaid = withDeposit.filter(({ deposit_amount, paid_amount }) => Number(paid_amount) < Number(deposit_amount));
  expect([withDeposit.length > 4, unpaid.length]).toEqual([true, 1]);
  const quote = quotes.find(({ acceptance }) => acceptance?.job_id === unpaid[0]?.id);
  const publicQuote = await test.client().publicQuotes.get({ token: quote?.public_path.replace('/quote/', '') ?? '' });
  expect(publicQuote).toMatchObject({
    deposit_path: expect.stringContaining('/invoice/') as string,
    logo_url: expect.any(String) as string,
  });
});

it('changes nothing when it runs again', async () => {
  const before = await readPersistentRows(test);
  await seedDemo(test.app.platform);
  expect(await readPersistentRows(test)).toEqual(before);
});
