import { randomUUID } from 'node:crypto';
import type { ContractClient } from '@callout/contract/contract';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFirmJob, readStaffId } from '../../../test/factories/billed-job.ts';
import { buildJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let job_id: string;
let job_number: string;
let otherJobs: string[];

const at = (time: string) => `2026-11-18T${time}:00.000Z`;

beforeAll(async () => {
  test = await startTestApp();
});

/** The person was offline until 4:40 PM, when everything arrives. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at('08:00')) });
  firm = await createFirm(test);
  ({ id: job_id, job_number } = await createJob('Leak'));
  otherJobs = [(await createJob('Boiler')).id, (await createJob('Gutter')).id];
  vi.setSystemTime(at('16:40'));
});

afterEach(() => {
  vi.useRealTimers();
});

const createJob = (title: string) => createFirmJob(test, firm, { title, job_type: 'hourly', hourly_rate: '60' });

/** Returns a client of the plumber that sends what was pressed at the given time, by a clock that need not be right. */
function madeAt(time: string, overrides: Record<string, string> = {}): ContractClient {
  const ago = Date.now() - Date.parse(time.length === 5 ? at(time) : time);
  return test.client(firm.people.staff.cookie, { 'x-callout-made-ago': String(ago), 'idempotency-key': randomUUID(), ...overrides });
}

const start = (time: string, overrides: { id?: string; job_id?: string | undefined; pause_others?: boolean } = {}) =>
  madeAt(time).timer.start({ id: randomUUID(), ...overrides, job_id: overrides.job_id ?? job_id });
const pause = (time: string, input: { job_id?: string; entry_id?: string } = {}) => madeAt(time).timer.pause({ job_id, ...input });

/** Lists the person's entries like '09:02 to 09:40', without those shorter than a second. */
async function listEntries(): Promise<string[]> {
  const { entries } = await firm.people.staff.client.timer.sheet({ week: '2026-11-18' });
  const format = (instant: string | null) => instant?.slice(11, instant.endsWith(':00.000Z') ? 16 : 19) ?? 'now';
  return entries
    .filter((entry) => entry.started_at !== entry.ended_at)
    .map((entry) => `${format(entry.started_at)} to ${format(entry.ended_at)}`);
}

const allocateAt = async (time: string) => {
  vi.setSystemTime(at(time));
  await firm.people.manager.client.timer.allocate({
    id: randomUUID(),
    job_id,
    supplier_item_id: null,
    name: 'Labor',
    hourly_rate: '60',
    quantity: 1,
  });
};

describe('a timer that was used without a connection', () => {
  it('counts exactly the time between start and pause, and says when they arrived', async () => {
    await start('09:02');
    expect((await pause('09:40')).timer).toMatchObject({ timer_status: 'paused', finished_seconds: 38 * 60 });
    const { entries } = await firm.people.staff.client.timer.sheet({ week: '2026-11-18' });
    expect(entries).toMatchObject([{ started_at: at('09:02'), ended_at: at('09:40'), arrived_at: at('16:40') }]);
    const { rows } = await firm.people.admin.client.comments.history({ id: job_id });
    expect(rows.map(({ action, made_at, at: arrived }) => [action, made_at, arrived])).toEqual(
      expect.arrayContaining([
        ['timer_paused', at('09:40'), at('16:40')],
        ['timer_started', at('09:02'), at('16:40')],
        ['created', null, at('08:00')],
      ]),
    );
  });

  it('says nothing about an arrival within a minute', async () => {
    await start('16:39');
    const { entries } = await firm.people.staff.client.timer.sheet({ week: '2026-11-18' });
    expect(entries).toMatchObject([{ started_at: at('16:39'), arrived_at: null }]);
  });

  it('keeps running if it was not paused', async () => {
    expect((await start('09:02')).timer).toMatchObject({ timer_status: 'started', running: [{ started_at: at('09:02') }] });
  });

  it('pauses a timer that was running on another job', async () => {
    await start('16:40', { job_id: otherJobs[0] });
    vi.setSystemTime(at('17:00'));
    await start('16:50');
    expect(await listEntries()).toEqual(['16:40 to 16:50', '16:50 to now']);
    await expect(start('16:55', { job_id: otherJobs[0], pause_others: false })).rejects.toMatchObject({ code: 'TIMER_RUNNING' });
  });

  it('takes no time if another timer was started in the same second and has been paused since', async () => {
    await start('2026-11-18T09:00:10.000Z');
    await pause('2026-11-18T09:00:40.000Z');
    await start('2026-11-18T09:00:10.500Z', { job_id: otherJobs[0] });
    expect(await listEntries()).toEqual(['09:00:10 to 09:00:40']);
  });

  it('is refused if the person was timing another job at that time, which the message names', async () => {
    await start('09:00');
    await pause('10:00');
    await expect(start('09:02', { job_id: otherJobs[0] })).rejects.toMatchObject({
      code: 'TIME_TAKEN',
      message: `Your timer was already running on #${job_number} at 9:02 AM.`,
      data: { job_id, job_number, job_title: 'Leak', started_at: at('09:00'), ended_at: at('10:00') },
    });
    expect(await listEntries()).toEqual(['09:00 to 10:00']);
  });

  it('is refused if the person has added other time by hand', async () => {
    await firm.people.staff.client.timer.add({ id: randomUUID(), job_id, started_at: at('09:00'), ended_at: at('10:00') });
    const message = `You already have time on #${job_number} at 9:02 AM.`;
    await expect(start('09:02')).rejects.toMatchObject({ code: 'TIME_TAKEN', message });
  });

  it('ends when the next one starts, although that one arrived first, or at its own pause', async () => {
    await start('11:00', { job_id: otherJobs[0] });
    await start('09:00');
    expect(await listEntries()).toEqual(['09:00 to 11:00', '11:00 to now']);
    await pause('09:30');
    expect(await listEntries()).toEqual(['09:00 to 09:30', '11:00 to now']);
    await pause('10:30');
    expect(await listEntries()).toEqual(['09:00 to 09:30', '11:00 to now']);
  });

  it('leaves a timer alone that another device started on the same job after the pause', async () => {
    await start('11:00');
    expect((await pause('09:30')).timer.running).toHaveLength(1);
  });

  it('may start a few seconds before the pause that was sent more slowly', async () => {
    await start('09:00');
    await pause('2026-11-18T09:30:20.000Z');
    await start('09:30', { job_id: otherJobs[0] });
    await pause('2026-11-18T10:00:20.000Z', { job_id: otherJobs[0] ?? '' });
    await start('10:00', { job_id: otherJobs[0] });
    expect(await listEntries()).toEqual(['09:00 to 09:30:20', '09:30:20 to 10:00:20', '10:00:20 to now']);
  });

  it('is refused before the job existed, unless the job was created without a connection, too', async () => {
    await expect(start('07:30')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { job_id: "This job didn't exist yet at 7:30 AM." } },
    });
    const { customer_id } = await firm.people.admin.client.jobs.get({ id: job_id });
    const offline = test.client(firm.people.manager.cookie, { 'x-callout-made-ago': String(9 * 60 * MINUTE_MS) });
    const staff_id = await readStaffId(test, firm);
    const job = await offline.jobs.create(buildJob({ customer_id: customer_id ?? '', staff_id }));
    expect((await start('07:50', { job_id: job.id })).timer.running).toMatchObject([{ started_at: at('07:50') }]);
  });

  it('ends when the person completed the job, even if a start on another device has arrived before that', async () => {
    await start('09:02');
    await start('10:00', { job_id: otherJobs[0] });
    await madeAt('09:30').jobs.setStatus({ id: job_id, status: 'complete' });
    expect(await listEntries()).toEqual(['09:02 to 09:30', '10:00 to now']);
  });

  it('stops when the person completed the job, but a colleague’s timer stops when that arrives', async () => {
    await start('09:00');
    await firm.people.manager.client.timer.start({ id: randomUUID(), job_id });
    vi.setSystemTime(at('17:00'));
    await madeAt('09:30').jobs.setStatus({ id: job_id, status: 'complete' });
    const { entries } = await firm.people.manager.client.timer.sheet({ week: '2026-11-18' });
    expect(entries.map(({ staff_name, ended_at }) => [staff_name, ended_at])).toEqual([
      ['The staff', at('09:30')],
      ['The manager', at('17:00')],
    ]);
  });

  it('is refused once its job is invoiced, paid or canceled', async () => {
    for (const status of ['invoiced', 'paid', 'canceled'] as const) {
      await firm.people.admin.client.jobs.setStatus({ id: job_id, status });
      await expect(start('09:02')).rejects.toMatchObject({ code: 'JOB_FINISHED' });
    }
  });
});

