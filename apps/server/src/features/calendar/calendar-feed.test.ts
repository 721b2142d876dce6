import { DAY_MS } from '@callout/domain/time/time-units';
import { zonedInstant } from '@callout/domain/time/zoned-time';
import ICAL from 'ical.js';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlockedBy, withOwner } from '../../../test/database.ts';
import { type CalendarFirm, createCalendarFirm } from '../../../test/factories/calendar-firm.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createPerson } from '../../../test/factories/people.ts';
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

/** As another program reads it. */
const parsed = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return { calendar, events: calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component)) };
};

const readEvents = async (path: string) => parsed(await readText(path)).events;
const instantOf = (time: ICAL.Time) => time.toJSDate().toISOString();

describe('the link of a feed', () => {
  it('is the same until it is closed, and a new one afterwards', async () => {
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

  it('is opened once by many requests at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => staff().calendar.openFeed()));
    expect(new Set(opened.map(({ url }) => url)).size).toBe(1);
  });

  it('is everybody’s own', async () => {
    await staff().calendar.openFeed();
    expect(await firm.people.manager.client.calendar.feed()).toEqual({ url: null, last_opened_at: null });
  });

  it('is seen and turned off by an admin, who does not learn its address', async () => {
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

  it('that is unknown, malformed or of another kind is not found', async () => {
    const { public_path } = await firm.people.admin.client.invoices.billing({ id: (await firm.addJob()).id });
    const other = public_path.replace('/invoice/', '');
    for (const token of ['x', 'A'.repeat(22), `${'A'.repeat(22)}x`, '%00', `..%2f${'A'.repeat(19)}`, other]) {
      expect((await test.request('GET', `/api/public/calendar/${token}.ics`)).statusCode).toBe(404);
    }
    const path = await openFeed();
    expect((await test.request('GET', path.replace('.ics', ''))).statusCode).toBe(404);
    const token = path.split('/').at(-1)?.replace('.ics', '') ?? '';
    expect((await test.request('GET', `/api/public/invoices/${token}`)).statusCode).toBe(404);
  });

  it('of a person who was removed is not found', async () => {
    const path = await openFeed();
    await readText(path);
    await firm.people.admin.client.staff.remove({ id: firm.staffIds.staff });
    const { statusCode, body } = await test.request('GET', path);
    expect([statusCode, JSON.parse(body)]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  it.each([
    ['an admin', (id: string) => firm.people.admin.client.staff.remove({ id })],
    ['nothing but a statement', (id: string) => test.owner.query('delete from staff_members where id = $1', [id])],
  ])('of a person who was removed by %s stays closed when somebody else gets the same id', async (_, remove) => {
    const path = await openFeed();
    await remove(firm.staffIds.staff);
    await firm.people.admin.client.staff.invite(newMember({ id: firm.staffIds.staff }));
    expect((await test.request('GET', path)).statusCode).toBe(404);
  });

  it('that is closed while a program reads it is not found', async () => {
    const path = await openFeed();
    await withOwner(test.database, async (colleague) => {
      await colleague.query('begin');
      await colleague.query('update public_links set revoked_at = now() where record_id = $1', [firm.staffIds.staff]);
      const answer = test.request('GET', path);
      await waitUntilBlockedBy(test.database, colleague);
      await colleague.query('commit');
      expect((await answer).statusCode).toBe(404);
    });
  });

  it.each([
    ['is deleted', 'delete from users where id = $1'],
    ['is detached from the person', 'update staff_members set profile_id = null where profile_id = $1'],
  ])('no longer works once the login %s', async (_, end) => {
    const path = await openFeed();
    const others = await firm.people.manager.client.calendar.openFeed();
    const sent = await firm.people.admin.client.invoices.billing({ id: (await firm.addJob()).id });
    await test.owner.query(end, [firm.people.staff.userId]);
    expect((await test.request('GET', path)).statusCode).toBe(404);
    await readText(new URL(others.url ?? '').pathname);
    const token = sent.public_path.replace('/invoice/', '');
    expect((await test.request('GET', `/api/public/invoices/${token}`)).statusCode).toBe(200);
  });

  it('is another one for the login that the person gets next', async () => {
    const path = await openFeed();
    const next = await createPerson(test);
    await test.owner.query('update staff_members set profile_id = $2 where id = $1', [firm.staffIds.staff, next.userId]);
    expect((await test.request('GET', path)).statusCode).toBe(404);
    const opened = await next.client.calendar.openFeed();
    await readText(new URL(opened.url ?? '').pathname);
    expect((await test.request('GET', path)).statusCode).toBe(404);
  });

  it('is answered ten times a minute, and one of somebody else all the same', async () => {
    const path = await openFeed();
    const others = await firm.people.manager.client.calendar.openFeed();
    for (let time = 0; time < 10; time += 1) await readText(path);
    for (const method of ['GET', 'HEAD'] as const) expect((await test.app.server.inject({ method, url: path })).statusCode).toBe(429);
    await readText(new URL(others.url ?? '').pathname);
  });

  it('is put together sixty times a minute for a company, of whomever it is; one that has not changed is answered all the same', async () => {
    const path = await openFeed();
    const { etag } = (await test.request('GET', path)).headers;
    const counted = await test.owner.query('update rate_limits set attempts = 60 where key like $1', [`%feeds of ${firm.companyId}`]);
    expect(counted.rowCount).toBe(1);
    const others = await firm.people.manager.client.calendar.openFeed();
    for (const url of [path, new URL(others.url ?? '').pathname]) {
      expect((await test.app.server.inject({ method: 'GET', url })).statusCode).toBe(429);
    }
    const kept = { 'if-none-match': String(etag) };
    expect((await test.app.server.inject({ method: 'GET', url: path, headers: kept })).statusCode).toBe(304);
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    const { url } = await neighbor.people.staff.client.calendar.openFeed();
    await readText(new URL(url ?? '').pathname);
  });

  it('is in no line of the log', async () => {
    const path = await openFeed();
    const token = path.split('/').at(-1)?.replace('.ics', '') ?? '';
    await readText(path);
    await test.request('GET', `${path}?x=1`);
    await test.request('GET', path.replace('.ics', ''));
    expect(test.logged.filter((line) => line.includes(token))).toEqual([]);
  });
});

describe('a feed', () => {
  it('has the jobs and tasks of its person', async () => {
    const path = await openFeed();
    const job = await firm.addJob({
      booking_date: inDays(2),
      duration: '1.5',
      use_alternate_address: true,
      address: 'Unit 2\n9 Side Road',
    });
    const task = await firm.addTask({ calendar_date: inDays(3), calendar_duration: null, description: 'Two taps' });
    await firm.addJob({ booking_date: inDays(2), staff_id: firm.staffIds.manager });
    await firm.addTask({ calendar_date: inDays(3), staff_id: null });
    await firm.addTask({ calendar_date: inDays(3), show_in_calendar: false });
    const { calendar, events } = parsed(await readText(path));
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Tane Plumbing (The staff)');
    expect(events.map(({ uid }) => uid)).toEqual([`job-${job.id}@callout`, `task-${task.id}@callout`]);
    const [shownJob, shownTask] = events;
    expect(shownJob).toMatchObject({ summary: 'Fix the kitchen tap (Ana Ruiz)', location: 'Unit 2\n9 Side Road', sequence: 0 });
    expect(shownJob?.description).toBe(`Job #${job.job_number}\nAna Ruiz 021 555 123\nIt drips.`);
    expect([shownJob, shownTask].map((event) => event && [instantOf(event.startDate), instantOf(event.endDate)])).toEqual([
      [inDays(2), new Date(Date.parse(inDays(2)) + 90 * 60_000).toISOString()],
      [inDays(3), new Date(Date.parse(inDays(3)) + 60 * 60_000).toISOString()],
    ]);
    expect(shownTask).toMatchObject({ summary: 'Order parts', description: 'Two taps', location: null });
    expect(shownJob?.component.getFirstPropertyValue('url')).toBe(`http://localhost/jobs/${job.id}`);
    expect(shownTask?.component.getFirstPropertyValue('url')).toBe('http://localhost/todo');
  });

  it('goes from 30 days back to 365 ahead, and leaves out what is canceled', async () => {
    const path = await openFeed();
    for (const [title, days, duration] of [
      ['Too old', -32, '1'],
      ['Long ago, still going on then', -40, '300'],
      ['Last month', -29, '1'],
      ['Next year', 364, '1'],
      ['Too far', 367, '1'],
    ] as const)
      await firm.addJob({ title, booking_date: inDays(days), duration });
    const canceled = await firm.addJob({ title: 'Canceled', booking_date: inDays(1) });
    await firm.people.admin.client.jobs.setStatus({ id: canceled.id, status: 'canceled' });
    expect((await readEvents(path)).map(({ summary }) => summary.replace(' (Ana Ruiz)', ''))).toEqual([
      'Long ago, still going on then',
      'Last month',
      'Next year',
    ]);
  });

  it('keeps the id of an event that moves, counts its changes, and says whether its time is taken', async () => {
    const path = await openFeed();
    const job = await firm.addJob({ booking_date: inDays(2) });
    const before = (await readEvents(path))[0];
    const seen = { starts_at: inDays(2), duration: '1', staff_id: firm.staffIds.staff };
    await staff().calendar.scheduleJob({ id: job.id, seen, starts_at: inDays(4) });
    const moved = (await readEvents(path))[0];
    expect(moved && [moved.uid, instantOf(moved.startDate), moved.sequence]).toEqual([before?.uid, inDays(4), 1]);
    const valueOf = async (name: string) => String((await readEvents(path))[0]?.component.getFirstPropertyValue(name));
    expect([await valueOf('status'), await valueOf('transp')]).toEqual(['CONFIRMED', 'OPAQUE']);
    const { updated_at } = await firm.people.admin.client.jobs.setStatus({ id: job.id, status: 'pending' });
    expect([await valueOf('status'), await valueOf('transp')]).toEqual(['TENTATIVE', 'OPAQUE']);
    expect(await valueOf('last-modified')).toBe(`${updated_at.slice(0, 19)}Z`);
    await firm.people.admin.client.jobs.setStatus({ id: job.id, status: 'complete' });
    expect([await valueOf('status'), await valueOf('transp')]).toEqual(['CONFIRMED', 'TRANSPARENT']);
  });

  it.each([
    ['Pacific/Auckland', '2026-04-05'],
    ['Pacific/Auckland', '2026-09-27'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-09-27'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Pacific/Chatham', '2026-04-05'],
    ['Pacific/Chatham', '2026-09-27'],
  ])('shows each job at its booked wall time in %s, on the days around the clock change of %s', async (zone, change) => {
    const path = await openFeed();
    const dayOf = (offset: number) => new Date(Date.parse(change) + offset * DAY_MS).toISOString().slice(0, 10);
    const booked = [-1, 0, 1].flatMap((offset) => ['00:30', '08:00', '16:45'].map((time) => [dayOf(offset), time] as const));
    for (const [date, time] of booked) await firm.addJob({ title: `${date} ${time}`, booking_date: zonedInstant(date, time, zone) });
    // A feed starts 30 days ago: the jobs are moved there by whole days of UTC, and what it shows is moved back.
    const shift = `update jobs set booking_date = booking_date + $2 * interval '1 day' where company_id = $1`;
    const days = Math.round((Date.parse(inDays(30)) - Date.parse(change)) / DAY_MS);
    await test.owner.query(shift, [firm.companyId, days]);
    const events = await readEvents(path);
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    const shown = events.map(({ startDate }) => clock.format(startDate.toJSDate().getTime() - days * DAY_MS));
    expect(shown).toEqual(booked.map(([date, time]) => `${date} ${time}`));
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
    ['letters from the right', 'תיקון ברז'],
  ])('keeps %s as typed, in lines of at most 75 octets', async (_, title) => {
    const path = await openFeed();
    const description = `${title}\nEND:VEVENT\r\nBEGIN:VEVENT\nSUMMARY:Injected\n\n${'ā🚿x'.repeat(60)}`;
    await firm.addTask({ title, description, calendar_date: inDays(1) });
    const text = await readText(path);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const events = parsed(text).events;
    expect(events).toHaveLength(1);
    expect(events[0]?.summary).toBe(title);
    expect(events[0]?.description).toBe(description.replaceAll('\r\n', '\n'));
  });

  it('tells no price, cost or rate, and no other secret', async () => {
    const path = await openFeed();
    await firm.addJob({ booking_date: inDays(1), job_type: 'hourly', hourly_rate: '123.45', fixed_amount: '987.65' });
    const text = await readText(path);
    for (const secret of ['123.45', '987.65', firm.companyId, firm.people.staff.email, 'ana@example.com', path.slice(-26, -4)])
      expect(text).not.toContain(secret);
  });

  it('is answered with its type, and by 304 or without a body when nothing has changed', async () => {
    const path = await openFeed();
    await firm.addJob({ booking_date: inDays(1) });
    const answer = await test.request('GET', path);
    const { etag = '' } = answer.headers;
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="callout.ics"',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
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
    // Its length is not known without putting it together: a 0 would say that it is empty.
    expect(head.headers['content-length']).toBeUndefined();
    await firm.addTask({ calendar_date: inDays(1) });
    const changed = await test.request('GET', path, { headers: { 'if-none-match': etag } });
    expect([changed.statusCode, changed.headers.etag === etag]).toEqual([200, false]);
  });

  it('has another tag once a customer, the person or the company is called otherwise', async () => {
    const path = await openFeed();
    await firm.addJob({ booking_date: inDays(1) });
    const tagOf = async () => String((await test.app.server.inject({ method: 'HEAD', url: path })).headers.etag);
    const tags = [await tagOf(), await tagOf()];
    const { admin } = firm.people;
    await admin.client.customers.update({ ...firm.customer, type: 'individual', phone: '021 999 999' });
    tags.push(await tagOf());
    await test.owner.query(`update staff_members set name = 'Sam' where id = $1`, [firm.staffIds.staff]);
    tags.push(await tagOf());
    await test.owner.query(`update companies set company_name = 'Tane & Co' where company_id = $1`, [firm.companyId]);
    tags.push(await tagOf());
    expect([new Set(tags).size, tags[0]]).toEqual([4, tags[1]]);
    expect(await readText(path)).toContain('021 999 999');
  });

  it('has the first thousand characters of a long description', async () => {
    const path = await openFeed();
    await firm.addTask({ description: 'ā'.repeat(10_000), calendar_date: inDays(1) });
    expect((await readEvents(path))[0]?.description).toBe('ā'.repeat(1000));
  });

  it('has 2,000 events at most: what is to come, and then what was last', async () => {
    const path = await openFeed();
    const hour = (hours: number) => new Date(Date.parse(inDays(0)) + hours * 3_600_000).toISOString();
    const seed = (title: string, booking_date: string) => ({ title, booking_date, created_at: inDays(-40), staff_id: firm.staffIds.staff });
    await insertJobs(test, firm.companyId, [
      ...Array.from({ length: 1990 }, (_, index) => seed('To come', hour(24 + index))),
      ...Array.from({ length: 100 }, (_, index) => seed(`${index + 1} h ago`, hour(-1 - index))),
    ]);
    const titles = (await readEvents(path)).map(({ summary }) => summary);
    expect(titles.filter((title) => title === 'To come')).toHaveLength(1990);
    expect(titles.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `${10 - index} h ago`));
    expect(titles).toHaveLength(2000);
  });

  it('is not that of another person of the same name or company', async () => {
    const neighbor = await createCalendarFirm(test, 'Neighbor');
    await neighbor.addJob({ booking_date: inDays(1) });
    await firm.addJob({ booking_date: inDays(1), staff_id: firm.staffIds.admin });
    expect(await readEvents(await openFeed())).toEqual([]);
  });

  it('of a person without work is an empty calendar', async () => {
    const { calendar } = parsed(await readText(await openFeed()));
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  });
});
