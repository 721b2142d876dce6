import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildQuote, buildQuoteLine, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { readPdfQrCode } from '../../../test/pdf-qr-code.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1' });
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const getAdmin = () => firm.people.admin.client;
const getPublicCalls = () => test.client().publicInvoices;
const updateCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const readBilling = ({ id }: Pick<Job, 'id'>) => getAdmin().invoices.billing({ id });
const readToken = async (job: Pick<Job, 'id'>) => (await readBilling(job)).public_path.replace('/invoice/', '');
const readPublicPage = async (job: Pick<Job, 'id'>) => getPublicCalls().get({ token: await readToken(job) });
const issueInvoice = async ({ id }: Pick<Job, 'id'>) =>
  (await getAdmin().invoices.send({ id, mail_id: randomUUID(), by_hand: true })).billing.invoice ?? { id: '', invoice_number: '' };
const recordPayment = (job: Pick<Job, 'id'>, amount?: string) =>
  getAdmin().payments.record({ id: randomUUID(), job_id: job.id, ...(amount !== undefined && { amount }) });
const setStatus = ({ id }: Pick<Job, 'id'>, status: Job['status']) => getAdmin().jobs.setStatus({ id, status });
const NOT_FOUND = { code: 'NOT_FOUND', message: "The invoice you're looking for doesn't exist or is not accessible." };

async function createJob(overrides: Parameters<typeof createBilledJob>[2] = {}): Promise<Job> {
  const customer = buildCustomer({ name: 'Helen Faleolo', email: 'helen@home.example', phone: '021 777 666', notes: 'Pays late' });
  const { id: customer_id } = await getAdmin().customers.create(customer);
  return createBilledJob(test, firm, { customer_id, title: 'Hot water', ...overrides });
}

/** Captures the SQL statements that `act` runs and the rows they return. */
async function captureStatements(act: () => Promise<unknown>) {
  const statements: string[] = [];
  const results: unknown[] = [];
  const client = await test.app.platform.pools.app.connect();
  client.release();
  const proto = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  const { query } = proto;
  proto.query = function capturing(this: unknown, ...args) {
    const [first] = args;
    statements.push(typeof first === 'string' ? first : (first as { text: string }).text);
    const response = query.apply(this, args);
    return response instanceof Promise
      ? response.then((result: { rows: unknown }) => {
          results.push(result.rows);
          return result;
        })
      : response;
  };
  try {
    await act();
  } finally {
    proto.query = query;
  }
  return { statements, results };
}

const NOT_PAYABLE = { payment_link: null, bank_name: null, bank_account_number: null };

