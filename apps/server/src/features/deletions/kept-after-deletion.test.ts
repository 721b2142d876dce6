import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildJob, buildJobUpdate, buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { buildPdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';
import { unlinkDeletedRecordTask } from './delete-record.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;
let staffId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  customerId = await createCustomer({
    type: 'company',
    company_name: 'Ruiz Ltd',
    contact_name: 'Ana',
    contact_email: 'a@b.nz',
    contact_phone: '021 555',
  });
  staffId = (await firm.people.staff.client.staff.myDetails()).id;
  await test.owner.query('update companies set default_hourly_rate = 60 where company_id = $1', [firm.companyId]);
  await test.owner.query('update staff_members set hourly_rate = 150 where id = $1', [staffId]);
});

const { getAdmin, sendInvoice, recordPayment } = createBillingHelpers(() => ({ test, firm }));
const createCustomer = async (overrides: Parameters<typeof buildCustomer>[0]) =>
  (await getAdmin().customers.create(buildCustomer(overrides))).id;
const createJob = (overrides: Partial<Parameters<typeof buildJob>[0]> = {}) =>
  getAdmin().jobs.create(buildJob({ customer_id: customerId, staff_id: staffId, ...overrides }));
const createBilledJob = () => createJob({ fixed_amount: '115', status: 'complete' });
const readJob = ({ id }: Pick<Job, 'id'>) => getAdmin().jobs.get({ id });
const readHistory = async ({ id }: Pick<Job, 'id'>) => (await getAdmin().comments.history({ id })).rows;
const readWeek = async () => (await getAdmin().timer.sheet({ week: new Date().toISOString().slice(0, 10) })).entries;
const readAdminId = async () => (await getAdmin().staff.myDetails()).id;

/** Marks the record as a deletion does, and leaves the work of the queue to `finishDeletion`. */
async function markDeleted(table: 'customers' | 'staff_members', id: string): Promise<void> {
  const marked = `select set_config('app.company_id', $1, false), mark_deleted($2, $3, 'The admin')`;
  await test.owner.query(marked, [firm.companyId, table, id]);
}

async function finishDeletion(table: 'customers' | 'staff_members', id: string): Promise<void> {
  await unlinkDeletedRecordTask.queue(test.owner, { table, company_id: firm.companyId, id });
  await waitForQueue(test);
  expect((await test.owner.query(`select from ${table} where id = $1`, [id])).rowCount).toBe(0);
}

async function deleteCustomer(): Promise<void> {
  await getAdmin().customers.remove({ id: customerId });
  await waitForQueue(test);
}

it('refreshes open pages when a person is deleted, which stops their timer, and when the queue has finished a deletion', async () => {
  const stream = await openEventStream(test, firm.people.admin.cookie);
  await markDeleted('customers', customerId);
  await finishDeletion('customers', customerId);
  expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['jobs', 'quotes', 'invoices', 'timer'] } });
  await getAdmin().staff.remove({ id: staffId });
  expect((await stream.next()).data).toMatchObject({ topics: expect.arrayContaining(['staff', 'jobs', 'tasks', 'timer']) as string[] });
});

