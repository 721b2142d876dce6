import { clashesIn, eventEnd, takesTime } from '@callout/domain/calendar/calendar-event';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { subtractMoney, sumMoney } from '@callout/domain/money/money';
import { QUOTE_STATUSES } from '@callout/domain/quotes/quote';
import { TASK_COLORS } from '@callout/domain/tasks/task';
import { addDays, endOfDay, localDate, startOfDay, zonedInstant } from '@callout/domain/time/zoned-time';
import { beforeAll, expect, it } from 'vitest';
import { signIn } from '../../test/accounts.ts';
import { everyRow } from '../../test/every-row.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { DEMO_PASSWORD, seedDemo } from './seed-demo.ts';

const ZONE = 'Pacific/Auckland';
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

let test: TestApp;
const monthBefore = () => new Date(test.app.platform.now().getTime() - MONTH_MS).toISOString();
const bookedTime = ({ id, staff }: { id: string; staff: { id: string } | null }, start: string, hours: string | null) => ({
  id,
  staffId: staff?.id ?? null,
  start,
  end: eventEnd(start, hours),
});
const as = async (name: string) => test.client(await signIn(test, `${name}@demo.example`, DEMO_PASSWORD));

beforeAll(async () => {
  test = await startTestApp();
  await seedDemo(test.app.platform);
}, 240_000);

it('the demo firm has a year of about 200 jobs, some of every status', async () => {
  const client = await as('mia');
  const counts = await Promise.all(JOB_STATUSES.map((status) => client.jobs.count({ status })));
  for (const { total } of counts) expect(total).toBeGreaterThan(3);
  const { total } = await client.jobs.count({});
  expect([total > 180, total < 230]).toEqual([true, true]);
});

