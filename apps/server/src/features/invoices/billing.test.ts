import { randomUUID } from 'node:crypto';
import { localDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everyLastingRow } from '../../../test/every-row.ts';
import { billingOf } from '../../../test/factories/billed-job.ts';
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

const { admin, addJob, send, pay } = billingOf(() => ({ test, firm }));
const setCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const today = () => localDate(new Date().toISOString(), 'UTC');
const year = () => today().slice(0, 4);
const failing = (code: string, message?: string) => ({ code, ...(message !== undefined && { message }) });
const wrong = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });
const everything = () => everyLastingRow(test);

describe('the payment page', () => {
  it('shows subtotal, tax, fee and total, and asks PayPal for the same (PAY-02, PAY-12, PAY-18, CALC-20)', async () => {
    await setCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz'`);
    const job = await addJob({ title: 'Roof' });
    const billing = await admin().invoices.billing({ id: job.id });
    expect(billing.document).toMatchObject({
      subtotal: '100.00',
      tax: '15.00',
      amount: '115.00',
      fee: '3.74',
      total: '$118.74',
      items: [{ name: 'Roof', total: '115.00' }],
      reference: `#${job.job_number}`,
    });
    expect(billing.request).toMatchObject({ what: 'balance', outstanding: '115.00', amount: '115.00', fee: '3.74', total: '118.74' });
    const link = new URL(billing.payment_link ?? '');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      business: 'p@x.nz',
      amount: '118.74',
      item_name: `Job #${job.job_number} - Roof`,
      no_shipping: '1',
      no_note: '1',
    });
    expect(billing).toMatchObject({ invoice: null, differs: false, invoices: [], payments: [], mails: [], paid_amount: '0.00' });
    expect(billing.job).toMatchObject({ id: job.id, status: 'complete', customer: { name: 'Ana Ruiz' } });
  });

  it('counts payments against the amount without the fee, and still sends what was shown (PAY-03)', async () => {
    await setCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz'`);
    const { id } = await addJob();
    const { content_hash } = await send(id);
    await pay(id, { amount: '50' });
    const settled = { fee: null, total: '$115.00', exact: { fee: '0.00', total: '115.00' } };
    const partPaid = await admin().invoices.billing({ id });
    expect(partPaid).toMatchObject({ differs: false, document: settled, current: settled, content_hash });
    expect(partPaid.request).toMatchObject({ amount: '65.00', fee: '2.25', total: '67.25' });
    expect((await send(id, content_hash)).invoices).toHaveLength(1);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [id]);
    const changed = await admin().invoices.billing({ id });
    expect(changed).toMatchObject({ differs: true, document: settled, current: { fee: null, total: '$230.00' } });
    expect((await send(id, changed.content_hash)).document).toMatchObject({ fee: null, total: '$230.00' });
  });

  it('asks for nothing once the job is canceled or paid', async () => {
    await setCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz'`);
    const [canceled, billed, paid, open] = [await addJob(), await addJob(), await addJob(), await addJob()];
    for (const { id } of [billed, open]) await send(id);
    // Only a job that was canceled before that was refused still has an open invoice.
    for (const { id } of [canceled, billed]) await test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id]);
    await pay(paid.id);
    for (const { id } of [canceled, billed, paid]) {
      expect(await admin().invoices.billing({ id })).toMatchObject({ payment_link: null, document: { fee: null, total: '$115.00' } });
    }
    expect((await admin().invoices.billing({ id: open.id })).payment_link).toContain('amount=118.74');
  });

  it('has no fee and no payment link while there are none (PAY-03, CALC-08)', async () => {
    const { document, payment_link } = await admin().invoices.billing({ id: (await addJob()).id });
    expect(document).toMatchObject({ fee: null, total: '$115.00' });
    expect(payment_link).toBeNull();
  });

  it('keeps its public link, which is not the id of the job', async () => {
    const { id } = await addJob();
    const first = await admin().invoices.billing({ id });
    expect(first.public_path).toMatch(/^\/invoice\/[\w-]{22}$/);
    expect((await admin().invoices.billing({ id })).public_path).toBe(first.public_path);
  });

  it('bills worked time to the second, as the job page shows it', async () => {
    const job = await addJob({ job_type: 'hourly', fixed_amount: null, lines: [{ unit_price: '37.92', quantity: 2 }] });
    await test.owner.query('update job_items set total_price = 75.83 where job_id = $1', [job.id]);
    const { document } = await admin().invoices.billing({ id: job.id });
    expect(document).toMatchObject({ amount: '75.83', items: [{ quantity: '2', unit_price: '37.92', total: '75.83' }] });
  });

  it.each(['admin', 'manager', 'accountant'] as const)('opens for the %s', async (role) => {
    const { id } = await addJob();
    expect((await firm.people[role].client.invoices.billing({ id })).job.id).toBe(id);
  });

  it('is not for staff, who can neither bill, record a payment nor mark a job as paid', async () => {
    const { id } = await addJob();
    const { client } = firm.people.staff;
    const before = await everything();
    const refused = failing('FORBIDDEN', 'You do not have permission to manage payments');
    await expect(client.invoices.billing({ id })).rejects.toMatchObject(refused);
    await expect(client.invoices.send({ id, mail_id: randomUUID(), by_hand: true })).rejects.toMatchObject(refused);
    await expect(client.payments.record({ id: randomUUID(), job_id: id })).rejects.toMatchObject(refused);
    await expect(client.jobs.setStatus({ id, status: 'paid' })).rejects.toMatchObject(refused);
    expect(await everything()).toEqual(before);
  });

  it('says that an unknown job is not found (PAY-14)', async () => {
    await expect(admin().invoices.billing({ id: randomUUID() })).rejects.toMatchObject(failing('NOT_FOUND', 'Job not found'));
    await expect(pay(randomUUID())).rejects.toMatchObject(failing('NOT_FOUND', 'Job not found'));
    await expect(send(randomUUID())).rejects.toMatchObject(failing('NOT_FOUND', 'Job not found'));
  });
});

