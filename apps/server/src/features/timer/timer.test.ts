import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStream } from '../../../test/event-stream.ts';
import { newCustomer, newItem, newJob, newSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let me: Person;
let staffId: string;
let itemId: string;
let clock: number;

const START = Date.UTC(2026, 10, 16, 8);

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  me = firm.people.staff;
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [me.userId]);
  staffId = rows[0]?.id ?? '';
  const supplier = await admin().suppliers.create(newSupplier());
  itemId = (await admin().items.create(newItem({ supplier_id: supplier.id, name: 'Labour', is_service: true }))).id;
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  clock = START;
});

afterEach(() => {
  vi.useRealTimers();
});

const admin = () => firm.people.admin.client;

function pass(seconds: number): void {
  clock += seconds * 1000;
  vi.setSystemTime(clock);
}

async function addJob(title = 'Fix the tap'): Promise<string> {
  const customer = await admin().customers.create(newCustomer());
  const job = newJob({ customer_id: customer.id, staff_id: staffId, title, job_type: 'hourly', hourly_rate: '60', duration: '2' });
  return (await admin().jobs.create(job)).id;
}

const start = (job_id: string, over: { id?: string; pause_others?: boolean } = {}, person = me) =>
  person.client.timer.start({ job_id, id: randomUUID(), ...over });
const pause = (job_id: string, person = me) => person.client.timer.pause({ job_id });
const active = async (person = me) => (await person.client.timer.active()).timer;
const allocate = (job_id: string, over: object = {}) =>
  me.client.timer.allocate({ job_id, id: randomUUID(), supplier_item_id: itemId, quantity: 1, ...over });

async function runningTimers(): Promise<number> {
  const { rows } = await test.owner.query('select 1 from time_entries where company_id = $1 and ended_at is null', [firm.companyId]);
  return rows.length;
}

