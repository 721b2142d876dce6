import { randomUUID } from 'node:crypto';
import type { InvoiceMail } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { buildTestEmail } from '../../../test/accounts.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type MailFault, startFaultyMailServer } from '../../../test/faulty-mail-server.ts';
import { type Mailbox, sendKeptMail, startMailbox } from '../../../test/mailbox.ts';
import { retryFailedWorkNow, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createInvoicePdfMaker } from './invoice-pdf.route.ts';

let test: TestApp;
let firm: Firm;

const getAdmin = () => firm.people.admin.client;
const getCustomerEmail = ({ customer }: Pick<Job, 'customer'>) => customer?.email ?? '';
const readBilling = ({ id }: Pick<Job, 'id'>) => getAdmin().invoices.billing({ id });
const sendInvoice = ({ id }: Pick<Job, 'id'>, mail_id: string = randomUUID()) => getAdmin().invoices.send({ id, mail_id });
const updateCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const listErrorNotifications = async () => (await getAdmin().notifications.list()).rows.filter(({ type }) => type === 'error');
const listHistoryActions = async ({ id }: Pick<Job, 'id'>) => (await getAdmin().comments.history({ id })).rows.map(({ action }) => action);

async function createJob(overrides: Parameters<typeof createBilledJob>[2] = {}): Promise<Job> {
  const { id: customer_id } = await getAdmin().customers.create(buildCustomer({ name: 'Helen Faleolo', email: buildTestEmail() }));
  return createBilledJob(test, firm, { customer_id, title: 'Hot water', ...overrides });
}

