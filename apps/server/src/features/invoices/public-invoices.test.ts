import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { addBilledJob } from '../../../test/factories/billed-job.ts';
import { newCustomer, newQuote, newQuoteLine, newSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { readPdfCode } from '../../../test/pdf-code.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1' });
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;
const publicPage = () => test.client().publicInvoices;
const setCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const billing = ({ id }: Pick<Job, 'id'>) => admin().invoices.billing({ id });
const tokenOf = async (job: Pick<Job, 'id'>) => (await billing(job)).public_path.replace('/invoice/', '');
const shown = async (job: Pick<Job, 'id'>) => publicPage().get({ token: await tokenOf(job) });
const issue = async ({ id }: Pick<Job, 'id'>) =>
  (await admin().invoices.send({ id, mail_id: randomUUID(), by_hand: true })).billing.invoice ?? { id: '', invoice_number: '' };
const pay = (job: Pick<Job, 'id'>, amount?: string) =>
  admin().payments.record({ id: randomUUID(), job_id: job.id, ...(amount !== undefined && { amount }) });
const setStatus = ({ id }: Pick<Job, 'id'>, status: Job['status']) => admin().jobs.setStatus({ id, status });
const notFound = { code: 'NOT_FOUND', message: "The invoice you're looking for doesn't exist or is not accessible." };

async function addJob(over: Parameters<typeof addBilledJob>[2] = {}): Promise<Job> {
  const customer = newCustomer({ name: 'Helen Faleolo', email: 'helen@home.example', phone: '021 777 666', notes: 'Pays late' });
  const { id: customer_id } = await admin().customers.create(customer);
  return addBilledJob(test, firm, { customer_id, title: 'Hot water', ...over });
}

/** What the server asks its database for during a call, and the rows that it is given. */
async function watchStatements(act: () => Promise<unknown>) {
  const statements: string[] = [];
  const answers: unknown[] = [];
  const client = await test.app.platform.pools.app.connect();
  client.release();
  const proto = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  const { query } = proto;
  proto.query = function watched(this: unknown, ...args) {
    const [first] = args;
    statements.push(typeof first === 'string' ? first : (first as { text: string }).text);
    const answer = query.apply(this, args);
    return answer instanceof Promise
      ? answer.then((result: { rows: unknown }) => {
          answers.push(result.rows);
          return result;
        })
      : answer;
  };
  try {
    await act();
  } finally {
    proto.query = query;
  }
  return { statements, answers };
}

const noPayment = { payment_link: null, bank_name: null, bank_account_number: null };

