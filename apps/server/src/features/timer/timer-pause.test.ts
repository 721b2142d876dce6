import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildCustomer, buildItem, buildJob, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let me: Person;
let colleague: Person;
let job_id: string;
let entry_id: string;

const START = Date.UTC(2026, 10, 16, 8);
const DAY = 86_400;
const afterSeconds = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const setElapsedSeconds = (seconds: number) => vi.setSystemTime(START + seconds * 1000);

beforeAll(async () => {
  test = await startTestApp();
});

/** In each test, a phone starts a timer and then goes offline. */
beforeEach(async () => {
  const { people } = await createFirm(test);
  me = people.admin;
  colleague = people.manager;
  const customer = await me.client.customers.create(buildCustomer());
  const staff_id = (await me.client.company.me()).user.staff_id ?? '';
  job_id = (await me.client.jobs.create(buildJob({ customer_id: customer.id, staff_id, job_type: 'hourly', hourly_rate: '60' }))).id;
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  entry_id = randomUUID();
  await me.client.timer.start({ id: entry_id, job_id });
});

afterEach(() => {
  vi.useRealTimers();
});

async function createLaborItem() {
  const supplier = await me.client.suppliers.create(buildSupplier());
  return me.client.items.create(buildItem({ supplier_id: supplier.id, is_service: true }));
}

const pauseTimer = (at: string, id = entry_id) => me.client.timer.pause({ job_id, entry_id: id, at });

describe('a pause that reaches the server late', () => {
  it('takes effect when the button was pressed, and a retry changes nothing', async () => {
    setElapsedSeconds(3600);
    expect((await pauseTimer('2026-11-16T21:10:00.900+13:00')).timer).toMatchObject({ timer_status: 'paused', finished_seconds: 600 });
    setElapsedSeconds(4000);
    expect((await pauseTimer(afterSeconds(700))).timer.finished_seconds).toBe(600);
    expect((await me.client.timer.active()).timer?.entry).toMatchObject({ id: entry_id, ended_at: afterSeconds(600), version: 2 });
  });

  it('does not stop a timer that was started after the pause', async () => {
    setElapsedSeconds(20);
    await me.client.timer.pause({ job_id });
    setElapsedSeconds(30);
    await me.client.timer.start({ id: randomUUID(), job_id });
    setElapsedSeconds(40);
    expect((await pauseTimer(afterSeconds(20))).timer).toMatchObject({ timer_status: 'started', finished_seconds: 20 });
  });

  it('still pauses the timer if the office allocated its time first', async () => {
    const { id: supplier_item_id } = await createLaborItem();
    setElapsedSeconds(3600);
    await colleague.client.timer.allocate({ job_id, id: randomUUID(), supplier_item_id, quantity: 1 });
    setElapsedSeconds(4000);
    const paused = await pauseTimer(afterSeconds(3700));
    expect(paused.timer).toMatchObject({ timer_status: 'paused', running: [], finished_seconds: 3700, allocated_seconds: 3600 });
    expect((await me.client.timer.active()).timer).toMatchObject({ timer_status: 'paused', entry: { id: entry_id } });
  });

  it('stops the timer when its time was allocated if it was pressed before that, and says so in the history', async () => {
    const { id: supplier_item_id } = await createLaborItem();
    const allocate = () => colleague.client.timer.allocate({ job_id, id: randomUUID(), supplier_item_id, quantity: 1 });
    setElapsedSeconds(1800);
    await allocate();
    setElapsedSeconds(3600);
    await allocate();
    setElapsedSeconds(4000);
    expect((await pauseTimer(afterSeconds(600))).timer).toMatchObject({ running: [], finished_seconds: 3600, allocated_seconds: 3600 });
    const { rows } = await me.client.comments.history({ id: job_id });
    expect(rows.find(({ action }) => action === 'timer_paused')?.changes).toEqual({
      billed_until: [afterSeconds(600), afterSeconds(3600)],
    });
    await expect(pauseTimer(afterSeconds(600))).resolves.toMatchObject({ timer: { finished_seconds: 3600 } });
  });

  it("is rejected for an unknown entry or another person's entry", async () => {
    const theirs = randomUUID();
    await colleague.client.timer.start({ id: theirs, job_id });
    setElapsedSeconds(60);
    for (const id of [theirs, randomUUID()]) await expect(pauseTimer(afterSeconds(10), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await me.client.jobs.get({ id: job_id })).timer.running).toHaveLength(2);
  });

  it.each([
    ['slightly slow', -30, 0],
    ['slightly fast', 3630, 3600],
  ])('stays within the entry if the device clock is %s', async (_name, at, seconds) => {
    setElapsedSeconds(3600);
    expect((await pauseTimer(afterSeconds(at))).timer).toMatchObject({ running: [], finished_seconds: seconds });
  });

  it.each([
    ['before the start', 3600, -61, 'The end must be after the start'],
    ['in the future', 3600, 3661, 'The end must not be in the future'],
    ['more than a month ago', 31 * DAY, DAY - 1, 'This pause is too old. Please correct the end instead.'],
  ])('is rejected if it is %s', async (_name, now, at, text) => {
    setElapsedSeconds(now);
    await expect(pauseTimer(afterSeconds(at))).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: { at: text } } });
    expect((await me.client.jobs.get({ id: job_id })).timer.timer_status).toBe('started');
  });
});

it('a paid job becomes complete again when more time is billed to it', async () => {
  const { id: supplier_item_id } = await createLaborItem();
  const allocate = () => me.client.timer.allocate({ job_id, id: randomUUID(), supplier_item_id, quantity: 1 });
  setElapsedSeconds(600);
  await allocate();
  setElapsedSeconds(1200);
  await me.client.jobs.setStatus({ id: job_id, status: 'paid' });
  expect(await allocate()).toMatchObject({ status: 'complete', paid_amount: '10.00', totals: { total_amount: '20.00' } });
});