describe('a pause that was made without a connection', () => {
  it('counts even if the office has billed part of the time since', async () => {
    vi.setSystemTime(at('09:02'));
    await start('09:02');
    await allocateAt('12:00');
    vi.setSystemTime(at('16:40'));
    expect((await pause('12:30')).timer).toMatchObject({ running: [], allocated_seconds: 178 * 60, finished_seconds: 208 * 60 });
    expect(await listEntries()).toEqual(['09:02 to 12:00', '12:00 to 12:30']);
  });

  it('keeps the time that the office has billed beyond it, and says so in the history', async () => {
    vi.setSystemTime(at('09:02'));
    await start('09:02');
    await allocateAt('12:00');
    vi.setSystemTime(at('16:40'));
    await pause('09:40');
    expect(await listEntries()).toEqual(['09:02 to 12:00']);
    const { rows } = await firm.people.admin.client.comments.history({ id: job_id });
    expect(rows[0]).toMatchObject({ action: 'timer_paused', made_at: at('09:40'), changes: { billed_until: [at('09:40'), at('12:00')] } });
  });

  it.each(['billed', 'corrected'])('does not change an entry that was paused elsewhere and then %s', async (change) => {
    vi.setSystemTime(at('09:02'));
    const entry_id = randomUUID();
    await start('09:02', { id: entry_id });
    vi.setSystemTime(at('11:00'));
    await pause('11:00');
    if (change === 'billed') await allocateAt('12:00');
    else await firm.people.staff.client.timer.correct({ id: entry_id, version: 2, ended_at: at('10:45') });
    vi.setSystemTime(at('16:40'));
    await pause('09:40');
    await pause('09:40', { entry_id });
    expect(await listEntries()).toEqual([change === 'billed' ? '09:02 to 11:00' : '09:02 to 10:45']);
  });
});

