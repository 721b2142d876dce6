import { randomUUID } from 'node:crypto';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingHelpers } from '../../../test/factories/billed-job.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { readPersistentRows } from '../../../test/stored-data.ts';
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
const updateCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const getToday = () => toLocalDate(new Date().toISOString(), 'UTC');
const getCurrentYear = () => getToday().slice(0, 4);
const buildFailure = (code: string, message?: string) => ({ code, ...(message !== undefined && { message }) });
const buildInvalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', data: { fields } });
const readInvoiceColumns = async (jobId: string) =>
  (
    await test.owner.query<{ invoice_number: string; state: string }>(
      'select * from invoices where job_id = $1 order by kind desc, number',
      [jobId],
    )
  ).rows;
/** All that a credit note changes on the invoice that it cancels. */
const CLOSED_COLUMNS = { state: 'credited', balance: '0.00', urgency: expect.any(Number) as number };
const readAllRows = () => readPersistentRows(test);

describe('the payment page of a job', () => {
  it('shows subtotal, tax, fee and total, and requests the same total from PayPal (PAY-02, PAY-12, PAY-18, CALC-20)', async () => {
    await updateCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz'`);
    const job = await createJob({ title: 'Roof' });
    const billing = await getAdmin().invoices.billing({ id: job.id });
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

  it('subtracts payments from the amount before the fee, and keeps the content hash unchanged (PAY-03)', async () => {
    await updateCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz'`);
    const { id } = await createJob();
    const { content_hash } = await sendInvoice(id);
    await recordPayment(id, { amount: '50' });
    const settled = { fee: null, total: '$115.00', exact: { fee: '0.00', total: '115.00' } };
    const partPaid = await getAdmin().invoices.billing({ id });
    expect(partPaid).toMatchObject({ differs: false, document: settled, current: settled, content_hash });
    expect(partPaid.request).toMatchObject({ amount: '65.00', fee: '2.25', total: '67.25' });
    expect((await sendInvoice(id, content_hash)).invoices).toHaveLength(1);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [id]);
    const changed = await getAdmin().invoices.billing({ id });
    expect(changed).toMatchObject({ differs: true, document: settled, current: { fee: null, total: '$230.00' } });
    expect((await sendInvoice(id, changed.content_hash)).document).toMatchObject({ fee: null, total: '$230.00' });
  });

  it('requests no payment once the job is canceled or paid', async () => {
    await updateCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz'`);
    const [canceled, billed, paid, open] = [await createJob(), await createJob(), await createJob(), await createJob()];
    for (const { id } of [billed, open]) await sendInvoice(id);
    // Cancel the jobs directly in SQL, because the API refuses to cancel a job with an open invoice.
    for (const { id } of [canceled, billed]) await test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id]);
    await recordPayment(paid.id);
    for (const { id } of [canceled, billed, paid]) {
      expect(await getAdmin().invoices.billing({ id })).toMatchObject({ payment_link: null, document: { fee: null, total: '$115.00' } });
    }
    expect((await getAdmin().invoices.billing({ id: open.id })).payment_link).toContain('amount=118.74');
  });

  it('has no fee and no payment link without a PayPal account (PAY-03, CALC-08)', async () => {
    const { document, payment_link } = await getAdmin().invoices.billing({ id: (await createJob()).id });
    expect(document).toMatchObject({ fee: null, total: '$115.00' });
    expect(payment_link).toBeNull();
  });

  it('has a permanent public link that does not contain the job id', async () => {
    const { id } = await createJob();
    const first = await getAdmin().invoices.billing({ id });
    expect(first.public_path).toMatch(/^\/invoice\/[\w-]{22}$/);
    expect((await getAdmin().invoices.billing({ id })).public_path).toBe(first.public_path);
  });

  it('bills worked time to the second, matching the job page', async () => {
    const job = await createJob({ job_type: 'hourly', fixed_amount: null, lines: [{ unit_price: '37.92', quantity: 2 }] });
    await test.owner.query('update job_items set total_price = 75.83 where job_id = $1', [job.id]);
    const { document } = await getAdmin().invoices.billing({ id: job.id });
    expect(document).toMatchObject({ amount: '75.83', items: [{ quantity: '2', unit_price: '37.92', total: '75.83' }] });
  });

  it.each(['admin', 'manager', 'accountant'] as const)('is available to the role %s', async (role) => {
    const { id } = await createJob();
    expect((await firm.people[role].client.invoices.billing({ id })).job.id).toBe(id);
  });

  it('is forbidden to staff, who also cannot bill, record payments or mark jobs as paid', async () => {
    const { id } = await createJob();
    const { client } = firm.people.staff;
    const before = await readAllRows();
    const forbidden = buildFailure('FORBIDDEN', 'You do not have permission to manage payments');
    await expect(client.invoices.billing({ id })).rejects.toMatchObject(forbidden);
    await expect(client.invoices.send({ id, mail_id: randomUUID(), by_hand: true })).rejects.toMatchObject(forbidden);
    await expect(client.payments.record({ id: randomUUID(), job_id: id })).rejects.toMatchObject(forbidden);
    await expect(client.jobs.setStatus({ id, status: 'paid' })).rejects.toMatchObject(forbidden);
    expect(await readAllRows()).toEqual(before);
  });

  it('reports an unknown job as not found (PAY-14)', async () => {
    await expect(getAdmin().invoices.billing({ id: randomUUID() })).rejects.toMatchObject(buildFailure('NOT_FOUND', 'Job not found'));
    await expect(recordPayment(randomUUID())).rejects.toMatchObject(buildFailure('NOT_FOUND', 'Job not found'));
    await expect(sendInvoice(randomUUID())).rejects.toMatchObject(buildFailure('NOT_FOUND', 'Job not found'));
  });
});