describe('the public invoice page', () => {
  beforeEach(() =>
    updateCompany(
      `add_paypal_fees = true, paypal_email = 'p@x.nz', bank_name = 'Kiwibank', bank_account_number = '38-9000-1', gst_number = '123-456-789'`,
    ),
  );

  it('shows a draft of the job and requests its total before an invoice is sent (INV-03, INV-11, INV-17, INV-21, INV-25)', async () => {
    const job = await createJob({ description: 'As agreed' });
    const page = await readPublicPage(job);
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

  it('exposes no customer email, phone, cost, GST number or staff name (INV-20)', async () => {
    const job = await createJob({ lines: [{ unit_price: '115' }] });
    const before = await test.request('GET', `/api/public/invoices/${await readToken(job)}`);
    await issueInvoice(job);
    await recordPayment(job, '50');
    const after = await test.request('GET', `/api/public/invoices/${await readToken(job)}`);
    const words = /cost|margin|markup|profit|notes|supplier|sku|staff|user_id|company_id|sha256|version|gst_number|123-456|The admin/i;
    for (const { body, statusCode } of [before, after]) {
      expect(statusCode).toBe(200);
      expect(body).toContain('Kitchen mixer tap');
      expect(body).not.toMatch(words);
      for (const secret of ['helen@home', '021 777', 'Pays late', '70.00', job.id, firm.companyId, job.customer?.id ?? '?'])
        expect(body).not.toContain(secret);
    }
  });

  it('shows the sent invoice until a corrected one is sent, even if the job changes', async () => {
    const job = await createJob();
    const { invoice_number } = await issueInvoice(job);
    await test.owner.query(`update jobs set fixed_amount = 230, title = 'Changed' where id = $1`, [job.id]);
    const document = { invoice_number, title: 'Hot water', amount: '115.00' };
    expect(await readPublicPage(job)).toMatchObject({ state: 'open', replaces: null, document });
    const corrected = await issueInvoice(job);
    expect(await readPublicPage(job)).toMatchObject({
      replaces: { invoice_number, credit_note: expect.stringMatching(/^CN-\d{4}-0001$/) as string },
      document: { invoice_number: corrected.invoice_number, amount: '230.00' },
    });
  });

  it('subtracts payments, and requests nothing once they cover the invoice (INV-22)', async () => {
    const job = await createJob();
    await issueInvoice(job);
    await recordPayment(job, '50');
    expect(await readPublicPage(job)).toMatchObject({
      state: 'open',
      payments: [{ date: expect.stringMatching(/^\w{3} \d+, \d{4}$/) as string, amount: '50.00' }],
      paid_amount: '50.00',
      request: { amount: '65.00', fee: '2.25', total: '67.25' },
    });
    await recordPayment(job);
    expect(await readPublicPage(job)).toMatchObject({ state: 'paid', paid_amount: '115.00', request: { total: '0.00' }, ...NOT_PAYABLE });
    const byHand = await createJob();
    await setStatus(byHand, 'paid');
    expect(await readPublicPage(byHand)).toMatchObject({ state: 'paid', document: { invoice_number: null }, ...NOT_PAYABLE });
  });

  it('requests the deposit first', async () => {
    const { id: customer_id } = await getAdmin().customers.create(buildCustomer());
    const sections = [buildQuoteSection({ always_required: true, items: [buildQuoteLine({ unit_price: '1000.00' })] })];
    const quote = await getAdmin().quotes.create(buildQuote({ customer_id, sections }));
    const accepted = await acceptAsMember(getAdmin(), { id: quote.id });
    const job = { id: accepted.job.id ?? '' };
    await test.owner.query('update jobs set deposit_amount = 300 where id = $1', [job.id]);
    await updateCompany('add_paypal_fees = false');
    expect(await readPublicPage(job)).toMatchObject({
      state: 'draft',
      deposit: '$300.00',
      request: { what: 'deposit', amount: '300.00', outstanding: '1000.00' },
    });
    await setStatus(job, 'complete');
    expect(await readPublicPage(job)).toMatchObject({ deposit: null, request: { what: 'balance', amount: '1000.00' } });
    expect(await readBilling(job)).toMatchObject({ deposit_amount: '300.00', request: { what: 'balance', amount: '1000.00' } });
    await setStatus(job, 'booked');
    expect((await readBilling(job)).request).toMatchObject({ what: 'deposit', amount: '300.00' });
    await recordPayment(job, '300');
    const nothingYet = { what: 'deposit_paid', outstanding: '700.00', amount: '0.00', total: '0.00' };
    expect(await readPublicPage(job)).toMatchObject({ state: 'draft', deposit: null, request: nothingYet, ...NOT_PAYABLE });
    expect(await readBilling(job)).toMatchObject({ request: nothingYet, payment_link: null });
    await setStatus(job, 'complete');
    expect(await readPublicPage(job)).toMatchObject({ deposit: null, request: { what: 'balance', amount: '700.00' } });
  });

  it('sorts payments by payment date, not by when they were recorded', async () => {
    const job = await createJob();
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id, amount: '15', paid_on: '2026-03-09' });
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id, amount: '100', paid_on: '2026-03-02' });
    expect((await readPublicPage(job)).payments.map(({ date }) => date)).toEqual(['Mar 2, 2026', 'Mar 9, 2026']);
  });

  it('requests nothing between a deposit and the invoice', async () => {
    const job = await createJob({ status: 'booked' });
    await recordPayment(job, '15');
    expect(await readPublicPage(job)).toMatchObject({ state: 'draft', request: { what: 'deposit_paid' }, ...NOT_PAYABLE });
    await issueInvoice(job);
    expect(await readPublicPage(job)).toMatchObject({ state: 'open', request: { what: 'balance', amount: '100.00' } });
  });

  it('reads only the latest of many long documents, so the link cannot overload the server', async () => {
    const job = await createJob();
    await issueInvoice(job);
    const token = await readToken(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    await issueInvoice(job);
    await test.owner.query(`update invoices set record = repeat('x', 1000000) where job_id = $1 and state = 'credited'`, [job.id]);
    const { results } = await captureStatements(async () => {
      expect(await getPublicCalls().get({ token })).toMatchObject({ state: 'open', document: { amount: '230.00' } });
    });
    const read = results.map((rows) => JSON.stringify(rows ?? []));
    expect(read.some((text) => text.includes('230.00'))).toBe(true);
    expect(read.join('').length).toBeLessThan(50_000);
  });

  it('shows a canceled invoice or job as canceled, and is not found for a canceled job without invoices (INV-23)', async () => {
    const [credited, canceled, unbilled] = [await createJob(), await createJob(), await createJob()];
    const { id } = await issueInvoice(credited);
    await issueInvoice(canceled);
    await getAdmin().invoices.credit({ id, credit_id: randomUUID() });
    const credit_note = `CN-${new Date().getFullYear()}-0001`;
    expect(await readPublicPage(credited)).toMatchObject({ state: 'canceled', credit_note, ...NOT_PAYABLE });
    const [canceledToken, unbilledToken] = [await readToken(canceled), await readToken(unbilled)];
    await test.owner.query(`update jobs set status = 'canceled' where id = any($1)`, [[canceled.id, unbilled.id]]);
    expect(await getPublicCalls().get({ token: canceledToken })).toMatchObject({ state: 'canceled', credit_note: null, ...NOT_PAYABLE });
    await expect(getPublicCalls().get({ token: unbilledToken })).rejects.toMatchObject(NOT_FOUND);
    expect((await test.request('GET', `/api/public/invoices/${unbilledToken}/pdf`)).statusCode).toBe(404);
    await setStatus(unbilled, 'pending');
    expect(await getPublicCalls().get({ token: unbilledToken })).toMatchObject({ state: 'draft' });
  });

  it('shows the corrected invoice even if the canceled one has a later timestamp', async () => {
    const job = await createJob();
    await issueInvoice(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const corrected = await issueInvoice(job);
    await test.owner.query(`update invoices set created_at = created_at + interval '1 minute' where job_id = $1 and state = 'credited'`, [
      job.id,
    ]);
    const document = { invoice_number: corrected.invoice_number, amount: '230.00' };
    expect(await readPublicPage(job)).toMatchObject({ state: 'open', document });
    await getAdmin().invoices.credit({ id: corrected.id, credit_id: randomUUID() });
    expect(await readPublicPage(job)).toMatchObject({ state: 'canceled', credit_note: expect.stringContaining('CN-'), document });
  });

  it('opens only with its token (SEC-04)', async () => {
    const job = await createJob();
    const token = await readToken(job);
    expect(token).toMatch(/^[\w-]{22}$/);
    const { id: customer_id } = await getAdmin().customers.create(buildCustomer());
    const quote = await getAdmin().quotes.create(buildQuote({ customer_id }));
    const forged = [
      job.id,
      'A'.repeat(22),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}x`,
      quote.public_path.replace('/quote/', ''),
    ];
    for (const wrong of forged) {
      await expect(getPublicCalls().get({ token: wrong })).rejects.toMatchObject(NOT_FOUND);
      expect((await test.request('GET', `/api/public/invoices/${wrong}/pdf`)).statusCode).toBe(404);
    }
    await test.owner.query('update public_links set revoked_at = now() where token = $1', [token]);
    await expect(getPublicCalls().get({ token })).rejects.toMatchObject(NOT_FOUND);
  });

  it('works without items, total, customer, bank details or PayPal account', async () => {
    await updateCompany('paypal_email = null, bank_name = null, bank_account_number = null, company_name = null');
    const job = await createJob();
    await test.owner.query('update jobs set fixed_amount = null, booking_date = null where id = $1', [job.id]);
    await getAdmin().customers.remove({ id: job.customer?.id ?? '' });
    expect(await readPublicPage(job)).toMatchObject({
      state: 'draft',
      document: { items: [], total: '$0.00', due: 'Due Immediately', customer: null },
      request: { total: '0.00' },
      ...NOT_PAYABLE,
    });
    const response = await test.request('GET', `/api/public/invoices/${await readToken(job)}/pdf`);
    const { text } = await readPdf(response.rawPayload);
    for (const part of ['Due Immediately', 'Company', 'Customer', '$0.00']) expect(text).toContain(part);
  });

  it('records when the customer first opened it, ignoring members and link previews', async () => {
    const job = await createJob();
    const path = `/api/public/invoices/${await readToken(job)}/opened`;
    const open = (headers: Record<string, string>, cookie?: string) =>
      test.request('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body: {}, ...(cookie && { cookie }) });
    const opened = async () => (await readBilling(job)).first_opened_at;
    expect((await open({ 'user-agent': 'WhatsApp/2.23' })).statusCode).toBe(200);
    expect((await open({ 'user-agent': 'Mozilla/5.0' }, firm.people.staff.cookie)).statusCode).toBe(200);
    expect(await opened()).toBeNull();
    expect((await open({ 'user-agent': 'Mozilla/5.0' })).statusCode).toBe(200);
    expect(await opened()).toEqual(expect.any(String));
  });

  it('loads with six SQL statements, for the link, its version and four records', async () => {
    const job = await createJob({ lines: [{ unit_price: '100' }, { unit_price: '15' }] });
    await issueInvoice(job);
    await recordPayment(job, '50');
    const token = await readToken(job);
    const { statements } = await captureStatements(() => getPublicCalls().get({ token }));
    expect(statements.filter((text) => /from "?(jobs|invoices|payments|companies|customers)"?/.test(text))).toHaveLength(6);
  });
});

describe('the invoice PDF', () => {
  const asAdmin = (path: string) => test.request('GET', path, { cookie: firm.people.admin.cookie });

  it('has the logo and the same amounts as the page and the QR code for members and customers', async () => {
    await updateCompany(`add_paypal_fees = true, paypal_email = 'p@x.nz', gst_number = '123-456-789'`);
    const { admin } = firm.people;
    const logo = await sharp({ create: { width: 600, height: 200, channels: 4, background: '#0f766e' } })
      .png()
      .toBuffer();
    await uploadFile(test, '/api/company/logo', admin.cookie, 'logo.png', logo);
    const job = await createJob();
    const { id, invoice_number } = await issueInvoice(job);
    const token = await readToken(job);
    const page = await getPublicCalls().get({ token });
    const { rows } = await test.owner.query<{ subtotal: string; tax_amount: string; total_amount: string }>(
      'select subtotal, tax_amount, total_amount from invoices where id = $1',
      [id],
    );
    const { exact } = page.document;
    expect(rows).toEqual([{ subtotal: exact.subtotal, tax_amount: exact.tax, total_amount: exact.amount }]);
    for (const path of [`/api/invoices/${id}/pdf`, `/api/jobs/${job.id}/invoice.pdf`, `/api/public/invoices/${token}/pdf`]) {
      const response = path.includes('public') ? await test.request('GET', path) : await asAdmin(path);
      expect(response.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${invoice_number}.pdf"`,
        'cache-control': 'private, no-store',
      });
      const { text } = await readPdf(response.rawPayload);
      for (const part of ['Tax Invoice', 'GST number 123-456-789', '100.00', '15.00', '3.74', '$118.74', '$115.00'])
        expect(text).toContain(part);
      expect(response.rawPayload.includes('/Subtype /Image')).toBe(true);
      expect(await readPdfQrCode(response.rawPayload)).toBe(page.payment_link);
    }
  });

  it('states whether the invoice is a draft, corrected or credited', async () => {
    const job = await createJob();
    const text = async (path: string) => (await readPdf((await asAdmin(path)).rawPayload)).text;
    const draft = await asAdmin(`/api/jobs/${job.id}/invoice.pdf`);
    expect(draft.headers['content-disposition']).toBe(`attachment; filename="Invoice ${job.job_number} (draft).pdf"`);
    expect((await readPdf(draft.rawPayload)).text).toContain('Draft: not sent yet');
    const first = await issueInvoice(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const second = await issueInvoice(job);
    const credit_id = randomUUID();
    await getAdmin().invoices.credit({ id: second.id, credit_id, reason: 'Wrong customer' });
    expect(await text(`/api/invoices/${first.id}/pdf`)).toMatch(
      new RegExp(`Canceled by credit note CN-\\d{4}-0001 and replaced by ${second.invoice_number}`),
    );
    expect(await text(`/api/invoices/${second.id}/pdf`)).toMatch(
      new RegExp(`Replaces ${first.invoice_number} \\(canceled by CN-\\d{4}-0001\\)`),
    );
    expect(await text(`/api/invoices/${second.id}/pdf`)).toMatch(/Canceled by credit note CN-\d{4}-0002/);
    const note = await asAdmin(`/api/invoices/${credit_id}/pdf`);
    expect(note.headers['content-disposition']).toMatch(/"CN-\d{4}-0002\.pdf"/);
    const { text: printed, amounts } = await readPdf(note.rawPayload);
    expect(printed).toContain(` for ${second.invoice_number}`);
    expect(printed).toContain('Reason: Wrong customer');
    expect(amounts.at(-1)).toBe('-$230.00');
  });

  it('is a draft if the job has changed or its invoice was credited', async () => {
    const job = await createJob();
    const current = async () => {
      const response = await asAdmin(`/api/jobs/${job.id}/invoice.pdf`);
      return { name: response.headers['content-disposition'], ...(await readPdf(response.rawPayload)) };
    };
    const draftName = `attachment; filename="Invoice ${job.job_number} (draft).pdf"`;
    const sent = await issueInvoice(job);
    await recordPayment(job);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const changed = await current();
    expect(changed.name).toBe(draftName);
    for (const words of ['Draft: not sent yet', '$230.00', '-115.00', '$115.00']) expect(changed.text).toContain(words);
    await getAdmin().invoices.credit({ id: sent.id, credit_id: randomUUID(), reason: null });
    const credited = await current();
    expect(credited.name).toBe(draftName);
    expect(credited.text).toContain('$230.00');
    await setStatus(job, 'canceled');
    expect((await current()).text).toContain('Canceled');
    expect((await current()).text).not.toContain('How to pay');
  });

  it('requires a member of the same company with the payments capability', async () => {
    const job = await createJob();
    const { id } = await issueInvoice(job);
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
