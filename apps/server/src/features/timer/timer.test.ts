import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer, buildItem, buildJob, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
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
  const supplier = await admin().suppliers.create(buildSupplier());
  itemId = (await admin().items.create(buildItem({ supplier_id: supplier.id, name: 'Labour', is_service: true }))).id;
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  clock = START;
});

afterEach(() => {
  vi.useRealTimers();
});

const admin = () => firm.people.admin.client;

function advanceTime(seconds: number): void {
  clock += seconds * 1000;
  vi.setSystemTime(clock);
}

async function createJob(title = 'Fix the tap'): Promise<string> {
  const customer = await admin().customers.create(buildCustomer());
  const job = buildJob({ customer_id: customer.id, staff_id: staffId, title, job_type: 'hourly', hourly_rate: '60', duration: '2' });
  return (await admin().jobs.create(job)).id;
}

const startTimer = (job_id: string, overrides: { id?: string; pause_others?: boolean } = {}, person = me) =>
  person.client.timer.start({ job_id, id: randomUUID(), ...overrides });
const pauseTimer = (job_id: string, person = me) => person.client.timer.pause({ job_id });
const readActiveTimer = async (person = me) => (await person.client.timer.active()).timer;
const allocateTime = (job_id: string, overrides: object = {}) =>
  me.client.timer.allocate({ job_id, id: randomUUID(), supplier_item_id: itemId, quantity: 1, ...overrides });

async function countRunningTimers(): Promise<number> {
  const { rows } = await test.owner.query('select 1 from time_entries where company_id = $1 and ended_at is null', [firm.companyId]);
  return rows.length;
}