describe('hours that a deleted person worked', () => {
  const createHourlyJob = async (overrides: Partial<Parameters<typeof buildJob>[0]> = {}) => {
    const job = await createJob({ job_type: 'hourly', ...overrides });
    const id = randomUUID();
    await firm.people.staff.client.timer.start({ id, job_id: job.id });
    await firm.people.staff.client.timer.pause({ job_id: job.id });
    await test.owner.query(`update time_entries set started_at = ended_at - interval '2 hours' where id = $1`, [id]);
    return job;
  };

  it.each([
    ['empty', {}, '150.00', [null, '150.00']],
    ['another one that was not confirmed', { hourly_rate: '80' }, '150.00', ['80.00', '150.00']],
    ['another one that was confirmed', { hourly_rate: '80', hourly_rate_confirmed: true }, '80.00', null],
  ])('cost the same before, during and after the deletion if the job’s own rate is %s', async (_case, fields, rate, change) => {
    const job = await createHourlyJob(fields);
    const expectSameRate = async (unassigned: object) => {
      expect(await readJob(job)).toMatchObject({ totals: job.totals, timer: { hourly_rate: rate, finished_seconds: 7200 }, ...unassigned });
      expect(await readWeek()).toMatchObject([{ hourly_rate: rate }]);
    };
    await expectSameRate({ staff_id: staffId });
    await markDeleted('staff_members', staffId);
    await expectSameRate({ staff_id: null, hourly_rate: rate });
    await finishDeletion('staff_members', staffId);
    await expectSameRate({ staff_id: null, hourly_rate: rate });
    const { rows } = await test.owner.query('select total_amount from jobs where id = $1', [job.id]);
    expect(rows).toEqual([{ total_amount: job.totals.total_amount }]);
    const [event] = await readHistory(job);
    expect(event).toMatchObject({ who: 'The admin', changes: { assigned_to: ['The staff', null] } });
    expect(event?.changes['hourly_rate'] ?? null).toEqual(change);
  });

  it('cost the company’s default if neither the person nor the job had a rate, and fixed-price jobs get no rate', async () => {
    const fixed = await createJob();
    await test.owner.query('update staff_members set hourly_rate = null where id = $1', [staffId]);
    const hourly = await createHourlyJob();
    await markDeleted('staff_members', staffId);
    expect(await readJob(hourly)).toMatchObject({ hourly_rate: null, timer: { hourly_rate: '60.00' } });
    await finishDeletion('staff_members', staffId);
    expect(await readJob(hourly)).toMatchObject({ hourly_rate: null, timer: { hourly_rate: '60.00' } });
    expect(await readJob(fixed)).toMatchObject({ hourly_rate: null });
  });

  it('keep their rate on a finished job, and on one that is saved before the queue gets to it', async () => {
    const [finished, saved] = [await createHourlyJob(), await createHourlyJob()];
    await getAdmin().jobs.setStatus({ id: finished.id, status: 'complete' });
    await test.owner.query('update staff_members set hourly_rate = 0 where profile_id = $1', [firm.people.admin.userId]);
    await markDeleted('staff_members', staffId);
    await getAdmin().jobs.update(buildJobUpdate(await readJob(saved), { staff_id: await readAdminId(), title: 'New title' }));
    await finishDeletion('staff_members', staffId);
    for (const job of [finished, saved]) {
      expect(await readJob(job)).toMatchObject({ hourly_rate: '150.00', timer: { hourly_rate: '150.00' } });
    }
    expect((await readHistory(finished))[0]).toMatchObject({ changes: { hourly_rate: [null, '150.00'] } });
  });
});

describe('the invoice of a job with a deleted customer', () => {
  const FORMER = { name: 'Ana Ruiz', company_name: 'Ruiz Ltd', address: '1 Queen Street, Auckland' };
  const issue = async ({ id }: Pick<Job, 'id'>) => {
    const { content_hash } = await getAdmin().invoices.billing({ id });
    return (await getAdmin().invoices.send({ id, mail_id: randomUUID(), content_hash, by_hand: true, handed_over: true })).billing;
  };

  it('names the customer of the last invoice if it corrects one, and so does the list of debtors', async () => {
    const job = await createBilledJob();
    await sendInvoice(job.id);
    await deleteCustomer();
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    expect(await getAdmin().invoices.billing({ id: job.id })).toMatchObject({ differs: true, current: { customer: FORMER } });
    const { document, invoice } = await issue(job);
    expect({ document, invoice }).toMatchObject({ document: { customer: FORMER }, invoice: { customer_name: 'Ruiz Ltd' } });
    expect((await getAdmin().invoices.debtors({})).rows).toMatchObject([{ customer_name: 'Ruiz Ltd' }]);
  });

  it('names the customer of a canceled invoice', async () => {
    const job = await createBilledJob();
    const { invoice } = await sendInvoice(job.id);
    await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID(), reason: null });
    await deleteCustomer();
    expect((await issue(job)).document.customer).toEqual(FORMER);
  });

  it('names no one if there was none before, until the job is given a customer', async () => {
    const job = await createBilledJob();
    await deleteCustomer();
    expect((await getAdmin().invoices.billing({ id: job.id })).document.customer).toBeNull();
    const customer_id = await createCustomer({ name: 'Bo Li', address: '2 King Street' });
    await getAdmin().jobs.update(buildJobUpdate(await readJob(job), { customer_id }));
    expect((await issue(job)).document.customer).toMatchObject({ name: 'Bo Li', address: '2 King Street' });
  });

  it.each(['recorded', 'by marking the job as paid'])('gives its name to a payment that is %s', async (way) => {
    const job = await createBilledJob();
    await sendInvoice(job.id);
    await deleteCustomer();
    if (way === 'recorded') await recordPayment(job.id, {});
    else await getAdmin().jobs.setStatus({ id: job.id, status: 'paid' });
    const list = await getAdmin().payments.list({ search: 'ruiz' });
    expect(list.rows).toMatchObject([{ customer_name: 'Ruiz Ltd', amount: '115.00' }]);
  });
});

