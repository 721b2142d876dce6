import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { PAGE_SIZE } from '@callout/contract/lists';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { buildJobUpdate } from '../../../test/factories/inputs.ts';
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
const creditInvoice = (id = '') => getAdmin().invoices.credit({ id, credit_id: randomUUID() });
const setCompanyTaxRate = (rate: number) =>
  test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [firm.companyId, rate]);

describe('a job with an open invoice', () => {
  it.each([
    ['on the board', ({ id }: Job) => getAdmin().jobs.setStatus({ id, status: 'canceled' })],
    ['on its edit page', (job: Job) => getAdmin().jobs.update(buildJobUpdate(job, { status: 'canceled' }))],
  ])('cannot be canceled %s before a credit note cancels the invoice', async (_where, cancel) => {
    const { id } = await createJob();
    const { invoice } = await sendInvoice(id);
    const before = await getAdmin().jobs.get({ id });
    await expect(cancel(before)).rejects.toMatchObject({
      code: 'JOB_BILLED',
      message: 'This job has an open invoice. Cancel it with a credit note on the payment page first.',
    });
    const { server_time: _time, ...timer } = before.timer;
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ ...before, timer });
    await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    expect(await cancel(await getAdmin().jobs.get({ id }))).toMatchObject({ status: 'canceled', billed_amount: null });
  });

  it('cannot be reopened by an Undo from before the invoice, but on purpose', async () => {
    const { id } = await createJob({ status: 'booked' });
    await getAdmin().jobs.setStatus({ id, status: 'complete', from: 'booked' });
    await getAdmin().invoices.send({ id, mail_id: randomUUID(), by_hand: true, handed_over: false });
    const reopen = { id, status: 'booked', from: 'complete' } as const;
    await expect(getAdmin().jobs.setStatus({ ...reopen, is_undo: true })).rejects.toMatchObject({
      code: 'INVOICED_SINCE',
      message: 'An invoice has been issued since, so this can no longer be undone.',
    });
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ status: 'complete' });
    expect(await getAdmin().jobs.setStatus(reopen)).toMatchObject({ status: 'booked' });
  });

  it('can be reopened by Undo if it was invoiced before it was completed', async () => {
    const { id } = await createJob({ status: 'booked' });
    await getAdmin().invoices.send({ id, mail_id: randomUUID(), by_hand: true });
    await getAdmin().jobs.setStatus({ id, status: 'complete', from: 'booked' });
    expect(await getAdmin().jobs.setStatus({ id, status: 'booked', from: 'complete', is_undo: true })).toMatchObject({ status: 'booked' });
  });

  it('keeps its GST rate when the company changes its rate', async () => {
    const { id } = await createJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    const { document } = await sendInvoice(id);
    await setCompanyTaxRate(20);
    expect(await getAdmin().invoices.billing({ id })).toMatchObject({ differs: false, document: { amount: document.amount } });
    expect(await sendInvoice(id)).toMatchObject({ invoices: [{ kind: 'invoice', state: 'open' }] });
  });

  it("uses the company's current GST rate after a credit note", async () => {
    const { id } = await createJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    const { invoice } = await sendInvoice(id);
    await getAdmin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    await setCompanyTaxRate(20);
    const credited = await creditInvoice(invoice?.id);
    expect(credited).toMatchObject({ job: { status: 'complete' }, document: { tax_label: 'GST 20%', amount: '120.00' } });
    expect(await sendInvoice(id)).toMatchObject({ document: { amount: '120.00' }, request: { outstanding: '105.00' } });
    await setCompanyTaxRate(10);
    expect(await getAdmin().invoices.billing({ id })).toMatchObject({ differs: false, document: { tax_label: 'GST 20%' } });
  });

  it('keeps its payments after a credit note, and the canceled invoice lists no payments', async () => {
    const { id } = await createJob();
    const { invoice } = await sendInvoice(id);
    await getAdmin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    const { invoices, paid_amount, public_path } = await creditInvoice(invoice?.id);
    expect([paid_amount, invoices.find(({ state }) => state === 'credited')?.paid_amount]).toEqual(['15.00', '0.00']);
    const token = public_path.split('/')[2] ?? '';
    expect(await getAdmin().publicInvoices.get({ token })).toMatchObject({ state: 'canceled', payments: [], paid_amount: '0.00' });
  });

  it('keeps its GST rate after a credit note if it is fully paid', async () => {
    const { id } = await createJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    const { invoice } = await sendInvoice(id);
    await getAdmin().payments.record({ id: randomUUID(), job_id: id });
    await setCompanyTaxRate(20);
    const credited = await creditInvoice(invoice?.id);
    expect(credited).toMatchObject({ job: { status: 'paid' }, document: { tax_label: 'GST 15%', amount: '115.00' } });
  });

  it('keeps the GST rate of its accepted quote after a credit note, even if the quote was deleted', async () => {
    const { id } = await createJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    await test.owner.query(`update jobs set quote_number = 'Q26110001', tax_rate = 15 where id = $1`, [id]);
    const { invoice } = await sendInvoice(id);
    await setCompanyTaxRate(20);
    expect(await creditInvoice(invoice?.id)).toMatchObject({ document: { tax_label: 'GST 15%', amount: '115.00' } });
  });

  it('can still be edited if it was canceled while its invoice was open', async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id]);
    const job = await getAdmin().jobs.get({ id });
    expect(await getAdmin().jobs.update(buildJobUpdate(job, { title: 'Renamed' }))).toMatchObject({ title: 'Renamed', status: 'canceled' });
    expect(await getAdmin().jobs.setStatus({ id, status: 'canceled' })).toMatchObject({ status: 'canceled' });
  });
});

