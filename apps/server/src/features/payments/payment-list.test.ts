import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
import type { PaymentRow } from '@callout/contract/payments';
import { sumMoney } from '@callout/domain/money/money';
import { formatSpreadsheetTime } from '@callout/domain/time/date-format';
import { addDays, toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCsv, sumCsvColumns } from '../../../test/csv-sums.ts';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { buildJobUpdate } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { completeEarlierPayments } from './earlier-payments.sql.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const { getAdmin, createJob, sendInvoice, recordPayment } = createBillingHelpers(() => ({ test, firm }));
const today = toLocalDate(new Date().toISOString(), 'UTC');
const getDaysAgo = (days: number) => addDays(today, -days);
const getAccountant = () => firm.people.accountant.client;

const downloadCsv = async (query: ContractInputs['payments']['summary']) =>
  (
    await test.request('GET', `/api/payments.csv?${new URLSearchParams(query as Record<string, string>).toString()}`, {
      cookie: firm.people.accountant.cookie,
    })
  ).body;

const countReversals = (rows: readonly PaymentRow[]) => rows.filter(({ reverses }) => reverses !== null).length;

async function listAll(input: ContractInputs['payments']['list'] = {}): Promise<PaymentRow[]> {
  const rows: PaymentRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await getAccountant().payments.list({ ...input, cursor });
    rows.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return rows;
}