describe('sending an invoice', () => {
  it('assigns a number, freezes the content and marks a complete job as invoiced (INVOICE-NUMBER, INVOICED-STATUS)', async () => {
    const job = await createJob();
    const { content_hash } = await getAdmin().invoices.billing({ id: job.id });
    const billing = await sendInvoice(job.id, content_hash);
    expect(billing.job.status).toBe('invoiced');
    expect(billing.invoice).toMatchObject({
      kind: 'invoice',
      invoice_number: `INV-${getCurrentYear()}-0001`,
      job_number: job.job_number,
      customer_name: 'Ana Ruiz',
      issued_on: getToday(),
      late_after: getToday(),
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
    expect(billing.document).toMatchObject({ invoice_number: `INV-${getCurrentYear()}-0001`, due: 'Due Nov 20, 2026' });
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ status: 'invoiced', billed_amount: '115.00', paid_amount: '0.00' });
    const { rows } = await getAdmin().comments.history({ id: job.id });
    expect(rows.map(({ action, changes }) => [action, changes])).toContainEqual([
      'invoiced',
      { invoice_number: [null, `INV-${getCurrentYear()}-0001`], total_amount: [null, '115.00'] },
    ]);
  });

  it('sets the due date from the payment terms (PAYMENT-TERMS)', async () => {
    await updateCompany('payment_terms_days = 0');
    expect((await sendInvoice((await createJob()).id)).invoice).toMatchObject({ due_on: getToday(), late_after: getToday() });
    await updateCompany('payment_terms_days = 20');
    const inTwentyDays = new Date(Date.parse(getToday()) + 20 * 86_400_000).toISOString().slice(0, 10);
    expect((await sendInvoice((await createJob()).id)).invoice).toMatchObject({ due_on: inTwentyDays, late_after: inTwentyDays });
  });

  it('reuses an unchanged invoice, even if the request contains the content hash of its draft', async () => {
    const { id } = await createJob();
    const { content_hash } = await getAdmin().invoices.billing({ id });
    const first = await sendInvoice(id, content_hash);
    const again = await sendInvoice(id, content_hash);
    expect(again.invoices.map((invoice) => invoice.id)).toEqual([first.invoice?.id]);
    expect(again.content_hash).toBe(content_hash);
  });

  it('requests no PayPal fee without a PayPal account, even if the invoice was sent with one', async () => {
    await updateCompany(`add_paypal_fees = true, paypal_email = null`);
    const { id } = await createJob();
    const billing = () => getAdmin().invoices.billing({ id });
    const withoutFee = { document: { fee: null, total: '$115.00' }, request: { fee: '0.00', total: '115.00' } };
    expect(await billing()).toMatchObject(withoutFee);
    await updateCompany(`paypal_email = 'p@x.nz'`);
    expect(await sendInvoice(id)).toMatchObject({ document: { fee: '3.74' }, request: { total: '118.74' } });
    await updateCompany(`paypal_email = null`);
    expect(await billing()).toMatchObject(withoutFee);
    const token = (await billing()).public_path.replace('/invoice/', '');
    expect(await test.client().publicInvoices.get({ token })).toMatchObject(withoutFee);
  });

  it('reports a job that differs from its invoice, and corrects it with a credit note and a new invoice', async () => {
    const job = await createJob();
    const [invoice, creditNote] = [(number: number) => `INV-${getCurrentYear()}-000${number}`, `CN-${getCurrentYear()}-0001`];
    const first = await sendInvoice(job.id);
    const before = await readInvoiceColumns(job.id);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const changed = await getAdmin().invoices.billing({ id: job.id });
    expect(changed).toMatchObject({
      differs: true,
      document: { amount: '115.00' },
      current: { amount: '230.00', invoice_number: null },
      request: { outstanding: '115.00' },
    });
    await expect(sendInvoice(job.id, first.content_hash)).rejects.toMatchObject(buildFailure('INVOICE_CHANGED'));
    const corrected = await sendInvoice(job.id, changed.content_hash);
    expect(corrected).toMatchObject({ differs: false, document: { amount: '230.00' }, request: { outstanding: '230.00' } });
    expect(
      corrected.invoices.map(({ invoice_number, state, total_amount, balance, replaces, credited_by, replaced_by }) => [
        invoice_number,
        state,
        total_amount,
        balance,
        [replaces, credited_by, replaced_by].map((related) => related?.invoice_number),
      ]),
    ).toEqual([
      [invoice(2), 'open', '230.00', '230.00', [invoice(1), undefined, undefined]],
      [creditNote, 'open', '115.00', '0.00', [invoice(1), undefined, undefined]],
      [invoice(1), 'credited', '115.00', '0.00', [undefined, creditNote, invoice(2)]],
    ]);
    const after = await readInvoiceColumns(job.id);
    expect(after.find(({ invoice_number }) => invoice_number === invoice(1))).toEqual({
      ...before[0],
      ...CLOSED_COLUMNS,
    });
    expect(corrected.invoices.every(({ is_intact }) => is_intact)).toBe(true);
  });

  it('a correction carries the payments over to the new invoice, at the same GST rate', async () => {
    const job = await createJob();
    await sendInvoice(job.id);
    await recordPayment(job.id, { amount: '50' });
    await updateCompany('gst_percentage = 10');
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const { invoices, invoice, payments, job: after, document } = await sendInvoice(job.id);
    expect(invoices.map(({ kind, paid_amount, balance }) => [kind, paid_amount, balance])).toEqual([
      ['invoice', '50.00', '180.00'],
      ['credit_note', '0.00', '0.00'],
      ['invoice', '0.00', '0.00'],
    ]);
    expect([payments.length, after.status, invoice?.shown_status, document.tax_label]).toEqual([1, 'invoiced', 'due', 'GST 15%']);
    expect((await getAdmin().invoices.debtors({})).total).toMatchObject({ invoices: 1, total: '180.00' });
    expect(await getAdmin().dashboard.money()).toMatchObject({ outstanding: { amount: '180.00', invoices: 1 }, uninvoiced: { jobs: 0 } });
  });

  it('freezes the customer and company names, and detects tampering', async () => {
    const job = await createJob();
    await sendInvoice(job.id);
    await getAdmin().customers.remove({ id: job.customer_id ?? '' });
    await updateCompany(`company_name = 'Renamed'`);
    const billing = await getAdmin().invoices.billing({ id: job.id });
    expect(billing.document).toMatchObject({ customer: { name: 'Ana Ruiz' }, issuer: { company_name: 'Tane Plumbing' } });
    expect(billing.invoice).toMatchObject({ customer_id: null, customer_name: 'Ana Ruiz', is_intact: true });
    expect(billing).toMatchObject({ differs: false, current: { customer: { name: 'Ana Ruiz' } } });
    expect((await sendInvoice(job.id)).invoices).toMatchObject([{ customer_name: 'Ana Ruiz', is_intact: true }]);
    await test.owner.query(`update invoices set total_amount = 100, tax_amount = 0 where job_id = $1 and state = 'open'`, [job.id]);
    expect((await getAdmin().invoices.billing({ id: job.id })).invoice?.is_intact).toBe(false);
  });

  it('rejects a total of 0 or a canceled job without using up a number', async () => {
    const empty = await createJob({ fixed_amount: '0' });
    const canceled = await createJob({ status: 'canceled' });
    await expect(sendInvoice(empty.id)).rejects.toMatchObject(
      buildFailure('NOTHING_TO_BILL', 'There is nothing to invoice: add items or a fixed amount first.'),
    );
    await expect(sendInvoice(canceled.id)).rejects.toMatchObject(
      buildFailure('NOTHING_TO_BILL', 'This job is canceled. Please change its status before you send an invoice.'),
    );
    expect((await sendInvoice((await createJob()).id)).invoice?.invoice_number).toBe(`INV-${getCurrentYear()}-0001`);
  });

  it('rejects a total that is too large to store', async () => {
    const job = await createJob();
    const line = `insert into job_items (company_id, id, job_id, position, name, tax_inclusive, is_service, quantity, unit_price, total_price)
      select $1, gen_random_uuid(), $2, n, 'Gold', true, false, 1, 9999999999.99, 9999999999.99 from generate_series(1, 2) n`;
    await test.owner.query(line, [firm.companyId, job.id]);
    await expect(sendInvoice(job.id)).rejects.toMatchObject(buildInvalidInput({ items: 'The total must be at most 9,999,999,999.99' }));
  });

  it('leaves the status of an unfinished job unchanged', async () => {
    expect((await sendInvoice((await createJob({ status: 'booked' })).id)).job.status).toBe('booked');
  });
});

