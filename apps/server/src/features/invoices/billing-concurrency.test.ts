import { randomUUID } from 'node:crypto';
import { formatInvoiceNumber } from '@callout/domain/invoices/invoice';
import { sumMoney } from '@callout/domain/money/money';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBilledJob, readStaffId } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import { issueOrReuseInvoice } from './issue-invoice.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  // All requests in this file come from one network and would exceed the default limits.
  test = await startTestApp({ DATABASE_POOL: '16' }, { requestLimits: { maxBodies: 1000, maxBodiesPerNetwork: 1000 } });
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const getAdmin = () => firm.people.admin.client;
const sendInvoice = (id: string, mail_id = randomUUID()) => getAdmin().invoices.send({ id, mail_id, by_hand: true });
const getCurrentYear = () => Number(toLocalDate(new Date().toISOString(), 'UTC').slice(0, 4));
const buildInvoiceNumbers = (count: number) =>
  Array.from({ length: count }, (_, index) => formatInvoiceNumber('invoice', getCurrentYear(), index + 1));

const getErrorCode = (error: unknown) => (error instanceof Object && 'code' in error ? error.code : error);

/** Repeats the request while the server reports that it is busy. */
async function retryWhileUnavailable<Result>(request: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (getErrorCode(error) !== 'UNAVAILABLE') throw error;
    }
  }
}

async function runConcurrently<Result>(requests: readonly (() => Promise<Result>)[]): Promise<PromiseSettledResult<Result>[]> {
  return Promise.allSettled(requests.map((request) => retryWhileUnavailable(request)));
}

const getRejections = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));

async function createJobs(count: number): Promise<string[]> {
  const customer_id = (await getAdmin().customers.create(buildCustomer())).id;
  const staff_id = await readStaffId(test, firm);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await getAdmin().jobs.create(buildJob({ customer_id, staff_id, status: 'complete', fixed_amount: '115' }))).id);
  }
  return ids;
}

interface InvoiceRow {
  readonly invoice_number: string;
  readonly job_id: string;
  readonly state: string;
  readonly paid_amount: string;
}

async function listInvoices(): Promise<InvoiceRow[]> {
  const { rows } = await test.owner.query<InvoiceRow>(
    `select invoice_number, job_id, state, paid_amount from invoices where company_id = $1 and kind = 'invoice' order by number`,
    [firm.companyId],
  );
  return rows;
}

describe('200 parallel sends', () => {
  it('create invoice numbers without gaps and one open invoice per job', async () => {
    const jobs = await createJobs(40);
    const outcomes = await runConcurrently(Array.from({ length: 200 }, (_, index) => () => sendInvoice(jobs[index % jobs.length] ?? '')));
    expect(getRejections(outcomes)).toEqual([]);
    const rows = await listInvoices();
    expect(rows.map(({ invoice_number }) => invoice_number)).toEqual(buildInvoiceNumbers(40));
    expect(rows.map(({ job_id }) => job_id).toSorted()).toEqual(jobs.toSorted());
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['open']));
  });
});

describe('200 parallel payments', () => {
  it('never exceed the amount due', async () => {
    const { id } = await createBilledJob(test, firm);
    await sendInvoice(id);
    // 153 payments of 0.75 fit into the 115.00 due, so the other 47 are rejected.
    const payments = Array.from({ length: 200 }, () => ({ id: randomUUID(), job_id: id, amount: '0.75' }));
    const outcomes = await runConcurrently(payments.map((payment) => () => getAdmin().payments.record(payment)));
    const rejections = getRejections(outcomes);
    expect(rejections).toHaveLength(47);
    expect(rejections[0]).toMatchObject({ code: 'INVALID_INPUT', data: { fields: { amount: "Amount can't be more than the $0.25 due" } } });
    const billing = await getAdmin().invoices.billing({ id });
    expect(billing).toMatchObject({
      paid_amount: '114.75',
      invoice: { paid_amount: '114.75', balance: '0.25' },
      job: { status: 'invoiced' },
    });
    expect(sumMoney(billing.payments.map(({ amount }) => amount))).toBe('114.75');
  });

  it('of the full amount record only one payment', async () => {
    const { id } = await createBilledJob(test, firm);
    const outcomes = await runConcurrently(
      Array.from({ length: 50 }, () => () => getAdmin().payments.record({ id: randomUUID(), job_id: id })),
    );
    expect(getRejections(outcomes)).toEqual([]);
    expect(await getAdmin().invoices.billing({ id })).toMatchObject({ payments: [{ amount: '115.00' }], job: { status: 'paid' } });
  });

  it('are each reversed only once, even if 20 requests reverse the same payment in parallel', async () => {
    const { id } = await createBilledJob(test, firm);
    const [payment] = (await getAdmin().payments.record({ id: randomUUID(), job_id: id })).payments;
    const reverse = () => getAdmin().payments.reverse({ id: payment?.id ?? '', reversal_id: randomUUID() });
    const outcomes = await runConcurrently(Array.from({ length: 20 }, () => reverse));
    expect(getRejections(outcomes).map(getErrorCode)).toEqual(Array.from({ length: 19 }, () => 'PAYMENT_REVERSED'));
    expect(await getAdmin().invoices.billing({ id })).toMatchObject({ paid_amount: '0.00', job: { status: 'complete' } });
  });

  it('leave a paid amount of 0 after all of them are reversed in parallel', async () => {
    const { id } = await createBilledJob(test, firm);
    await sendInvoice(id);
    for (let count = 0; count < 20; count += 1) await getAdmin().payments.record({ id: randomUUID(), job_id: id, amount: '5.75' });
    const { payments, job } = await getAdmin().invoices.billing({ id });
    expect(job.status).toBe('paid');
    const outcomes = await runConcurrently(
      payments.map((payment) => () => getAdmin().payments.reverse({ id: payment.id, reversal_id: randomUUID() })),
    );
    expect(getRejections(outcomes)).toEqual([]);
    expect(await getAdmin().invoices.billing({ id })).toMatchObject({
      paid_amount: '0.00',
      invoice: { paid_amount: '0.00', balance: '115.00' },
      job: { status: 'invoiced' },
    });
  });
});