describe('the time since a command was made', () => {
  it('is at most 30 days, and never in the future', async () => {
    vi.setSystemTime('2026-12-31T12:00:00.000Z');
    await start('2026-11-20T12:00:00.000Z');
    const { timer } = await madeAt('2026-11-20T12:00:00.000Z').timer.active();
    expect(timer?.entry).toMatchObject({ started_at: '2026-12-01T12:00:00.000Z' });
    expect((await madeAt('2027-01-01T12:00:00.000Z').timer.pause({ job_id })).timer.finished_seconds).toBe(30 * 24 * 3600);
  });

  it.each(['', 'yesterday', '1.5', '1e3', '0x10', '9'.repeat(16)])('is rejected if it is %j', async (ago) => {
    const call = madeAt('09:02', { 'x-callout-made-ago': ago }).timer.pause({ job_id });
    await expect(call).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { 'X-Callout-Made-Ago': 'X-Callout-Made-Ago must be a whole number of milliseconds' } },
    });
  });

  it('counts for a month that has ended', async () => {
    vi.setSystemTime('2026-12-01T08:00:00.000Z');
    await start('2026-11-30T22:00:00.000Z');
    await pause('2026-11-30T23:30:00.000Z');
    const { entries } = await firm.people.staff.client.timer.sheet({ week: '2026-11-30' });
    expect(entries).toMatchObject([{ ended_at: '2026-11-30T23:30:00.000Z', arrived_at: '2026-12-01T08:00:00.000Z' }]);
  });

  it('is kept with a comment, which still arrives now, and completes a task', async () => {
    const comment = await madeAt('09:02').comments.add({ id: randomUUID(), job_id, content: 'Leaks' });
    expect(comment).toMatchObject({ made_at: at('09:02'), created_at: at('16:40') });
    expect((await madeAt('16:39').comments.add({ id: randomUUID(), job_id, content: 'Still' })).made_at).toBeNull();
    const task = { id: randomUUID(), title: 'Order parts', color: 'blue' as const };
    await firm.people.staff.client.tasks.create(task);
    expect(await madeAt('09:02').tasks.setStatus({ id: task.id, status: 'completed' })).toMatchObject({ completed_at: at('09:02') });
  });
});