describe('the list of payments', () => {
  it('shows every amount received: deposits, payments of canceled invoices, jobs paid without an invoice, and reversals (Q5)', async () => {
    const deposit = await createJob({ status: 'booked', title: 'Deposit' });
    await recordPayment(deposit.id, { amount: '20', method: 'cash', paid_on: getDaysAgo(3), note: 'On site' });
    const canceled = await createJob({ title: 'Canceled' });
    const { invoice } = await sendInvoice(canceled.id);
    await recordPayment(canceled.id, { amount: '30', method: 'card', paid_on: getDaysAgo(2) });
    await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    const unbilled = await createJob({ title: 'Unbilled' });
    await getAdmin().jobs.setStatus({ id: unbilled.id, status: 'paid' });
    const bounced = await createJob({ title: 'Bounced' });
    const { payments } = await recordPayment(bounced.id, { amount: '115', method: 'paypal', paid_on: getDaysAgo(1) });
    await getAdmin().payments.reverse({ id: payments[0]?.id ?? '', reversal_id: randomUUID(), note: 'Bounced' });
    const rows = await listAll();
    expect(rows.map((row) => [row.paid_on, row.job_title, row.method, row.amount, row.invoice_number, row.note, row.is_reversed])).toEqual([
      [today, 'Bounced', 'paypal', '-115.00', null, 'Bounced', false],
      [today, 'Unbilled', 'bank_transfer', '115.00', null, null, false],
      [getDaysAgo(1), 'Bounced', 'paypal', '115.00', null, null, true],
      [getDaysAgo(2), 'Canceled', 'card', '30.00', invoice?.invoice_number, null, false],
      [getDaysAgo(3), 'Deposit', 'cash', '20.00', null, 'On site', false],
    ]);
    expect(rows[0]).toMatchObject({ customer_name: 'Ana Ruiz', recorded_by: 'The admin', job_number: bounced.job_number });
    expect(await getAccountant().payments.summary({})).toEqual({
      entries: 5,
      reversals: 1,
      amount: '165.00',
      fee: '0.00',
      is_capped: false,
    });
    const csv = await downloadCsv({});
    expect(rows.map((row) => row.is_invoice_canceled)).toEqual([false, false, false, true, false]);
    expect(parseCsv(csv)[2]?.[8]).toBe(invoice?.invoice_number);
    expect(parseCsv(csv)[0]?.join()).toBe(
      'Date,Kind,Method,Amount,PayPal Fee,Customer,Job,Title,Invoice,Note,Recorded by,Recorded at,Currency',
    );
    expect(parseCsv(csv)[1]?.slice(0, 11)).toEqual([
      getDaysAgo(3),
      'Payment',
      'Cash',
      '20.00',
      '0.00',
      'Ana Ruiz',
      deposit.job_number,
      'Deposit',
      '',
      'On site',
      'The admin',
    ]);
    expect(parseCsv(csv).at(-1)?.slice(0, 4)).toEqual([today, 'Reversal', 'PayPal', '-115.00']);
    expect(parseCsv(csv)[1]?.at(-1)).toBe('NZD');
  });

  it('has sums and an export that match its rows for every method, period and search', async () => {
    await test.owner.query(`update companies set add_paypal_fees = true, paypal_email = 'p@x.nz' where company_id = $1`, [firm.companyId]);
    for (const [index, method] of (['bank_transfer', 'cash', 'card', 'paypal', 'other', 'cash'] as const).entries()) {
      const job = await createJob({ title: index % 2 ? 'Drain' : 'Tap', status: 'booked' });
      const { payments } = await recordPayment(job.id, {
        amount: method === 'paypal' ? '118.74' : `${index + 1}.0${index}`,
        method,
        paid_on: getDaysAgo(index * 10),
      });
      if (method === 'other') await getAdmin().payments.reverse({ id: payments[0]?.id ?? '', reversal_id: randomUUID() });
    }
    const inputs: ContractInputs['payments']['summary'][] = [
      {},
      { method: 'cash' },
      { method: 'paypal' },
      { from: getDaysAgo(30), to: getDaysAgo(10) },
      { method: 'cash', to: getDaysAgo(20) },
      { search: 'drain' },
      { search: 'tap' },
      { search: 'ana', from: getDaysAgo(20), method: 'card' },
      { search: 'nothing like it' },
      { search: '5.04' },
      { search: '-5.04', method: 'other' },
    ];
    for (const input of inputs) {
      const [rows, summary] = [await listAll(input), await getAccountant().payments.summary(input)];
      const expected = { amount: sumMoney(rows.map(({ amount }) => amount)), fee: sumMoney(rows.map(({ fee }) => fee)) };
      expect(summary).toEqual({ entries: rows.length, reversals: countReversals(rows), ...expected, is_capped: false });
      expect(sumCsvColumns(await downloadCsv(input))).toMatchObject({ Amount: expected.amount, 'PayPal Fee': expected.fee });
    }
    expect((await getAccountant().payments.summary({})).fee).toBe('3.74');
    expect((await listAll({ sort: 'amount', order: 'asc' })).map(({ amount }) => amount)).toEqual([
      '-5.04',
      '1.00',
      '2.01',
      '3.02',
      '5.04',
      '6.05',
      '115.00',
    ]);
  });

  it('is searched by note and by the numbers of invoices, including those issued after a deposit and those canceled since', async () => {
    const job = await createJob({ status: 'booked' });
    await recordPayment(job.id, { amount: '20', note: 'Ōtāhuhu “Ref” 4711' });
    await getAdmin().jobs.setStatus({ id: job.id, status: 'complete' });
    const { invoice } = await sendInvoice(job.id);
    await recordPayment(job.id, { amount: '30' });
    await recordPayment((await createJob()).id, { amount: '40' });
    const findAmounts = async (search: string) => (await listAll({ search })).map(({ amount }) => amount).toSorted();
    const findByNumber = () => findAmounts(invoice?.invoice_number ?? '');
    expect(await findByNumber()).toEqual(['20.00', '30.00']);
    expect(await findAmounts('otahuhu 4711')).toEqual(['20.00']);
    await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    await recordPayment(job.id, { amount: '1' });
    expect(await findByNumber()).toEqual(['1.00', '20.00', '30.00']);
  });

  it('names the invoice that was open and the title when a payment was recorded, also for payments of earlier releases', async () => {
    const job = await createJob({ status: 'booked' });
    await recordPayment(job.id, { amount: '10' });
    await getAdmin().jobs.setStatus({ id: job.id, status: 'complete' });
    const { invoice: first } = await sendInvoice(job.id);
    const { payments } = await recordPayment(job.id, { amount: '20' });
    const invoiced = await getAdmin().jobs.get({ id: job.id });
    await getAdmin().jobs.update(buildJobUpdate(invoiced, { title: 'New title', fixed_amount: '200' }));
    const { invoice: second } = await sendInvoice(job.id);
    await recordPayment(job.id, { amount: '30' });
    const paymentId = payments.find(({ amount }) => amount === '20.00')?.id ?? '';
    await getAdmin().payments.reverse({ id: paymentId, reversal_id: randomUUID() });
    await getAdmin().invoices.credit({ id: second?.id ?? '', credit_id: randomUUID() });
    await recordPayment(job.id, { amount: '40', is_excess_confirmed: true });
    const readInvoices = async () => (await listAll()).map(({ amount, invoice_number, job_title }) => [amount, invoice_number, job_title]);
    const recorded = await readInvoices();
    expect(second?.invoice_number).not.toBe(first?.invoice_number);
    expect(recorded).toEqual([
      ['40.00', null, 'New title'],
      ['-20.00', first?.invoice_number, 'New title'],
      ['30.00', second?.invoice_number, 'New title'],
      ['20.00', first?.invoice_number, job.title],
      ['10.00', null, job.title],
    ]);
    await test.owner.query('update payments set invoice_number = null, job_title = null where company_id = $1', [firm.companyId]);
    const withoutTitles = (rows: typeof recorded) => rows.map(([amount, number]) => [amount, number]);
    expect(withoutTitles(await readInvoices())).toEqual(withoutTitles(recorded));
    await completeEarlierPayments(test.owner, AbortSignal.timeout(60_000), 2);
    expect(await readInvoices()).toEqual(withoutTitles(recorded).map((row) => [...row, 'New title']));
    const { rows } = await test.owner.query('select from payments where company_id = $1 and job_title is null', [firm.companyId]);
    expect(rows).toEqual([]);
  });

  it('is searched by exact amounts', async () => {
    for (const amount of ['100.00', '1100.00', '1234.50', '99.99']) {
      const { id } = await createJob({ fixed_amount: '2000' });
      const { payments } = await recordPayment(id, { amount, note: 'Ref 100' });
      if (amount === '99.99') await getAdmin().payments.reverse({ id: payments[0]?.id ?? '', reversal_id: randomUUID() });
    }
    const findAmounts = async (search: string) => (await listAll({ search })).map(({ amount }) => amount);
    expect(await findAmounts('100.00')).toEqual(['100.00']);
    expect(await findAmounts(' $1,234.50 ')).toEqual(['1234.50']);
    expect(await findAmounts('1234.50')).toEqual(['1234.50']);
    expect(await findAmounts('99.99')).toEqual(['99.99']);
    expect(await findAmounts('-99.99')).toEqual(['-99.99']);
    expect(await findAmounts('0.01')).toEqual([]);
    expect(await findAmounts('ref 100')).toHaveLength(4);
  });

  it("exports when it was recorded in the company's time zone", async () => {
    await test.owner.query(`update companies set timezone = 'Pacific/Auckland' where company_id = $1`, [firm.companyId]);
    const { payments } = await recordPayment((await createJob()).id);
    const recordedAt = formatSpreadsheetTime(payments[0]?.recorded_at ?? '', 'Pacific/Auckland');
    expect(parseCsv(await downloadCsv({}))[1]?.at(-2)).toBe(recordedAt);
  });

  it('keeps the name of a customer who is deleted or renamed later', async () => {
    const job = await createJob();
    const { payments } = await recordPayment(job.id, { amount: '5' });
    await getAdmin().customers.remove({ id: job.customer_id ?? '' });
    await getAdmin().payments.reverse({ id: payments[0]?.id ?? '', reversal_id: randomUUID() });
    expect((await listAll({ search: 'ruiz' })).map(({ customer_name, amount }) => [customer_name, amount])).toEqual([
      ['Ana Ruiz', '-5.00'],
      ['Ana Ruiz', '5.00'],
    ]);
  });

  it('is forbidden to staff, and so are its sums and its export', async () => {
    for (const call of ['list', 'summary'] as const)
      await expect(firm.people.staff.client.payments[call]({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await test.request('GET', '/api/payments.csv', { cookie: firm.people.staff.cookie })).statusCode).toBe(403);
  });
});