describe('the public page of an invoice', () => {
  beforeEach(() =>
    setCompany(
      `add_paypal_fees = true, paypal_email = 'p@x.nz', bank_name = 'Kiwibank', bank_account_number = '38-9000-1', gst_number = '123-456-789'`,
    ),
  );

  it('shows the job as it is now while nothing was sent, and asks for what it costs (INV-03, INV-11, INV-17, INV-21, INV-25)', async () => {
    const job = await addJob({ description: 'As agreed' });
    const page = await shown(job);
    expect(page).toMatchObject({
      state: 'draft',
      payments: [],
      paid_amount: '0.00',
      deposit: null,
      credit_note: null,
      request: { what: 'balance', amount: '115.00', fee: '3.74', total: '118.74', outstanding: '115.00' },
      bank_name: 'Kiwibank',
      bank_account_number: '38-9000-1',
      document: {
        job_number: job.job_number,
        invoice_number: null,
        title: 'Hot water',
        customer: { name: 'Helen Faleolo', company_name: null },
        amount: '115.00',
        fee: '3.74',
        total: '$118.74',
        reference: `#${job.job_number}`,
      },
    });
    const { searchParams } = new URL(page.payment_link ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({
      cmd: '_xclick',
      business: 'p@x.nz',
      amount: '118.74',
      currency_code: 'NZD',
      item_name: `Invoice #${job.job_number} - Hot water`,
      no_shipping: '1',
      no_note: '1',
    });
  });

  it('holds nothing that it does not show: no email, phone, cost, GST number or names of the company (INV-20)', async () => {
    const job = await addJob({ lines: [{ unit_price: '115' }] });
    const before = await test.request('GET', `/api/public/invoices/${await tokenOf(job)}`);
    await issue(job);
    await pay(job, '50');
    const after = await test.request('GET', `/api/public/invoices/${await tokenOf(job)}`);
    const words = /cost|margin|markup|profit|notes|supplier|sku|staff|user_id|company_id|sha256|version|gst_number|123-456|The admin/i;
    for (const { body, statusCode } of [before, after]) {
      expect(statusCode).toBe(200);
      expect(body).toContain('Kitchen mixer tap');
      expect(body).not.toMatch(words);
      for (const secret of ['helen@home', '021 777', 'Pays late', '70.00', job.id, firm.companyId, job.customer?.id ?? '?'])
        expect(body).not.toContain(secret);
    }
  });

  it('shows the invoice as it was sent, whatever becomes of the job, until a corrected one is sent', async () => {
    const job = await addJob();
    const { invoice_number } = await issue(job);
    await test.owner.query(`update jobs set fixed_amount = 230, title = 'Changed' where id = $1`, [job.id]);
    const document = { invoice_number, title: 'Hot water', amount: '115.00' };
    expect(await shown(job)).toMatchObject({ state: 'open', replaces: null, document });
    const corrected = await issue(job);
    expect(await shown(job)).toMatchObject({
      replaces: invoice_number,
      document: { invoice_number: corrected.invoice_number, amount: '230.00' },
    });
  });

  it('counts payments, and is paid when they cover it: then it asks for nothing (INV-22)', async () => {
    const job = await addJob();
    await issue(job);
    await pay(job, '50');
    expect(await shown(job)).toMatchObject({
      state: 'open',
      payments: [{ date: expect.stringMatching(/^\w{3} \d+, \d{4}$/) as string, amount: '50.00' }],
      paid_amount: '50.00',
      request: { amount: '65.00', fee: '2.25', total: '67.25' },
    });
    await pay(job);
    expect(await shown(job)).toMatchObject({ state: 'paid', paid_amount: '115.00', request: { total: '0.00' }, ...noPayment });
    const byHand = await addJob();
    await setStatus(byHand, 'paid');
    expect(await shown(byHand)).toMatchObject({ state: 'paid', document: { invoice_number: null }, ...noPayment });
  });

  it('asks for the deposit first', async () => {
    const { id: customer_id } = await admin().customers.create(newCustomer());
    const sections = [newSection({ always_required: true, items: [newQuoteLine({ unit_price: '1000.00' })] })];
    const quote = await admin().quotes.create(newQuote({ customer_id, sections }));
    const accepted = await admin().quotes.accept({ id: quote.id });
    const job = { id: accepted.job.id ?? '' };
    await test.owner.query('update jobs set deposit_amount = 300 where id = $1', [job.id]);
    await setCompany('add_paypal_fees = false');
    expect(await shown(job)).toMatchObject({
      state: 'draft',
      deposit: '$300.00',
      request: { what: 'deposit', amount: '300.00', outstanding: '1000.00' },
    });
    await setStatus(job, 'complete');
    expect(await shown(job)).toMatchObject({ deposit: null, request: { what: 'balance', amount: '1000.00' } });
    expect(await admin().invoices.billing(job)).toMatchObject({
      deposit_amount: '300.00',
      request: { what: 'balance', amount: '1000.00' },
    });
    await setStatus(job, 'booked');
    expect((await admin().invoices.billing(job)).request).toMatchObject({ what: 'deposit', amount: '300.00' });
    await pay(job, '300');
    const nothingYet = { what: 'deposit_paid', outstanding: '700.00', amount: '0.00', total: '0.00' };
    expect(await shown(job)).toMatchObject({ state: 'draft', deposit: null, request: nothingYet, ...noPayment });
    expect(await admin().invoices.billing(job)).toMatchObject({ request: nothingYet, payment_link: null });
    await setStatus(job, 'complete');
    expect(await shown(job)).toMatchObject({ deposit: null, request: { what: 'balance', amount: '700.00' } });
  });

  it('lists payments by the day they were made, whenever they were recorded', async () => {
    const job = await addJob();
    await admin().payments.record({ id: randomUUID(), job_id: job.id, amount: '15', paid_on: '2026-03-09' });
    await admin().payments.record({ id: randomUUID(), job_id: job.id, amount: '100', paid_on: '2026-03-02' });
    expect((await shown(job)).payments.map(({ date }) => date)).toEqual(['Mar 2, 2026', 'Mar 9, 2026']);
  });

  it('asks for nothing between a deposit and the end of the work, until the invoice is sent', async () => {
    const job = await addJob({ status: 'booked' });
    await pay(job, '15');
    expect(await shown(job)).toMatchObject({ state: 'draft', request: { what: 'deposit_paid' }, ...noPayment });
    await issue(job);
    expect(await shown(job)).toMatchObject({ state: 'open', request: { what: 'balance', amount: '100.00' } });
  });

  it('reads only the latest of many long corrections: whoever has the link could keep the server busy with them', async () => {
    const job = await addJob();
    await issue(job);
    const token = await tokenOf(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    await issue(job);
    await test.owner.query(`update invoices set record = repeat('x', 1000000) where job_id = $1 and state = 'replaced'`, [job.id]);
    const { answers } = await watchStatements(async () => {
      expect(await publicPage().get({ token })).toMatchObject({ state: 'open', document: { amount: '230.00' } });
    });
    const read = answers.map((rows) => JSON.stringify(rows));
    expect(read.some((text) => text.includes('230.00'))).toBe(true);
    expect(read.join('').length).toBeLessThan(50_000);
  });

  it('is canceled when a credit note canceled it, or its job is; a canceled job that was never billed is not found (INV-23)', async () => {
    const [credited, canceled, never] = [await addJob(), await addJob(), await addJob()];
    const { id } = await issue(credited);
    await issue(canceled);
    await admin().invoices.credit({ id, credit_id: randomUUID() });
    expect(await shown(credited)).toMatchObject({ state: 'canceled', credit_note: `CN-${new Date().getFullYear()}-0001`, ...noPayment });
    const [ofCanceled, ofNever] = [await tokenOf(canceled), await tokenOf(never)];
    await test.owner.query(`update jobs set status = 'canceled' where id = any($1)`, [[canceled.id, never.id]]);
    expect(await publicPage().get({ token: ofCanceled })).toMatchObject({ state: 'canceled', credit_note: null, ...noPayment });
    await expect(publicPage().get({ token: ofNever })).rejects.toMatchObject(notFound);
    expect((await test.request('GET', `/api/public/invoices/${ofNever}/pdf`)).statusCode).toBe(404);
    await setStatus(never, 'pending');
    expect(await publicPage().get({ token: ofNever })).toMatchObject({ state: 'draft' });
  });

  it('shows the corrected invoice even when the one before has the later time, because its request began later', async () => {
    const job = await addJob();
    await issue(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const corrected = await issue(job);
    await test.owner.query(`update invoices set created_at = created_at + interval '1 minute' where job_id = $1 and state = 'replaced'`, [
      job.id,
    ]);
    const document = { invoice_number: corrected.invoice_number, amount: '230.00' };
    expect(await shown(job)).toMatchObject({ state: 'open', document });
    await admin().invoices.credit({ id: corrected.id, credit_id: randomUUID() });
    expect(await shown(job)).toMatchObject({ state: 'canceled', credit_note: expect.stringContaining('CN-'), document });
  });

  it('opens by its token only (SEC-04)', async () => {
    const job = await addJob();
    const token = await tokenOf(job);
    expect(token).toMatch(/^[\w-]{22}$/);
    const { id: customer_id } = await admin().customers.create(newCustomer());
    const quote = await admin().quotes.create(newQuote({ customer_id }));
    const forged = [
      job.id,
      'A'.repeat(22),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}x`,
      quote.public_path.replace('/quote/', ''),
    ];
    for (const wrong of forged) {
      await expect(publicPage().get({ token: wrong })).rejects.toMatchObject(notFound);
      expect((await test.request('GET', `/api/public/invoices/${wrong}/pdf`)).statusCode).toBe(404);
    }
    await test.owner.query('update public_links set revoked_at = now() where token = $1', [token]);
    await expect(publicPage().get({ token })).rejects.toMatchObject(notFound);
  });

  it('is a clear page also without items, total, customer, bank or PayPal account', async () => {
    await setCompany('paypal_email = null, bank_name = null, bank_account_number = null, company_name = null');
    const job = await addJob();
    await test.owner.query('update jobs set fixed_amount = null, booking_date = null where id = $1', [job.id]);
    await admin().customers.remove({ id: job.customer?.id ?? '' });
    expect(await shown(job)).toMatchObject({
      state: 'draft',
      document: { items: [], total: '$0.00', due: 'Due Immediately', customer: null },
      request: { total: '0.00' },
      ...noPayment,
    });
    const answer = await test.request('GET', `/api/public/invoices/${await tokenOf(job)}/pdf`);
    const { text } = await readPdf(answer.rawPayload);
    for (const part of ['Due Immediately', 'Company', 'Customer', '$0.00']) expect(text).toContain(part);
  });

  it('notes when the customer first and last opened it; members and link previews do not count', async () => {
    const job = await addJob();
    const path = `/api/public/invoices/${await tokenOf(job)}/opened`;
    const open = (headers: Record<string, string>, cookie?: string) =>
      test.request('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body: {}, ...(cookie && { cookie }) });
    const opened = async () => (await billing(job)).first_opened_at;
    expect((await open({ 'user-agent': 'WhatsApp/2.23' })).statusCode).toBe(200);
    expect((await open({ 'user-agent': 'Mozilla/5.0' }, firm.people.staff.cookie)).statusCode).toBe(200);
    expect(await opened()).toBeNull();
    expect((await open({ 'user-agent': 'Mozilla/5.0' })).statusCode).toBe(200);
    expect(await opened()).toEqual(expect.any(String));
  });

  it('is read with few statements', async () => {
    const job = await addJob({ lines: [{ unit_price: '100' }, { unit_price: '15' }] });
    await issue(job);
    await pay(job, '50');
    const token = await tokenOf(job);
    await publicPage().get({ token });
    const { statements } = await watchStatements(() => publicPage().get({ token }));
    expect(statements.filter((text) => /from "?(jobs|invoices|payments|companies|customers)"?/.test(text))).toHaveLength(4);
  });
});

describe('the PDF of an invoice', () => {
  const asAdmin = (path: string) => test.request('GET', path, { cookie: firm.people.admin.cookie });

  it('has the figures of the page, the row and the code, with the logo; inside and outside', async () => {
    await setCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz', gst_number = '123-456-789'`);
    const { admin: boss } = firm.people;
    const logo = await sharp({ create: { width: 600, height: 200, channels: 4, background: '#0f766e' } })
      .png()
      .toBuffer();
    await uploadTo(test, '/api/company/logo', boss.cookie, 'logo.png', logo);
    const job = await addJob();
    const { id, invoice_number } = await issue(job);
    const token = await tokenOf(job);
    const page = await publicPage().get({ token });
    const { rows } = await test.owner.query<{ subtotal: string; tax_amount: string; total_amount: string }>(
      'select subtotal, tax_amount, total_amount from invoices where id = $1',
      [id],
    );
    const { exact } = page.document;
    expect(rows).toEqual([{ subtotal: exact.subtotal, tax_amount: exact.tax, total_amount: exact.amount }]);
    for (const path of [`/api/invoices/${id}/pdf`, `/api/jobs/${job.id}/invoice.pdf`, `/api/public/invoices/${token}/pdf`]) {
      const answer = path.includes('public') ? await test.request('GET', path) : await asAdmin(path);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${invoice_number}.pdf"`,
        'cache-control': 'private, no-store',
      });
      const { text } = await readPdf(answer.rawPayload);
      for (const part of ['Tax Invoice', 'GST number 123-456-789', '100.00', '15.00', '3.74', '$118.74', '$115.00'])
        expect(text).toContain(part);
      expect(answer.rawPayload.includes('/Subtype /Image')).toBe(true);
      expect(await readPdfCode(answer.rawPayload)).toBe(page.payment_link);
    }
  });

  it('of a job that was not sent is marked as a draft; of what was replaced or credited it says so', async () => {
    const job = await addJob();
    const text = async (path: string) => (await readPdf((await asAdmin(path)).rawPayload)).text;
    const draft = await asAdmin(`/api/jobs/${job.id}/invoice.pdf`);
    expect(draft.headers['content-disposition']).toBe(`attachment; filename="Invoice ${job.job_number} (draft).pdf"`);
    expect((await readPdf(draft.rawPayload)).text).toContain('Draft: not sent yet');
    const first = await issue(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const second = await issue(job);
    const credit_id = randomUUID();
    await admin().invoices.credit({ id: second.id, credit_id, reason: 'Wrong customer' });
    expect(await text(`/api/invoices/${first.id}/pdf`)).toContain(`Replaced by ${second.invoice_number}`);
    expect(await text(`/api/invoices/${second.id}/pdf`)).toContain(`Replaces ${first.invoice_number}`);
    expect(await text(`/api/invoices/${second.id}/pdf`)).toMatch(/Canceled by credit note CN-\d{4}-0001/);
    const note = await asAdmin(`/api/invoices/${credit_id}/pdf`);
    expect(note.headers['content-disposition']).toMatch(/"CN-\d{4}-0001\.pdf"/);
    const { text: printed, amounts } = await readPdf(note.rawPayload);
    expect(printed).toContain(` for ${second.invoice_number}`);
    expect(printed).toContain('Reason: Wrong customer');
    expect(amounts.at(-1)).toBe('-$230.00');
  });

  it('of a job that was changed or credited since is a draft of the job as it is now', async () => {
    const job = await addJob();
    const current = async () => {
      const answer = await asAdmin(`/api/jobs/${job.id}/invoice.pdf`);
      return { name: answer.headers['content-disposition'], ...(await readPdf(answer.rawPayload)) };
    };
    const draftName = `attachment; filename="Invoice ${job.job_number} (draft).pdf"`;
    const sent = await issue(job);
    await pay(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const changed = await current();
    expect(changed.name).toBe(draftName);
    for (const words of ['Draft: not sent yet', '$230.00', '-115.00', '$115.00']) expect(changed.text).toContain(words);
    await admin().invoices.credit({ id: sent.id, credit_id: randomUUID(), reason: null });
    const credited = await current();
    expect(credited.name).toBe(draftName);
    expect(credited.text).toContain('$230.00');
    await setStatus(job, 'canceled');
    expect((await current()).text).toContain('Canceled');
    expect((await current()).text).not.toContain('How to pay');
  });

  it('is for those who manage payments, and of their company', async () => {
    const job = await addJob();
    const { id } = await issue(job);
    const other = await createFirm(test);
    for (const path of [`/api/invoices/${id}/pdf`, `/api/jobs/${job.id}/invoice.pdf`]) {
      const statusFor = async (cookie?: string) => (await test.request('GET', path, cookie ? { cookie } : {})).statusCode;
      expect(await statusFor()).toBe(401);
      expect(await statusFor(firm.people.staff.cookie)).toBe(403);
      expect(await statusFor(other.people.admin.cookie)).toBe(404);
    }
    expect((await asAdmin('/api/invoices/no-id/pdf')).statusCode).toBe(404);
  });
});
