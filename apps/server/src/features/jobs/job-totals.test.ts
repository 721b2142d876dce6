import { randomUUID } from 'node:crypto';
import { CompanySettings } from '@callout/contract/company';
import type { ContractInputs } from '@callout/contract/contract';
import type { Job } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { sumMoney } from '@callout/domain/money/money';
import { ORPCError } from '@orpc/client';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, waitUntilBlockedBy, withOwnerClient } from '../../../test/database.ts';
import { acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { buildJobUpdate, buildQuote, buildQuoteLine, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
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

async function changeCompany(change: Partial<ContractInputs['company']['update']>) {
  const { profile } = await getAdmin().company.me();
  return getAdmin().company.update(CompanySettings.parse({ ...profile, paypal_fee_percentage: '2.9', ...change }));
}

/** Changes the company's rate without the task that reprices its jobs, as if the task were still waiting. */
const changeRateBeforeTask = (rate: string) =>
  withOwnerClient(test.database, async (owner) => {
    await owner.query('set session_replication_role = replica');
    await owner.query('update companies set gst_percentage = $2 where company_id = $1', [firm.companyId, rate]);
  });

async function changeRate(gst_percentage: string) {
  await changeCompany({ gst_percentage });
  await waitForQueue(test);
}

async function reversePayments(id: string) {
  for (const payment of (await getAdmin().invoices.billing({ id })).payments)
    await getAdmin().payments.reverse({ id: payment.id, reversal_id: randomUUID() });
}

const addItem = async (job_id: string) =>
  void (await getAdmin().jobs.addItems({
    job_id,
    lines: [{ id: randomUUID(), name: 'Extra', quantity: 1, unit_price: '10', tax_inclusive: false }],
  }));

const REOPENINGS: readonly [string, JobStatus, string, (id: string) => Promise<void>][] = [
  ['reversing the payment', 'complete', '110.00', reversePayments],
  ['adding an item', 'complete', '121.00', addItem],
  ['changing the status', 'booked', '110.00', async (id) => void (await getAdmin().jobs.setStatus({ id, status: 'booked' }))],
];

const EXCLUSIVE_LINE = { unit_price: '100.00', tax_inclusive: false };

describe('a changed GST rate', () => {
  it('reprices open jobs and settles those whose payments now cover their price', async () => {
    const [job, other] = [await createJob({ lines: [EXCLUSIVE_LINE] }), await createJob({ lines: [EXCLUSIVE_LINE] })];
    await recordPayment(job.id, { amount: '110' });
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ status: 'complete', totals: { total_amount: '115.00' } });
    await changeCompany({ gst_percentage: '10' });
    await waitForQueue(test);
    const totals = { subtotal: '100.00', tax_amount: '10.00', total_amount: '110.00' };
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ status: 'paid', tax_rate: '10', totals });
    expect(await getAdmin().jobs.get({ id: other.id })).toMatchObject({ status: 'complete', tax_rate: '10', totals });
    expect((await getAdmin().dashboard.money()).uninvoiced).toEqual({ amount: '110.00', jobs: 1 });
  });

  it('that is corrected a moment later leaves part-paid jobs as they were', async () => {
    const { id } = await createJob({ lines: [EXCLUSIVE_LINE] });
    const { payments } = await recordPayment(id, { amount: '110' });
    const before = await getAdmin().jobs.get({ id });
    expect(before).toMatchObject({ status: 'complete', tax_rate: '15', totals: { total_amount: '115.00' } });
    await changeRate('1.5');
    const mistyped = await getAdmin().jobs.get({ id });
    expect(mistyped).toMatchObject({ status: 'paid', tax_rate: '1.5', totals: { total_amount: '101.50' } });
    // Saving the job doesn't make the wrong rate permanent either.
    await getAdmin().jobs.update(buildJobUpdate(mistyped, { title: before.title }));
    await changeRate('15');
    const { version: _, updated_at: __, ...unchanged } = before;
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ ...unchanged, timer: expect.anything() as unknown });
    expect((await getAdmin().invoices.billing({ id })).payments).toEqual(payments);
    expect(await recordPayment(id, { amount: '5' })).toMatchObject({ job: { status: 'paid' }, paid_amount: '115.00' });
  });

  it.each(REOPENINGS)('applies to a paid job again after %s', async (_, status, total_amount, reopen) => {
    const job = await createJob({ lines: [EXCLUSIVE_LINE] });
    await recordPayment(job.id);
    await changeRate('10');
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ status: 'paid', tax_rate: '15', totals: { total_amount: '115.00' } });
    await reopen(job.id);
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ status, tax_rate: '10', totals: { total_amount } });
    await changeRate('20');
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ tax_rate: '20' });
  });

  it('never applies again to a job from a quote that is no longer paid', async () => {
    const section = buildQuoteSection({ items: [buildQuoteLine(EXCLUSIVE_LINE)] });
    const { customer_id } = await createJob();
    const quote = await getAdmin().quotes.create(buildQuote({ customer_id: customer_id ?? '', sections: [section] }));
    const { job } = await acceptAsMember(getAdmin(), { id: quote.id });
    const id = job.id ?? '';
    await getAdmin().jobs.setStatus({ id, status: 'paid' });
    await changeRate('10');
    await reversePayments(id);
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ status: 'complete', tax_rate: '15', totals: { total_amount: '115.00' } });
  });

  it('is kept by a job that was marked as paid by hand, with or without a payment of the rest', async () => {
    const [part, full] = [
      await createJob({ lines: [EXCLUSIVE_LINE], status: 'booked' }),
      await createJob({ lines: [EXCLUSIVE_LINE], status: 'booked' }),
    ];
    await recordPayment(part.id, { amount: '15' });
    await recordPayment(full.id);
    for (const { id } of [part, full]) await getAdmin().jobs.setStatus({ id, status: 'paid' });
    await changeRate('10');
    for (const { id } of [part, full]) {
      expect(await getAdmin().jobs.get({ id })).toMatchObject({ status: 'paid', tax_rate: '15', totals: { total_amount: '115.00' } });
    }
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['choosing the status', (id) => getAdmin().jobs.setStatus({ id, status: 'paid', from: 'paid' })],
    [
      'choosing the status that an outdated page still shows as complete',
      (id) => getAdmin().jobs.setStatus({ id, status: 'paid', from: 'complete' }),
    ],
    ['Mark as Paid', (id) => recordPayment(id)],
    ['recording a payment', (id) => recordPayment(id, { amount: '1', is_excess_confirmed: true })],
  ])('is kept by a job that it has made paid once someone confirms that by %s', async (_, confirm) => {
    const { id } = await createJob({ lines: [EXCLUSIVE_LINE] });
    await recordPayment(id, { amount: '110' });
    await changeRate('10');
    await confirm(id);
    await changeRate('15');
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ status: 'paid', tax_rate: '10', totals: { total_amount: '110.00' } });
  });

  it('is not confirmed by people without the right to manage payments', async () => {
    const { id } = await createJob({ lines: [EXCLUSIVE_LINE] });
    await recordPayment(id, { amount: '110' });
    await changeRate('10');
    await firm.people.staff.client.jobs.setStatus({ id, status: 'paid' });
    await changeRate('15');
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ status: 'complete', totals: { total_amount: '115.00' } });
  });

  it('leaves jobs that are quoted, invoiced or paid at their price', async () => {
    const [invoiced, paid] = [await createJob({ lines: [EXCLUSIVE_LINE] }), await createJob({ lines: [EXCLUSIVE_LINE] })];
    await sendInvoice(invoiced.id);
    await recordPayment(paid.id);
    const section = buildQuoteSection({ items: [buildQuoteLine(EXCLUSIVE_LINE)] });
    const quote = await getAdmin().quotes.create(buildQuote({ customer_id: paid.customer_id ?? '', sections: [section] }));
    const { job: quoted } = await acceptAsMember(getAdmin(), { id: quote.id });
    await changeCompany({ gst_percentage: '10' });
    await waitForQueue(test);
    for (const id of [invoiced.id, paid.id, quoted.id ?? '']) {
      expect(await getAdmin().jobs.get({ id })).toMatchObject({ tax_rate: '15', totals: { total_amount: '115.00' } });
    }
  });

  it('reaches every job of a company, in batches', async () => {
    const seeds = Array.from({ length: 230 }, (_, index) => ({ title: `Job ${index}`, created_at: '2026-01-01T00:00:00.000Z' }));
    await insertJobs(test, firm.companyId, seeds);
    await changeCompany({ gst_percentage: '12.5' });
    await waitForQueue(test);
    const { rows } = await test.owner.query('select distinct priced_rate::float from jobs where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ priced_rate: 12.5 }]);
  });

  it('applies to pages, invoices and payments even if the job is not repriced yet', async () => {
    const [invoiced, paid, completed] = [
      await createJob({ lines: [EXCLUSIVE_LINE] }),
      await createJob({ lines: [EXCLUSIVE_LINE] }),
      await createJob({ lines: [EXCLUSIVE_LINE], status: 'booked' }),
    ];
    await changeRateBeforeTask('10');
    expect(await getAdmin().jobs.get({ id: invoiced.id })).toMatchObject({ tax_rate: '10', totals: { total_amount: '110.00' } });
    const { content_hash } = await getAdmin().invoices.billing({ id: invoiced.id });
    expect((await sendInvoice(invoiced.id, content_hash)).invoice).toMatchObject({ total_amount: '110.00' });
    const { outstanding } = (await getAdmin().invoices.billing({ id: paid.id })).request;
    expect(await recordPayment(paid.id, { outstanding })).toMatchObject({ paid_amount: '110.00', job: { status: 'paid' } });
    expect(await getAdmin().jobs.setStatus({ id: completed.id, status: 'paid' })).toMatchObject({ paid_amount: '110.00', tax_rate: '10' });
  });

  it('refuses to send an invoice that shows the old rate', async () => {
    const { id } = await createJob({ lines: [EXCLUSIVE_LINE] });
    const { content_hash } = await getAdmin().invoices.billing({ id });
    await changeRateBeforeTask('10');
    await expect(sendInvoice(id, content_hash)).rejects.toMatchObject({ code: 'INVOICE_CHANGED' });
  });

  it('applies to jobs that are being created while it is saved', async () => {
    await withOwnerClient(test.database, async (colleague) => {
      await colleague.query('begin');
      await colleague.query(`select pg_advisory_xact_lock_shared(hashtextextended('callout prices ' || $1, 0))`, [firm.companyId]);
      const pending = changeCompany({ gst_percentage: '10' });
      await colleague.query(
        `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text)
         values ($1, gen_random_uuid(), 'T1', 'Tap', 'Drips', 'booked', 'fixed', 'tap', 'tap')`,
        [firm.companyId],
      );
      await colleague.query('commit');
      await pending;
    });
    await waitForQueue(test);
    const { rows } = await test.owner.query('select priced_rate::float from jobs where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ priced_rate: 10 }]);
  });
});