it('and sixty quotes, some of every status, with the jobs of those that were accepted', async () => {
  const client = await as('mia');
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

it('which were accepted in working hours', async () => {
  const client = await as('mia');
  const { rows } = await client.quotes.list({ status: 'accepted' });
  const quotes = await Promise.all(rows.map(({ id }) => client.quotes.get({ id })));
  const times = quotes.map(({ acceptance }) => acceptance?.accepted_at ?? '');
  const isWorkTime = (time: string) => {
    const [from, to] = ['08:00', '18:00'].map((hour) => zonedInstant(localDate(time, ZONE), hour, ZONE));
    return from !== undefined && to !== undefined && time >= from && time < to;
  };
  expect(times.filter((time) => !isWorkTime(time))).toEqual([]);
});

it('whose photos have thumbnails, and whose finished hours are billed to the cent', async () => {
  const client = await as('mia');
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

it('where somebody is at work right now', async () => {
  const { timer } = await (await as('sam')).timer.active();
  expect(timer?.timer_status).toBe('started');
});

it('with jobs for everybody today, one clash of half an hour in all that is booked, and tasks in the calendar', async () => {
  const client = await as('mia');
  const now = test.app.platform.now().toISOString();
  const today = localDate(now, ZONE);
  const from = startOfDay(today, ZONE);
  const { jobs, tasks } = await client.calendar.events({ from, to: endOfDay(addDays(today, 40), ZONE) });
  const starts = [
    ...jobs.map(({ staff, booking_date: start }) => ({ staff, start })),
    ...tasks.map(({ staff, calendar_date: start }) => ({ staff, start })),
  ];
  const people = new Set(starts.filter(({ start }) => start < endOfDay(today, ZONE)).map(({ staff }) => staff?.name));
  expect(jobs.some(({ staff, booking_date }) => staff?.name === 'Mia Tane' && booking_date < endOfDay(today, ZONE))).toBe(true);
  expect(people).toEqual(new Set(['Josh Harper', 'Sam Leota', 'Hemi Walker', 'Mia Tane', 'Ngaire Bell']));
  expect(jobs.filter((job) => job.timer_status === 'started').map(({ title }) => title)).toEqual(['Replace leaking hot water cylinder']);
  const clashes = clashesIn([
    ...jobs.filter(({ status }) => takesTime(status)).map((job) => bookedTime(job, job.booking_date, job.duration)),
    ...tasks.map((task) => bookedTime(task, task.calendar_date, task.calendar_duration)),
  ]);
  expect(clashes.map(({ laterId, minutes }) => [jobs.find(({ id }) => id === laterId)?.title, minutes])).toEqual([
    ['Blocked drain, urgent', 30],
  ]);
});

it('with six jobs that wait for a date, of different lengths and customers', async () => {
  const client = await as('mia');
  const { rows, total } = await client.calendar.unscheduled({});
  expect([total, new Set(rows.map(({ customer }) => customer?.id)).size]).toEqual([6, 6]);
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['pending', 'contacted']));
  expect(rows.find(({ title }) => title === 'Backflow test, units 1–6')?.customer?.company_name).toBe('Kauri Property Management');
  expect(new Set(rows.map(({ duration }) => duration)).size).toBeGreaterThan(3);
});

it('with tasks of every color, some completed, one without a date', async () => {
  const client = await as('mia');
  const { rows } = await client.tasks.list({});
  expect(new Set(rows.map(({ color }) => color)).size).toBe(TASK_COLORS.length);
  const active = rows.filter(({ status }) => status === 'active');
  expect([active.length, rows.length]).toEqual([8, 12]);
  expect(active.some(({ calendar_date }) => calendar_date === null)).toBe(true);
});

it('with a board that has jobs in every column, and jobs of every category in the last month', async () => {
  const client = await as('mia');
  const { columns } = await client.board.get({});
  for (const { total } of columns) expect(total).toBeGreaterThan(3);
  const counts = await Promise.all(
    (await client.categories.list({})).rows.map(({ id }) => client.jobs.count({ category_id: id, created_from: monthBefore() })),
  );
  for (const { total } of counts) expect(total).toBeGreaterThan(3);
});

it('where nothing has happened in the future', async () => {
  const { rows } = await test.owner.query(
    `select max(greatest(j.created_at, e.started_at, e.ended_at)) <= now() as is_past from jobs j left join time_entries e on e.job_id = j.id`,
  );
  expect(rows).toEqual([{ is_past: true }]);
});

it('and whose invoices and payments of a year add up to the cent', async () => {
  const client = await as('ngaire');
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await client.invoices.list({ sort: 'invoice_number', cursor });
    rows.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  const { total, paid, outstanding, ages, filters } = await client.invoices.summary({});
  const debtors = await client.invoices.debtors({});
  const open = rows.filter(({ kind, state }) => kind === 'invoice' && state === 'open');
  expect([total.count, total.amount, paid]).toEqual([
    open.length,
    sumMoney(open.map((row) => row.total_amount)),
    sumMoney(open.map((row) => row.paid_amount)),
  ]);
  expect(subtractMoney(total.amount, paid)).toBe(outstanding.amount);
  expect([sumMoney(ages.map(({ amount }) => amount)), debtors.total.total]).toEqual([outstanding.amount, outstanding.amount]);
  // Every kind of debt, and of what became of an invoice.
  for (const { count } of ages) expect(count).toBeGreaterThan(0);
  expect(new Set(rows.map(({ shown_status }) => shown_status))).toEqual(new Set(['due', 'overdue', 'paid', 'replaced', 'canceled']));
  expect([rows.length > 130, filters.paid > 80, rows.some(({ kind }) => kind === 'credit_note')]).toEqual([true, true, true]);
  expect(rows.filter(({ balance, paid_amount }) => Number(balance) > 0 && Number(paid_amount) > 0).length).toBeGreaterThan(2);
  const days = [...new Set(rows.map(({ issued_on }) => issued_on.slice(0, 7)))];
  expect(days.length).toBeGreaterThan(11);
});

it('where every job was paid by payments, and what was billed is what it costs', async () => {
  const { rows: wrong } = await test.owner.query(
    `select j.job_number, j.status, j.paid_amount, j.billed_amount, p.paid, i.total from jobs j
      left join (select job_id, sum(amount) as paid from payments group by job_id) p on p.job_id = j.id
      left join (select job_id, sum(total_amount) as total from invoices where kind = 'invoice' and state = 'open' group by job_id) i on i.job_id = j.id
      where j.paid_amount <> coalesce(p.paid, 0) or j.billed_amount is distinct from i.total
        or (j.status = 'paid') <> (coalesce(p.paid, 0) > 0 and p.paid = i.total)
        or (j.status = 'invoiced') <> (i.total > coalesce(p.paid, 0))`,
  );
  expect(wrong).toEqual([]);
  const { rows: gaps } = await test.owner.query(
    `select kind, year from invoices group by kind, year having count(*) <> max(number) or min(number) <> 1`,
  );
  expect(gaps).toEqual([]);
  const { rows: unordered } = await test.owner.query(
    `select invoice_number from (select *, lag(created_at) over (partition by kind, year order by number) as before from invoices) i
      where before > created_at`,
  );
  expect(unordered).toEqual([]);
  const client = await as('ngaire');
  const { rows } = await client.invoices.list({ sort: 'total_amount', order: 'desc' });
  for (const { job_id } of rows.slice(0, 10)) {
    const { differs, invoices } = await client.invoices.billing({ id: job_id });
    expect([differs, invoices.every(({ is_intact }) => is_intact)]).toEqual([false, true]);
  }
});

it('where deposits were asked for on quotes: most were paid, the newest is waited for', async () => {
  const client = await as('mia');
  const { rows } = await client.quotes.list({ status: 'accepted' });
  const quotes = await Promise.all(rows.map(({ id }) => client.quotes.get({ id })));
  const jobs = await Promise.all(quotes.map(({ acceptance }) => client.jobs.get({ id: acceptance?.job_id ?? '' })));
  const asked = jobs.filter(({ deposit_amount }) => deposit_amount !== null);
  const unpaid = asked.filter(({ deposit_amount, paid_amount }) => Number(paid_amount) < Number(deposit_amount));
  expect([asked.length > 4, unpaid.length]).toEqual([true, 1]);
  const quote = quotes.find(({ acceptance }) => acceptance?.job_id === unpaid[0]?.id);
  const shown = await test.client().publicQuotes.get({ token: quote?.public_path.replace('/quote/', '') ?? '' });
  expect(shown).toMatchObject({ deposit_path: expect.stringContaining('/invoice/') as string, logo_url: expect.any(String) as string });
});

it('is made once', async () => {
  const before = await everyRow(test);
  await seedDemo(test.app.platform);
  expect(await everyRow(test)).toEqual(before);
});
