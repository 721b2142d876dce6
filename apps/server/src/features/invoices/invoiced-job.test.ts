import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { PAGE_SIZE } from '@callout/contract/lists';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { billingOf } from '../../../test/factories/billed-job.ts';
import { jobChange } from '../../../test/factories/inputs.ts';
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

const { admin, addJob, send } = billingOf(() => ({ test, firm }));
const credit = (id = '') => admin().invoices.credit({ id, credit_id: randomUUID() });
const setCompanyRate = (rate: number) =>
  test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [firm.companyId, rate]);

describe('a job with an open invoice', () => {
  it.each([
    ['on the board', ({ id }: Job) => admin().jobs.setStatus({ id, status: 'canceled' })],
    ['on its edit page', (job: Job) => admin().jobs.update(jobChange(job, { status: 'canceled' }))],
  ])('is not canceled %s before a credit note has canceled the invoice', async (_where, cancel) => {
    const { id } = await addJob();
    const { invoice } = await send(id);
    const before = await admin().jobs.get({ id });
    await expect(cancel(before)).rejects.toMatchObject({
      code: 'JOB_BILLED',
      message: 'This job has an open invoice. Cancel it with a credit note on the payment page first.',
    });
    const { server_time: _then, ...timer } = before.timer;
    expect(await admin().jobs.get({ id })).toMatchObject({ ...before, timer });
    await admin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    expect(await cancel(await admin().jobs.get({ id }))).toMatchObject({ status: 'canceled', billed_amount: null });
  });

  it('keeps its GST rate, so that a new one of the company makes no invoice differ', async () => {
    const { id } = await addJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    const { document } = await send(id);
    await setCompanyRate(20);
    expect(await admin().invoices.billing({ id })).toMatchObject({ differs: false, document: { amount: document.amount } });
    expect(await send(id)).toMatchObject({ invoices: [{ kind: 'invoice', state: 'open' }] });
  });

  it('gets the current GST rate of the company once a credit note has canceled its invoice', async () => {
    const { id } = await addJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    const { invoice } = await send(id);
    await admin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    await setCompanyRate(20);
    const credited = await credit(invoice?.id);
    expect(credited).toMatchObject({ job: { status: 'complete' }, document: { tax_label: 'GST 20%', amount: '120.00' } });
    expect(await send(id)).toMatchObject({ document: { amount: '120.00' }, request: { outstanding: '105.00' } });
    await setCompanyRate(10);
    expect(await admin().invoices.billing({ id })).toMatchObject({ differs: false, document: { tax_label: 'GST 20%' } });
  });

  it('keeps its payments after a credit note: the canceled invoice has and shows none', async () => {
    const { id } = await addJob();
    const { invoice } = await send(id);
    await admin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    const { invoices, paid_amount, public_path } = await credit(invoice?.id);
    expect([paid_amount, invoices.find(({ state }) => state === 'credited')?.paid_amount]).toEqual(['15.00', '0.00']);
    const token = public_path.split('/')[2] ?? '';
    expect(await admin().publicInvoices.get({ token })).toMatchObject({ state: 'canceled', payments: [], paid_amount: '0.00' });
  });

  it('keeps its GST rate after a credit note when its payments cover it', async () => {
    const { id } = await addJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    const { invoice } = await send(id);
    await admin().payments.record({ id: randomUUID(), job_id: id });
    await setCompanyRate(20);
    expect(await credit(invoice?.id)).toMatchObject({ job: { status: 'paid' }, document: { tax_label: 'GST 15%', amount: '115.00' } });
  });

  it('keeps the GST rate of its accepted quote after a credit note, also when the quote was deleted', async () => {
    const { id } = await addJob({ lines: [{ unit_price: '100.00', tax_inclusive: false }] });
    await test.owner.query(`update jobs set quote_number = 'Q26110001', tax_rate = 15 where id = $1`, [id]);
    const { invoice } = await send(id);
    await setCompanyRate(20);
    expect(await credit(invoice?.id)).toMatchObject({ document: { tax_label: 'GST 15%', amount: '115.00' } });
  });

  it('can still be edited when it was canceled before that was refused', async () => {
    const { id } = await addJob();
    await send(id);
    await test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id]);
    const job = await admin().jobs.get({ id });
    expect(await admin().jobs.update(jobChange(job, { title: 'Renamed' }))).toMatchObject({ title: 'Renamed', status: 'canceled' });
    expect(await admin().jobs.setStatus({ id, status: 'canceled' })).toMatchObject({ status: 'canceled' });
  });
});

describe('who may not see payments', () => {
  const staff = () => firm.people.staff.client;
  const MONEY = ['invoiced', 'credited', 'payment_recorded', 'payment_reversed', 'invoice-mailed', 'reminded', 'mail-failed'];

  it('reads a job without what was billed, paid and asked for', async () => {
    const { id } = await addJob();
    await send(id);
    await admin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    expect(await admin().jobs.get({ id })).toMatchObject({ billed_amount: '115.00', paid_amount: '15.00', deposit_amount: null });
    const seen = [await staff().jobs.get({ id }), await staff().jobs.setStatus({ id, status: 'complete' })];
    for (const job of seen) expect(Object.keys(job).filter((field) => /^(billed|paid|deposit)_amount$/.test(field))).toEqual([]);
  });

  it('reads its history without them, in whole pages', async () => {
    const { id } = await addJob();
    const { invoice } = await send(id);
    const { payments } = await admin().payments.record({ id: randomUUID(), job_id: id, amount: '15' });
    await admin().payments.reverse({ id: payments[0]?.id ?? '', reversal_id: randomUUID() });
    await admin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
    await test.owner.query(
      `insert into record_events (company_id, id, record_kind, record_id, at, who, action, changes)
        select $1, gen_random_uuid(), 'job', $2, now() + interval '1 second' * n, 'Somebody', action, '{}'
        from generate_series(1, $3) n, unnest($4::text[]) action`,
      [firm.companyId, id, PAGE_SIZE, ['timer_started', ...MONEY.slice(4)]],
    );
    const first = await staff().comments.history({ id });
    expect(first.rows.map(({ action }) => action)).toEqual(Array.from({ length: PAGE_SIZE }, () => 'timer_started'));
    const second = await staff().comments.history({ id, cursor: first.next_cursor ?? '' });
    expect(second.rows.map(({ action }) => action)).toEqual(['edited', 'edited', 'created']);
    expect(second.next_cursor).toBeNull();
    const { rows } = await admin().comments.history({ id });
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['timer_started', ...MONEY.slice(4)]));
  });
});