describe("a company's currency", () => {
  const FIXED = { code: 'INVALID_INPUT', data: { fields: { currency: expect.stringContaining("can't change") as string } } };

  it('can change until something is sent, and relabels drafts and jobs', async () => {
    const job = await createJob();
    const draft = await getAdmin().quotes.create(buildQuote({ customer_id: job.customer_id ?? '' }));
    expect(await getAdmin().company.currency()).toEqual({ is_final: false });
    await changeCompany({ currency: 'GBP' });
    await waitForQueue(test);
    expect(await getAdmin().quotes.get({ id: draft.id })).toMatchObject({ currency: 'GBP' });
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ currency: 'GBP', totals: job.totals });
    expect((await getAdmin().invoices.billing({ id: job.id })).document).toMatchObject({ currency: 'GBP', total: '£115.00' });
  });

  it.each([
    [
      'a sent quote',
      async (job: Job) => {
        const quote = await getAdmin().quotes.create(buildQuote({ customer_id: job.customer_id ?? '' }));
        await getAdmin().quotes.setStatus({ id: quote.id, status: 'sent' });
        await getAdmin().quotes.setStatus({ id: quote.id, status: 'draft' });
      },
    ],
    [
      'an accepted quote',
      async (job: Job) => {
        const section = buildQuoteSection({ items: [buildQuoteLine()] });
        const quote = await getAdmin().quotes.create(buildQuote({ customer_id: job.customer_id ?? '', sections: [section] }));
        await acceptAsMember(getAdmin(), { id: quote.id });
        await getAdmin().quotes.remove({ id: quote.id });
      },
    ],
    ['an invoice', async ({ id }: Job) => void (await sendInvoice(id))],
    ['a payment', async ({ id }: Job) => void (await recordPayment(id))],
  ])('cannot change after %s', async (_, send) => {
    await send(await createJob());
    expect(await getAdmin().company.currency()).toEqual({ is_final: true });
    await expect(changeCompany({ currency: 'GBP' })).rejects.toMatchObject(FIXED);
    expect(await changeCompany({ company_name: 'New name' })).toMatchObject({ profile: { currency: 'NZD', company_name: 'New name' } });
  });

  it.each([
    ['invoice', 'invoice_counters', sendInvoice],
    ['payment', 'payments', recordPayment],
  ])('cannot change while the first %s is being saved', async (_, table, bill) => {
    const { id } = await createJob();
    await withOwnerClient(test.database, async (session) => {
      await session.query('begin');
      await session.query(`lock table ${table} in share mode`);
      const billed = bill(id);
      await waitUntilBlockedBy(test.database, session);
      const changed = changeCompany({ currency: 'EUR' }).catch((error: unknown) => error);
      await waitUntilBlocked(test.database, 2);
      await session.query('commit');
      expect(await billed).toMatchObject({ document: { currency: 'NZD' } });
      expect(await changed).toMatchObject(FIXED);
    });
  });

  it('can change while a draft quote is being saved', async () => {
    const { customer_id } = await createJob();
    const { id } = await getAdmin().quotes.create(buildQuote({ customer_id: customer_id ?? '' }));
    await withOwnerClient(test.database, async (colleague) => {
      // The locks of a quote that is being saved, in their order. The second must be free, or this would be a deadlock.
      await colleague.query('begin');
      await colleague.query('select from quotes where id = $1 for no key update', [id]);
      const changed = changeCompany({ currency: 'GBP' });
      await waitUntilBlockedBy(test.database, colleague);
      const lockPrices = `select pg_try_advisory_xact_lock_shared(hashtextextended('callout prices ' || $1, 0)) as is_locked`;
      const { rows } = await colleague.query(lockPrices, [firm.companyId]);
      await colleague.query('commit');
      await changed;
      expect(rows).toEqual([{ is_locked: true }]);
    });
    expect(await getAdmin().quotes.get({ id })).toMatchObject({ currency: 'GBP' });
  });

  it('can be chosen by a company that had none', async () => {
    await test.owner.query('update companies set currency = null where company_id = $1', [firm.companyId]);
    const job = await createJob();
    await recordPayment(job.id, { amount: '5' });
    expect(await getAdmin().company.currency()).toEqual({ is_final: false });
    expect(await changeCompany({ currency: 'EUR' })).toMatchObject({ profile: { currency: 'EUR' } });
  });

  it('that is shown with a quote or a job is the one it was priced in', async () => {
    const job = await createJob();
    await sendInvoice(job.id);
    const quote = await getAdmin().quotes.create(buildQuote({ customer_id: job.customer_id ?? '' }));
    await getAdmin().quotes.setStatus({ id: quote.id, status: 'sent' });
    // Before currencies were final, a company could change its currency at any time.
    await test.owner.query(`update companies set currency = 'GBP' where company_id = $1`, [firm.companyId]);
    await waitForQueue(test);
    expect(await getAdmin().quotes.get({ id: quote.id })).toMatchObject({ currency: 'NZD' });
    const token = quote.public_path.split('/').at(-1) ?? '';
    expect(await test.client().publicQuotes.get({ token })).toMatchObject({ content: { currency: 'NZD' } });
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ currency: 'NZD' });
  });
});