describe('a credit note', () => {
  const credit = (id: string, overrides: { credit_id?: string; reason?: string } = {}) =>
    getAdmin().invoices.credit({ id, credit_id: randomUUID(), ...overrides });

  it('cancels an invoice under its own number and returns the job to complete', async () => {
    const job = await createJob();
    const invoice = (await sendInvoice(job.id)).invoice;
    const credit_id = randomUUID();
    const billing = await credit(invoice?.id ?? '', { credit_id, reason: 'Wrong customer' });
    expect(billing).toMatchObject({ invoice: null, differs: false, job: { status: 'complete' }, document: { invoice_number: null } });
    expect(billing.invoices).toMatchObject([
      {
        kind: 'credit_note',
        invoice_number: `CN-${getCurrentYear()}-0001`,
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
        credited_by: { id: credit_id },
        replaced_by: null,
      },
    ]);
    expect(await getAdmin().jobs.get({ id: job.id })).toMatchObject({ billed_amount: null });
    expect(await credit(invoice?.id ?? '', { credit_id })).toEqual(billing);
    await expect(credit(invoice?.id ?? '')).rejects.toMatchObject(buildFailure('INVOICE_CLOSED'));
    await expect(credit(credit_id)).rejects.toMatchObject(buildFailure('INVOICE_CLOSED'));
    expect((await sendInvoice(job.id)).invoice).toMatchObject({ invoice_number: `INV-${getCurrentYear()}-0002`, replaces: null });
  });

  it("keeps the job's payments, so a fully paid job stays paid", async () => {
    const job = await createJob();
    const { invoice } = await sendInvoice(job.id);
    await recordPayment(job.id);
    const billing = await credit(invoice?.id ?? '');
    expect(billing).toMatchObject({ paid_amount: '115.00', job: { status: 'paid' }, request: { outstanding: '0.00' } });
    expect((await sendInvoice(job.id)).invoice).toMatchObject({ paid_amount: '115.00', balance: '0.00', shown_status: 'paid' });
  });

  it('requires an existing invoice and an id that is not taken', async () => {
    const { invoice } = await sendInvoice((await createJob()).id);
    const other = await sendInvoice((await createJob()).id);
    await expect(credit(randomUUID())).rejects.toMatchObject(buildFailure('NOT_FOUND', 'Invoice not found'));
    await expect(credit(invoice?.id ?? '', { credit_id: other.invoice?.id ?? '' })).rejects.toMatchObject(buildFailure('ID_TAKEN'));
  });
});