describe('staff without access to payments', () => {
  const getStaff = () => firm.people.staff.client;
  const PAYMENT_ACTIONS = ['invoiced', 'credited', 'payment_recorded', 'payment_reversed', 'invoice-mailed', 'reminded', 'mail-failed'];

  it("can't see a job's billed, paid and deposit amounts", async () => {
    const { id } = await createJob();
    await sendInvoice(id);
    await getAdmin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    expect(await getAdmin().jobs.get({ id })).toMatchObject({ billed_amount: '115.00', paid_amount: '15.00', deposit_amount: null });
    const visibleJobs = [await getStaff().jobs.get({ id }), await getStaff().jobs.setStatus({ id, status: 'complete' })];
    for (const job of visibleJobs) expect(Object.keys(job).filter((field) => /^(billed|paid|deposit)_amount$/.test(field))).toEqual([]);
  });

  it("see full pages of a job's history, without its payments", async () => {
    const { id } = await createJob();
    const { invoice } = await sendInvoice(id);
    const { payments } = await getAdmin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    await getAdmin().payments.reverse({ id: payments[0]?.id ?? '', reversal_id: randomUUID() });
    await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    await test.owner.query(
      `insert into record_events (company_id, id, record_kind, record_id, at, who, action, changes)
        select $1, gen_random_uuid(), 'job', $2, now() + interval '1 second' * n, 'Someone', action, '{}'
        from generate_series(1, $3) n, unnest($4::text[]) action`,
      [firm.companyId, id, PAGE_SIZE, ['timer_started', ...PAYMENT_ACTIONS.slice(4)]],
    );
    const first = await getStaff().comments.history({ id });
    expect(first.rows.map(({ action }) => action)).toEqual(Array.from({ length: PAGE_SIZE }, () => 'timer_started'));
    const second = await getStaff().comments.history({ id, cursor: first.next_cursor ?? '' });
    expect(second.rows.map(({ action }) => action)).toEqual(['edited', 'edited', 'created']);
    expect(second.next_cursor).toBeNull();
    const { rows } = await getAdmin().comments.history({ id });
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['timer_started', ...PAYMENT_ACTIONS.slice(4)]));
  });
});