/** Generates decimal strings with two decimals. */
const arbitraryAmount = fc.integer({ min: 1, max: 50_000 }).map((cents) => (cents / 100).toFixed(2));
const arbitraryLine = fc.record({
  name: fc.constant('Part'),
  unit_price: arbitraryAmount,
  quantity: fc.integer({ min: 1000, max: 9000 }).map((thousandths) => thousandths / 1000),
  tax_inclusive: fc.boolean(),
  discount_percent: fc.option(fc.constantFrom('10', '33.33', '100')),
});
const command = <Name extends string, Input>(name: Name, input: fc.Arbitrary<Input>) =>
  fc.record({ name: fc.constant(name), job: fc.nat(5), item: fc.nat(3), input });
const arbitraryCommand = fc.oneof(
  command('addItem', arbitraryLine),
  command('updateItem', arbitraryLine),
  command('setQuantity', fc.integer({ min: 1, max: 9 })),
  command('removeItem', fc.constant(null)),
  command('updatePrice', fc.record({ job_type: fc.constantFrom('fixed' as const, 'hourly' as const), fixed_amount: arbitraryAmount })),
  command('setStatus', fc.constantFrom('booked' as const, 'complete' as const, 'paid' as const, 'canceled' as const)),
  command('allocate', fc.record({ minutes: fc.integer({ min: 1, max: 90 }), tax_inclusive: fc.boolean() })),
  command('pay', arbitraryAmount),
  command('invoice', fc.constant(null)),
  command('credit', fc.constant(null)),
  command('duplicate', fc.constant(null)),
  command('acceptQuote', fc.array(arbitraryLine, { minLength: 1, maxLength: 3 })),
  command('changeRate', fc.constantFrom('0', '7.125', '10', '15', '19.999')),
);
type Command = typeof arbitraryCommand extends fc.Arbitrary<infer Generated> ? Generated : never;