interface PressedButton {
  readonly action: 'start' | 'pause';
  readonly job: number;
  /** Minutes since 8 AM. */
  readonly minute: number;
  readonly phone: number;
}

/** Each minute has at most one button, pressed on one of two phones. A phone pauses only what it has started. */
const day = fc
  .uniqueArray(
    fc.record({ job: fc.nat({ max: 2 }), minute: fc.integer({ min: 1, max: 500 }), phone: fc.nat({ max: 1 }), isStart: fc.boolean() }),
    {
      minLength: 4,
      maxLength: 12,
      selector: ({ minute }) => minute,
    },
  )
  .map((buttons) => buttons.toSorted((one, other) => one.minute - other.minute))
  .map((buttons): PressedButton[] => {
    const runningByPhone = new Map<number, number>();
    return buttons.map(({ job, minute, phone, isStart }) => {
      const running = runningByPhone.get(phone);
      if (running === undefined || isStart) {
        runningByPhone.set(phone, job);
        return { action: 'start', job, minute, phone };
      }
      runningByPhone.delete(phone);
      return { action: 'pause', job: running, minute, phone };
    });
  });

describe('two phones without a connection', () => {
  it('add up to what the accepted commands say, in whatever order they connect', async () => {
    const jobs = [job_id, ...otherJobs];
    const deliver = async ({ action, job, minute }: PressedButton) => {
      const time = new Date(Date.parse(at('08:00')) + minute * MINUTE_MS).toISOString();
      await (action === 'start' ? start(time, { job_id: jobs[job] }) : pause(time, { job_id: jobs[job] ?? '' }));
    };
    let refused = 0;
    for (const [buttons, turns] of fc.sample(fc.tuple(day, fc.infiniteStream(fc.boolean())), { numRuns: 25, seed: 20_261_118 })) {
      const queues = [0, 1].map((phone) => buttons.filter((button) => button.phone === phone));
      const accepted: PressedButton[] = [];
      for (const turn of turns) {
        const next = queues[Number(turn)]?.shift() ?? queues[Number(!turn)]?.shift();
        if (!next) break;
        const error = await deliver(next).then(
          () => null,
          (thrown: { code?: string }) => thrown.code,
        );
        expect([null, 'TIME_TAKEN']).toContain(error);
        if (error === null) accepted.push(next);
        else refused += 1;
      }
      expect(await listMinutes(jobs), JSON.stringify({ buttons, accepted })).toEqual(listExpectedMinutes(accepted));
      await test.owner.query('delete from time_entries where company_id = $1', [firm.companyId]);
      await test.owner.query('delete from record_events where company_id = $1', [firm.companyId]);
    }
    expect(refused).toBeGreaterThan(0);
  });
});

/** Lists the minutes of the day that were timed, each with its job. A minute that is timed twice appears twice. */
async function listMinutes(jobs: readonly string[]): Promise<string[]> {
  const { entries } = await firm.people.staff.client.timer.sheet({ week: '2026-11-18' });
  const toMinute = (instant: string) => (Date.parse(instant) - Date.parse(at('08:00'))) / MINUTE_MS;
  return entries
    .flatMap((entry) => listRange(toMinute(entry.started_at), toMinute(entry.ended_at ?? at('16:40')), jobs.indexOf(entry.job_id ?? '')))
    .toSorted();
}

const listRange = (from: number, to: number, job: number) => Array.from({ length: to - from }, (_, index) => `${from + index} job ${job}`);

/** Replays the accepted commands in the order in which they were made. */
function listExpectedMinutes(accepted: readonly PressedButton[]): string[] {
  const minutes: string[] = [];
  let running: PressedButton | null = null;
  for (const button of accepted.toSorted((one, other) => one.minute - other.minute)) {
    if (button.action === 'pause' && button.job !== running?.job) continue;
    if (running) minutes.push(...listRange(running.minute, button.minute, running.job));
    running = button.action === 'start' ? button : null;
  }
  if (running) minutes.push(...listRange(running.minute, 520, running.job));
  return minutes.toSorted();
}
