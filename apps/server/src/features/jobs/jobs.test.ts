import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer, buildJob, buildJobUpdate, type NewJobInput } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
let staffId: Record<'admin' | 'staff', string>;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = (await admin().customers.create(buildCustomer())).id;
  staffId = { admin: await readStaffId('admin'), staff: await readStaffId('staff') };
});

const admin = () => firm.people.admin.client;
const buildInput = (overrides: Partial<NewJobInput> = {}) => buildJob({ customer_id: customerId, staff_id: staffId.staff, ...overrides });
const createJob = (overrides: Partial<NewJobInput> = {}) => admin().jobs.create(buildInput(overrides));
const buildInvalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });

async function readStaffId(role: 'admin' | 'staff'): Promise<string> {
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where company_id = $1 and role = $2', [
    firm.companyId,
    role,
  ]);
  return rows[0]?.id ?? '';
}

async function createCategories(...names: string[]): Promise<string[]> {
  return Promise.all(names.map(async (name) => (await admin().categories.create({ id: randomUUID(), name })).id));
}

describe('creating a job', () => {
  it('returns a job number for the current month and everything the job page displays', async () => {
    const [main, extra] = await createCategories('Plumbing', 'Urgent');
    const job = await createJob({ category_ids: [main ?? '', extra ?? ''], job_type: 'hourly', hourly_rate: '60' });
    expect(job).toMatchObject({
      job_number: expect.stringMatching(/^J\d{2}(0[1-9]|1[0-2])0001$/),
      title: 'Fix the kitchen tap',
      status: 'booked',
      job_type: 'hourly',
      hourly_rate: '60.00',
      booking_date: '2026-11-20T19:00:00.000Z',
      duration: '1.00',
      address: '1 Queen Street, Auckland',
      customer: { id: customerId, name: 'Ana Ruiz', phone: '021 555 123' },
      staff: { id: staffId.staff, name: 'The staff' },
      categories: [
        { id: main, name: 'Plumbing' },
        { id: extra, name: 'Urgent' },
      ],
      items: [],
      totals: { subtotal: '0.00', tax_amount: '0.00', total_amount: '0.00' },
      timer: { timer_status: null, finished_seconds: 0, running: [], allocated_seconds: 0, hourly_rate: '60.00' },
      version: 1,
    });
    expect(await admin().jobs.get({ id: job.id })).toMatchObject({ job_number: job.job_number });
    expect((await admin().customers.get({ id: customerId })).last_interaction).toBe(job.created_at);
  });

  it('returns the changed job when the request is retried after a manager changed its status', async () => {
    const booking = buildInput();
    const { job_number } = await admin().jobs.create(booking);
    await firm.people.manager.client.jobs.setStatus({ id: booking.id, status: 'complete' });
    expect(await admin().jobs.create(booking)).toMatchObject({ job_number, status: 'complete', version: 2 });
    await expect(firm.people.manager.client.jobs.create(booking)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('creates one job when the same request is sent concurrently', async () => {
    const request = buildInput();
    const responses = await Promise.all(Array.from({ length: 8 }, () => admin().jobs.create(request)));
    expect(new Set(responses.map(({ job_number }) => job_number)).size).toBe(1);
    expect(await admin().jobs.count({})).toEqual({ total: 1 });
    expect((await createJob()).job_number.slice(-4)).toBe('0002');
    await expect(admin().jobs.create({ ...request, title: 'Another' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('creates no second job when the request is retried after a colleague changed its status', async () => {
    const request = buildInput();
    const { job_number } = await admin().jobs.create(request);
    await firm.people.staff.client.jobs.setStatus({ id: request.id, status: 'complete' });
    expect(await admin().jobs.create(request)).toMatchObject({ job_number, status: 'complete', version: 2 });
    expect(await admin().jobs.count({})).toEqual({ total: 1 });
    await expect(firm.people.manager.client.jobs.create(request)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('gives 64 jobs that are created at once consecutive numbers', async () => {
    const created = await Promise.all(Array.from({ length: 64 }, () => createJob()));
    const counters = created.map(({ job_number }) => Number(job_number.slice(-4))).toSorted((a, b) => a - b);
    expect(counters).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
  });

  it('fails when the current month has no job numbers left', async () => {
    const { job_number } = await createJob();
    await test.owner.query('update job_counters set last = 9999 where company_id = $1', [firm.companyId]);
    await expect(createJob()).rejects.toMatchObject({ code: 'NO_NUMBER_LEFT' });
    expect((await admin().jobs.list({})).rows.map((row) => row.job_number)).toEqual([job_number]);
  });

  it.each(JOB_STATUSES)('books a job that has the status %s only if it is pending or contacted', async (status) => {
    const expected = status === 'pending' || status === 'contacted' ? 'booked' : status;
    expect((await createJob({ status })).status).toBe(expected);
  });

  it.each([
    [{ customer_id: '' }, { customer_id: 'Customer is required' }],
    [{ title: ' ' }, { title: 'Title is required' }],
    [{ description: '' }, { description: 'Description is required' }],
    [{ staff_id: '' }, { staff_id: 'Assigned staff is required' }],
    [{ booking_date: '' }, { booking_date: 'Booking date is required' }],
    [{ duration: '0' }, { duration: 'Duration must be at least 0.5 hours, in steps of 0.25' }],
    [{ use_alternate_address: true }, { address: 'Alternate address is required' }],
  ])('rejects %j', async (overrides, fields) => {
    await expect(createJob(overrides)).rejects.toMatchObject(buildInvalidInput(fields));
  });

  it('uses the alternate address if one is given', async () => {
    expect((await createJob({ use_alternate_address: true, address: '9 Side Road' })).address).toBe('9 Side Road');
  });

  it.each(['customer_id', 'staff_id', 'category_ids'])('rejects an unknown %s and stores nothing', async (field) => {
    const unknown = field === 'category_ids' ? [randomUUID()] : randomUUID();
    await expect(createJob({ [field]: unknown })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { [field]: expect.stringContaining('no longer exists') } },
    });
    expect(await admin().jobs.count({})).toEqual({ total: 0 });
  });

  it('notifies the assignee, unless they assigned themselves', async () => {
    const job = await createJob();
    await createJob({ staff_id: staffId.admin });
    const { rows } = await firm.people.staff.client.notifications.list({});
    expect(rows.map(({ message, data }) => [message, data])).toEqual([
      [`You have been assigned to job #${job.job_number}: Fix the kitchen tap`, { job_id: job.id }],
    ]);
    expect((await admin().notifications.list({})).rows).toEqual([]);
  });
});

describe('editing a job', () => {
  it('saves the changes and categories, and rejects an outdated version', async () => {
    const [a, b, c, d] = await createCategories('A', 'B', 'C', 'D');
    const job = await createJob({ category_ids: [a ?? '', b ?? ''] });
    const changed = await admin().jobs.update(buildJobUpdate(job, { title: 'New title', category_ids: [c, d], status: 'complete' }));
    expect(changed).toMatchObject({ title: 'New title', status: 'complete', version: 2 });
    expect(changed.categories.map(({ name }) => name)).toEqual(['C', 'D']);
    const outdated = admin().jobs.update(buildJobUpdate(job));
    await expect(outdated).rejects.toMatchObject({ code: 'STALE_VERSION', data: { current: { version: 2 } } });
  });

  it("writes the job's categories only when they change", async () => {
    const categories = await createCategories('A', 'B', 'C', 'D', 'E');
    const job = await createJob({ category_ids: categories });
    const readCategoryWrites = async () => {
      const { rows } = await test.owner.query<{ links: number; newest: string }>(
        'select count(*)::int as links, max(xmin::text::bigint) as newest from job_categories where job_id = $1',
        [job.id],
      );
      return rows[0];
    };
    const before = await readCategoryWrites();
    const same = await admin().jobs.update(buildJobUpdate(job, { title: 'New title' }));
    expect(await readCategoryWrites()).toEqual(before);
    await admin().jobs.update(buildJobUpdate(same, { category_ids: categories.toReversed() }));
    expect(await readCategoryWrites()).not.toEqual(before);
    expect((await admin().jobs.get({ id: job.id })).categories.map(({ name }) => name)).toEqual(['E', 'D', 'C', 'B', 'A']);
  });

  it('books a pending job only when its date changes', async () => {
    const job = await createJob();
    const same = await admin().jobs.update(buildJobUpdate(job, { status: 'pending' }));
    expect(same.status).toBe('pending');
    const moved = await admin().jobs.update(buildJobUpdate(same, { booking_date: '2026-11-21T19:00:00.000Z' }));
    expect(moved.status).toBe('booked');
  });

  it('leaves pricing fields unchanged if the request omits them', async () => {
    const job = await createJob({ job_type: 'hourly', hourly_rate: '60', fixed_amount: '500' });
    const { job_type: _type, fixed_amount: _amount, hourly_rate: _rate, ...rest } = buildJobUpdate(job);
    expect(await admin().jobs.update(rest)).toMatchObject({ job_type: 'hourly', hourly_rate: '60.00', fixed_amount: '500.00' });
  });

  it("restores the customer's address when the alternate address is removed", async () => {
    const job = await createJob({ use_alternate_address: true, address: '9 Side Road' });
    expect((await admin().jobs.update(buildJobUpdate(job))).address).toBe('1 Queen Street, Auckland');
  });

  it('notifies the new assignee only once, not on later edits', async () => {
    const job = await createJob({ staff_id: staffId.admin });
    const reassigned = await admin().jobs.update(buildJobUpdate(job, { staff_id: staffId.staff }));
    await admin().jobs.update(buildJobUpdate(reassigned, { title: 'New title' }));
    const { rows } = await firm.people.staff.client.notifications.list({});
    expect(rows.map(({ message }) => message)).toEqual([`You have been assigned to job #${job.job_number}: Fix the kitchen tap`]);
  });

  it.each(['complete', 'canceled'] as const)('stops the job timers when the status becomes %s', async (status) => {
    const job = await createJob({ job_type: 'hourly' });
    const { jobs, timer } = firm.people.staff.client;
    await timer.start({ job_id: job.id, id: randomUUID() });
    await admin().jobs.update(buildJobUpdate(job, { status }));
    expect((await jobs.get({ id: job.id })).timer.running).toEqual([]);
  });

  it.each(['accountant', 'staff'] as const)('is forbidden for the role %s, which can still change the status', async (role) => {
    const job = await createJob();
    const { jobs } = firm.people[role].client;
    await expect(jobs.update(buildJobUpdate(job))).rejects.toMatchObject({ message: 'You do not have permission to edit jobs' });
    await expect(jobs.remove({ id: job.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await jobs.setStatus({ id: job.id, status: 'complete' })).status).toBe('complete');
  });
});

describe('the status of a job', () => {
  it('is changed by only one of two concurrent requests, and the other gets a conflict', async () => {
    const { id } = await createJob();
    const set = (status: 'complete' | 'canceled') => firm.people.manager.client.jobs.setStatus({ id, status, from: 'booked' });
    const both = await Promise.allSettled([set('complete'), set('canceled')]);
    const [won, lost] = both.toSorted((one, other) => one.status.localeCompare(other.status));
    const { status } = await admin().jobs.get({ id });
    expect(won).toMatchObject({ value: { id, status } });
    expect(lost).toMatchObject({ reason: { code: 'STALE_VERSION', data: { current: { id, status, version: 2 } } } });
  });

  it('can be set again to its current value without a conflict', async () => {
    const { id } = await createJob();
    const complete = () => admin().jobs.setStatus({ id, status: 'complete', from: 'booked' });
    expect([await complete(), await complete()]).toMatchObject([{ version: 2 }, { version: 2 }]);
    expect(await admin().jobs.setStatus({ id, status: 'booked' })).toMatchObject({ status: 'booked' });
  });
});

it('shows a timer paused within its first second as paused on the job page and in the list', async () => {
  const { id } = await createJob({ job_type: 'hourly' });
  await admin().timer.start({ job_id: id, id: randomUUID() });
  await admin().timer.pause({ job_id: id });
  await test.owner.query('update time_entries set ended_at = started_at where job_id = $1', [id]);
  const { rows } = await admin().jobs.list({});
  const job = await admin().jobs.get({ id });
  expect([rows[0]?.timer_status, job.timer.timer_status, job.timer.finished_seconds]).toEqual(['paused', 'paused', 0]);
});

describe('records that a job refers to', () => {
  it('can be renamed or deleted, and the list then sorts by the new names and keeps the job', async () => {
    const [category] = await createCategories('Plumbing');
    const zoe = await admin().customers.create(buildCustomer({ name: 'Zoë' }));
    const first = await createJob({ title: 'First', category_ids: [category ?? ''] });
    const second = await createJob({ title: 'Second', customer_id: zoe.id });
    const listTitles = async (sort: 'customer' | 'category') =>
      (await admin().jobs.list({ sort, order: 'asc' })).rows.map(({ title }) => title);
    expect(await listTitles('customer')).toEqual(['First', 'Second']);
    await admin().customers.update({ ...zoe, type: 'individual', name: 'Aaron' });
    await expect.poll(() => listTitles('customer')).toEqual(['Second', 'First']);
    expect(await listTitles('category')).toEqual(['First', 'Second']);
    await admin().customers.remove({ id: zoe.id });
    await admin().categories.remove({ id: category ?? '' });
    expect((await admin().jobs.get({ id: first.id })).categories).toEqual([]);
    expect(await admin().jobs.get({ id: second.id })).toMatchObject({ customer: null, address: '1 Queen Street, Auckland' });
    await waitForQueue(test);
    expect(await listTitles('customer')).toEqual(['First', 'Second']);
    const { rows } = await test.owner.query('select 1 from jobs where category_key is not null and company_id = $1', [firm.companyId]);
    expect(rows).toEqual([]);
  });
});

it('publishes a job change when its customer, category or staff member changes', async () => {
  const [category = ''] = await createCategories('Plumbing');
  const customer = await admin().customers.create(buildCustomer());
  const expectJobsPublished = async (change: () => Promise<unknown>) => {
    const { events } = await openEventStream(test, firm.people.staff.cookie);
    await change();
    await expect.poll(() => JSON.stringify(events)).toContain('"jobs"');
  };
  await expectJobsPublished(() => admin().customers.update({ ...customer, type: 'individual', phone: '021 555 000' }));
  await expectJobsPublished(() => admin().categories.update({ id: category, version: 1, name: 'Pipes' }));
  const details = await firm.people.manager.client.staff.myDetails();
  await expectJobsPublished(() => firm.people.manager.client.staff.updateMyDetails({ ...details, name: 'Renamed' }));
  await expectJobsPublished(() => admin().customers.remove({ id: customer.id }));
});

describe('the job list', () => {
  it('searches title, number and description, and filters by status, staff member and any category', async () => {
    const [a, b] = await createCategories('A', 'B');
    const roof = await createJob({ title: 'Roof repair', description: 'Loose tiles', category_ids: [a ?? '', b ?? ''] });
    await createJob({ title: 'Tap', staff_id: staffId.admin, status: 'complete' });
    const listTitles = async (filter: Parameters<ReturnType<typeof admin>['jobs']['list']>[0]) => {
      const { rows } = await admin().jobs.list(filter);
      expect(await admin().jobs.count(filter)).toEqual({ total: rows.length });
      return rows.map(({ title }) => title);
    };
    expect(await listTitles({ search: 'ROOF' })).toEqual(['Roof repair']);
    expect(await listTitles({ search: roof.job_number.slice(3) })).toEqual(['Roof repair']);
    expect(await listTitles({ search: 'tiles' })).toEqual(['Roof repair']);
    expect(await listTitles({ search: 'ana ruiz' })).toEqual([]);
    expect(await listTitles({ status: 'complete' })).toEqual(['Tap']);
    expect(await listTitles({ staff_id: staffId.admin })).toEqual(['Tap']);
    for (const category_id of [a, b]) expect(await listTitles({ category_id })).toEqual(['Roof repair']);
    expect(await listTitles({})).toEqual(['Tap', 'Roof repair']);
  });
});
