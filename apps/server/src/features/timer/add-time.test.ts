import { randomUUID } from 'node:crypto';
import type { JobStatus } from '@callout/domain/jobs/job';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let me: Person;
let myStaffId: string;
let job_id: string;

const NOW = '2026-11-18T12:00:00.000Z';

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  me = firm.people.staff;
  myStaffId = await readStaffId(me);
  job_id = await createJob({ job_type: 'hourly', hourly_rate: '60' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) });
});

afterEach(() => {
  vi.useRealTimers();
});

const admin = () => firm.people.admin.client;

async function readStaffId(person: Person): Promise<string> {
  return (await person.client.company.me()).user.staff_id ?? '';
}

async function createJob(overrides: Partial<Parameters<typeof buildJob>[0]>): Promise<string> {
  const customer = await admin().customers.create(buildCustomer());
  return (await admin().jobs.create(buildJob({ customer_id: customer.id, staff_id: myStaffId, ...overrides }))).id;
}

/** Builds an instant on the day of the test: '09:30' is 9:30 AM in UTC, the firm's time zone. */
const today = (time: string) => `2026-11-18T${time}:00.000Z`;

type AddTimeInput = Parameters<Person['client']['timer']['add']>[0];

const addTime = (from: string, to: string, overrides: Partial<AddTimeInput> = {}, person = me) =>
  person.client.timer.add({ id: randomUUID(), job_id, started_at: today(from), ended_at: today(to), ...overrides });

async function findTimeAddedEvent() {
  const { rows } = await me.client.comments.history({ id: job_id });
  return rows.find(({ action }) => action === 'time_added');
}

const invalid = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });

