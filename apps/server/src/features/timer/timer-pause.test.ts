import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newCustomer, newItem, newJob, newSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let me: Person;
let colleague: Person;
let job_id: string;
let entry_id: string;

const START = Date.UTC(2026, 10, 16, 8);
const DAY = 86_400;
const after = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const pass = (seconds: number) => vi.setSystemTime(START + seconds * 1000);

beforeAll(async () => {
  test = await startTestApp();
});

/** A timer runs, and its phone loses the signal. */
beforeEach(async () => {
  const { people } = await createFirm(test);
  me = people.admin;
  colleague = people.manager;
  const customer = await me.client.customers.create(newCustomer());
  const staff_id = (await me.client.company.me()).user.staff_id ?? '';
  job_id = (await me.client.jobs.create(newJob({ customer_id: customer.id, staff_id, job_type: 'hourly', hourly_rate: '60' }))).id;
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  entry_id = randomUUID();
  await me.client.timer.start({ id: entry_id, job_id });
});

afterEach(() => {
  vi.useRealTimers();
});

const pause = (at: string, id = entry_id) => me.client.timer.pause({ job_id, entry_id: id, at });

describe('a pause that is sent later', () => {
  it('counts from when it was pressed, in whole seconds, however often it is sent', async () => {
    pass(3600);
    expect((await pause('2026-11-16T21:10:00.900+13:00')).timer).toMatchObject({ timer_status: 'paused', finished_seconds: 600 });
    pass(4000);
    expect((await pause(after(700))).timer.finished_seconds).toBe(600);
    expect((await me.client.timer.active()).timer?.entry).toMatchObject({ id: entry_id, ended_at: after(600), version: 2 });
  });

  it('does not end a timer that was started after it', async () => {
    pass(20);
    await me.client.timer.pause({ job_id });
    pass(30);
    await me.client.timer.start({ id: randomUUID(), job_id });
    pass(40);
    expect((await pause(after(20))).timer).toMatchObject({ timer_status: 'started', finished_seconds: 20 });
  });

  it('of an entry that is not there or not the caller’s is refused', async () => {
    const theirs = randomUUID();
    await colleague.client.timer.start({ id: theirs, job_id });
    pass(60);
    for (const id of [theirs, randomUUID()]) await expect(pause(after(10), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await me.client.jobs.get({ id: job_id })).timer.running).toHaveLength(2);
  });

  it.each([
    ['a little before the start', -30, 0],
    ['a little ahead', 3630, 3600],
  ])('by a clock that is %s stays within the entry', async (_name, at, seconds) => {
    pass(3600);
    expect((await pause(after(at))).timer).toMatchObject({ running: [], finished_seconds: seconds });
  });

  it.each([
    ['before the start', 3600, -61, 'The end must be after the start'],
    ['in the future', 3600, 3661, 'The end must not be in the future'],
    ['more than a month ago', 31 * DAY, DAY - 1, 'This pause is too old. Please correct the end instead.'],
  ])('is refused %s', async (_name, now, at, text) => {
    pass(now);
    await expect(pause(after(at))).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: { at: text } } });
    expect((await me.client.jobs.get({ id: job_id })).timer.timer_status).toBe('started');
  });
});

it('time that is billed to a paid job, whose timer that has paused, makes it complete again: it costs more than was paid', async () => {
  const supplier = await me.client.suppliers.create(newSupplier());
  const { id: supplier_item_id } = await me.client.items.create(newItem({ supplier_id: supplier.id, is_service: true }));
  const allocate = () => me.client.timer.allocate({ job_id, id: randomUUID(), supplier_item_id, quantity: 1 });
  pass(600);
  await allocate();
  pass(1200);
  await me.client.jobs.setStatus({ id: job_id, status: 'paid' });
  expect(await allocate()).toMatchObject({ status: 'complete', paid_amount: '10.00', totals: { total_amount: '20.00' } });
});
