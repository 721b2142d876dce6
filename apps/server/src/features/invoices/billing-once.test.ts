import { randomUUID } from 'node:crypto';
import { invoiceNumber } from '@callout/domain/invoices/invoice';
import { sumMoney } from '@callout/domain/money/money';
import { localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addBilledJob, staffIdOf } from '../../../test/factories/billed-job.ts';
import { newCustomer, newJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import { issueOrReuseInvoice } from './issue-invoice.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  // All of them come from one address here.
  test = await startTestApp({ DATABASE_POOL: '16' }, { requestLimits: { bodies: 1000, bodiesPerNetwork: 1000 } });
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;
const send = (id: string, mail_id = randomUUID()) => admin().invoices.send({ id, mail_id, by_hand: true });
const year = () => Number(localDate(new Date().toISOString(), 'UTC').slice(0, 4));
const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => invoiceNumber('invoice', year(), index + 1));

const codeOf = (error: unknown) => (error instanceof Object && 'code' in error ? error.code : error);

/** As a page does when the server is busy: the same request again. */
async function persist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== 'UNAVAILABLE') throw error;
    }
  }
}

/** Everything at once; refusals are answers too. */
async function atOnce<Result>(works: readonly (() => Promise<Result>)[]): Promise<PromiseSettledResult<Result>[]> {
  return Promise.allSettled(works.map((work) => persist(work)));
}

const refusals = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));

async function addJobs(count: number): Promise<string[]> {
  const customer_id = (await admin().customers.create(newCustomer())).id;
  const staff_id = await staffIdOf(test, firm);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await admin().jobs.create(newJob({ customer_id, staff_id, status: 'complete', fixed_amount: '115' }))).id);
  }
  return ids;
}

interface SentRow {
  readonly invoice_number: string;
  readonly job_id: string;
  readonly state: string;
  readonly paid_amount: string;
}

async function sentRows(): Promise<SentRow[]> {
  const { rows } = await test.owner.query<SentRow>(
    `select invoice_number, job_id, state, paid_amount from invoices where company_id = $1 and kind = 'invoice' order by number`,
    [firm.companyId],
  );
  return rows;
}

describe('200 parallel sends', () => {
  it('leave numbers without a gap and one open invoice per job', async () => {
    const jobs = await addJobs(40);
    const outcomes = await atOnce(Array.from({ length: 200 }, (_, index) => () => send(jobs[index % jobs.length] ?? '')));
    expect(refusals(outcomes)).toEqual([]);
    const rows = await sentRows();
    expect(rows.map(({ invoice_number }) => invoice_number)).toEqual(numbersUpTo(40));
    expect(rows.map(({ job_id }) => job_id).toSorted()).toEqual(jobs.toSorted());
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['open']));
  });
});

describe('200 parallel payments', () => {
  it('leave the right balance and never more than is due', async () => {
    const { id } = await addBilledJob(test, firm);
    await send(id);
    // 153 fit, 47 are too many.
    const payments = Array.from({ length: 200 }, () => ({ id: randomUUID(), job_id: id, amount: '0.75' }));
    const outcomes = await atOnce(payments.map((payment) => () => admin().payments.record(payment)));
    const refused = refusals(outcomes);
    expect(refused).toHaveLength(47);
    expect(refused[0]).toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { amount: 'The payment is larger than the $0.25 that is due.' } },
    });
    const billing = await admin().invoices.billing({ id });
    expect(billing).toMatchObject({
      paid_amount: '114.75',
      invoice: { paid_amount: '114.75', balance: '0.25' },
      job: { status: 'invoiced' },
    });
    expect(sumMoney(billing.payments.map(({ amount }) => amount))).toBe('114.75');
  });

  it('of one click each record one payment', async () => {
    const { id } = await addBilledJob(test, firm);
    const outcomes = await atOnce(Array.from({ length: 50 }, () => () => admin().payments.record({ id: randomUUID(), job_id: id })));
    expect(refusals(outcomes)).toEqual([]);
    expect(await admin().invoices.billing({ id })).toMatchObject({ payments: [{ amount: '115.00' }], job: { status: 'paid' } });
  });

  it('reversed from many sides are reversed once', async () => {
    const { id } = await addBilledJob(test, firm);
    const [payment] = (await admin().payments.record({ id: randomUUID(), job_id: id })).payments;
    const reverse = () => admin().payments.reverse({ id: payment?.id ?? '', reversal_id: randomUUID() });
    const outcomes = await atOnce(Array.from({ length: 20 }, () => reverse));
    expect(refusals(outcomes).map(codeOf)).toEqual(Array.from({ length: 19 }, () => 'PAYMENT_REVERSED'));
    expect(await admin().invoices.billing({ id })).toMatchObject({ paid_amount: '0.00', job: { status: 'complete' } });
  });

  it('that are all reversed at once leave nothing paid', async () => {
    const { id } = await addBilledJob(test, firm);
    await send(id);
    for (let count = 0; count < 20; count += 1) await admin().payments.record({ id: randomUUID(), job_id: id, amount: '5.75' });
    const { payments, job } = await admin().invoices.billing({ id });
    expect(job.status).toBe('paid');
    const outcomes = await atOnce(payments.map((payment) => () => admin().payments.reverse({ id: payment.id, reversal_id: randomUUID() })));
    expect(refusals(outcomes)).toEqual([]);
    expect(await admin().invoices.billing({ id })).toMatchObject({
      paid_amount: '0.00',
      invoice: { paid_amount: '0.00', balance: '115.00' },
      job: { status: 'invoiced' },
    });
  });
});