describe('a timer', () => {
  it('counts time on the server and excludes pauses', async () => {
    const job = await createJob();
    const started = await startTimer(job);
    expect(started.timer).toMatchObject({ timer_status: 'started', finished_seconds: 0, running: [{ staff_id: staffId }] });
    advanceTime(600);
    expect((await pauseTimer(job)).timer).toMatchObject({ timer_status: 'paused', finished_seconds: 600, running: [] });
    advanceTime(50);
    await startTimer(job);
    advanceTime(15);
    expect(await readActiveTimer()).toMatchObject({
      job_id: job,
      timer_status: 'started',
      currency: 'NZD',
      finished_seconds: 600,
      running: [{ started_at: new Date(START + 650_000).toISOString() }],
      server_time: new Date(START + 665_000).toISOString(),
    });
    expect((await pauseTimer(job)).timer.finished_seconds).toBe(615);
    expect((await pauseTimer(job)).timer.finished_seconds).toBe(615);
    expect(await readActiveTimer()).toMatchObject({ timer_status: 'paused' });
    advanceTime(25 * 3600);
    expect(await me.client.timer.active()).toEqual({ timer: null, server_time: new Date(clock).toISOString() });
  });

  it('cannot be started while another timer is running, unless the request allows pausing it', async () => {
    const [first, second] = [await createJob('First'), await createJob('Second')];
    const { job_number } = await startTimer(first);
    advanceTime(30);
    await expect(startTimer(second, { pause_others: false })).rejects.toMatchObject({
      code: 'TIMER_RUNNING',
      message: 'Another timer is already running. Please pause it before starting a new one.',
      data: { job_id: first, job_number, title: 'First' },
    });
    await startTimer(second);
    expect((await admin().jobs.get({ id: first })).timer).toMatchObject({ timer_status: 'paused', finished_seconds: 30 });
    expect(await countRunningTimers()).toBe(1);
  });

  it('runs only once per person when started concurrently, and is never restarted by a retry', async () => {
    const jobs = await Promise.all(Array.from({ length: 10 }, () => createJob()));
    for (let wave = 0; wave < 2; wave += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => startTimer(jobs[index % jobs.length] ?? '')));
    }
    expect(await countRunningTimers()).toBe(1);
    const [job = ''] = jobs;
    const id = randomUUID();
    await startTimer(job, { id });
    await pauseTimer(job);
    expect((await startTimer(job, { id })).timer.running).toEqual([]);
    await expect(startTimer(jobs[1] ?? '', { id })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it("starts at the end of the person's previous entry if that end is slightly in the future", async () => {
    const [first, second] = [await createJob('First'), await createJob('Second')];
    await startTimer(first);
    advanceTime(10);
    await pauseTimer(first);
    advanceTime(-2);
    const { timer } = await startTimer(second);
    expect(timer.running).toMatchObject([{ started_at: new Date(START + 10_000).toISOString() }]);
    advanceTime(-3600);
    await startTimer(first);
    expect((await readActiveTimer())?.entry.started_at).toBe(new Date(clock).toISOString());
  });

  it('cannot be started by two people with the same id', async () => {
    const jobs = await Promise.all(Array.from({ length: 8 }, () => createJob()));
    const people = [me, firm.people.manager];
    for (let index = 0; index < jobs.length; index += 2) {
      const id = randomUUID();
      const outcomes = await Promise.allSettled(people.map((person, which) => startTimer(jobs[index + which] ?? '', { id }, person)));
      const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(rejections).toMatchObject([{ code: 'ID_TAKEN' }]);
    }
  });

  it('runs independently for each person on the same job', async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(10);
    await startTimer(job, {}, firm.people.manager);
    advanceTime(10);
    await pauseTimer(job);
    expect((await admin().jobs.get({ id: job })).timer).toMatchObject({ timer_status: 'started', finished_seconds: 20 });
    expect(await readActiveTimer(firm.people.manager)).toMatchObject({ timer_status: 'started' });
    expect(await readActiveTimer(firm.people.accountant)).toBeNull();
  });

  it.each(['complete', 'canceled', 'paid'] as const)('stops when the job becomes %s, and cannot be started again', async (status) => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(90);
    // An admin sets the status, because staff can't record payments.
    const done = await admin().jobs.setStatus({ id: job, status });
    expect(done.timer).toMatchObject({ timer_status: 'paused', finished_seconds: 90 });
    expect(await readActiveTimer()).toBeNull();
    await expect(startTimer(job)).rejects.toMatchObject({ code: 'JOB_FINISHED' });
  });

  it('stops when its job or staff member is deleted, but keeps the time entry', async () => {
    const [kept, deleted] = [await createJob('Kept'), await createJob('Deleted')];
    await startTimer(deleted);
    advanceTime(60);
    vi.useRealTimers();
    await admin().jobs.remove({ id: deleted });
    vi.useFakeTimers({ toFake: ['Date'], now: clock });
    await startTimer(kept);
    await admin().staff.remove({ id: staffId });
    expect(await countRunningTimers()).toBe(0);
    vi.useRealTimers();
    await waitForQueue(test);
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
  ])('is published to open pages when its job is %s', async (_name, change) => {
    const job = await createJob();
    vi.useRealTimers();
    const page = await openEventStream(test, me.cookie);
    const getTopicsAfter = (event: number) => page.events.slice(event).flatMap(({ data }) => (data as { topics: string[] }).topics);
    await startTimer(job);
    await expect.poll(() => getTopicsAfter(0), { timeout: 10_000 }).toContain('timer');
    const seen = page.events.length;
    await change(job);
    await expect.poll(() => getTopicsAfter(seen), { timeout: 10_000 }).toEqual(expect.arrayContaining(['jobs', 'timer']));
  });

  it("cannot run on another company's job", async () => {
    const job = await createJob();
    const neighbor = (await createFirm(test, 'Neighbor')).people.admin;
    await expect(startTimer(job, {}, neighbor)).rejects.toMatchObject({ message: 'Job not found' });
    await expect(pauseTimer(job, neighbor)).rejects.toMatchObject({ message: 'Job not found' });
  });
});

