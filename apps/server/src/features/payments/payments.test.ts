import { randomUUID } from 'node:crypto';
import { addDays, toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { buildJobUpdate } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { readPersistentRows } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const { getAdmin, createJob, sendInvoice, recordPayment } = createBillingHelpers(() => ({ test, firm }));
const getToday = () => toLocalDate(new Date().toISOString(), 'UTC');
const buildFailure = (code: string, message?: string) => ({ code, ...(message !== undefined && { message }) });
const buildInvalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });
const buildExceedsDue = (due: string) => buildInvalidInput({ amount: `Amount can't be more than the ${due} due` });
const readAllRows = () => readPersistentRows(test);
const TAX_EXCLUSIVE_LINE = { unit_price: '100.00', tax_inclusive: false };

describe('Mark as Paid', () => {
  it('records a bank transfer of the full amount, dated today, and marks the job as paid (PAY-07)', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    const billing = await recordPayment(id);
    expect(billing).toMatchObject({
      job: { status: 'paid' },
      paid_amount: '115.00',
      request: { outstanding: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
      payment_link: null,
      invoice: { paid_amount: '115.00', balance: '0.00', shown_status: 'paid' },
      payments: [
        { amount: '115.00', paid_on: getToday(), method: 'bank_transfer', recorded_by: 'The admin', reverses: null, is_reversed: false },
      ],
    });
  });

  it('changes nothing when repeated with the same id or once everything is paid', async () => {
    const { id } = await createJob();
    const payment = { id: randomUUID(), amount: '15', paid_on: getToday(), method: 'cash' } as const;
    const first = await recordPayment(id, payment);
    expect(await recordPayment(id, payment)).toEqual(first);
    for (const other of [{ amount: '16' }, { paid_on: addDays(getToday(), -1) }, { note: 'On site' }, { method: 'card' } as const]) {
      await expect(recordPayment(id, { ...payment, ...other })).rejects.toMatchObject(buildFailure('ID_TAKEN'));
    }
    const { paid_on: _day, ...oneClick } = payment;
    expect(await recordPayment(id, oneClick)).toEqual(first);
    await expect(recordPayment((await createJob()).id, payment)).rejects.toMatchObject(buildFailure('ID_TAKEN'));
    const paid = await recordPayment(id);
    expect(paid.payments.map(({ amount }) => amount)).toEqual(['100.00', '15.00']);
    expect(await recordPayment(id)).toEqual(paid);
  });

  it('is rejected if the amount due has changed since it was displayed', async () => {
    const { id } = await createJob();
    const payment = { id: randomUUID(), outstanding: '115.00' };
    const changed = buildFailure('INVOICE_CHANGED', 'The amount due has changed. Please check it before you record the payment.');
    await getAdmin().jobs.update(buildJobUpdate(await getAdmin().jobs.get({ id }), { fixed_amount: '230' }));
    const before = await readAllRows();
    await expect(recordPayment(id, payment)).rejects.toMatchObject(changed);
    expect(await readAllRows()).toEqual(before);
    const paid = await recordPayment(id, { ...payment, outstanding: '230' });
    expect(paid.payments).toMatchObject([{ amount: '230.00' }]);
    expect(await recordPayment(id, payment)).toEqual(paid);
    await expect(recordPayment(id, { outstanding: '230.00' })).rejects.toMatchObject(changed);
    expect(await recordPayment(id, { outstanding: '0.00' })).toEqual(paid);
    await expect(recordPayment(id, { outstanding: 'all' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it.each([
    ['complete', 'paid'],
    ['invoiced', 'paid'],
    ['booked', 'booked'],
  ] as const)('turns a job that costs nothing from %s to %s without a payment', async (status, expected) => {
    const { id } = await createJob({ fixed_amount: '0', status });
    expect(await recordPayment(id)).toMatchObject({ job: { status: expected }, payments: [] });
  });
});

describe('a job payment', () => {
  it('of part of the amount leaves the rest outstanding, with a fee for the rest', async () => {
    await test.owner.query(`update companies set add_paypal_fees = true, paypal_email = 'p@x.nz' where company_id = $1`, [firm.companyId]);
    const { id } = await createJob();
    await sendInvoice(id);
    const billing = await recordPayment(id, { amount: '50' });
    expect(billing).toMatchObject({
      job: { status: 'invoiced' },
      request: { outstanding: '65.00', amount: '65.00', fee: '2.25', total: '67.25' },
      invoice: { paid_amount: '50.00', balance: '65.00', shown_status: 'due' },
    });
    expect(billing.payment_link).toContain('amount=67.25');
    // Changing the fee percentage has no effect, because the invoice has frozen it.
    await test.owner.query('update companies set paypal_fee_percentage = 10 where company_id = $1', [firm.companyId]);
    expect((await getAdmin().invoices.billing({ id })).request).toMatchObject({ fee: '2.25', total: '67.25' });
    expect((await recordPayment(id)).payments.map(({ amount }) => amount)).toEqual(['65.00', '50.00']);
  });

  it('is rejected if it exceeds the amount due', async () => {
    const { id } = await createJob();
    const before = await readAllRows();
    await expect(recordPayment(id, { amount: '115.01' })).rejects.toMatchObject(buildExceedsDue('$115.00'));
    expect(await readAllRows()).toEqual(before);
    await recordPayment(id, { amount: '115' });
    await expect(recordPayment(id, { amount: '0.01' })).rejects.toMatchObject(buildExceedsDue('$0.00'));
  });

  it('that exceeds the amount due is recorded if it is confirmed: 1.00 too much, or paid twice', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await recordPayment(id, { amount: '1' });
    await expect(recordPayment(id, { amount: '115' })).rejects.toMatchObject(buildExceedsDue('$114.00'));
    const confirmed = { amount: '115', is_excess_confirmed: true };
    expect(await recordPayment(id, { ...confirmed, outstanding: '114.00' })).toMatchObject({
      job: { status: 'paid' },
      paid_amount: '116.00',
      request: { outstanding: '0.00', overpaid: '1.00' },
      invoice: { paid_amount: '116.00', shown_status: 'paid' },
    });
    // Someone else has recorded the payment, so that a confirmation of what was displayed before is not enough.
    await expect(recordPayment(id, { ...confirmed, outstanding: '114.00' })).rejects.toMatchObject(buildFailure('INVOICE_CHANGED'));
    const twice = await recordPayment(id, confirmed);
    expect(twice).toMatchObject({ job: { status: 'paid' }, request: { overpaid: '116.00' } });
    const [payment] = twice.payments;
    expect(await getAdmin().payments.reverse({ id: payment?.id ?? '', reversal_id: randomUUID() })).toMatchObject({
      job: { status: 'paid' },
      request: { overpaid: '1.00' },
    });
  });

  it('for a canceled job is recorded if it is confirmed, because nothing is due', async () => {
    const { id } = await createJob({ status: 'canceled' });
    for (const amount of ['115', '0.01', null]) {
      await expect(recordPayment(id, { amount })).rejects.toMatchObject(buildExceedsDue('$0.00'));
    }
    expect(await recordPayment(id, { amount: '115', is_excess_confirmed: true, outstanding: '0.00' })).toMatchObject({
      job: { status: 'canceled' },
      paid_amount: '115.00',
    });
  });

  it.each(['0', '-5', '1.005', 'NaN', '1e3', '10000000000'])('of %s is rejected', async (amount) => {
    await expect(recordPayment((await createJob({ status: 'booked' })).id, { amount })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it("cannot be dated after today in the company's time zone, but may predate the invoice", async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await expect(recordPayment(id, { paid_on: addDays(getToday(), 2) })).rejects.toMatchObject(
      buildInvalidInput({ paid_on: "The date can't be in the future" }),
    );
    const timezone = 'Pacific/Kiritimati';
    await test.owner.query('update companies set timezone = $2 where company_id = $1', [firm.companyId, timezone]);
    const localToday = toLocalDate(new Date().toISOString(), timezone);
    expect((await recordPayment(id, { amount: '1', paid_on: localToday })).payments[0]).toMatchObject({ paid_on: localToday });
    const monthsEarlier = addDays(getToday(), -300);
    expect((await recordPayment(id, { amount: '1', paid_on: monthsEarlier })).payments[0]).toMatchObject({ paid_on: monthsEarlier });
    await expect(recordPayment(id, { amount: '1', paid_on: '2021-02-29' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is rejected if it is dated more than a year before the job', async () => {
    const { id } = await createJob();
    const { earliest_payment_on } = await getAdmin().invoices.billing({ id });
    const rejection = buildInvalidInput({ paid_on: 'The date is more than a year before this job. Please check the year.' });
    for (const paid_on of ['2020-02-29', addDays(earliest_payment_on, -1)])
      await expect(recordPayment(id, { amount: '1', paid_on })).rejects.toMatchObject(rejection);
    expect((await recordPayment(id, { amount: '1', paid_on: earliest_payment_on })).paid_amount).toBe('1.00');
    await test.owner.query(`update jobs set booking_date = '2020-03-01T00:00:00Z' where id = $1`, [id]);
    expect((await recordPayment(id, { amount: '1', paid_on: '2020-02-29' })).paid_amount).toBe('2.00');
  });

  it('can exceed the price before the work is done only if that is confirmed, and completing the job then marks it as paid', async () => {
    const { id } = await createJob({ status: 'booked' });
    await expect(recordPayment(id, { amount: '200' })).rejects.toMatchObject(
      buildInvalidInput({ amount: 'This is more than the $115.00 not paid yet. Please confirm it.' }),
    );
    const unpriced = await createJob({ status: 'booked', fixed_amount: null });
    expect(await recordPayment(unpriced.id, { amount: '200' })).toMatchObject({ paid_amount: '200.00' });
    expect(await recordPayment(id, { amount: '200', is_excess_confirmed: true })).toMatchObject({
      job: { status: 'booked' },
      request: { outstanding: '0.00', overpaid: '85.00' },
    });
    expect((await getAdmin().jobs.setStatus({ id, status: 'complete' })).status).toBe('paid');
  });

  it('cannot exceed the invoice once it is sent, even before the work is done', async () => {
    const { id } = await createJob({ status: 'booked' });
    await sendInvoice(id);
    await expect(recordPayment(id, { amount: '115.01' })).rejects.toMatchObject(buildExceedsDue('$115.00'));
  });

  it('counts toward an invoice that is sent later', async () => {
    const { id } = await createJob({ status: 'booked' });
    await recordPayment(id, { amount: '40' });
    await getAdmin().jobs.setStatus({ id, status: 'complete' });
    expect(await sendInvoice(id)).toMatchObject({ job: { status: 'invoiced' }, invoice: { paid_amount: '40.00', balance: '75.00' } });
  });

  it('is rejected if the total paid would be too large to store', async () => {
    const { id } = await createJob({ status: 'booked' });
    await recordPayment(id, { amount: '9999999999.99', is_excess_confirmed: true });
    await expect(recordPayment(id, { amount: '0.01', is_excess_confirmed: true })).rejects.toMatchObject(
      buildInvalidInput({ amount: 'Amount must be at most 9,999,999,999.99' }),
    );
  });

  it('can be reversed only once, which adds a negative payment and reopens the job', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    const [payment] = (await recordPayment(id)).payments;
    const reversal = { id: payment?.id ?? '', reversal_id: randomUUID(), note: 'Bounced' };
    const billing = await firm.people.accountant.client.payments.reverse(reversal);
    expect(billing).toMatchObject({
      job: { status: 'invoiced' },
      paid_amount: '0.00',
      invoice: { paid_amount: '0.00', balance: '115.00' },
      request: { outstanding: '115.00' },
    });
    expect(billing.payments.find((row) => row.reverses === payment?.id)).toMatchObject({ amount: '-115.00', note: 'Bounced' });
    expect(billing.payments.find((row) => row.id === payment?.id)).toMatchObject({ amount: '115.00', is_reversed: true });
    expect(await getAdmin().payments.reverse(reversal)).toEqual(billing);
    const reverse = (paymentId: string, reversal_id = randomUUID()) => getAdmin().payments.reverse({ id: paymentId, reversal_id });
    await expect(reverse(reversal.id)).rejects.toMatchObject(buildFailure('PAYMENT_REVERSED'));
    await expect(reverse(reversal.reversal_id)).rejects.toMatchObject(buildFailure('PAYMENT_REVERSED'));
    await expect(reverse(randomUUID())).rejects.toMatchObject(buildFailure('NOT_FOUND', 'Payment not found'));
    await expect(recordPayment(id, { id: reversal.reversal_id })).rejects.toMatchObject(buildFailure('ID_TAKEN'));
    const actions = (await getAdmin().comments.history({ id })).rows.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['payment_recorded', 'payment_reversed']));
  });

  it('cannot be changed or deleted by the application, and neither can invoices or companies', async () => {
    const { id } = await createJob();
    await recordPayment(id);
    const attempts = [
      'update payments set amount = 1',
      'delete from payments',
      'update invoices set total_amount = 1',
      'delete from invoices',
      'delete from invoice_counters',
      'delete from companies',
    ];
    for (const statement of attempts) {
      const attempt = runTenantTransaction(test.app.platform.pools.app, toTenant(firm), (scope) => scope.db.execute(statement));
      await expect(attempt).rejects.toMatchObject({ cause: { message: expect.stringContaining('permission denied') as string } });
    }
  });
});

describe("setting a job's status by hand", () => {
  it('to paid on the board, the edit page or the create form records the outstanding amount', async () => {
    const onBoard = await createJob();
    await recordPayment(onBoard.id, { amount: '15' });
    expect(await getAdmin().jobs.setStatus({ id: onBoard.id, status: 'paid' })).toMatchObject({ status: 'paid', paid_amount: '115.00' });
    expect((await getAdmin().invoices.billing({ id: onBoard.id })).payments).toMatchObject([
      { amount: '100.00', paid_on: getToday(), method: 'bank_transfer' },
      { amount: '15.00' },
    ]);
    const edited = await getAdmin().jobs.update(buildJobUpdate(await createJob(), { status: 'paid', fixed_amount: '230' }));
    expect(edited).toMatchObject({ status: 'paid', paid_amount: '230.00' });
    expect(await createJob({ status: 'paid' })).toMatchObject({ status: 'paid', paid_amount: '115.00' });
  });

  it('to paid is rejected if the total is too large to store', async () => {
    const job = await createJob({ lines: [{ unit_price: '9999999999.99' }, { unit_price: '0.01' }] });
    const rejection = buildInvalidInput({ status: 'Payments for a job can total at most 9,999,999,999.99' });
    await expect(getAdmin().jobs.setStatus({ id: job.id, status: 'paid' })).rejects.toMatchObject(rejection);
    await expect(getAdmin().jobs.update(buildJobUpdate(job, { status: 'paid' }))).rejects.toMatchObject(rejection);
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ status: 'complete', paid_amount: '0.00' });
  });

  it('from paid to complete or invoiced is rejected while payments cover the job', async () => {
    const job = await createJob({ status: 'paid' });
    const before = await readAllRows();
    const rejection = buildFailure('JOB_PAID', 'This job is paid. Reverse a payment on its payment page first.');
    for (const status of ['complete', 'invoiced'] as const) {
      await expect(getAdmin().jobs.setStatus({ id: job.id, status })).rejects.toMatchObject(rejection);
      await expect(getAdmin().jobs.update(buildJobUpdate(job, { status }))).rejects.toMatchObject(rejection);
    }
    expect(await readAllRows()).toEqual(before);
  });

  it('from paid to any other status is allowed and keeps the payments', async () => {
    const { id } = await createJob({ status: 'paid' });
    expect(await getAdmin().jobs.setStatus({ id, status: 'canceled' })).toMatchObject({ status: 'canceled', paid_amount: '115.00' });
    expect(await getAdmin().jobs.setStatus({ id, status: 'booked' })).toMatchObject({ status: 'booked', paid_amount: '115.00' });
    expect(await getAdmin().jobs.setStatus({ id, status: 'invoiced' })).toMatchObject({ status: 'paid' });
  });

  it('from paid to complete is allowed for a job that costs nothing', async () => {
    const { id } = await createJob({ status: 'paid', fixed_amount: null });
    expect((await getAdmin().jobs.setStatus({ id, status: 'complete' })).status).toBe('complete');
  });
});

describe('a paid job with a price increase', () => {
  it('becomes complete, and paid again when the change is undone', async () => {
    const job = await createJob({ status: 'paid' });
    const repriced = await getAdmin().jobs.update(buildJobUpdate(job, { fixed_amount: '230' }));
    expect(repriced).toMatchObject({ status: 'complete', paid_amount: '115.00' });
    const { rows } = await getAdmin().comments.history({ id: job.id });
    expect(rows.filter(({ changes }) => changes['status']?.[0] === 'paid')).toMatchObject([
      { action: 'edited', changes: { status: ['paid', 'complete'] } },
    ]);
    expect(await getAdmin().jobs.update(buildJobUpdate(repriced, { fixed_amount: '115' }))).toMatchObject({ status: 'paid' });
  });

  it('changes status when quantities change or lines are removed', async () => {
    const job = await createJob({ lines: [{ unit_price: '115.00' }, { unit_price: '10.00' }] });
    await recordPayment(job.id);
    const [, second] = job.items;
    const line = second?.id ?? '';
    expect(await getAdmin().jobs.setQuantity({ id: line, quantity: 2 })).toMatchObject({ status: 'complete' });
    expect(await getAdmin().jobs.removeItem({ id: line })).toMatchObject({ status: 'paid' });
  });

  it('stays paid until a corrected invoice is sent', async () => {
    const job = await createJob();
    await sendInvoice(job.id);
    await recordPayment(job.id);
    const paid = await getAdmin().jobs.get({ id: job.id });
    expect(await getAdmin().jobs.update(buildJobUpdate(paid, { fixed_amount: '230' }))).toMatchObject({ status: 'paid' });
    const corrected = await sendInvoice(job.id);
    expect(corrected).toMatchObject({ job: { status: 'invoiced' }, request: { outstanding: '115.00' } });
    // The payment counts only once, toward the open invoice.
    expect(corrected.invoices.map(({ state, paid_amount }) => [state, paid_amount])).toEqual([
      ['open', '115.00'],
      ['open', '0.00'],
      ['credited', '0.00'],
    ]);
  });

  it('stays paid at the same price when the company changes its GST rate', async () => {
    const [paid, other] = [await createJob({ lines: [TAX_EXCLUSIVE_LINE] }), await createJob({ lines: [TAX_EXCLUSIVE_LINE] })];
    await recordPayment(paid.id);
    const byHand = await createJob({ lines: [TAX_EXCLUSIVE_LINE] });
    await getAdmin().jobs.setStatus({ id: byHand.id, status: 'paid' });
    await test.owner.query('update companies set gst_percentage = 20 where company_id = $1', [firm.companyId]);
    await waitForQueue(test);
    for (const { id } of [paid, byHand]) {
      const job = await getAdmin().jobs.get({ id });
      expect(job).toMatchObject({ tax_rate: '15', totals: { total_amount: '115.00' }, paid_amount: '115.00' });
      expect(await getAdmin().jobs.update(buildJobUpdate(job, { title: 'New title' }))).toMatchObject({ status: 'paid' });
    }
    expect(await getAdmin().jobs.get({ id: other.id })).toMatchObject({ tax_rate: '20', totals: { total_amount: '120.00' } });
  });
});

describe('deleting a job', () => {
  it('is rejected if the job has a payment or an invoice, even a canceled one', async () => {
    const [billed, credited, paid] = [await createJob(), await createJob(), await createJob({ status: 'paid' })];
    await sendInvoice(billed.id);
    await getAdmin().invoices.credit({ id: (await sendInvoice(credited.id)).invoice?.id ?? '', credit_id: randomUUID() });
    const before = await readAllRows();
    for (const { id } of [billed, credited, paid]) {
      await expect(getAdmin().jobs.remove({ id })).rejects.toMatchObject(
        buildFailure(
          'JOB_BILLED',
          "A job with an invoice or a payment can't be deleted. You can cancel it instead once it has no open invoice.",
        ),
      );
    }
    expect(await readAllRows()).toEqual(before);
  });
});