describe('sending an invoice with a mail server', () => {
  let mailbox: Mailbox;

  beforeAll(async () => {
    mailbox = await startMailbox();
    test = await startTestApp(mailbox.environment);
    return () => mailbox.stop();
  });
  beforeEach(async () => {
    mailbox.beforeAccept(() => undefined);
    firm = await createFirm(test);
  });

  it('sends one email with the amount due, link, bank details and PDF, and marks the job as invoiced (PAY-10, PAY-16)', async () => {
    await updateCompany(
      `gst_number = '123-456-789', add_paypal_fees = true, paypal_email = 'p@x.nz', bank_name = 'Kiwibank', bank_account_number = '38-9000-1', email = 'office@example.com', phone = null, address = null, payment_terms_days = 7`,
    );
    const job = await createJob({ description: 'As agreed' });
    const { billing: sent, mail: outcome } = await sendInvoice(job);
    expect([outcome, sent.job.status]).toEqual(['queued', 'invoiced']);
    const recipient = getCustomerEmail(job);
    expect(sent.mails).toMatchObject([{ kind: 'invoice', recipient, status: 'queued', sent_by: 'The admin', sent_at: null }]);
    const mail = await mailbox.waitForMail(recipient);
    await waitForQueue(test);
    const { invoice, document, public_path, mails } = await readBilling(job);
    expect(mails).toMatchObject([{ status: 'sent', problem: null, sent_at: expect.any(String) as string }]);
    expect(mail.subject).toBe(`Invoice #${job.job_number} from Tane Plumbing`);
    expect(mail.from).toBe('"Tane Plumbing via Callout" <callout@localhost>');
    expect(mail.text.trim()).toBe(
      [
        'Hi Helen Faleolo,',
        'Here is your invoice for “Hot water”. It is also attached as a PDF.',
        `Please pay $115.00 by bank transfer, or $118.74 online (${document.due.replace('Due', 'due')}).`,
        'If you have any questions, just reply to this email.',
        `View and pay your invoice: http://localhost${public_path}`,
        `Hot water\nInvoice #${job.job_number} · ${invoice?.invoice_number} · for Helen Faleolo · 1 Queen Street, Auckland · ${document.due}\nAs agreed\n  Hot water (1 × 115.00 inc GST): 115.00`,
        'Your invoice\n  Subtotal: 100.00\n  GST 15%: 15.00\n  PayPal Fee (online payment only): 3.74\n  Total: $118.74\n  Amount due by bank transfer: $115.00\n  Amount due online (includes $3.74 PayPal Fee): $118.74',
        `Pay by bank transfer\nPlease include the payment reference when making your transfer\n  Bank: Kiwibank\n  Account number: 38-9000-1\n  Payment Reference: #${job.job_number}`,
        'Tane Plumbing\noffice@example.com',
        'Callout',
      ].join('\n\n'),
    );
    expect(mail.html).toContain(`href="http://localhost${public_path}"`);
    expect(mail.attachments).toMatchObject([{ name: `${invoice?.invoice_number}.pdf`, type: 'application/pdf' }]);
    const { text } = await readPdf(Buffer.from(mail.attachments[0]?.content ?? '', 'base64'));
    for (const part of ['Tax Invoice', `Invoice #${job.job_number}`, invoice?.invoice_number ?? '?', '$118.74', '38-9000-1', document.due])
      expect(text).toContain(part);
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toHaveLength(1);
    expect(await listHistoryActions(job)).toEqual(expect.arrayContaining(['invoice-mailed', 'invoiced']));
    expect(await listErrorNotifications()).toEqual([]);
  });

  it('sends one email for repeated and concurrent requests, and rejects the same id for another job', async () => {
    const [job, other, mail_id] = [await createJob(), await createJob(), randomUUID()];
    const responses = await Promise.all([sendInvoice(job, mail_id), sendInvoice(job, mail_id), sendInvoice(job, mail_id)]);
    expect(responses.map(({ mail }) => mail)).toEqual(['queued', 'queued', 'queued']);
    await waitForQueue(test);
    expect((await sendInvoice(job, mail_id)).billing).toMatchObject({ mails: [{ id: mail_id }], invoices: [{}] });
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toHaveLength(1);
    await expect(sendInvoice(other, mail_id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect(await readBilling(other)).toMatchObject({ mails: [], invoices: [] });
  });

  it('resends an unchanged invoice with the amount still due', async () => {
    const job = await createJob();
    await sendInvoice(job);
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id, amount: '50' });
    const { billing: resent } = await sendInvoice(job);
    await waitForQueue(test);
    expect(resent).toMatchObject({ invoices: [{ balance: '65.00' }], mails: [{}, {}] });
    const [first, second] = mailbox.listMailsTo(getCustomerEmail(job));
    expect(first?.text).toContain('Please pay $115.00 (');
    expect(second?.text).toContain('Please pay $65.00 (');
    expect(second?.text).toMatch(/Total: \$115\.00\n {2}Paid \w{3} \d+, \d{4}: -50\.00\n {2}Amount due: \$65\.00/);
    const amounts = async (mail = first) => (await readPdf(Buffer.from(mail?.attachments[0]?.content ?? '', 'base64'))).amounts;
    expect((await amounts(first)).at(-1)).toBe('$115.00');
    expect((await amounts(second)).at(-1)).toBe('$65.00');
  });

  it('stays sent on the day it was first sent when it is sent again', async () => {
    const job = await createJob();
    await sendInvoice(job);
    await test.owner.query('update invoices set sent_on = sent_on - 5 where job_id = $1', [job.id]);
    const readSentOn = async () =>
      (await test.owner.query<{ sent_on: string }>('select sent_on::text from invoices where job_id = $1', [job.id])).rows;
    const before = await readSentOn();
    await sendInvoice(job);
    expect(await readSentOn()).toEqual(before);
  });

  it('replaces the invoice when it is sent again after the customer’s address was corrected', async () => {
    const job = await createJob();
    const { billing: first } = await sendInvoice(job);
    await test.owner.query(`update customers set address = '2 King Street, Auckland' where id = $1`, [job.customer?.id]);
    const { billing: second } = await sendInvoice(job);
    expect(second.document.customer?.address).toBe('2 King Street, Auckland');
    expect(second.invoice?.replaces).toMatchObject({ invoice_number: first.invoice?.invoice_number });
  });

  it('omits the due date of a paid invoice', async () => {
    const job = await createJob();
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id });
    await sendInvoice(job);
    const { text } = await mailbox.waitForMail(getCustomerEmail(job));
    expect(text).toContain('This invoice is paid. Thank you!');
    expect(text).toContain('for Helen Faleolo · 1 Queen Street, Auckland\nIt drips.');
    expect(text).not.toContain('Due ');
  });

  it('is due immediately in the email if the work, and so the printed due date, is past', async () => {
    const job = await createJob();
    await test.owner.query(`update jobs set booking_date = now() - interval '8 days' where id = $1`, [job.id]);
    const { billing } = await sendInvoice(job);
    const { text } = await mailbox.waitForMail(getCustomerEmail(job));
    expect(billing.document.due).toMatch(/^Due \w{3} \d/);
    expect(text).toContain('Please pay $115.00 (due immediately).');
    expect(text).not.toContain(billing.document.due);
  });

  it('names the replaced invoice and its credit note in the email for the corrected one', async () => {
    const job = await createJob();
    const number = (await sendInvoice(job)).billing.invoice?.invoice_number ?? '?';
    await waitForQueue(test);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    const { invoices } = (await sendInvoice(job)).billing;
    const note = invoices.find(({ kind }) => kind === 'credit_note')?.invoice_number ?? '?';
    await waitForQueue(test);
    const [, corrected] = mailbox.listMailsTo(getCustomerEmail(job));
    expect(corrected?.subject).toBe(`Corrected invoice #${job.job_number} from Tane Plumbing`);
    expect(corrected?.text).toContain(
      `for “Hot water”. It is also attached as a PDF.\n\nThis invoice replaces ${number}, which was canceled by credit note ${note}.\n\nPlease pay $230.00`,
    );
    const { text } = await readPdf(Buffer.from(corrected?.attachments[0]?.content ?? '', 'base64'));
    expect(text.split('\n')).toContain(`Replaces ${number} (canceled by ${note})`);
  });

  it('attaches a PDF with the same payments as the email, even if another payment arrives before delivery', async () => {
    const job = await createJob();
    await mailbox.stop();
    await sendInvoice(job);
    await expect
      .poll(async () => (await readBilling(job)).mails[0]?.problem, { timeout: 20_000 })
      .toBe('The mail server could not be reached.');
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id, amount: '50' });
    await mailbox.restart();
    await retryFailedWorkNow(test);
    const mail = await mailbox.waitForMail(getCustomerEmail(job));
    expect(mail.text).toContain('Please pay $115.00');
    expect((await readPdf(Buffer.from(mail.attachments[0]?.content ?? '', 'base64'))).amounts).not.toContain('-50.00');
  });

  it('rejects a customer who was deleted or has no email address (PAY-09)', async () => {
    const job = await createJob();
    await test.owner.query(`update customers set email = '' where id = $1`, [job.customer?.id]);
    await expect(sendInvoice(job)).rejects.toMatchObject({ code: 'NO_EMAIL', message: 'Customer email not found' });
    await getAdmin().customers.remove({ id: job.customer?.id ?? '' });
    await expect(sendInvoice(job)).rejects.toMatchObject({ code: 'NO_EMAIL' });
    expect(await readBilling(job)).toMatchObject({ job: { status: 'complete' }, invoices: [], mails: [] });
  });

  it('requires a confirmed sender address, except for invoices issued by hand', async () => {
    const job = await createJob();
    await test.owner.query('update users set email_verified = false where id = $1', [firm.people.admin.userId]);
    await expect(sendInvoice(job)).rejects.toMatchObject({
      code: 'EMAIL_UNCONFIRMED',
      message: 'Please confirm your email address before you send invoices.',
    });
    expect(await getAdmin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true })).toMatchObject({ mail: null });
  });

  it('does not count rejected requests toward the limits', async () => {
    const job = await createJob();
    await test.owner.query('update jobs set fixed_amount = null where id = $1', [job.id]);
    await expect(sendInvoice(job)).rejects.toMatchObject({ code: 'NOTHING_TO_BILL' });
    const query = 'select key from rate_limits where key like $1';
    const { rows } = await test.owner.query(query, [`%${firm.companyId}%`]);
    expect(rows).toEqual([]);
  });

  it('sends at most 200 emails a day to one customer', async () => {
    const job = await createJob();
    await sendInvoice(job);
    await test.owner.query('update rate_limits set attempts = 199 where key like $1', [`invoice-mail ${firm.companyId} %`]);
    await sendInvoice(job);
    await expect(sendInvoice(job)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it.each<[string, (job: Job) => Promise<unknown>]>([
    ['replaced', (job) => getAdmin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true })],
    ['credited', async (job) => getAdmin().invoices.credit({ id: (await readBilling(job)).invoice?.id ?? '', credit_id: randomUUID() })],
    ['part of a canceled job', ({ id }) => test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id])],
  ])('withdraws the email if the invoice is %s before delivery', async (_how, change) => {
    const job = await createJob();
    await mailbox.stop();
    await sendInvoice(job);
    await expect
      .poll(async () => (await readBilling(job)).mails[0]?.problem, { timeout: 20_000 })
      .toBe('The mail server could not be reached.');
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    await change(job);
    await mailbox.restart();
    await retryFailedWorkNow(test);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toEqual([]);
    expect((await readBilling(job)).mails).toEqual([]);
  });

  describe('when delivery fails', () => {
    async function sendDuring(fault: MailFault, expected: Partial<InvoiceMail>) {
      const job = await createJob();
      await mailbox.stop();
      const faulty = await startFaultyMailServer(Number(new URL(mailbox.environment.SMTP_URL).port), fault);
      const { mail, billing: sent } = await sendInvoice(job);
      expect([mail, sent.job.status]).toEqual(['queued', 'invoiced']);
      await expect.poll(async () => (await readBilling(job)).mails, { timeout: 30_000 }).toMatchObject([{ ...expected, sent_at: null }]);
      await faulty.stop();
      await mailbox.restart();
      return { job, messageIds: faulty.receivedMessageIds };
    }

    async function expectOneMail(job: Job) {
      const delivered = await mailbox.waitForMail(getCustomerEmail(job));
      await waitForQueue(test);
      const { mails, invoices, job: billedJob } = await readBilling(job);
      expect(mails).toEqual([expect.objectContaining({ status: 'sent', problem: null, sent_at: expect.any(String) as string })]);
      expect([invoices.length, billedJob.status]).toEqual([1, 'invoiced']);
      expect(mailbox.listMailsTo(getCustomerEmail(job))).toHaveLength(1);
      expect(delivered.attachments).toHaveLength(1);
      return delivered;
    }

    it('permanently (550), notifies the sender, keeps the invoice and allows a retry', async () => {
      const problem = 'This email address does not exist. Please check it for typos.';
      const { job } = await sendDuring({ rejection: '550 5.1.1 No such user' }, { status: 'failed', problem });
      expect(await listErrorNotifications()).toMatchObject([
        { message: `Your invoice #${job.job_number} to Helen Faleolo couldn't be delivered. ${problem}`, data: { job_id: job.id } },
      ]);
      const { mails, invoices, job: unsent } = await readBilling(job);
      expect(invoices).toMatchObject([{ state: 'open', sent_at: null }]);
      expect(unsent.status).toBe('complete');
      const id = mails[0]?.id ?? '';
      await Promise.all([getAdmin().invoices.retryMail({ id }), getAdmin().invoices.retryMail({ id })]);
      await expectOneMail(job);
      expect((await listHistoryActions(job)).filter((action) => action.includes('mail'))).toEqual([
        'invoice-mailed',
        'mail-failed',
        'invoice-mailed',
      ]);
    });

    const rejectMail = () =>
      mailbox.beforeAccept(() => {
        throw Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 });
      });

    it('keeps an invoice sent that was also handed over', async () => {
      const job = await createJob();
      await getAdmin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true });
      rejectMail();
      await sendInvoice(job);
      await waitForQueue(test);
      expect(await readBilling(job)).toMatchObject({
        job: { status: 'invoiced' },
        invoice: { sent_at: expect.any(String) as string, handed_over_by: 'The admin' },
        mails: [{ status: 'failed' }],
      });
    });

    it('counts the invoice as not sent, even if a reminder for it was delivered', async () => {
      const job = await createJob();
      await getAdmin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true, handed_over: false });
      await test.owner.query(
        `insert into invoice_mails (company_id, id, invoice_id, kind, mail_id, recipient, subject, body, status, queued_at, sent_at)
          select company_id, gen_random_uuid(), id, 'reminder', gen_random_uuid(), 'a@example.com', 'S', 'B', 'sent', now(), now()
          from invoices where job_id = $1`,
        [job.id],
      );
      rejectMail();
      await sendInvoice(job);
      await waitForQueue(test);
      expect(await readBilling(job)).toMatchObject({ job: { status: 'complete' }, invoice: { sent_at: null } });
    });

    it.each<[string, MailFault, string]>([
      ['421', { rejection: '421 4.3.2 Try again later' }, 'Their mail server is not accepting email right now.'],
      ['a connection lost after the message', 'cut-after-data', 'The mail server could not be reached.'],
    ])('temporarily (%s), shows the cause and retries automatically', { timeout: 60_000 }, async (_name, fault, problem) => {
      const { job, messageIds } = await sendDuring(fault, { status: 'queued', problem });
      expect(await listErrorNotifications()).toEqual([]);
      await retryFailedWorkNow(test);
      const { headers } = await expectOneMail(job);
      // The retry has the same Message-ID, so that mail clients recognize a duplicate if the first attempt did arrive.
      expect(headers.map((line) => line.replace(/^message-id: /i, ''))).toEqual(expect.arrayContaining([...messageIds]));
    });

    it('retries with the corrected email address, but not for a canceled invoice', async () => {
      const [job, corrected] = [await createJob(), buildTestEmail()];
      rejectMail();
      await sendInvoice(job);
      await waitForQueue(test);
      mailbox.beforeAccept(() => undefined);
      await test.owner.query('update customers set email = $2 where id = $1', [job.customer?.id, corrected]);
      const { mails, invoice } = await readBilling(job);
      await getAdmin().invoices.retryMail({ id: mails[0]?.id ?? '' });
      await mailbox.waitForMail(corrected);
      await waitForQueue(test);
      expect(await readBilling(job)).toMatchObject({ mails: [{ recipient: corrected, status: 'sent' }] });
      await test.owner.query(`update invoice_mails set status = 'failed' where id = $1`, [mails[0]?.id]);
      await getAdmin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
      await expect(getAdmin().invoices.retryMail({ id: mails[0]?.id ?? '' })).rejects.toMatchObject({ code: 'INVOICE_CLOSED' });
    });
  });
});

