import { randomUUID } from 'node:crypto';
import { addDays, localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { waitUntilBlocked } from '../../../test/database.ts';
import { everyLastingRow } from '../../../test/every-row.ts';
import { billingOf } from '../../../test/factories/billed-job.ts';
import { jobChange } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { changeAs } from '../../platform/db/tenant-scope.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const { admin, addJob, send, pay } = billingOf(() => ({ test, firm }));
const today = () => localDate(new Date().toISOString(), 'UTC');
const failing = (code: string, message?: string) => ({ code, ...(message !== undefined && { message }) });
const wrong = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });
const everything = () => everyLastingRow(test);
const exclusive = { unit_price: '100.00', tax_inclusive: false };

describe('Mark as Paid', () => {
  it('records a bank transfer of all that is due, today, and the job is paid (PAY-07)', async () => {
    const { id } = await addJob();
    await send(id);
    const billing = await pay(id);
    expect(billing).toMatchObject({
      job: { status: 'paid' },
      paid_amount: '115.00',
      request: { outstanding: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
      payment_link: null,
      invoice: { paid_amount: '115.00', balance: '0.00', shown_status: 'paid' },
      payments: [
        { amount: '115.00', paid_on: today(), method: 'bank_transfer', recorded_by: 'The admin', reverses: null, is_reversed: false },
      ],
    });
  });

  it('again changes nothing: with the same id, or when all is paid', async () => {
    const { id } = await addJob();
    const payment = { id: randomUUID(), amount: '15', paid_on: today(), method: 'cash' } as const;
    const first = await pay(id, payment);
    expect(await pay(id, payment)).toEqual(first);
    for (const other of [{ amount: '16' }, { paid_on: addDays(today(), -1) }, { note: 'On site' }, { method: 'card' } as const]) {
      await expect(pay(id, { ...payment, ...other })).rejects.toMatchObject(failing('ID_TAKEN'));
    }
    const { paid_on: _day, ...oneClick } = payment;
    expect(await pay(id, oneClick)).toEqual(first);
    await expect(pay((await addJob()).id, payment)).rejects.toMatchObject(failing('ID_TAKEN'));
    const paid = await pay(id);
    expect(paid.payments.map(({ amount }) => amount)).toEqual(['100.00', '15.00']);
    expect(await pay(id)).toEqual(paid);
  });

  it('of another amount than was on the screen is refused, and records nothing', async () => {
    const { id } = await addJob();
    const payment = { id: randomUUID(), outstanding: '115.00' };
    const changed = failing('INVOICE_CHANGED', 'The amount due has changed. Please check it before you record the payment.');
    await admin().jobs.update(jobChange(await admin().jobs.get({ id }), { fixed_amount: '230' }));
    const before = await everything();
    await expect(pay(id, payment)).rejects.toMatchObject(changed);
    expect(await everything()).toEqual(before);
    const paid = await pay(id, { ...payment, outstanding: '230' });
    expect(paid.payments).toMatchObject([{ amount: '230.00' }]);
    expect(await pay(id, payment)).toEqual(paid);
    await expect(pay(id, { outstanding: '230.00' })).rejects.toMatchObject(changed);
    expect(await pay(id, { outstanding: '0.00' })).toEqual(paid);
    await expect(pay(id, { outstanding: 'all' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('of a job that costs nothing marks it as paid without a payment', async () => {
    const { id } = await addJob({ fixed_amount: '0' });
    expect(await pay(id)).toMatchObject({ job: { status: 'paid' }, payments: [] });
  });
});

describe('a payment', () => {
  it('in parts leaves the rest outstanding, and the fee of what is left', async () => {
    await test.owner.query(`update companies set add_paypal_fees = true, paypal_email = 'p@x.nz' where company_id = $1`, [firm.companyId]);
    const { id } = await addJob();
    await send(id);
    const billing = await pay(id, { amount: '50' });
    expect(billing).toMatchObject({
      job: { status: 'invoiced' },
      request: { outstanding: '65.00', amount: '65.00', fee: '2.25', total: '67.25' },
      invoice: { paid_amount: '50.00', balance: '65.00', shown_status: 'due' },
    });
    expect(billing.payment_link).toContain('amount=67.25');
    // The fee was frozen with the invoice.
    await test.owner.query('update companies set paypal_fee_percentage = 10 where company_id = $1', [firm.companyId]);
    expect((await admin().invoices.billing({ id })).request).toMatchObject({ fee: '2.25', total: '67.25' });
    expect((await pay(id)).payments.map(({ amount }) => amount)).toEqual(['65.00', '50.00']);
  });

  it('that is larger than what is due is refused at its amount', async () => {
    const { id } = await addJob();
    const before = await everything();
    await expect(pay(id, { amount: '115.01' })).rejects.toMatchObject(
      wrong({ amount: 'The payment is larger than the $115.00 that is due.' }),
    );
    expect(await everything()).toEqual(before);
    await pay(id, { amount: '115' });
    await expect(pay(id, { amount: '0.01' })).rejects.toMatchObject(wrong({ amount: 'The payment is larger than the $0.00 that is due.' }));
  });

  it.each(['0', '-5', '1.005', 'NaN', '1e3', '10000000000'])('of %s is refused', async (amount) => {
    await expect(pay((await addJob({ status: 'booked' })).id, { amount })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is dated at most today in the time zone of the company, and may be before the invoice', async () => {
    const { id } = await addJob();
    await send(id);
    await expect(pay(id, { paid_on: addDays(today(), 2) })).rejects.toMatchObject(wrong({ paid_on: "The date can't be in the future" }));
    const zone = 'Pacific/Kiritimati';
    await test.owner.query('update companies set timezone = $2 where company_id = $1', [firm.companyId, zone]);
    const there = localDate(new Date().toISOString(), zone);
    expect((await pay(id, { amount: '1', paid_on: there })).payments[0]).toMatchObject({ paid_on: there });
    expect((await pay(id, { amount: '1', paid_on: '2020-02-29' })).payments[0]).toMatchObject({ paid_on: '2020-02-29' });
    await expect(pay(id, { amount: '1', paid_on: '2021-02-29' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('before the work is done is a deposit of any amount, and finishing the job then makes it paid', async () => {
    const { id } = await addJob({ status: 'booked' });
    expect(await pay(id, { amount: '200' })).toMatchObject({
      job: { status: 'booked' },
      request: { outstanding: '0.00', overpaid: '85.00' },
    });
    expect((await admin().jobs.setStatus({ id, status: 'complete' })).status).toBe('paid');
  });

  it('is no deposit once the invoice was sent, even before the work is done', async () => {
    const { id } = await addJob({ status: 'booked' });
    await send(id);
    await expect(pay(id, { amount: '115.01' })).rejects.toMatchObject(
      wrong({ amount: 'The payment is larger than the $115.00 that is due.' }),
    );
  });

  it('counts for the invoice that is sent later', async () => {
    const { id } = await addJob({ status: 'booked' });
    await pay(id, { amount: '40' });
    await admin().jobs.setStatus({ id, status: 'complete' });
    expect(await send(id)).toMatchObject({ job: { status: 'invoiced' }, invoice: { paid_amount: '40.00', balance: '75.00' } });
  });

  it('adds up to no more than can be stored', async () => {
    const { id } = await addJob({ status: 'booked' });
    await pay(id, { amount: '9999999999.99' });
    await expect(pay(id, { amount: '0.01' })).rejects.toMatchObject(wrong({ amount: 'Amount must be at most 9,999,999,999.99' }));
  });

  it('can be reversed once, by a row of its own, and the job is no longer paid', async () => {
    const { id } = await addJob();
    await send(id);
    const [payment] = (await pay(id)).payments;
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
    expect(await admin().payments.reverse(reversal)).toEqual(billing);
    const reverse = (paymentId: string, reversal_id = randomUUID()) => admin().payments.reverse({ id: paymentId, reversal_id });
    await expect(reverse(reversal.id)).rejects.toMatchObject(failing('PAYMENT_REVERSED'));
    await expect(reverse(reversal.reversal_id)).rejects.toMatchObject(failing('PAYMENT_REVERSED'));
    await expect(reverse(randomUUID())).rejects.toMatchObject(failing('NOT_FOUND', 'Payment not found'));
    await expect(pay(id, { id: reversal.reversal_id })).rejects.toMatchObject(failing('ID_TAKEN'));
    const actions = (await admin().comments.history({ id })).rows.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['payment_recorded', 'payment_reversed']));
  });

  it('is never changed or deleted by the application', async () => {
    const { id } = await addJob();
    await pay(id);
    const attempts = [
      'update payments set amount = 1',
      'delete from payments',
      'update invoices set total_amount = 1',
      'delete from invoices',
      'delete from invoice_counters',
      'delete from companies',
    ];
    for (const statement of attempts) {
      const attempt = changeAs(test.app.platform.pools.app, tenantOf(firm), (scope) => scope.db.execute(statement));
      await expect(attempt).rejects.toMatchObject({ cause: { message: expect.stringContaining('permission denied') as string } });
    }
  });
});

describe('a status that is set by hand', () => {
  it('to paid records what is outstanding, on the board, the edit page and the create form', async () => {
    const onBoard = await addJob();
    await pay(onBoard.id, { amount: '15' });
    expect(await admin().jobs.setStatus({ id: onBoard.id, status: 'paid' })).toMatchObject({ status: 'paid', paid_amount: '115.00' });
    expect((await admin().invoices.billing({ id: onBoard.id })).payments).toMatchObject([
      { amount: '100.00', paid_on: today(), method: 'bank_transfer' },
      { amount: '15.00' },
    ]);
    const edited = await admin().jobs.update(jobChange(await addJob(), { status: 'paid', fixed_amount: '230' }));
    expect(edited).toMatchObject({ status: 'paid', paid_amount: '230.00' });
    expect(await addJob({ status: 'paid' })).toMatchObject({ status: 'paid', paid_amount: '115.00' });
  });

  it('to paid is refused for more than can be stored', async () => {
    const job = await addJob({ lines: [{ unit_price: '9999999999.99' }, { unit_price: '0.01' }] });
    const refused = wrong({ status: 'A job can be paid up to a total of 9,999,999,999.99' });
    await expect(admin().jobs.setStatus({ id: job.id, status: 'paid' })).rejects.toMatchObject(refused);
    await expect(admin().jobs.update(jobChange(job, { status: 'paid' }))).rejects.toMatchObject(refused);
    expect(await admin().jobs.get({ id: job.id })).toMatchObject({ status: 'complete', paid_amount: '0.00' });
  });

  it('from paid to complete or invoiced is refused while payments cover the job', async () => {
    const job = await addJob({ status: 'paid' });
    const before = await everything();
    const refused = failing('JOB_PAID', 'This job is paid. Reverse a payment on its payment page first.');
    for (const status of ['complete', 'invoiced'] as const) {
      await expect(admin().jobs.setStatus({ id: job.id, status })).rejects.toMatchObject(refused);
      await expect(admin().jobs.update(jobChange(job, { status }))).rejects.toMatchObject(refused);
    }
    expect(await everything()).toEqual(before);
  });

  it('from paid to another status is allowed, and the payments stay', async () => {
    const { id } = await addJob({ status: 'paid' });
    expect(await admin().jobs.setStatus({ id, status: 'canceled' })).toMatchObject({ status: 'canceled', paid_amount: '115.00' });
    expect(await admin().jobs.setStatus({ id, status: 'booked' })).toMatchObject({ status: 'booked', paid_amount: '115.00' });
    expect(await admin().jobs.setStatus({ id, status: 'invoiced' })).toMatchObject({ status: 'paid' });
  });

  it('from paid to complete is allowed for a job that costs nothing', async () => {
    const { id } = await addJob({ status: 'paid', fixed_amount: null });
    expect((await admin().jobs.setStatus({ id, status: 'complete' })).status).toBe('complete');
  });
});

it.each([
  ['on the board', (job: Awaited<ReturnType<typeof addJob>>) => admin().jobs.setStatus({ id: job.id, status: 'paid' })],
  ['on its edit page', (job: Awaited<ReturnType<typeof addJob>>) => admin().jobs.update(jobChange(job, { status: 'paid' }))],
])('paid %s, a job is locked after the company, so that it cannot deadlock with a payment', async (_where, markPaid) => {
  const job = await addJob();
  const other = await test.owner.connect();
  onTestFinished(() => other.release());
  await other.query('begin');
  await other.query('select from jobs where id = $1 for update', [job.id]);
  const paying = markPaid(job);
  await waitUntilBlocked(test.database);
  const lockCompanyToo = other.query('select from companies where company_id = $1 for no key update nowait', [firm.companyId]);
  await expect(lockCompanyToo).rejects.toMatchObject({ code: '55P03' });
  await other.query('rollback');
  expect(await paying).toMatchObject({ status: 'paid', paid_amount: '115.00' });
});

describe('a paid job that costs more by a change', () => {
  it('is complete again, and paid when the change is taken back', async () => {
    const job = await addJob({ status: 'paid' });
    const dearer = await admin().jobs.update(jobChange(job, { fixed_amount: '230' }));
    expect(dearer).toMatchObject({ status: 'complete', paid_amount: '115.00' });
    const { rows } = await admin().comments.history({ id: job.id });
    expect(rows.filter(({ changes }) => changes['status']?.[0] === 'paid')).toMatchObject([
      { action: 'edited', changes: { status: ['paid', 'complete'] } },
    ]);
    expect(await admin().jobs.update(jobChange(dearer, { fixed_amount: '115' }))).toMatchObject({ status: 'paid' });
  });

  it('by a line, a quantity or a removed line follows them', async () => {
    const job = await addJob({ lines: [{ unit_price: '115.00' }, { unit_price: '10.00' }] });
    await pay(job.id);
    const [, second] = job.items;
    const line = second?.id ?? '';
    expect(await admin().jobs.setQuantity({ id: line, quantity: 2 })).toMatchObject({ status: 'complete' });
    expect(await admin().jobs.removeItem({ id: line })).toMatchObject({ status: 'paid' });
  });

  it('stays paid while its invoice does not change', async () => {
    const job = await addJob();
    await send(job.id);
    await pay(job.id);
    const paid = await admin().jobs.get({ id: job.id });
    expect(await admin().jobs.update(jobChange(paid, { fixed_amount: '230' }))).toMatchObject({ status: 'paid' });
    const corrected = await send(job.id);
    expect(corrected).toMatchObject({ job: { status: 'invoiced' }, request: { outstanding: '115.00' } });
    // The payment counts once, for the open one.
    expect(corrected.invoices.map(({ state, paid_amount }) => [state, paid_amount])).toEqual([
      ['open', '115.00'],
      ['replaced', '0.00'],
    ]);
  });

  it('stays paid, and costs the same, when the GST rate of the company changes', async () => {
    const [paid, other] = [await addJob({ lines: [exclusive] }), await addJob({ lines: [exclusive] })];
    await pay(paid.id);
    const byHand = await addJob({ lines: [exclusive] });
    await admin().jobs.setStatus({ id: byHand.id, status: 'paid' });
    await test.owner.query('update companies set gst_percentage = 20 where company_id = $1', [firm.companyId]);
    for (const { id } of [paid, byHand]) {
      const job = await admin().jobs.get({ id });
      expect(job).toMatchObject({ tax_rate: '15', totals: { total_amount: '115.00' }, paid_amount: '115.00' });
      expect(await admin().jobs.update(jobChange(job, { title: 'New title' }))).toMatchObject({ status: 'paid' });
    }
    expect(await admin().jobs.get({ id: other.id })).toMatchObject({ tax_rate: '20', totals: { total_amount: '120.00' } });
  });
});

describe('deleting a job', () => {
  it('with an invoice, a canceled invoice or a payment is refused', async () => {
    const [billed, credited, paid] = [await addJob(), await addJob(), await addJob({ status: 'paid' })];
    await send(billed.id);
    await admin().invoices.credit({ id: (await send(credited.id)).invoice?.id ?? '', credit_id: randomUUID() });
    const before = await everything();
    for (const { id } of [billed, credited, paid]) {
      await expect(admin().jobs.remove({ id })).rejects.toMatchObject(
        failing(
          'JOB_BILLED',
          "A job with an invoice or a payment can't be deleted. You can cancel it instead once it has no open invoice.",
        ),
      );
    }
    expect(await everything()).toEqual(before);
  });
});
