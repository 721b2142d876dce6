import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addBilledJob } from '../../../test/factories/billed-job.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;
const addJob = (over: Parameters<typeof addBilledJob>[2] = {}) => addBilledJob(test, firm, over);
const send = async (id: string) => (await admin().invoices.send({ id, mail_id: randomUUID(), by_hand: true })).billing;
const changeOf = (job: Job, over: object) => ({
  ...job,
  category_ids: [],
  staff_id: job.staff_id ?? '',
  booking_date: job.booking_date ?? '',
  duration: job.duration ?? '',
  use_alternate_address: false,
  ...over,
});

describe('a job with an open invoice', () => {
  it.each([
    ['on the board', ({ id }: Job) => admin().jobs.setStatus({ id, status: 'canceled' })],
    ['on its edit page', (job: Job) => admin().jobs.update(changeOf(job, { status: 'canceled' }))],
  ])('is not canceled %s before a credit note has canceled the invoice', async (_where, cancel) => {
    const { id } = await addJob();
    const { invoice } = await send(id);
    const before = await admin().jobs.get({ id });
    await expect(cancel(before)).rejects.toMatchObject({
      code: 'JOB_BILLED',
      message: 'This job has an open invoice. Cancel it with a credit note on the payment page first.',
    });
    const { server_time: _then, ...timer } = before.timer;
    expect(await admin().jobs.get({ id })).toMatchObject({ ...before, timer });
    await admin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    expect(await cancel(await admin().jobs.get({ id }))).toMatchObject({ status: 'canceled', billed_amount: null });
  });

  it('can still be edited when it was canceled before that was refused', async () => {
    const { id } = await addJob();
    await send(id);
    await test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id]);
    const job = await admin().jobs.get({ id });
    expect(await admin().jobs.update(changeOf(job, { title: 'Renamed' }))).toMatchObject({ title: 'Renamed', status: 'canceled' });
    expect(await admin().jobs.setStatus({ id, status: 'canceled' })).toMatchObject({ status: 'canceled' });
  });
});