describe('time added by hand', () => {
  it('counts toward the job and the time sheet, and names who added it', async () => {
    const { timer } = await addTime('08:00', '09:30');
    expect(timer).toMatchObject({ timer_status: null, finished_seconds: 5400, allocated_seconds: 0, running: [] });
    const { entries } = await me.client.timer.sheet({ week: '2026-11-18' });
    expect(entries).toMatchObject([
      { staff_name: 'The staff', added_by: 'The staff', started_at: today('08:00'), ended_at: today('09:30'), hourly_rate: '60.00' },
    ]);
    expect(await findTimeAddedEvent()).toMatchObject({ who: 'The staff', changes: { period: [today('08:00'), today('09:30')] } });
  });

  it('is not a paused timer', async () => {
    await addTime('11:00', '11:30');
    expect((await me.client.timer.active()).timer).toBeNull();
    expect((await admin().jobs.list({})).rows[0]?.timer_status).toBeNull();
  });

  it('is added once when the request is repeated, and its id cannot be used for other time', async () => {
    const id = randomUUID();
    await Promise.all([addTime('08:00', '09:00', { id }), addTime('08:00', '09:00', { id })]);
    expect((await addTime('08:00', '09:00', { id })).timer.finished_seconds).toBe(3600);
    await expect(addTime('10:00', '11:00', { id })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    await expect(addTime('08:00', '09:00', { id }, firm.people.admin)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('can be added for other people by admins and managers only', async () => {
    const others = await readStaffId(firm.people.accountant);
    for (const person of [firm.people.staff, firm.people.accountant]) {
      const staff_id = person === me ? others : myStaffId;
      await expect(addTime('08:00', '09:00', { staff_id }, person)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        message: "You do not have permission to add or change other people's time",
      });
    }
    await addTime('08:00', '09:00', { staff_id: myStaffId }, firm.people.manager);
    const { entries } = await me.client.timer.sheet({ week: '2026-11-18' });
    expect(entries).toMatchObject([{ staff_name: 'The staff', added_by: 'The manager' }]);
    expect(await findTimeAddedEvent()).toMatchObject({ who: 'The manager', changes: { time_of: [null, 'The staff'] } });
  });

  it("cannot be added for another company's staff or job", async () => {
    const foreign = await createFirm(test);
    const staff_id = await readStaffId(foreign.people.staff);
    await expect(addTime('08:00', '09:00', { staff_id }, firm.people.admin)).rejects.toMatchObject(
      invalid({ staff_id: 'This staff member no longer exists. Please choose another one.' }),
    );
    await expect(addTime('08:00', '09:00', {}, foreign.people.admin)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['ends before it starts', '09:00', '08:00', 'The end must be after the start'],
    ['is empty', '09:00', '09:00', 'The end must be after the start'],
    ['ends in the future', '11:00', '12:01', 'The end must not be in the future'],
  ])('is rejected if it %s', async (_name, from, to, message) => {
    await expect(addTime(from, to)).rejects.toMatchObject(invalid({ ended_at: message }));
  });

  it('is rejected if it is longer than a day', async () => {
    const started_at = '2026-11-17T07:59:59.000Z';
    await expect(addTime('00:00', '08:00', { started_at })).rejects.toMatchObject(
      invalid({ ended_at: 'Please add at most 24 hours at once' }),
    );
  });

  it.each([
    ['0000-01-01T08:00:00Z', '0000-01-01T09:00:00Z'],
    ['0001-01-01T00:00:00+14:00', '0001-01-01T01:00:00+14:00'],
    ['9999-12-31T22:00:00-12:00', '9999-12-31T23:00:00-12:00'],
  ])('is rejected from %s to %s, as are pauses and corrections', async (started_at, ended_at) => {
    const message = 'Time must be between 2000 and 2199';
    await expect(addTime('', '', { started_at, ended_at })).rejects.toMatchObject(invalid({ started_at: message, ended_at: message }));
    await expect(me.client.timer.pause({ job_id, at: ended_at })).rejects.toMatchObject(invalid({ at: message }));
    const correction = { id: randomUUID(), version: 1, ended_at };
    await expect(me.client.timer.correct(correction)).rejects.toMatchObject(invalid({ ended_at: message }));
  });

  it('is rejected if it is more than a year old', async () => {
    const [started_at, ended_at] = ['2025-11-17T11:00:00.000Z', '2025-11-17T11:30:00.000Z'];
    await expect(addTime('', '', { started_at, ended_at })).rejects.toMatchObject(
      invalid({ started_at: 'The start must not be more than a year ago' }),
    );
    await addTime('', '', { started_at: '2025-11-18T11:00:00.000Z', ended_at: '2025-11-18T11:30:00.000Z' });
  });

  it('is added once when overlapping time is added to several jobs at the same time', async () => {
    const jobs = [job_id, await createJob({ title: 'Second' }), await createJob({ title: 'Third' }), await createJob({ title: 'Fourth' })];
    const results = await Promise.allSettled(jobs.map((id) => addTime('08:00', '09:00', { job_id: id })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await me.client.timer.sheet({ week: '2026-11-18' })).entries).toHaveLength(1);
  });

  it.each([
    ['08:30', '09:30'],
    ['07:00', '08:01'],
    ['08:15', '08:45'],
    ['07:00', '11:30'],
    ['11:00', '11:30'],
  ])("is rejected from %s to %s if it overlaps the person's other time, even a running timer", async (from, to) => {
    const other = await createJob({ title: 'Other' });
    const { job_number } = await addTime('08:00', '09:00', { job_id: other });
    vi.setSystemTime(today('10:30'));
    await me.client.timer.start({ id: randomUUID(), job_id: other });
    vi.setSystemTime(NOW);
    const message = `This overlaps time on #${job_number} Other`;
    await expect(addTime(from, to)).rejects.toMatchObject(invalid({ started_at: message }));
    await addTime('09:00', '10:30');
    await addTime(from, to, {}, firm.people.admin);
  });

  it.each<JobStatus>(['pending', 'complete'])('can be added to a job that is %s', async (status) => {
    await admin().jobs.setStatus({ id: job_id, status });
    expect((await addTime('08:00', '09:00')).timer.finished_seconds).toBe(3600);
  });

  it.each<JobStatus>(['invoiced', 'paid', 'canceled'])('cannot be added to a job that is %s', async (status) => {
    await admin().jobs.setStatus({ id: job_id, status });
    await expect(addTime('08:00', '09:00')).rejects.toMatchObject({ code: 'JOB_FINISHED' });
  });

  it('appears on other screens at once', async () => {
    const page = await openEventStream(test, firm.people.admin.cookie);
    await addTime('08:00', '09:00');
    const listTopics = () => page.events.flatMap(({ data }) => (data as { topics: string[] }).topics);
    await expect.poll(listTopics, { timeout: 10_000 }).toEqual(expect.arrayContaining(['jobs', 'timer']));
  });
});

describe('a fixed-price job', () => {
  it('can be timed for the records, but its time cannot be billed', async () => {
    job_id = await createJob({ job_type: 'fixed', fixed_amount: '500' });
    await me.client.timer.start({ id: randomUUID(), job_id });
    await me.client.timer.pause({ job_id });
    expect((await addTime('08:00', '09:00')).timer.finished_seconds).toBe(3600);
    await expect(
      me.client.timer.allocate({ id: randomUUID(), job_id, supplier_item_id: null, name: 'Labour', hourly_rate: '60', quantity: 1 }),
    ).rejects.toMatchObject(invalid({ job_id: 'Time can only be billed on hourly jobs.' }));
    expect((await me.client.timer.sheet({ week: '2026-11-18' })).entries.map(({ hourly_rate }) => hourly_rate)).toEqual([null, null]);
  });
});

describe('billing the first hour of a firm without a price list', () => {
  const typedLine = { supplier_item_id: null, name: 'Labour', hourly_rate: '75.50', tax_inclusive: false };
  const allocate = (overrides: object = {}) =>
    me.client.timer.allocate({ id: randomUUID(), job_id, ...typedLine, quantity: 1, ...overrides });

  it('adds a typed line at the typed rate, with an exact total', async () => {
    await addTime('08:00', '09:40');
    const id = randomUUID();
    const { items, timer } = await allocate({ id });
    expect(items).toMatchObject([
      {
        id,
        name: 'Labour',
        supplier_item_id: null,
        sku: null,
        tax_inclusive: false,
        is_service: true,
        quantity: '1',
        total_price: '125.83',
      },
    ]);
    expect(timer.allocated_seconds).toBe(6000);
    expect((await allocate({ id })).items).toHaveLength(1);
  });

  it("is below the job's rate only for people who may manage payments", async () => {
    await addTime('08:00', '09:00');
    await expect(allocate({ hourly_rate: '59.99' })).rejects.toMatchObject(
      invalid({ hourly_rate: 'The hourly rate is 60.00. Ask an admin, manager or accountant to lower it.' }),
    );
    const input = { id: randomUUID(), job_id, ...typedLine, hourly_rate: '59.99', quantity: 1 };
    expect((await firm.people.accountant.client.timer.allocate(input)).items).toMatchObject([{ total_price: '59.99' }]);
  });

  it('requires the right to manage payments once the job is paid', async () => {
    await addTime('08:00', '09:00');
    await admin().jobs.setStatus({ id: job_id, status: 'paid' });
    await expect(allocate()).rejects.toMatchObject({ code: 'JOB_PAID' });
    const input = { id: randomUUID(), job_id, ...typedLine, quantity: 1 };
    expect((await firm.people.accountant.client.timer.allocate(input)).items).toHaveLength(1);
  });

  it('requires either an item or a typed line', async () => {
    await addTime('08:00', '09:00');
    for (const input of [{ name: undefined }, { hourly_rate: undefined }, { supplier_item_id: randomUUID() }]) {
      await expect(allocate(input)).rejects.toMatchObject(invalid({ supplier_item_id: 'Please select an item' }));
    }
    await expect(allocate({ name: ' ' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await admin().jobs.get({ id: job_id })).items).toEqual([]);
  });
});

describe('the hourly rate of a job', () => {
  it("is the assigned person's, unless the job's own rate was confirmed", async () => {
    await test.owner.query('update staff_members set hourly_rate = 120 where company_id = $1 and id = $2', [firm.companyId, myStaffId]);
    const before = await admin().jobs.get({ id: job_id });
    expect([before.hourly_rate, before.hourly_rate_confirmed, before.timer.hourly_rate]).toEqual(['60.00', false, '120.00']);
    const { categories: _categories, ...fields } = before;
    const update = (version: number, change: object) =>
      admin().jobs.update({
        ...fields,
        version,
        category_ids: [],
        staff_id: myStaffId,
        booking_date: before.booking_date ?? '',
        duration: before.duration ?? '',
        use_alternate_address: false,
        ...change,
      });
    const confirmed = await update(before.version, { hourly_rate_confirmed: true });
    expect(confirmed.timer.hourly_rate).toBe('60.00');
    expect((await update(confirmed.version, { hourly_rate_confirmed: undefined })).timer.hourly_rate).toBe('60.00');
    await addTime('08:00', '09:00');
    expect((await me.client.timer.sheet({ week: '2026-11-18' })).entries).toMatchObject([{ hourly_rate: '60.00' }]);
    const { rows } = await me.client.comments.history({ id: job_id });
    expect(rows.map(({ changes }) => changes)).toContainEqual({ hourly_rate_confirmed: [null, 'yes'] });
    const created = await createJob({ job_type: 'hourly', hourly_rate: '60', hourly_rate_confirmed: true });
    expect((await admin().jobs.get({ id: created })).timer.hourly_rate).toBe('60.00');
  });
});

it.each(['completed', 'deleted'])('no older timer reappears when the job of the latest timer is %s', async (change) => {
  const latest = await createJob({ title: 'Latest' });
  for (const [index, id] of [job_id, latest].entries()) {
    await me.client.timer.start({ id: randomUUID(), job_id: id });
    vi.setSystemTime(Date.parse(NOW) + (index + 1) * 10_000);
    await me.client.timer.pause({ job_id: id });
  }
  expect((await me.client.timer.active()).timer).toMatchObject({ job_id: latest });
  await (change === 'deleted' ? admin().jobs.remove({ id: latest }) : admin().jobs.setStatus({ id: latest, status: 'complete' }));
  expect((await me.client.timer.active()).timer).toBeNull();
  await me.client.timer.start({ id: randomUUID(), job_id });
  expect((await me.client.timer.active()).timer).toMatchObject({ job_id, timer_status: 'started' });
});