/** Runs a command on one of the firm's jobs. A refusal, such as a payment that is too large, is part of the history too. */
async function runCommand(ids: string[], { name, input, ...picked }: Command): Promise<void> {
  const { jobs, timer, quotes, invoices } = getAdmin();
  const job = await jobs.get({ id: ids[picked.job % ids.length] ?? '' });
  const [id, line] = [job.id, job.items[picked.item % Math.max(1, job.items.length)]];
  if (name === 'addItem') await jobs.addItems({ job_id: id, lines: [{ id: randomUUID(), ...input }], fixed_price: 'keep' });
  if (name === 'updateItem' && line) await jobs.updateItem({ ...line, ...input, discount_amount: null });
  if (name === 'setQuantity' && line) await jobs.setQuantity({ id: line.id, quantity: input });
  if (name === 'removeItem' && line) await jobs.removeItem({ id: line.id });
  if (name === 'updatePrice') await jobs.update(buildJobUpdate(job, input));
  if (name === 'setStatus') await jobs.setStatus({ id, status: input });
  if (name === 'allocate') {
    const ended = Date.parse('2026-01-05T00:00:00.000Z') + Math.floor(Math.random() * 1e9) * 1000;
    const period = { started_at: new Date(ended - input.minutes * 60_000).toISOString(), ended_at: new Date(ended).toISOString() };
    await timer.add({ id: randomUUID(), job_id: id, ...period });
    const allocation = { supplier_item_id: null, name: 'Labor', hourly_rate: '95.55', tax_inclusive: input.tax_inclusive, quantity: 1 };
    await timer.allocate({ id: randomUUID(), job_id: id, ...allocation });
  }
  if (name === 'pay') await recordPayment(id, { amount: input });
  if (name === 'invoice') await sendInvoice(id);
  if (name === 'credit') {
    const { invoice } = await invoices.billing({ id });
    if (invoice) await invoices.credit({ id: invoice.id, credit_id: randomUUID(), reason: null });
  }
  if (name === 'duplicate') ids.push((await jobs.duplicate({ id, new_id: randomUUID() })).id);
  if (name === 'acceptQuote') {
    const items = input.map(({ discount_percent: _, quantity, ...typed }) => buildQuoteLine({ ...typed, quantity: String(quantity) }));
    const quote = await quotes.create(buildQuote({ customer_id: job.customer_id ?? '', sections: [buildQuoteSection({ items })] }));
    ids.push((await acceptAsMember(getAdmin(), { id: quote.id })).job.id ?? '');
  }
  if (name === 'changeRate') await changeCompany({ gst_percentage: input });
}