describe('an invoice that is canceled from many sides', () => {
  it('gets one credit note', async () => {
    const { id } = await addBilledJob(test, firm);
    const invoiceId = (await send(id)).billing.invoice?.id ?? '';
    const outcomes = await atOnce(
      Array.from({ length: 20 }, () => () => admin().invoices.credit({ id: invoiceId, credit_id: randomUUID() })),
    );
    expect(refusals(outcomes).map(codeOf)).toEqual(Array.from({ length: 19 }, () => 'INVOICE_CLOSED'));
    const { invoices, job } = await admin().invoices.billing({ id });
    expect([invoices.map(({ kind }) => kind).toSorted(), job.status]).toEqual([['credit_note', 'invoice'], 'complete']);
  });
});

describe('sends, payments, credit notes, edits and the board against each other', () => {
  it('leave a job whose figures agree', async () => {
    const jobs = await addJobs(6);
    const first = new Map(
      (await Promise.all(jobs.map((id) => send(id)))).map(({ billing }) => [billing.job.id, billing.invoice?.id ?? '']),
    );
    const [payments, credits] = [jobs.map(() => [randomUUID(), randomUUID()]), jobs.map(() => randomUUID())];
    const works = jobs.flatMap((id, index) => [
      () => admin().payments.record({ id: payments[index]?.[0] ?? '', job_id: id, amount: '60' }),
      () => admin().payments.record({ id: payments[index]?.[1] ?? '', job_id: id }),
      () => send(id),
      () => admin().invoices.credit({ id: first.get(id) ?? '', credit_id: credits[index] ?? '' }),
      () => send(id),
      () => admin().jobs.setStatus({ id, status: index % 2 === 0 ? 'paid' : 'complete' }),
      () => admin().jobs.remove({ id }),
    ]);
    const outcomes = await atOnce<unknown>(works);
    const expected = new Set<unknown>(['INVALID_INPUT', 'JOB_BILLED', 'JOB_PAID', 'INVOICE_CLOSED']);
    expect(refusals(outcomes).filter((error) => !expected.has(codeOf(error)))).toEqual([]);
    const numbers = (await sentRows()).map(({ invoice_number }) => invoice_number);
    expect(numbers).toEqual(numbersUpTo(numbers.length));
    for (const id of jobs) {
      const [billing, job] = [await admin().invoices.billing({ id }), await admin().jobs.get({ id })];
      expect(sumMoney(billing.payments.map(({ amount }) => amount))).toBe(job.paid_amount);
      expect(Number(job.paid_amount)).toBeLessThanOrEqual(115);
      expect(billing.invoice?.paid_amount ?? job.paid_amount).toBe(job.paid_amount);
      expect(job.billed_amount).toBe(billing.invoice?.total_amount ?? null);
      expect(billing.invoices.filter(({ kind, state }) => kind === 'invoice' && state === 'open').length).toBeLessThanOrEqual(1);
      expect(job.status === 'paid').toBe(job.paid_amount === '115.00');
    }
  });
});

it('a transaction that fails after an invoice got its number leaves no gap', async () => {
  const [failing = '', next = ''] = await addJobs(2);
  const failed = changeAs(test.app.platform.pools.app, tenantOf(firm), async (scope) => {
    const { invoice } = await issueOrReuseInvoice(scope, failing, {});
    expect(invoice.invoice_number).toBe(invoiceNumber('invoice', year(), 1));
    throw new Error('The mail could not be queued');
  });
  await expect(failed).rejects.toThrow('The mail could not be queued');
  expect((await admin().jobs.get({ id: failing })).billed_amount).toBeNull();
  expect((await send(next)).billing.invoice?.invoice_number).toBe(invoiceNumber('invoice', year(), 1));
});

it('each year and company counts from 1', async () => {
  const [first = '', second = ''] = await addJobs(2);
  await send(first);
  await test.owner.query(`update invoice_counters set year = year - 1, last = 77 where company_id = $1`, [firm.companyId]);
  await test.owner.query(
    `update invoices set year = year - 1, number = 77, invoice_number = 'INV-${year() - 1}-0077' where company_id = $1`,
    [firm.companyId],
  );
  expect((await send(second)).billing.invoice?.invoice_number).toBe(invoiceNumber('invoice', year(), 1));
});
