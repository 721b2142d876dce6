import { randomUUID } from 'node:crypto';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { readPersistentRows } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const { getAdmin, createJob, sendInvoice, recordPayment } = createBillingHelpers(() => ({ test, firm }));
const getStaff = () => firm.people.staff.client;
const STATUS_REFUSAL = { code: 'JOB_PAID', message: 'This job is paid. Ask an admin, manager or accountant to change its status.' };
const PRICE_REFUSAL = {
  code: 'JOB_PAID',
  message: 'The customer has already paid that much. Ask an admin, manager or accountant to lower the price.',
};

const buildTypedLine = (unit_price: string) => ({ id: randomUUID(), name: 'Extra', quantity: 1, unit_price });

async function createJobWithLines(...prices: readonly string[]) {
  const { id, items } = await createJob({ lines: prices.map((unit_price) => ({ unit_price })) });
  return { id, lineIds: items.map((item) => item.id) as [string, ...string[]] };
}

describe('the status of a paid job', () => {
  it.each([false, true])('can be changed only by people who may manage payments (invoiced: %s)', async (isInvoiced) => {
    const { id } = await createJobWithLines('1000.00');
    if (isInvoiced) await sendInvoice(id);
    await recordPayment(id);
    const before = await readPersistentRows(test);
    for (const status of JOB_STATUSES.filter((other) => other !== 'paid'))
      await expect(getStaff().jobs.setStatus({ id, status })).rejects.toMatchObject(STATUS_REFUSAL);
    expect(await readPersistentRows(test)).toEqual(before);
    expect(await firm.people.accountant.client.jobs.setStatus({ id, status: 'booked' })).toMatchObject({ status: 'booked' });
  });

  it('follows from completing a job that was paid in advance, whoever completes it', async () => {
    const { id } = await createJob({ status: 'booked' });
    await recordPayment(id);
    expect(await getStaff().jobs.setStatus({ id, status: 'complete', from: 'booked' })).toMatchObject({ status: 'paid' });
  });
});

describe('the price of a job with payments', () => {
  it('cannot be lowered to what was paid by staff, whatever the status, but by people who may manage payments', async () => {
    for (const status of ['complete', 'booked', 'invoiced', 'canceled'] as const) {
      const { id, lineIds } = await createJobWithLines('900.00', '100.00');
      await recordPayment(id, { amount: '100' });
      await getAdmin().jobs.setStatus({ id, status });
      await expect(getStaff().jobs.removeItem({ id: lineIds[0] })).rejects.toMatchObject(PRICE_REFUSAL);
      expect(await getStaff().jobs.get({ id })).toMatchObject({ status, totals: { total_amount: '1000.00' } });
      const paid = status === 'complete' || status === 'invoiced' ? 'paid' : status;
      expect(await getAdmin().jobs.removeItem({ id: lineIds[0] })).toMatchObject({ status: paid });
    }
  });

  it('cannot be swapped for a lower one once someone else has reopened the paid job', async () => {
    const { id, lineIds } = await createJobWithLines('1000.00');
    await recordPayment(id);
    await getAdmin().jobs.setStatus({ id, status: 'booked' });
    expect(await getStaff().jobs.addItems({ job_id: id, lines: [buildTypedLine('55')] })).toMatchObject({ status: 'booked' });
    await expect(getStaff().jobs.removeItem({ id: lineIds[0] })).rejects.toMatchObject(PRICE_REFUSAL);
    expect(await getStaff().jobs.setStatus({ id, status: 'complete' })).toMatchObject({
      status: 'complete',
      totals: { total_amount: '1055.00' },
    });
  });

  it('can be raised by staff, and lowered to more than was paid', async () => {
    const { id, lineIds } = await createJobWithLines('100.00', '20.00');
    await recordPayment(id, { amount: '100' });
    expect(await getStaff().jobs.setQuantity({ id: lineIds[0], quantity: 3 })).toMatchObject({ totals: { total_amount: '320.00' } });
    expect(await getStaff().jobs.setQuantity({ id: lineIds[0], quantity: 2 })).toMatchObject({ totals: { total_amount: '220.00' } });
    expect(await getStaff().jobs.removeItem({ id: lineIds[1] ?? '' })).toMatchObject({ totals: { total_amount: '200.00' } });
    await expect(getStaff().jobs.setQuantity({ id: lineIds[0], quantity: 1 })).rejects.toMatchObject(PRICE_REFUSAL);
  });

  it('can be built up by staff while a deposit exceeds it', async () => {
    const { id } = await createJob({ status: 'booked', fixed_amount: null });
    await recordPayment(id, { amount: '200' });
    for (const price of ['50', '30']) await getStaff().jobs.addItems({ job_id: id, lines: [buildTypedLine(price)] });
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ status: 'booked', totals: { total_amount: '80.00' } });
  });
});