describe('sending an invoice', () => {
  it('freezes it under a number of its own, and a complete job becomes invoiced (INVOICE-NUMBER, INVOICED-STATUS)', async () => {
    const job = await addJob();
    const { content_hash } = await admin().invoices.billing({ id: job.id });
    const billing = await send(job.id, content_hash);
    expect(billing.job.status).toBe('invoiced');
    expect(billing.invoice).toMatchObject({
      kind: 'invoice',
      invoice_number: `INV-${year()}-0001`,
      job_number: job.job_number,
      customer_name: 'Ana Ruiz',
      issued_on: today(),
      late_after: today(),
      due_on: '2026-11-20',
      state: 'open',
      shown_status: 'due',
      subtotal: '100.00',
      tax_amount: '15.00',
      total_amount: '115.00',
      paid_amount: '0.00',
      balance: '115.00',
      currency: 'NZD',
      is_intact: true,
    });
    expect(billing.document).toMatchObject({ invoice_number: `INV-${year()}-0001`, due: 'Due Nov 20, 2026' });
    expect(await admin().jobs.get({ id: job.id })).toMatchObject({ status: 'invoiced', billed_amount: '115.00', paid_amount: '0.00' });
    const { rows } = await admin().comments.history({ id: job.id });
    expect(rows.map(({ action, changes }) => [action, changes])).toContainEqual([
      'invoiced',
      { invoice_number: [null, `INV-${year()}-0001`], total_amount: [null, '115.00'] },
    ]);
  });

  it('is due after the payment terms, when there are some (PAYMENT-TERMS)', async () => {
    await setCompany('payment_terms_days = 0');
    expect((await send((await addJob()).id)).invoice).toMatchObject({ due_on: today(), late_after: today() });
    await setCompany('payment_terms_days = 20');
    const inTwentyDays = new Date(Date.parse(today()) + 20 * 86_400_000).toISOString().slice(0, 10);
    expect((await send((await addJob()).id)).invoice).toMatchObject({ due_on: inTwentyDays, late_after: inTwentyDays });
  });

  it('again sends the same one, also with the hash of before it was sent', async () => {
    const { id } = await addJob();
    const { content_hash } = await admin().invoices.billing({ id });
    const first = await send(id, content_hash);
    const again = await send(id, content_hash);
    expect(again.invoices.map((invoice) => invoice.id)).toEqual([first.invoice?.id]);
    expect(again.content_hash).toBe(content_hash);
  });

  it('asks for no PayPal fee while there is no PayPal account, also when it was sent with one', async () => {
    await setCompany(`add_paypal_fees = true, paypal_email = null`);
    const { id } = await addJob();
    const billing = () => admin().invoices.billing({ id });
    const withoutFee = { document: { fee: null, total: '$115.00' }, request: { fee: '0.00', total: '115.00' } };
    expect(await billing()).toMatchObject(withoutFee);
    await setCompany(`paypal_email = 'p@x.nz'`);
    expect(await send(id)).toMatchObject({ document: { fee: '3.74' }, request: { total: '118.74' } });
    await setCompany(`paypal_email = null`);
    expect(await billing()).toMatchObject(withoutFee);
    const token = (await billing()).public_path.replace('/invoice/', '');
    expect(await test.client().publicInvoices.get({ token })).toMatchObject(withoutFee);
  });

  it('shows when the job differs from it, and replaces it by a corrected one', async () => {
    const job = await addJob();
    const first = await send(job.id);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const changed = await admin().invoices.billing({ id: job.id });
    expect(changed).toMatchObject({
      differs: true,
      document: { amount: '115.00' },
      current: { amount: '230.00', invoice_number: null },
      request: { outstanding: '115.00' },
    });
    await expect(send(job.id, first.content_hash)).rejects.toMatchObject(failing('INVOICE_CHANGED'));
    const corrected = await send(job.id, changed.content_hash);
    expect(corrected).toMatchObject({ differs: false, document: { amount: '230.00' }, request: { outstanding: '230.00' } });
    expect(
      corrected.invoices.map(({ invoice_number, state, balance, replaces, replaced_by }) => [
        invoice_number,
        state,
        balance,
        replaces?.invoice_number,
        replaced_by?.invoice_number,
      ]),
    ).toEqual([
      [`INV-${year()}-0002`, 'open', '230.00', `INV-${year()}-0001`, undefined],
      [`INV-${year()}-0001`, 'replaced', '0.00', undefined, `INV-${year()}-0002`],
    ]);
  });

  it('keeps what was sent when the customer is deleted and the company renamed, and tells when somebody changed it', async () => {
    const job = await addJob();
    await send(job.id);
    await admin().customers.remove({ id: job.customer_id ?? '' });
    await setCompany(`company_name = 'Renamed'`);
    const billing = await admin().invoices.billing({ id: job.id });
    expect(billing.document).toMatchObject({ customer: { name: 'Ana Ruiz' }, issuer: { company_name: 'Tane Plumbing' } });
    expect(billing.invoice).toMatchObject({ customer_id: null, customer_name: 'Ana Ruiz', is_intact: true });
    expect(billing).toMatchObject({ differs: false, current: { customer: { name: 'Ana Ruiz' } } });
    expect((await send(job.id)).invoices).toMatchObject([{ customer_name: 'Ana Ruiz', is_intact: true }]);
    await test.owner.query(`update invoices set total_amount = 100, tax_amount = 0 where job_id = $1 and state = 'open'`, [job.id]);
    expect((await admin().invoices.billing({ id: job.id })).invoice?.is_intact).toBe(false);
  });

  it('refuses a total of 0 and a canceled job, and takes no number', async () => {
    const empty = await addJob({ fixed_amount: '0' });
    const canceled = await addJob({ status: 'canceled' });
    await expect(send(empty.id)).rejects.toMatchObject(
      failing('NOTHING_TO_BILL', 'There is nothing to invoice: add items or a fixed amount first.'),
    );
    await expect(send(canceled.id)).rejects.toMatchObject(
      failing('NOTHING_TO_BILL', 'This job is canceled. Please change its status before you send an invoice.'),
    );
    expect((await send((await addJob()).id)).invoice?.invoice_number).toBe(`INV-${year()}-0001`);
  });

  it('refuses more than can be stored', async () => {
    const job = await addJob();
    const line = `insert into job_items (company_id, id, job_id, position, name, tax_inclusive, is_service, quantity, unit_price, total_price)
      select $1, gen_random_uuid(), $2, n, 'Gold', true, false, 1, 9999999999.99, 9999999999.99 from generate_series(1, 2) n`;
    await test.owner.query(line, [firm.companyId, job.id]);
    await expect(send(job.id)).rejects.toMatchObject(wrong({ items: 'The total must be at most 9,999,999,999.99' }));
  });

  it('of a job that is not done yet leaves its status', async () => {
    expect((await send((await addJob({ status: 'booked' })).id)).job.status).toBe('booked');
  });
});

