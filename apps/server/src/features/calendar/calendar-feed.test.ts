import { DAY_MS } from '@callout/domain/time/time-units';
import { toInstant } from '@callout/domain/time/zoned-time';
import ICAL from 'ical.js';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestPasswordResetToken } from '../../../test/accounts.ts';
import { waitUntilBlockedBy, withOwnerClient } from '../../../test/database.ts';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createPerson } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: CalendarFirm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createCalendarFirm(test);
});

const inDays = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS).toISOString();
const staff = () => firm.people.staff.client;

async function openFeed(): Promise<string> {
  const { url } = await staff().calendar.openFeed();
  return new URL(url ?? '').pathname;
}

async function readText(path: string): Promise<string> {
  const { statusCode, body } = await test.request('GET', path);
  expect(statusCode).toBe(200);
  return body;
}

/** Parses a feed the way a calendar app does. */
const parseFeed = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return { calendar, events: calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component)) };
};

const readEvents = async (path: string) => parseFeed(await readText(path)).events;
const toIsoString = (time: ICAL.Time) => time.toJSDate().toISOString();

describe('a calendar feed link', () => {
  it.each(['changed', 'reset'] as const)('stops working when its person’s password is %s', async (how) => {
    const { userId, email, client } = firm.people.staff;
    const path = await openFeed();
    await test.owner.query(
      `insert into accounts (id, account_id, provider_id, user_id, password) values (gen_random_uuid(), $1::text, 'credential', $1::uuid, $2)`,
      [userId, await test.app.platform.passwordHasher.hash('secret-1', '127.0.0.1')],
    );
    if (how === 'changed') await client.auth.changePassword({ current_password: 'secret-1', new_password: 'secret-new' });
    else await test.client().auth.resetPassword({ token: await requestPasswordResetToken(test, email), password: 'secret-new' });
    expect((await test.request('GET', path)).statusCode).toBe(404);
  });

  it('stays the same until it is turned off and is replaced when turned on again', async () => {
    expect(await staff().calendar.feed()).toEqual({ url: null, last_opened_at: null });
    const opened = await staff().calendar.openFeed();
    expect(opened.url).toMatch(/^http:\/\/localhost\/api\/public\/calendar\/[\w-]{22}\.ics$/);
    expect(await staff().calendar.openFeed()).toEqual(opened);
    expect(await staff().calendar.feed()).toEqual(opened);
    const path = new URL(opened.url ?? '').pathname;
    await readText(path);
    expect((await staff().calendar.feed()).last_opened_at).toMatch(/Z$/);
    expect(await staff().calendar.closeFeed()).toEqual({ url: null, last_opened_at: null });
    expect((await test.request('GET', path)).statusCode).toBe(404);
    const again = await staff().calendar.openFeed();
    expect(again.url).not.toBe(opened.url);
    expect((await test.request('GET', path)).statusCode).toBe(404);
    expect(await staff().calendar.closeFeed()).toEqual(await staff().calendar.closeFeed());
  });

  it('is created only once by concurrent requests', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => staff().calendar.openFeed()));
    expect(new Set(opened.map(({ url }) => url)).size).toBe(1);
  });

  it('is separate for each person', async () => {
    await staff().calendar.openFeed();
    expect(await firm.people.manager.client.calendar.feed()).toEqual({ url: null, last_opened_at: null });
  });

  it('can be turned off by an admin, who never sees its URL', async () => {
    const { admin, ...others } = firm.people;
    const id = firm.staffIds.staff;
    expect(await admin.client.calendar.staffFeed({ id })).toEqual({ is_on: false, last_opened_at: null });
    const path = await openFeed();
    await readText(path);
    expect(await admin.client.calendar.staffFeed({ id })).toEqual({ is_on: true, last_opened_at: expect.stringMatching(/Z$/) });
    for (const { client } of Object.values(others)) {
      await expect(client.calendar.staffFeed({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(client.calendar.closeStaffFeed({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const foreign = (await createCalendarFirm(test, 'Neighbor')).people.admin.client.calendar;
    await expect(foreign.closeStaffFeed({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await readText(path);
    expect(await admin.client.calendar.closeStaffFeed({ id })).toEqual({ is_on: false, last_opened_at: null });
    expect((await test.request('GET', path)).statusCode).toBe(404);
  });

  it('returns not found if its token is unknown, malformed or for another kind of link', async () => {
    const { public_path } = await firm.people.admin.client.invoices.billing({ id: (await firm.createJob()).id });
    const other = public_path.replace('/invoice/', '');
    for (const token of ['x', 'A'.repeat(22), `${'A'.repeat(22)}x`, '%00', `..%2f${'A'.repeat(19)}`, other]) {
      expect((await test.request('GET', `/api/public/calendar/${token}.ics`)).statusCode).toBe(404);
    }
    const path = await openFeed();
    expect((await test.request('GET', path.replace('.ics', ''))).statusCode).toBe(404);
    const token = path.split('/').at(-1)?.replace('.ics', '') ?? '';
    expect((await test.request('GET', `/api/public/invoices/${token}`)).statusCode).toBe(404);
  });

  it('returns not found once its staff member is removed', async () => {
    const path = await openFeed();
    await readText(path);
    await firm.people.admin.client.staff.remove({ id: firm.staffIds.staff });
    const { statusCode, body } = await test.request('GET', path);
    expect([statusCode, JSON.parse(body)]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  it.each([
    ['an admin', (id: string) => firm.people.admin.client.staff.remove({ id })],
    ['an SQL statement', (id: string) => test.owner.query('delete from staff_members where id = $1', [id])],
  ])('stays revoked after its staff member is removed by %s, even if another person gets the same id', async (_, remove) => {
    const path = await openFeed();
    await remove(firm.staffIds.staff);
    // The queue frees the id.
    await waitForQueue(test);
    await firm.people.admin.client.staff.invite(buildMember({ id: firm.staffIds.staff }));
    expect((await test.request('GET', path)).statusCode).toBe(404);
  });

  it('returns not found if it is turned off while a request is running', async () => {
    const path = await openFeed();
    await withOwnerClient(test.database, async (colleague) => {
      await colleague.query('begin');
      await colleague.query('update public_links set revoked_at = now() where record_id = $1', [firm.staffIds.staff]);
      const response = test.request('GET', path);
      await waitUntilBlockedBy(test.database, colleague);
      await colleague.query('commit');
      expect((await response).statusCode).toBe(404);
    });
  });

  it.each([
    ['is deleted', 'delete from users where id = $1'],
    ['is detached from the person', 'update staff_members set profile_id = null where profile_id = $1'],
  ])('stops working when the person’s login %s', async (_, end) => {
    const path = await openFeed();
    const others = await firm.people.manager.client.calendar.openFeed();
    const sent = await firm.people.admin.client.invoices.billing({ id: (await firm.createJob()).id });
    await test.owner.query(end, [firm.people.staff.userId]);
    expect((await test.request('GET', path)).statusCode).toBe(404);
    await readText(new URL(others.url ?? '').pathname);
    const token = sent.public_path.replace('/invoice/', '');
    expect((await test.request('GET', `/api/public/invoices/${token}`)).statusCode).toBe(200);
  });

  it('is replaced when the person gets another login', async () => {
    const path = await openFeed();
    const next = await createPerson(test);
    await test.owner.query('update staff_members set profile_id = $2 where id = $1', [firm.staffIds.staff, next.userId]);
    expect((await test.request('GET', path)).statusCode).toBe(404);
    const opened = await next.client.calendar.openFeed();
    await readText(new URL(opened.url ?? '').pathname);
    expect((await test.request('GET', path)).statusCode).toBe(404);
  });

  it('is limited to ten requests a minute, without affecting other people’s links', async () => {
    const path = await openFeed();
    const others = await firm.people.manager.client.calendar.openFeed();
    for (let time = 0; time < 10; time += 1) await readText(path);
    for (const method of ['GET', 'HEAD'] as const) expect((await test.app.server.inject({ method, url: path })).statusCode).toBe(429);
    await readText(new URL(others.url ?? '').pathname);
  });

  it('is limited to sixty builds a minute per company, not counting 304 responses', async () => {
    const path = await openFeed();
    const { etag } = (await test.request('GET', path)).headers;
    const counted = await test.owner.query('update rate_limits set attempts = 60 where key like $1', [`%feeds of ${firm.companyId}`]);
    expect(counted.rowCount).toBe(1);
    const others = await firm.people.manager.client.calendar.openFeed();
    for (const url of [path, new URL(others.url ?? '').pathname]) {
      expect((await test.app.server.inject({ method: 'GET', url })).statusCode).toBe(429);
    }
    const conditional = { 'if-none-match': String(etag) };
    expect((await test.app.server.inject({ method: 'GET', url: path, headers: conditional })).statusCode).toBe(304);
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    const { url } = await neighbor.people.staff.client.calendar.openFeed();
    await readText(new URL(url ?? '').pathname);
  });

  it('never appears in the log', async () => {
    const path = await openFeed();
    const token = path.split('/').at(-1)?.replace('.ics', '') ?? '';
    await readText(path);
    await test.request('GET', `${path}?x=1`);
    await test.request('GET', path.replace('.ics', ''));
    expect(test.logLines.filter((line) => line.includes(token))).toEqual([]);
  });
});

describe('a calendar feed', () => {
  it('contains the person’s jobs and tasks', async () => {
    const path = await openFeed();
    const job = await firm.createJob({
      booking_date: inDays(2),
      duration: '1.5',
      use_alternate_address: true,
      address: 'Unit 2\n9 Side Road',
    });
    const task = await firm.createTask({ calendar_date: inDays(3), calendar_duration: null, description: 'Two taps' });
    await firm.createJob({ booking_date: inDays(2), staff_id: firm.staffIds.manager });
    await firm.createTask({ calendar_date: inDays(3), staff_id: null });
    await firm.createTask({ calendar_date: inDays(3), show_in_calendar: false });
    const { calendar, events } = parseFeed(await readText(path));
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Tane Plumbing (The staff)');
    expect(events.map(({ uid }) => uid)).toEqual([`job-${job.id}@callout`, `task-${task.id}@callout`]);
    const [jobEvent, taskEvent] = events;
    expect(jobEvent).toMatchObject({ summary: 'Fix the kitchen tap (Ana Ruiz)', location: 'Unit 2\n9 Side Road', sequence: 0 });
    expect(jobEvent?.description).toBe(`Job #${job.job_number}\nAna Ruiz 021 555 123\nIt drips.`);
    expect([jobEvent, taskEvent].map((event) => event && [toIsoString(event.startDate), toIsoString(event.endDate)])).toEqual([
      [inDays(2), new Date(Date.parse(inDays(2)) + 90 * 60_000).toISOString()],
      [inDays(3), new Date(Date.parse(inDays(3)) + 60 * 60_000).toISOString()],
    ]);
    expect(taskEvent).toMatchObject({ summary: 'Order parts', description: 'Two taps', location: null });
    expect(jobEvent?.component.getFirstPropertyValue('url')).toBe(`http://localhost/jobs/${job.id}`);
    expect(taskEvent?.component.getFirstPropertyValue('url')).toBe('http://localhost/todo');
  });

  it('covers the past 30 and the next 365 days, without canceled jobs', async () => {
    const path = await openFeed();
    for (const [title, days, duration] of [
      ['Too old', -32, '1'],
      ['Long ago, ended in range', -40, '300'],
      ['Last month', -29, '1'],
      ['Next year', 364, '1'],
      ['Too far', 367, '1'],
    ] as const)
      await firm.createJob({ title, booking_date: inDays(days), duration });
    const canceled = await firm.createJob({ title: 'Canceled', booking_date: inDays(1) });
    await firm.people.admin.client.jobs.setStatus({ id: canceled.id, status: 'canceled' });
    expect((await readEvents(path)).map(({ summary }) => summary.replace(' (Ana Ruiz)', ''))).toEqual([
      'Long ago, ended in range',
      'Last month',
      'Next year',
    ]);
  });

  it('keeps a moved event’s id, increments its sequence number and marks it as busy or free', async () => {
    const path = await openFeed();
    const job = await firm.createJob({ booking_date: inDays(2) });
    const before = (await readEvents(path))[0];
    const seen = { starts_at: inDays(2), duration: '1', staff_id: firm.staffIds.staff };
    await staff().calendar.scheduleJob({ id: job.id, seen, starts_at: inDays(4) });
    const moved = (await readEvents(path))[0];
    expect(moved && [moved.uid, toIsoString(moved.startDate), moved.sequence]).toEqual([before?.uid, inDays(4), 1]);
    const readProperty = async (name: string) => String((await readEvents(path))[0]?.component.getFirstPropertyValue(name));
    expect([await readProperty('status'), await readProperty('transp')]).toEqual(['CONFIRMED', 'OPAQUE']);
    const { updated_at } = await firm.people.admin.client.jobs.setStatus({ id: job.id, status: 'pending' });
    expect([await readProperty('status'), await readProperty('transp')]).toEqual(['TENTATIVE', 'OPAQUE']);
    expect(await readProperty('last-modified')).toBe(`${updated_at.slice(0, 19)}Z`);
    await firm.people.admin.client.jobs.setStatus({ id: job.id, status: 'complete' });
    expect([await readProperty('status'), await readProperty('transp')]).toEqual(['CONFIRMED', 'TRANSPARENT']);
  });

  it.each([
    ['Pacific/Auckland', '2026-04-05'],
    ['Pacific/Auckland', '2026-09-27'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-09-27'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Pacific/Chatham', '2026-04-05'],
    ['Pacific/Chatham', '2026-09-27'],
  ])('shows each job at its booked wall-clock time in %s around the clock change of %s', async (zone, change) => {
    const path = await openFeed();
    const dayOf = (offset: number) => new Date(Date.parse(change) + offset * DAY_MS).toISOString().slice(0, 10);
    const booked = [-1, 0, 1].flatMap((offset) => ['00:30', '08:00', '16:45'].map((time) => [dayOf(offset), time] as const));
    for (const [date, time] of booked) await firm.createJob({ title: `${date} ${time}`, booking_date: toInstant(date, time, zone) });
    // The feed covers only dates near today. Shift the jobs into its range by whole UTC days, and shift the events back to compare.
    const shift = `update jobs set booking_date = booking_date + $2 * interval '1 day' where company_id = $1`;
    const days = Math.round((Date.parse(inDays(30)) - Date.parse(change)) / DAY_MS);
    await test.owner.query(shift, [firm.companyId, days]);
    const events = await readEvents(path);
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    const displayed = events.map(({ startDate }) => clock.format(startDate.toJSDate().getTime() - days * DAY_MS));
    expect(displayed).toEqual(booked.map(([date, time]) => `${date} ${time}`));
    for (const { startDate } of events) expect(startDate.zone).toBe(ICAL.Timezone.utcTimezone);
  });

  it.each([
    ['commas, semicolons and backslashes', 'Tap, sink; C:\\new\\path, "quoted"'],
    ['emoji', '🚿 Shower 👨‍👩‍👧‍👦 ❤️'],
    ['200 characters of two octets', 'ā'.repeat(200)],
    ['200 characters of four octets', '🚿'.repeat(100)],
    ['200 characters', 'Replace the tap, '.repeat(12).slice(0, 199).trim()],
    ['the end of an event', 'x END:VEVENT BEGIN:VEVENT SUMMARY:Injected'],
    ['an escaped line break', 'x\\nEND:VEVENT\\nBEGIN:VEVENT'],
    ['right-to-left letters', 'תיקון ברז'],
  ])('preserves %s in lines of at most 75 octets', async (_, title) => {
    const path = await openFeed();
    const description = `${title}\nEND:VEVENT\r\nBEGIN:VEVENT\nSUMMARY:Injected\n\n${'ā🚿x'.repeat(60)}`;
    await firm.createTask({ title, description, calendar_date: inDays(1) });
    const text = await readText(path);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const events = parseFeed(text).events;
    expect(events).toHaveLength(1);
    expect(events[0]?.summary).toBe(title);
    expect(events[0]?.description).toBe(description.replaceAll('\r\n', '\n'));
  });

  it('contains no prices, costs, rates or other secrets', async () => {
    const path = await openFeed();
    await firm.createJob({ booking_date: inDays(1), job_type: 'hourly', hourly_rate: '123.45', fixed_amount: '987.65' });
    const text = await readText(path);
    for (const secret of ['123.45', '987.65', firm.companyId, firm.people.staff.email, 'ana@example.com', path.slice(-26, -4)])
      expect(text).not.toContain(secret);
  });

  it('has a content type and an ETag, and returns 304 if nothing has changed', async () => {
    const path = await openFeed();
    await firm.createJob({ booking_date: inDays(1) });
    const response = await test.request('GET', path);
    const { etag = '' } = response.headers;
    expect(response.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="callout.ics"',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers['set-cookie']).toBeUndefined();
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const unchanged = await test.request('GET', path, { headers: { 'if-none-match': known } });
      expect([unchanged.statusCode, unchanged.body, unchanged.headers.etag]).toEqual([304, '', etag]);
    }
    const head = await test.app.server.inject({ method: 'HEAD', url: path });
    expect([head.statusCode, head.body, head.headers.etag, head.headers['content-type']]).toEqual([
      200,
      '',
      etag,
      'text/calendar; charset=utf-8',
    ]);
    // A HEAD request doesn't build the feed, so the length is unknown. A length of 0 would mean an empty feed.
    expect(head.headers['content-length']).toBeUndefined();
    await firm.createTask({ calendar_date: inDays(1) });
    const changed = await test.request('GET', path, { headers: { 'if-none-match': etag } });
    expect([changed.statusCode, changed.headers.etag === etag]).toEqual([200, false]);
  });

  it('gets a new ETag when a customer, the person or the company changes', async () => {
    const path = await openFeed();
    await firm.createJob({ booking_date: inDays(1) });
    const readEtag = async () => String((await test.app.server.inject({ method: 'HEAD', url: path })).headers.etag);
    const tags = [await readEtag(), await readEtag()];
    const { admin } = firm.people;
    await admin.client.customers.update({ ...firm.customer, type: 'individual', phone: '021 999 999' });
    tags.push(await readEtag());
    await test.owner.query(`update staff_members set name = 'Sam' where id = $1`, [firm.staffIds.staff]);
    tags.push(await readEtag());
    await test.owner.query(`update companies set company_name = 'Tane & Co' where company_id = $1`, [firm.companyId]);
    tags.push(await readEtag());
    expect([new Set(tags).size, tags[0]]).toEqual([4, tags[1]]);
    expect(await readText(path)).toContain('021 999 999');
  });

  it('truncates a long description to 1,000 characters', async () => {
    const path = await openFeed();
    await firm.createTask({ description: 'ā'.repeat(10_000), calendar_date: inDays(1) });
    expect((await readEvents(path))[0]?.description).toBe('ā'.repeat(1000));
  });

  it('contains at most 2,000 events: upcoming ones first, then the most recent past ones', async () => {
    const path = await openFeed();
    const hour = (hours: number) => new Date(Date.parse(inDays(0)) + hours * 3_600_000).toISOString();
    const seed = (title: string, booking_date: string) => ({ title, booking_date, created_at: inDays(-40), staff_id: firm.staffIds.staff });
    await insertJobs(test, firm.companyId, [
      ...Array.from({ length: 1990 }, (_, index) => seed('Upcoming', hour(24 + index))),
      ...Array.from({ length: 100 }, (_, index) => seed(`${index + 1} h ago`, hour(-1 - index))),
    ]);
    const titles = (await readEvents(path)).map(({ summary }) => summary);
    expect(titles.filter((title) => title === 'Upcoming')).toHaveLength(1990);
    expect(titles.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `${10 - index} h ago`));
    expect(titles).toHaveLength(2000);
  });

  it('contains no events of other people or companies', async () => {
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    await neighbor.createJob({ booking_date: inDays(1) });
    await firm.createJob({ booking_date: inDays(1), staff_id: firm.staffIds.admin });
    expect(await readEvents(await openFeed())).toEqual([]);
  });

  it('is an empty calendar if the person has no jobs or tasks', async () => {
    const { calendar } = parseFeed(await readText(await openFeed()));
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  });
});