describe('allocating time', () => {
  it('bills each second once, with an exact total and a derived unit price', async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(6000);
    const billed = await allocateTime(job, { quantity: 3 });
    expect(billed.items).toMatchObject([{ name: 'Labour', quantity: '3', unit_price: '33.33', total_price: '100.00' }]);
    expect(billed.timer).toMatchObject({ timer_status: 'started', finished_seconds: 6000, allocated_seconds: 6000 });
    advanceTime(60);
    await pauseTimer(job);
    const again = await allocateTime(job);
    expect(again.items).toMatchObject([{ total_price: '100.00' }, { total_price: '1.00' }]);
    await expect(allocateTime(job)).rejects.toMatchObject({ code: 'NOTHING_TO_ALLOCATE' });
    const [line] = again.items;
    const without = await me.client.jobs.removeItem({ id: line?.id ?? '' });
    expect(without.timer).toMatchObject({ finished_seconds: 6060, allocated_seconds: 60 });
    expect((await allocateTime(job)).items).toMatchObject([{ total_price: '1.00' }, { total_price: '100.00' }]);
  });

  it('bills no second twice when an older request is processed later', async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(12);
    await allocateTime(job);
    await startTimer(job, {}, firm.people.manager);
    advanceTime(5);
    await pauseTimer(job, firm.people.manager);
    advanceTime(-7);
    const { timer } = await allocateTime(job);
    expect(timer.running).toMatchObject([{ started_at: new Date(START + 12_000).toISOString() }]);
    expect(timer.allocated_seconds).toBe(17);
  });

  it('rejects a total that is too large to store', async () => {
    const customer = await admin().customers.create(buildCustomer());
    const hourly = buildJob({ customer_id: customer.id, staff_id: staffId, job_type: 'hourly', hourly_rate: '9999999999.99' });
    const job = (await admin().jobs.create(hourly)).id;
    await startTimer(job);
    advanceTime(7200);
    await expect(allocateTime(job)).rejects.toMatchObject({
      data: { fields: { quantity: 'The total must be at most 9,999,999,999.99' } },
    });
    expect((await admin().jobs.get({ id: job })).items).toEqual([]);
  });

  it('leaves no gap or overlap if the clock is behind the clock that started the timer', async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(60);
    await pauseTimer(job);
    await startTimer(job);
    advanceTime(-20);
    await allocateTime(job);
    advanceTime(120);
    expect((await pauseTimer(job)).timer.finished_seconds).toBe(160);
  });

  it('adds one line when the same request is sent concurrently', async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(3600);
    const request = { id: randomUUID() };
    await Promise.all(Array.from({ length: 5 }, () => allocateTime(job, request)));
    expect((await admin().jobs.get({ id: job })).items).toMatchObject([{ total_price: '60.00' }]);
    await expect(allocateTime(job, { supplier_item_id: '' })).rejects.toMatchObject({
      data: { fields: { supplier_item_id: 'Please select an item' } },
    });
  });
});

