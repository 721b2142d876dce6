import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { checkStoredTotals } from './check-totals.ts';
import { readQueueHealth } from './queue-health.sql.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const { getAdmin, createJob, sendInvoice, recordPayment } = createBillingHelpers(() => ({ test, firm }));

/** Runs the check and returns what the administrator reads in the queue's errors. */
async function runCheck(): Promise<string | undefined> {
  const { pools, now, log } = test.app.platform;
  await checkStoredTotals({ pools, pool: pools.system, now, log, signal: new AbortController().signal });
  await waitForQueue(test);
  const { errors } = await readQueueHealth(pools.system);
  return errors.find(({ task }) => task === 'report-wrong-totals')?.last_error;
}

async function createQuote() {
  const { customer_id } = await createJob();
  return getAdmin().quotes.create(buildQuote({ customer_id: customer_id ?? '' }));
}

describe('the nightly check of stored totals', () => {
  it('finds nothing in what the commands have stored', async () => {
    const [paid, credited] = [await createJob({ lines: [{ unit_price: '10.03', tax_inclusive: false }] }), await createJob()];
    await sendInvoice(paid.id);
    await recordPayment(paid.id);
    const { invoice } = await sendInvoice(credited.id);
    await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID(), reason: null });
    await acceptAsMember(getAdmin(), { id: (await createQuote()).id });
    await createQuote();
    expect(await runCheck()).toBeUndefined();
  });

  it.each([
    ['job', "the job's total", 'update jobs set total_amount = total_amount + 0.01 where id = $1', async () => (await createJob()).id],
    ['job', "the job's payments", 'update jobs set paid_amount = 1 where id = $1', async () => (await createJob()).id],
    ['quote', "the quote's tax", 'update quotes set tax_amount = tax_amount + 1 where id = $1', async () => (await createQuote()).id],
    ['quote', 'a section', 'update quote_sections set subtotal = 0 where quote_id = $1', async () => (await createQuote()).id],
    [
      'invoice',
      "the invoice's tax",
      'update invoices set subtotal = subtotal + 1, tax_amount = tax_amount - 1 where id = $1',
      async () => (await sendInvoice((await createJob()).id)).invoice?.id ?? '',
    ],
  ])('reports the %s after someone changed %s in the database', async (kind, _, statement, create) => {
    await createQuote();
    const id = await create();
    await test.owner.query(statement, [id]);
    expect(await runCheck()).toContain(`${kind} ${id} of company ${firm.companyId}`);
    expect(test.logLines.at(-1)).toContain(`${kind} ${id}`);
    await test.owner.query('delete from companies where company_id = $1', [firm.companyId]);
  });

  it('reports and reprices jobs that a change of the tax rate has missed', async () => {
    const job = await createJob();
    await test.owner.query('alter table companies disable trigger reprice_company');
    await test.owner.query('update companies set gst_percentage = 10 where company_id = $1', [firm.companyId]);
    await test.owner.query('alter table companies enable trigger reprice_company');
    expect(await runCheck()).toContain(`prices at an earlier tax rate or currency of company ${firm.companyId}`);
    const { rows } = await test.owner.query('select trim_scale(priced_rate)::text as rate from jobs where id = $1', [job.id]);
    expect(rows).toEqual([{ rate: '10' }]);
    await test.owner.query('delete from companies where company_id = $1', [firm.companyId]);
  });

  it('reports sums by day and counts that someone changed in the database', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await recordPayment(id, { amount: '15' });
    await test.owner.query('update invoice_days set total_amount = total_amount + 0.01 where company_id = $1', [firm.companyId]);
    await test.owner.query('update payment_days set reversals = 1 where company_id = $1', [firm.companyId]);
    await test.owner.query(`update record_count_changes set total = 2 where company_id = $1 and kind = 'jobs'`, [firm.companyId]);
    expect(await runCheck()).toMatch(
      /^invoices of \d{4}-\d\d-\d\d of company .*, bank_transfer payments of \d{4}-\d\d-\d\d of company .*, number of jobs .* of company /,
    );
    await test.owner.query('delete from companies where company_id = $1', [firm.companyId]);
  });
});
