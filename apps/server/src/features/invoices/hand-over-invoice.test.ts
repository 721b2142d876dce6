import { randomUUID } from 'node:crypto';
import { addDays } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
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

const { getAdmin, createJob, sendInvoice } = createBillingHelpers(() => ({ test, firm }));
const readBilling = (id: string) => getAdmin().invoices.billing({ id });
const readUninvoiced = async () => (await getAdmin().dashboard.money()).uninvoiced;
const readUnsent = async () => (await getAdmin().dashboard.money()).unsent;
const countUninvoiced = async () => (await getAdmin().jobs.count({ group: 'uninvoiced' })).total;
const issueInvoice = async (id: string) =>
  (await getAdmin().invoices.send({ id, mail_id: randomUUID(), by_hand: true, handed_over: false })).billing;
const handOver = async (id: string) => getAdmin().invoices.handOver({ id: (await readBilling(id)).invoice?.id ?? '' });

describe('an invoice on a server without email', () => {
  it.each([
    ['issued', issueInvoice],
    ['emailed into the outbox', async (id: string) => (await getAdmin().invoices.send({ id, mail_id: randomUUID() })).billing],
  ])('is not sent when it is only %s: the job stays complete, and the dashboard counts the invoice as not sent', async (_how, issue) => {
    const { id } = await createJob();
    const issued = await issue(id);
    expect(issued).toMatchObject({ job: { status: 'complete' }, invoice: { sent_at: null, handed_over_by: null, balance: '115.00' } });
    expect(issued.invoice?.invoice_number).toMatch(/^INV-/);
    expect([await readUninvoiced(), await countUninvoiced()]).toEqual([{ amount: '0.00', jobs: 0 }, 0]);
    expect(await readUnsent()).toEqual({ amount: '115.00', invoices: 1 });
    expect((await getAdmin().invoices.list({ filter: 'unsent' })).rows).toMatchObject([{ sent_at: null }]);
  });

  it('is sent once it is handed over: the job becomes invoiced and its history says by whom', async () => {
    const { id } = await createJob();
    await issueInvoice(id);
    const billing = await handOver(id);
    expect(billing).toMatchObject({
      job: { status: 'invoiced' },
      invoice: { sent_at: expect.any(String) as string, handed_over_by: 'The admin' },
    });
    expect([await readUninvoiced(), await readUnsent()]).toEqual([
      { amount: '0.00', jobs: 0 },
      { amount: '0.00', invoices: 0 },
    ]);
    const listHandOvers = async () =>
      (await getAdmin().comments.history({ id })).rows.filter(({ action }) => action === 'invoice-handed-over');
    expect(await listHandOvers()).toMatchObject([
      { who: 'The admin', changes: { invoice_number: [null, billing.invoice?.invoice_number] } },
    ]);
    expect(await handOver(id)).toEqual(billing);
    expect(await listHandOvers()).toHaveLength(1);
  });

  it('is due when the payment terms have passed since it was handed over, however long after its day of issue', async () => {
    await test.owner.query(`update companies set payment_terms_days = 7, timezone = 'UTC' where company_id = $1`, [firm.companyId]);
    const { id } = await createJob();
    await issueInvoice(id);
    await test.owner.query(
      'update invoices set issued_on = issued_on - 30, due_on = due_on - 30, late_after = late_after - 30 where job_id = $1',
      [id],
    );
    const today = new Date().toISOString().slice(0, 10);
    const due = { late_after: addDays(today, 7), due_on: addDays(today, -23), days_late: -7, shown_status: 'due' };
    expect((await handOver(id)).invoice).toMatchObject(due);
    expect((await getAdmin().invoices.list({})).rows).toMatchObject([due]);
    expect(await getAdmin().invoices.count({ age: 'current' })).toEqual({ total: 1 });
    await test.owner.query('update invoices set sent_on = sent_on - 7 where job_id = $1', [id]);
    expect(await getAdmin().invoices.count({ filter: 'overdue' })).toEqual({ total: 0 });
    await test.owner.query('update invoices set sent_on = sent_on - 1 where job_id = $1', [id]);
    expect((await getAdmin().invoices.list({ filter: 'overdue' })).rows).toMatchObject([{ days_late: 1, shown_status: 'overdue' }]);
    expect(await getAdmin().dashboard.money()).toMatchObject({ overdue: { invoices: 1 } });
  });

  it('is not sent again after Undo: the job is complete again, and its history says who took the hand-over back', async () => {
    const { id } = await createJob();
    const issued = await issueInvoice(id);
    const input = { id: issued.invoice?.id ?? '' };
    await handOver(id);
    await expect(firm.people.staff.client.invoices.undoHandOver(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const undone = await getAdmin().invoices.undoHandOver(input);
    expect(undone).toMatchObject({
      job: { status: 'complete' },
      invoice: { sent_at: null, handed_over_by: null, shown_status: 'unsent' },
    });
    expect(await getAdmin().invoices.undoHandOver(input)).toEqual(undone);
    const { rows } = await getAdmin().comments.history({ id });
    expect(rows.filter(({ action }) => action === 'hand-over-undone')).toMatchObject([{ who: 'The admin' }]);
    expect((await firm.people.staff.client.comments.history({ id })).rows.map(({ action }) => action)).not.toContain('hand-over-undone');
    expect(await handOver(id)).toMatchObject({ job: { status: 'invoiced' }, invoice: { handed_over_by: 'The admin' } });
  });

  it('is counted as not sent among what its customer owes, until it is paid', async () => {
    const { id } = await createJob();
    await issueInvoice(id);
    expect((await getAdmin().invoices.list({})).rows).toMatchObject([{ shown_status: 'unsent' }]);
    expect(await getAdmin().invoices.debtors({})).toMatchObject({ rows: [{ invoices: 1, unsent: 1 }], total: { unsent: 1 } });
    expect(await getAdmin().invoices.summary({})).toMatchObject({ outstanding: { count: 1, unsent: 1 } });
    await getAdmin().payments.record({ id: randomUUID(), job_id: id });
    expect((await getAdmin().invoices.list({})).rows).toMatchObject([{ shown_status: 'paid', sent_at: null }]);
    expect(await getAdmin().invoices.summary({})).toMatchObject({ outstanding: { count: 0, unsent: 0 }, filters: { unsent: 1 } });
  });

  it('becomes paid when it is handed over after everything was paid', async () => {
    const { id } = await createJob({ status: 'booked' });
    await getAdmin().payments.record({ id: randomUUID(), job_id: id });
    await issueInvoice(id);
    await getAdmin().jobs.setStatus({ id, status: 'complete' });
    expect(await handOver(id)).toMatchObject({ job: { status: 'paid' }, invoice: { handed_over_by: 'The admin' } });
  });

  it('has to be handed over again after a correction, while the job stays invoiced', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [id]);
    expect(await issueInvoice(id)).toMatchObject({ job: { status: 'invoiced' }, invoice: { sent_at: null, total_amount: '230.00' } });
    expect(await handOver(id)).toMatchObject({ job: { status: 'invoiced' }, invoice: { handed_over_by: 'The admin' } });
  });

  it('cannot be handed over once it is replaced or canceled, or by staff without access to payments', async () => {
    const { id } = await createJob();
    const { invoice } = await issueInvoice(id);
    const input = { id: invoice?.id ?? '' };
    await expect(firm.people.staff.client.invoices.handOver(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await getAdmin().invoices.credit({ ...input, credit_id: randomUUID() });
    await expect(getAdmin().invoices.handOver(input)).rejects.toMatchObject({ code: 'INVOICE_CLOSED' });
    await expect(getAdmin().invoices.handOver({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readUninvoiced()).toEqual({ amount: '115.00', jobs: 1 });
  });
});

describe('after a credit note', () => {
  it('the payment page requests no money, like the customer link', async () => {
    await test.owner.query(`update companies set add_paypal_fees = true, paypal_email = 'p@x.nz' where company_id = $1`, [firm.companyId]);
    const { id } = await createJob();
    const { invoice } = await sendInvoice(id);
    await getAdmin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    const billing = await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    expect(billing).toMatchObject({ invoice: null, payment_link: null, document: { fee: null, total: '$115.00' } });
    expect((await sendInvoice(id)).payment_link).toContain('amount=');
  });

  it('the job is canceled at the same time if requested', async () => {
    const { id } = await createJob();
    const { invoice } = await sendInvoice(id);
    await expect(getAdmin().jobs.setStatus({ id, status: 'canceled' })).rejects.toMatchObject({ code: 'JOB_BILLED' });
    const credit = { id: invoice?.id ?? '', credit_id: randomUUID(), cancel_job: true };
    const canceled = await getAdmin().invoices.credit(credit);
    expect(canceled).toMatchObject({
      job: { status: 'canceled' },
      invoice: null,
      invoices: [{ kind: 'credit_note' }, { state: 'credited' }],
    });
    expect(await getAdmin().invoices.credit(credit)).toEqual(canceled);
  });
});