describe('a credit note', () => {
  const credit = (id: string, over: { credit_id?: string; reason?: string } = {}) =>
    admin().invoices.credit({ id, credit_id: randomUUID(), ...over });

  it('cancels an invoice under a number of its own, and the job is complete again', async () => {
    const job = await addJob();
    const invoice = (await send(job.id)).invoice;
    const credit_id = randomUUID();
    const billing = await credit(invoice?.id ?? '', { credit_id, reason: 'Wrong customer' });
    expect(billing).toMatchObject({ invoice: null, differs: false, job: { status: 'complete' }, document: { invoice_number: null } });
    expect(billing.invoices).toMatchObject([
      {
        kind: 'credit_note',
        invoice_number: `CN-${year()}-0001`,
        total_amount: '115.00',
        balance: '0.00',
        shown_status: 'paid',
        is_intact: true,
      },
      {
        kind: 'invoice',
        state: 'credited',
        shown_status: 'canceled',
        balance: '0.00',
        replaced_by: { id: credit_id, kind: 'credit_note' },
      },
    ]);
    expect(await admin().jobs.get({ id: job.id })).toMatchObject({ billed_amount: null });
    expect(await credit(invoice?.id ?? '', { credit_id })).toEqual(billing);
    await expect(credit(invoice?.id ?? '')).rejects.toMatchObject(failing('INVOICE_CLOSED'));
    await expect(credit(credit_id)).rejects.toMatchObject(failing('INVOICE_CLOSED'));
    expect((await send(job.id)).invoice).toMatchObject({ invoice_number: `INV-${year()}-0002`, replaces: null });
  });

  it('leaves the payments: a job that they cover stays paid', async () => {
    const job = await addJob();
    const { invoice } = await send(job.id);
    await pay(job.id);
    const billing = await credit(invoice?.id ?? '');
    expect(billing).toMatchObject({ paid_amount: '115.00', job: { status: 'paid' }, request: { outstanding: '0.00' } });
    expect((await send(job.id)).invoice).toMatchObject({ paid_amount: '115.00', balance: '0.00', shown_status: 'paid' });
  });

  it('needs an invoice, and an id that nothing else has', async () => {
    const { invoice } = await send((await addJob()).id);
    const other = await send((await addJob()).id);
    await expect(credit(randomUUID())).rejects.toMatchObject(failing('NOT_FOUND', 'Invoice not found'));
    await expect(credit(invoice?.id ?? '', { credit_id: other.invoice?.id ?? '' })).rejects.toMatchObject(failing('ID_TAKEN'));
  });
});