describe('an invoice canceled by 20 parallel requests', () => {
  it('gets one credit note', async () => {
    const { id } = await createBilledJob(test, firm);
    const invoiceId = (await sendInvoice(id)).billing.invoice?.id ?? '';
    const outcomes = await runConcurrently(
      Array.from({ length: 20 }, () => () => getAdmin().invoices.credit({ id: invoiceId, credit_id: randomUUID() })),
    );
    expect(getRejections(outcomes).map(getErrorCode)).toEqual(Array.from({ length: 19 }, () => 'INVOICE_CLOSED'));
    const { invoices, job } = await getAdmin().invoices.billing({ id });
    expect([invoices.map(({ kind }) => kind).toSorted(), job.status]).toEqual([['credit_note', 'invoice'], 'complete']);
  });
});

describe('concurrent sends, payments, credit notes, status changes and deletions', () => {
  it('leave every job with consistent amounts', async () => {
    const jobs = await createJobs(6);
    const first = new Map(
      (await Promise.all(jobs.map((id) => sendInvoice(id)))).map(({ billing }) => [billing.job.id, billing.invoice?.id ?? '']),
    );
    const [payments, credits] = [jobs.map(() => [randomUUID(), randomUUID()]), jobs.map(() => randomUUID())];
    const requests = jobs.flatMap((id, index) => [
      () => getAdmin().payments.record({ id: payments[index]?.[0] ?? '', job_id: id, amount: '60' }),
      () => getAdmin().payments.record({ id: payments[index]?.[1] ?? '', job_id: id }),
      () => sendInvoice(id),
      () => getAdmin().invoices.credit({ id: first.get(id) ?? '', credit_id: credits[index] ?? '' }),
      () => sendInvoice(id),
      () => getAdmin().jobs.setStatus({ id, status: index % 2 === 0 ? 'paid' : 'complete' }),
      () => getAdmin().jobs.remove({ id }),
    ]);
    const outcomes = await runConcurrently<unknown>(requests);
    const expected = new Set<unknown>(['INVALID_INPUT', 'JOB_BILLED', 'JOB_PAID', 'INVOICE_CLOSED']);
    expect(getRejections(outcomes).filter((error) => !expected.has(getErrorCode(error)))).toEqual([]);
    const numbers = (await listInvoices()).map(({ invoice_number }) => invoice_number);
    expect(numbers).toEqual(buildInvoiceNumbers(numbers.length));
    for (const id of jobs) {
      const [billing, job] = [await getAdmin().invoices.billing({ id }), await getAdmin().jobs.get({ id })];
      expect(sumMoney(billing.payments.map(({ amount }) => amount))).toBe(job.paid_amount);
      expect(Number(job.paid_amount)).toBeLessThanOrEqual(115);
      expect(billing.invoice?.paid_amount ?? job.paid_amount).toBe(job.paid_amount);
      expect(job.billed_amount).toBe(billing.invoice?.total_amount ?? null);
      expect(billing.invoices.filter(({ kind, state }) => kind === 'invoice' && state === 'open').length).toBeLessThanOrEqual(1);
      expect(job.status === 'paid').toBe(job.paid_amount === '115.00');
    }
  });
});

it('a rolled-back transaction leaves no gap in the invoice numbers', async () => {
  const [failing = '', next = ''] = await createJobs(2);
  const failed = runTenantTransaction(test.app.platform.pools.app, toTenant(firm), async (scope) => {
    const { invoice } = await issueOrReuseInvoice(scope, failing, {});
    expect(invoice.invoice_number).toBe(formatInvoiceNumber('invoice', getCurrentYear(), 1));
    throw new Error('The mail could not be queued');
  });
  await expect(failed).rejects.toThrow('The mail could not be queued');
  expect((await getAdmin().jobs.get({ id: failing })).billed_amount).toBeNull();
  expect((await sendInvoice(next)).billing.invoice?.invoice_number).toBe(formatInvoiceNumber('invoice', getCurrentYear(), 1));
});

it('invoice numbers start at 1 every year in each company', async () => {
  const [first = '', second = ''] = await createJobs(2);
  await sendInvoice(first);
  await test.owner.query(`update invoice_counters set year = year - 1, last = 77 where company_id = $1`, [firm.companyId]);
  await test.owner.query(
    `update invoices set year = year - 1, number = 77, invoice_number = 'INV-${getCurrentYear() - 1}-0077' where company_id = $1`,
    [firm.companyId],
  );
  expect((await sendInvoice(second)).billing.invoice?.invoice_number).toBe(formatInvoiceNumber('invoice', getCurrentYear(), 1));
});