describe('sending an invoice without a mail server', () => {
  beforeAll(async () => {
    test = await startTestApp();
    firm = await createFirm(test);
  });

  it('stores the email and leaves the job complete until a system administrator sends it', async () => {
    const mailbox = await startMailbox();
    const job = await createJob();
    expect(await sendInvoice(job)).toMatchObject({
      mail: 'kept',
      billing: { job: { status: 'complete' }, mails: [{ status: 'kept' }], invoices: [{}] },
    });
    await waitForQueue(test);
    expect(await readBilling(job)).toMatchObject({ job: { status: 'complete' }, mails: [{ status: 'kept', sent_at: null }] });
    await sendKeptMail(test, mailbox, getCustomerEmail(job), [createInvoicePdfMaker(test.app.platform)]);
    await mailbox.stop();
    expect(mailbox.listMailsTo(getCustomerEmail(job))[0]?.attachments).toHaveLength(1);
    await waitForQueue(test);
    expect(await readBilling(job)).toMatchObject({ job: { status: 'invoiced' }, mails: [{ status: 'sent' }] });
  });

  it('reopens a paid job after a corrected invoice, even though no email is sent', async () => {
    const job = await createJob();
    await sendInvoice(job);
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id });
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    expect(await sendInvoice(job)).toMatchObject({
      mail: 'kept',
      billing: { job: { status: 'invoiced' }, invoice: { shown_status: 'unsent' }, request: { outstanding: '115.00' } },
    });
  });
});