describe('a job or quote with a deleted customer', () => {
  it('can be given a customer, who gets its address and files, but not another one afterwards', async () => {
    const job = await createJob();
    const fileId = randomUUID();
    await uploadFile(test, `/api/files/${fileId}`, firm.people.admin.cookie, 'plan.pdf', buildPdf());
    await getAdmin().comments.add({ id: randomUUID(), job_id: job.id, content: 'Plan', file_ids: [fileId] });
    await deleteCustomer();
    const [customer_id, other] = [await createCustomer({ name: 'Bo Li', address: '2 King Street' }), await createCustomer({})];
    const given = await getAdmin().jobs.update(buildJobUpdate(await readJob(job), { customer_id }));
    expect(given).toMatchObject({ customer_id, customer: { name: 'Bo Li' }, address: '2 King Street' });
    expect((await readHistory(job))[0]).toMatchObject({ changes: { customer: [null, 'Bo Li'] } });
    expect((await getAdmin().comments.ofCustomer({ id: customer_id })).rows).toMatchObject([{ id: fileId }]);
    await expect(getAdmin().jobs.update(buildJobUpdate(given, { customer_id: other }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { customer_id: 'The customer can no longer be changed.' } },
    });
    await expect(getAdmin().jobs.update(buildJobUpdate(given, { customer_id }))).resolves.toMatchObject({ customer_id });
  });

  it('says in its history who its customer was, and who deleted them', async () => {
    const job = await createJob({ status: 'complete' });
    const quote = await getAdmin().quotes.create(buildQuote({ customer_id: customerId }));
    await deleteCustomer();
    const event = { who: 'The admin', action: 'edited', changes: { customer: ['Ruiz Ltd', null] } };
    expect((await readHistory(job))[0]).toMatchObject(event);
    expect((await getAdmin().quotes.history({ id: quote.id })).rows[0]).toMatchObject(event);
  });
});

describe('a quote that was sent to a deleted customer', () => {
  const readPublicQuote = ({ public_path }: { public_path: string }) =>
    test.client().publicQuotes.get({ token: public_path.replace('/quote/', '') });

  it('still names them, with the same content hash, before and after the queue has cleared its reference', async () => {
    const quote = await getAdmin().quotes.create(buildQuote({ customer_id: customerId }));
    await getAdmin().quotes.setStatus({ id: quote.id, status: 'sent' });
    const before = await readPublicQuote(quote);
    expect(before.content?.customer).toEqual({ name: 'Ana Ruiz', company_name: 'Ruiz Ltd' });
    await markDeleted('customers', customerId);
    expect(await readPublicQuote(quote)).toEqual(before);
    await finishDeletion('customers', customerId);
    expect(await readPublicQuote(quote)).toEqual(before);
    expect(await getAdmin().quotes.get({ id: quote.id })).toMatchObject({
      customer: null,
      former_customer: { name: 'Ana Ruiz', company_name: 'Ruiz Ltd' },
    });
  });

  it('names the customer that it is given instead, and a draft names no one', async () => {
    const { id, ...sent } = await getAdmin().quotes.create(buildQuote({ customer_id: customerId }));
    const draft = await getAdmin().quotes.create(buildQuote({ customer_id: customerId }));
    const { version } = await getAdmin().quotes.setStatus({ id, status: 'sent' });
    await deleteCustomer();
    expect((await readPublicQuote(draft)).content?.customer).toBeNull();
    const customer_id = await createCustomer({ name: 'Bo Li' });
    const given = await getAdmin().quotes.update({ ...sent, id, version, customer_id, attachment_ids: [] });
    expect(given).toMatchObject({ customer_id, former_customer: null });
    expect((await readPublicQuote(given)).content?.customer).toEqual({ name: 'Bo Li', company_name: null });
    expect((await getAdmin().quotes.history({ id })).rows[0]).toMatchObject({ changes: { customer: [null, 'Bo Li'] } });
    await expect(
      getAdmin().quotes.update({ ...sent, id, version: given.version, customer_id: await createCustomer({}), attachment_ids: [] }),
    ).rejects.toMatchObject({ data: { fields: { customer_id: 'The customer can no longer be changed.' } } });
  });
});