describe('a time entry correction', () => {
  it('moves the end of my own entry back and stores the original end', async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(10 * 3600);
    const entry = (await readActiveTimer())?.entry;
    const ended_at = new Date(START + 2 * 3_600_000).toISOString();
    const corrected = await me.client.timer.correct({ id: entry?.id ?? '', version: entry?.version ?? 0, ended_at });
    expect(corrected).toMatchObject({ ended_at, original_ended_at: new Date(clock).toISOString(), corrected_by: 'The staff' });
    expect((await admin().jobs.get({ id: job })).timer.finished_seconds).toBe(7200);
    await expect(me.client.timer.correct({ id: entry?.id ?? '', version: 1, ended_at })).rejects.toMatchObject({ code: 'STALE_VERSION' });
  });

  it.each([
    [-1, 'The end must be after the start'],
    [24 * 3600, 'The end must not be in the future'],
    [5000, 'You had started another timer by then'],
  ])('is rejected for an end %s seconds after the start', async (seconds, message) => {
    const [job, other] = [await createJob(), await createJob()];
    await startTimer(job);
    advanceTime(3600);
    const entry = (await readActiveTimer())?.entry;
    await startTimer(other);
    advanceTime(3600);
    const ended_at = new Date(START + seconds * 1000).toISOString();
    await expect(me.client.timer.correct({ id: entry?.id ?? '', version: 2, ended_at })).rejects.toMatchObject({
      data: { fields: { ended_at: message } },
    });
  });

  it('is allowed if another timer ended in the same second as this entry started', async () => {
    const [mistaken, job] = [await createJob(), await createJob()];
    await startTimer(mistaken);
    await startTimer(job);
    advanceTime(36_000);
    const { id = '', version = 0 } = (await readActiveTimer())?.entry ?? {};
    const ended_at = new Date(START + 7_200_000).toISOString();
    expect(await me.client.timer.correct({ id, version, ended_at })).toMatchObject({ ended_at });
  });

  it("is rejected for another person's entry or a billed entry", async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(60);
    await pauseTimer(job);
    const { id = '', version = 0 } = (await readActiveTimer())?.entry ?? {};
    const request = { id, version, ended_at: new Date(START + 30_000).toISOString() };
    await expect(admin().timer.correct(request)).rejects.toMatchObject({ message: 'Time entry not found' });
    await allocateTime(job);
    await expect(me.client.timer.correct(request)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('a time sheet', () => {
  it('shows staff their own time for the week, and other roles everyone’s', async () => {
    const job = await createJob();
    await startTimer(job);
    advanceTime(3600);
    await pauseTimer(job);
    await startTimer(job, {}, firm.people.manager);
    const listNames = async (person: Person, filter: { staff_id?: string } = {}, week = '2026-11-16') =>
      (await person.client.timer.sheet({ week, ...filter })).entries.map(({ staff_name }) => staff_name);
    expect(await listNames(me)).toEqual(['The staff']);
    expect(await listNames(firm.people.accountant)).toEqual(['The staff', 'The manager']);
    expect(await listNames(firm.people.accountant, { staff_id: staffId })).toEqual(['The staff']);
    expect(await listNames(me, {}, '2026-11-09')).toEqual([]);
    const message = "You do not have permission to see other people's time sheets";
    await expect(listNames(me, { staff_id: randomUUID() })).rejects.toMatchObject({ message });
  });
});

describe('a year of random use on two devices', () => {
  it('neither loses nor adds a second', async () => {
    const jobs = [await createJob('A'), await createJob('B'), await createJob('C')];
    const step = fc.record({
      action: fc.constantFrom('start', 'start again', 'pause', 'allocate', 'crash', 'wait'),
      job: fc.nat({ max: jobs.length - 1 }),
      seconds: fc.integer({ min: 0, max: 200_000 }),
    });
    const expectedSeconds = new Map(jobs.map((job) => [job, 0]));
    const errorCodes = new Set<string | undefined>();
    let running: string | null = null;
    let lastId = randomUUID();
    for (const { action, job: index, seconds } of fc.sample(step, { numRuns: 300, seed: 20_261_116 })) {
      const job = jobs[index] ?? '';
      if (action === 'start') {
        lastId = randomUUID();
        await startTimer(job, { id: lastId });
        running = job;
      } else if (action === 'start again' && running) {
        // A second device retries an earlier request, as if the response was lost.
        await startTimer(running, { id: lastId });
      } else if (action === 'pause') {
        await pauseTimer(job);
        if (running === job) running = null;
      } else if (action === 'allocate') {
        await allocateTime(job).catch((error: { code?: string }) => errorCodes.add(error.code));
      } else if (action === 'crash') {
        // Drop every connection during the request. The request must take effect either completely or not at all.
        const request = pauseTimer(job).catch(() => undefined);
        await test.owner.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        await request;
        const { timer } = await vi.waitUntil(() => me.client.timer.active().catch(() => undefined), { timeout: 10_000 });
        running = timer?.timer_status === 'started' ? timer.job_id : null;
      }
      if (running) expectedSeconds.set(running, (expectedSeconds.get(running) ?? 0) + seconds);
      advanceTime(seconds);
      expect(await countRunningTimers()).toBe(running ? 1 : 0);
    }
    expect([...errorCodes]).toEqual(['NOTHING_TO_ALLOCATE']);
    for (const job of jobs) await pauseTimer(job);
    for (const job of jobs) {
      const { timer, items } = await admin().jobs.get({ id: job });
      expect(timer.finished_seconds).toBe(expectedSeconds.get(job));
      if (timer.allocated_seconds < timer.finished_seconds) await allocateTime(job);
      const { rows } = await test.owner.query<{ unbilled: string }>(
        'select count(*) as unbilled from time_entries where job_id = $1 and allocated_item_id is null and ended_at > started_at',
        [job],
      );
      expect([items.length > 0, rows[0]?.unbilled]).toEqual([true, '0']);
    }
  });
});