it('a job always has the totals that its lines and rate give, in lists and sums too', async () => {
  const property = fc.asyncProperty(fc.array(arbitraryCommand, { minLength: 8, maxLength: 20 }), async (commands) => {
    firm = await createFirm(test);
    const ids = [(await createJob()).id, (await createJob({ job_type: 'hourly', fixed_amount: null })).id];
    for (const step of commands) {
      await runCommand(ids, step).catch((error: unknown) => {
        if (!(error instanceof ORPCError) || error.status >= 500) throw error;
      });
    }
    await waitForQueue(test);
    const jobs = await Promise.all(ids.map((id) => getAdmin().jobs.get({ id })));
    for (const job of jobs) {
      expect(job.totals).toEqual(calculateJobTotals(job, job.items, job.tax_rate));
      const { document } = await getAdmin().invoices.billing({ id: job.id });
      expect(document.exact.amount).toBe(job.billed_amount ?? job.totals.total_amount);
    }
    // Only a rate that was quoted, invoiced or paid may differ from the company's.
    const outdated = await test.owner.query(
      'select from jobs j join companies c using (company_id) where company_id = $1 and j.priced_rate <> coalesce(j.tax_rate, c.gst_percentage)',
      [firm.companyId],
    );
    expect(outdated.rowCount).toBe(0);
    // Only a job that is quoted, invoiced or paid keeps a rate.
    const kept = await test.owner.query(
      `select from jobs where company_id = $1 and tax_rate is not null and quote_number is null and billed_amount is null and status <> 'paid'`,
      [firm.companyId],
    );
    expect(kept.rowCount).toBe(0);
    const { gst_percentage } = (await getAdmin().company.me()).profile ?? {};
    for (const rate of ['1.5', gst_percentage ?? '15']) await changeRate(rate);
    for (const { id, status, tax_rate, totals, paid_amount } of jobs)
      expect(await getAdmin().jobs.get({ id })).toMatchObject({ status, tax_rate, totals, paid_amount });
    const uninvoiced = jobs.filter(
      ({ status, billed_amount, is_invoice_canceled }) =>
        billed_amount === null && (['complete', 'invoiced'].includes(status) || (status === 'paid' && is_invoice_canceled)),
    );
    const amount = sumMoney(uninvoiced.map(({ totals }) => totals.total_amount));
    expect((await getAdmin().dashboard.money()).uninvoiced).toEqual({ amount, jobs: uninvoiced.length });
  });
  await fc.assert(property, { numRuns: 12 });
});