describe('a timer', () => {
  it('counts on the server, through pauses and whatever happens to a page', async () => {
    const job = await addJob();
    const started = await start(job);
    expect(started.timer).toMatchObject({ timer_status: 'started', finished_seconds: 0, running: [{ staff_id: staffId }] });
    pass(600);
    expect((await pause(job)).timer).toMatchObject({ timer_status: 'paused', finished_seconds: 600, running: [] });
    pass(50);
    await start(job);
    pass(15);
    expect(await active()).toMatchObject({
      job_id: job,
      timer_status: 'started',
      finished_seconds: 600,
      running: [{ started_at: new Date(START + 650_000).toISOString() }],
      server_time: new Date(START + 665_000).toISOString(),
    });
    expect((await pause(job)).timer.finished_seconds).toBe(615);
    expect((await pause(job)).timer.finished_seconds).toBe(615);
    expect(await active()).toMatchObject({ timer_status: 'paused' });
    pass(25 * 3600);
    expect(await me.client.timer.active()).toEqual({ timer: null, server_time: new Date(clock).toISOString() });
  });

  it('is refused while another one runs, which is named, or pauses it when asked to', async () => {
    const [first, second] = [await addJob('First'), await addJob('Second')];
    const { job_number } = await start(first);
    pass(30);
    await expect(start(second, { pause_others: false })).rejects.toMatchObject({
      code: 'TIMER_RUNNING',
      message: 'Another timer is already running. Please pause it before starting a new one.',
      data: { job_id: first, job_number, title: 'First' },
    });
    await start(second);
    expect((await admin().jobs.get({ id: first })).timer).toMatchObject({ timer_status: 'paused', finished_seconds: 30 });
    expect(await runningTimers()).toBe(1);
  });

  it('is started once, however often and from however many devices', async () => {
    const jobs = await Promise.all(Array.from({ length: 10 }, () => addJob()));
    for (let wave = 0; wave < 2; wave += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => start(jobs[index % jobs.length] ?? '')));
    }
    expect(await runningTimers()).toBe(1);
    const [job = ''] = jobs;
    const id = randomUUID();
    await start(job, { id });
    await pause(job);
    expect((await start(job, { id })).timer.running).toEqual([]);
    await expect(start(jobs[1] ?? '', { id })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('starts where the last one of the same person ended when its request has waited for that', async () => {
    const [first, second] = [await addJob('First'), await addJob('Second')];
    await start(first);
    pass(10);
    await pause(first);
    pass(-2);
    const { timer } = await start(second);
    expect(timer.running).toMatchObject([{ started_at: new Date(START + 10_000).toISOString() }]);
    pass(-3600);
    await start(first);
    expect((await active())?.entry.started_at).toBe(new Date(clock).toISOString());
  });

  it('is not started by two people under one id', async () => {
    const jobs = await Promise.all(Array.from({ length: 8 }, () => addJob()));
    const people = [me, firm.people.manager];
    for (let index = 0; index < jobs.length; index += 2) {
      const id = randomUUID();
      const answers = await Promise.allSettled(people.map((person, which) => start(jobs[index + which] ?? '', { id }, person)));
      const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
      expect(refused).toMatchObject([{ code: 'ID_TAKEN' }]);
    }
  });

  it('of each person runs for itself on the same job', async () => {
    const job = await addJob();
    await start(job);
    pass(10);
    await start(job, {}, firm.people.manager);
    pass(10);
    await pause(job);
    expect((await admin().jobs.get({ id: job })).timer).toMatchObject({ timer_status: 'started', finished_seconds: 20 });
    expect(await active(firm.people.manager)).toMatchObject({ timer_status: 'started' });
    expect(await active(firm.people.accountant)).toBeNull();
  });

  it.each(['complete', 'canceled', 'paid'] as const)('stops when the job becomes %s, and starts no more', async (status) => {
    const job = await addJob();
    await start(job);
    pass(90);
    // Staff don't record payments.
    const done = await admin().jobs.setStatus({ id: job, status });
    expect(done.timer).toMatchObject({ timer_status: 'paused', finished_seconds: 90 });
    expect(await active()).toBeNull();
    await expect(start(job)).rejects.toMatchObject({ code: 'JOB_FINISHED' });
  });

  it('stops when its job or its person is deleted, and the time stays on the sheet', async () => {
    const [kept, deleted] = [await addJob('Kept'), await addJob('Deleted')];
    await start(deleted);
    pass(60);
    vi.useRealTimers();
    await admin().jobs.remove({ id: deleted });
    vi.useFakeTimers({ toFake: ['Date'], now: clock });
    await start(kept);
    await admin().staff.remove({ id: staffId });
    expect(await runningTimers()).toBe(0);
    const { rows } = await test.owner.query('select job_title, job_id, staff_name, staff_id from time_entries where company_id = $1', [
      firm.companyId,
    ]);
    expect(rows).toEqual(
      expect.arrayContaining([
        { job_title: 'Deleted', job_id: null, staff_name: 'The staff', staff_id: null },
        { job_title: 'Kept', job_id: kept, staff_name: 'The staff', staff_id: null },
      ]),
    );
  });

  it.each([
    ['completed', (id: string) => me.client.jobs.setStatus({ id, status: 'complete' })],
    ['deleted', (id: string) => admin().jobs.remove({ id })],
  ])('is read again by every open page when its job is %s', async (_name, change) => {
    const job = await addJob();
    vi.useRealTimers();
    const page = await openStream(test, me.cookie);
    const topicsAfter = (event: number) => page.events.slice(event).flatMap(({ data }) => (data as { topics: string[] }).topics);
    await start(job);
    await expect.poll(() => topicsAfter(0), { timeout: 10_000 }).toContain('timer');
    const seen = page.events.length;
    await change(job);
    await expect.poll(() => topicsAfter(seen), { timeout: 10_000 }).toEqual(expect.arrayContaining(['jobs', 'timer']));
  });

  it('is of its company alone', async () => {
    const job = await addJob();
    const neighbor = (await createFirm(test, 'Neighbor')).people.admin;
    await expect(start(job, {}, neighbor)).rejects.toMatchObject({ message: 'Job not found' });
    await expect(pause(job, neighbor)).rejects.toMatchObject({ message: 'Job not found' });
  });
});

describe('allocating time', () => {
  it('bills each second once, with an exact total and a unit price that follows from it', async () => {
    const job = await addJob();
    await start(job);
    pass(6000);
    const billed = await allocate(job, { quantity: 3 });
    expect(billed.items).toMatchObject([{ name: 'Labour', quantity: '3', unit_price: '33.33', total_price: '100.00' }]);
    expect(billed.timer).toMatchObject({ timer_status: 'started', finished_seconds: 6000, allocated_seconds: 6000 });
    pass(60);
    await pause(job);
    const again = await allocate(job);
    expect(again.items).toMatchObject([{ total_price: '100.00' }, { total_price: '1.00' }]);
    await expect(allocate(job)).rejects.toMatchObject({ code: 'NOTHING_TO_ALLOCATE' });
    const [line] = again.items;
    const without = await me.client.jobs.removeItem({ id: line?.id ?? '' });
    expect(without.timer).toMatchObject({ finished_seconds: 6060, allocated_seconds: 60 });
    expect((await allocate(job)).items).toMatchObject([{ total_price: '1.00' }, { total_price: '100.00' }]);
  });

  it('bills no second twice when the request has waited for another one', async () => {
    const job = await addJob();
    await start(job);
    pass(12);
    await allocate(job);
    await start(job, {}, firm.people.manager);
    pass(5);
    await pause(job, firm.people.manager);
    pass(-7);
    const { timer } = await allocate(job);
    expect(timer.running).toMatchObject([{ started_at: new Date(START + 12_000).toISOString() }]);
    expect(timer.allocated_seconds).toBe(17);
  });

  it('never bills more than can be stored', async () => {
    const customer = await admin().customers.create(newCustomer());
    const hourly = newJob({ customer_id: customer.id, staff_id: staffId, job_type: 'hourly', hourly_rate: '9999999999.99' });
    const job = (await admin().jobs.create(hourly)).id;
    await start(job);
    pass(7200);
    await expect(allocate(job)).rejects.toMatchObject({
      data: { fields: { quantity: 'The total must be at most 9,999,999,999.99' } },
    });
    expect((await admin().jobs.get({ id: job })).items).toEqual([]);
  });

  it('leaves no gap and no overlap when a clock is behind the one that started the timer', async () => {
    const job = await addJob();
    await start(job);
    pass(60);
    await pause(job);
    await start(job);
    pass(-20);
    await allocate(job);
    pass(120);
    expect((await pause(job)).timer.finished_seconds).toBe(160);
  });

  it('is done once, however often it is requested', async () => {
    const job = await addJob();
    await start(job);
    pass(3600);
    const request = { id: randomUUID() };
    await Promise.all(Array.from({ length: 5 }, () => allocate(job, request)));
    expect((await admin().jobs.get({ id: job })).items).toMatchObject([{ total_price: '60.00' }]);
    await expect(allocate(job, { supplier_item_id: '' })).rejects.toMatchObject({
      data: { fields: { supplier_item_id: 'Please select an item' } },
    });
  });
});

describe('a correction', () => {
  it('moves the end of an own entry back, keeps the old one and tells the history', async () => {
    const job = await addJob();
    await start(job);
    pass(10 * 3600);
    const entry = (await active())?.entry;
    const ended_at = new Date(START + 2 * 3_600_000).toISOString();
    const corrected = await me.client.timer.correct({ id: entry?.id ?? '', version: entry?.version ?? 0, ended_at });
    expect(corrected).toMatchObject({ ended_at, original_ended_at: new Date(clock).toISOString(), corrected_by: 'The staff' });
    expect((await admin().jobs.get({ id: job })).timer.finished_seconds).toBe(7200);
    await expect(me.client.timer.correct({ id: entry?.id ?? '', version: 1, ended_at })).rejects.toMatchObject({ code: 'STALE_VERSION' });
  });

  it.each([
    [-1, 'The end must be after the start'],
    [24 * 3600, 'The end must not be in the future'],
    [5000, 'Another timer of yours had started by then'],
  ])('to %s seconds after the start is refused', async (seconds, message) => {
    const [job, other] = [await addJob(), await addJob()];
    await start(job);
    pass(3600);
    const entry = (await active())?.entry;
    await start(other);
    pass(3600);
    const ended_at = new Date(START + seconds * 1000).toISOString();
    await expect(me.client.timer.correct({ id: entry?.id ?? '', version: 2, ended_at })).rejects.toMatchObject({
      data: { fields: { ended_at: message } },
    });
  });

  it('is possible although another timer ended in the second in which this one started', async () => {
    const [mistaken, job] = [await addJob(), await addJob()];
    await start(mistaken);
    await start(job);
    pass(36_000);
    const { id = '', version = 0 } = (await active())?.entry ?? {};
    const ended_at = new Date(START + 7_200_000).toISOString();
    expect(await me.client.timer.correct({ id, version, ended_at })).toMatchObject({ ended_at });
  });

  it("of somebody else's time or of time that is billed is refused", async () => {
    const job = await addJob();
    await start(job);
    pass(60);
    await pause(job);
    const { id = '', version = 0 } = (await active())?.entry ?? {};
    const request = { id, version, ended_at: new Date(START + 30_000).toISOString() };
    await expect(admin().timer.correct(request)).rejects.toMatchObject({ message: 'Time entry not found' });
    await allocate(job);
    await expect(me.client.timer.correct(request)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('a time sheet', () => {
  it('shows a week in the time zone of the company: staff their own, others everybody', async () => {
    const job = await addJob();
    await start(job);
    pass(3600);
    await pause(job);
    await start(job, {}, firm.people.manager);
    const names = async (person: Person, filter: { staff_id?: string } = {}, week = '2026-11-16') =>
      (await person.client.timer.sheet({ week, ...filter })).entries.map(({ staff_name }) => staff_name);
    expect(await names(me)).toEqual(['The staff']);
    expect(await names(firm.people.accountant)).toEqual(['The staff', 'The manager']);
    expect(await names(firm.people.accountant, { staff_id: staffId })).toEqual(['The staff']);
    expect(await names(me, {}, '2026-11-09')).toEqual([]);
    const other = { staff_id: randomUUID() };
    await expect(names(me, other)).rejects.toMatchObject({ message: "You do not have permission to see other people's time sheets" });
  });
});

describe('a year of random use on two devices', () => {
  it('loses and invents no second', async () => {
    const jobs = [await addJob('A'), await addJob('B'), await addJob('C')];
    const step = fc.record({
      action: fc.constantFrom('start', 'start again', 'pause', 'allocate', 'crash', 'wait'),
      job: fc.nat({ max: jobs.length - 1 }),
      seconds: fc.integer({ min: 0, max: 200_000 }),
    });
    const worked = new Map(jobs.map((job) => [job, 0]));
    const refusals = new Set<string | undefined>();
    let running: string | null = null;
    let lastId = randomUUID();
    for (const { action, job: index, seconds } of fc.sample(step, { numRuns: 300, seed: 20_261_116 })) {
      const job = jobs[index] ?? '';
      if (action === 'start') {
        lastId = randomUUID();
        await start(job, { id: lastId });
        running = job;
      } else if (action === 'start again' && running) {
        // A second device repeats a request whose answer was lost.
        await start(running, { id: lastId });
      } else if (action === 'pause') {
        await pause(job);
        if (running === job) running = null;
      } else if (action === 'allocate') {
        await allocate(job).catch((error: { code?: string }) => refusals.add(error.code));
      } else if (action === 'crash') {
        // Every connection ends in the middle of a request: it has happened, or it has not.
        const request = pause(job).catch(() => undefined);
        await test.owner.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await request;
        const { timer } = await vi.waitUntil(() => me.client.timer.active().catch(() => undefined), { timeout: 10_000 });
        running = timer?.timer_status === 'started' ? timer.job_id : null;
      }
      if (running) worked.set(running, (worked.get(running) ?? 0) + seconds);
      pass(seconds);
      expect(await runningTimers()).toBe(running ? 1 : 0);
    }
    expect([...refusals]).toEqual(['NOTHING_TO_ALLOCATE']);
    for (const job of jobs) await pause(job);
    for (const job of jobs) {
      const { timer, items } = await admin().jobs.get({ id: job });
      expect(timer.finished_seconds).toBe(worked.get(job));
      if (timer.allocated_seconds < timer.finished_seconds) await allocate(job);
      const { rows } = await test.owner.query<{ unbilled: string }>(
        'select count(*) as unbilled from time_entries where job_id = $1 and allocated_item_id is null and ended_at > started_at',
        [job],
      );
      expect([items.length > 0, rows[0]?.unbilled]).toEqual([true, '0']);
    }
  });
});
