import { randomUUID } from 'node:crypto';
import type { InvoiceMail } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { uniqueEmail } from '../../../test/accounts.ts';
import { addBilledJob } from '../../../test/factories/billed-job.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type MailFault, startFaultyMailServer } from '../../../test/faulty-mail-server.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { retryNow, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createPools } from '../../platform/db/pools.ts';
import { sendQueuedMail } from '../../platform/mail/send-mail.ts';
import { invoicePdfMaker } from './make-invoice-pdf.ts';

let test: TestApp;
let firm: Firm;

const admin = () => firm.people.admin.client;
const emailOf = ({ customer }: Pick<Job, 'customer'>) => customer?.email ?? '';
const billing = ({ id }: Pick<Job, 'id'>) => admin().invoices.billing({ id });
const send = ({ id }: Pick<Job, 'id'>, mail_id: string = randomUUID()) => admin().invoices.send({ id, mail_id });
const setCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const errors = async () => (await admin().notifications.list()).rows.filter(({ type }) => type === 'error');
const actionsOf = async ({ id }: Pick<Job, 'id'>) => (await admin().comments.history({ id })).rows.map(({ action }) => action);

async function addJob(over: Parameters<typeof addBilledJob>[2] = {}): Promise<Job> {
  const { id: customer_id } = await admin().customers.create(newCustomer({ name: 'Helen Faleolo', email: uniqueEmail() }));
  return addBilledJob(test, firm, { customer_id, title: 'Hot water', ...over });
}

describe('with a mail server', () => {
  let mailbox: Mailbox;

  beforeAll(async () => {
    mailbox = await startMailbox();
    test = await startTestApp(mailbox.environment);
    return () => mailbox.stop();
  });
  beforeEach(async () => {
    mailbox.beforeTaking(() => undefined);
    firm = await createFirm(test);
  });

  it('the customer gets one mail with what to pay, the link, the bank details and the PDF, and the job is invoiced (PAY-10, PAY-16)', async () => {
    await setCompany(
      `gst_number = '123-456-789', add_paypal_fees = true, paypal_email = 'p@x.nz', bank_name = 'Kiwibank', bank_account_number = '38-9000-1', email = 'office@example.com', phone = null, address = null, payment_terms_days = 7`,
    );
    const job = await addJob({ description: 'As agreed' });
    const { billing: sent, mail: outcome } = await send(job);
    expect([outcome, sent.job.status]).toEqual(['queued', 'invoiced']);
    expect(sent.mails).toMatchObject([{ kind: 'invoice', recipient: emailOf(job), status: 'queued', sent_by: 'The admin', sent_at: null }]);
    const mail = await mailbox.mailTo(emailOf(job));
    await waitForQueue(test);
    const { invoice, document, public_path, mails } = await billing(job);
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
        `Hot water\nInvoice #${job.job_number} · ${invoice?.invoice_number} · for Helen Faleolo · ${document.due}\nAs agreed\n  Hot water (1 × 115.00 inc GST): 115.00`,
        'Your invoice\n  Subtotal: 100.00\n  GST 15%: 15.00\n  PayPal Fee: 3.74\n  Total: $118.74\n  Amount due by bank transfer: $115.00\n  Amount due online (includes $3.74 PayPal fee): $118.74',
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
    expect(mailbox.mailsTo(emailOf(job))).toHaveLength(1);
    expect(await actionsOf(job)).toEqual(expect.arrayContaining(['invoice-mailed', 'invoiced']));
    expect(await errors()).toEqual([]);
  });

  it('a request that is repeated, also at the same time, sends one mail; its id is of no other job', async () => {
    const [job, other, mail_id] = [await addJob(), await addJob(), randomUUID()];
    const answers = await Promise.all([send(job, mail_id), send(job, mail_id), send(job, mail_id)]);
    expect(answers.map(({ mail }) => mail)).toEqual(['queued', 'queued', 'queued']);
    await waitForQueue(test);
    expect((await send(job, mail_id)).billing).toMatchObject({ mails: [{ id: mail_id }], invoices: [{}] });
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(job))).toHaveLength(1);
    await expect(send(other, mail_id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect(await billing(other)).toMatchObject({ mails: [], invoices: [] });
  });

  it('the same invoice is mailed again while the job is the same, with what is still to be paid', async () => {
    const job = await addJob();
    await send(job);
    await admin().payments.record({ id: randomUUID(), job_id: job.id, amount: '50' });
    const { billing: again } = await send(job);
    await waitForQueue(test);
    expect(again).toMatchObject({ invoices: [{ balance: '65.00' }], mails: [{}, {}] });
    const [first, second] = mailbox.mailsTo(emailOf(job));
    expect(first?.text).toContain('Please pay $115.00 (');
    expect(second?.text).toContain('Please pay $65.00 (');
    expect(second?.text).toMatch(/Total: \$115\.00\n {2}Paid \w{3} \d+, \d{4}: -50\.00\n {2}Amount due: \$65\.00/);
    const amounts = async (mail = first) => (await readPdf(Buffer.from(mail?.attachments[0]?.content ?? '', 'base64'))).amounts;
    expect((await amounts(first)).at(-1)).toBe('$115.00');
    expect((await amounts(second)).at(-1)).toBe('$65.00');
  });

  it('an invoice that is paid is due no more', async () => {
    const job = await addJob();
    await admin().payments.record({ id: randomUUID(), job_id: job.id });
    await send(job);
    const { text } = await mailbox.mailTo(emailOf(job));
    expect(text).toContain('It has been paid. Thank you!');
    expect(text).toContain('for Helen Faleolo\nIt drips.');
    expect(text).not.toContain('Due ');
  });

  it('a corrected invoice says so, and which one it replaces', async () => {
    const job = await addJob();
    const number = (await send(job)).billing.invoice?.invoice_number ?? '?';
    await waitForQueue(test);
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    await send(job);
    await waitForQueue(test);
    const [, corrected] = mailbox.mailsTo(emailOf(job));
    expect(corrected?.subject).toBe(`Corrected invoice #${job.job_number} from Tane Plumbing`);
    expect(corrected?.text).toContain(
      `Here is your corrected invoice for “Hot water”. It is also attached as a PDF.\n\nThis invoice replaces ${number}.\n\nPlease pay $230.00`,
    );
    const { text } = await readPdf(Buffer.from(corrected?.attachments[0]?.content ?? '', 'base64'));
    expect(text.split('\n')).toContain(`Replaces ${number}`);
  });

  it('the PDF counts the payments that its mail counts, also when it is delivered after another one', async () => {
    const job = await addJob();
    await mailbox.stop();
    await send(job);
    await expect
      .poll(async () => (await billing(job)).mails[0]?.problem, { timeout: 20_000 })
      .toBe('The mail server could not be reached.');
    await admin().payments.record({ id: randomUUID(), job_id: job.id, amount: '50' });
    await mailbox.startAgain();
    await retryNow(test);
    const mail = await mailbox.mailTo(emailOf(job));
    expect(mail.text).toContain('Please pay $115.00');
    expect((await readPdf(Buffer.from(mail.attachments[0]?.content ?? '', 'base64'))).amounts).not.toContain('-50.00');
  });

  it('a customer without an email, or who was deleted, is sent nothing (PAY-09)', async () => {
    const job = await addJob();
    await test.owner.query(`update customers set email = '' where id = $1`, [job.customer?.id]);
    await expect(send(job)).rejects.toMatchObject({ code: 'NO_EMAIL', message: 'Customer email not found' });
    await admin().customers.remove({ id: job.customer?.id ?? '' });
    await expect(send(job)).rejects.toMatchObject({ code: 'NO_EMAIL' });
    expect(await billing(job)).toMatchObject({ job: { status: 'complete' }, invoices: [], mails: [] });
  });

  it('nobody mails customers before they have confirmed their own email, but issues by hand', async () => {
    const job = await addJob();
    await test.owner.query('update users set email_verified = false where id = $1', [firm.people.admin.userId]);
    await expect(send(job)).rejects.toMatchObject({
      code: 'EMAIL_UNCONFIRMED',
      message: 'Please confirm your email address before you send invoices.',
    });
    expect(await admin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true })).toMatchObject({ mail: null });
  });

  it('what cannot be sent counts for no limit', async () => {
    const job = await addJob();
    await test.owner.query('update jobs set fixed_amount = null where id = $1', [job.id]);
    await expect(send(job)).rejects.toMatchObject({ code: 'NOTHING_TO_BILL' });
    const counted = 'select key from rate_limits where key like $1';
    const { rows } = await test.owner.query(counted, [`%${firm.companyId}%`]);
    expect(rows).toEqual([]);
  });

  it('one customer gets at most 30 mails a day', async () => {
    const job = await addJob();
    await send(job);
    await test.owner.query('update rate_limits set attempts = 29 where key like $1', [`invoice-mail ${firm.companyId} %`]);
    await send(job);
    await expect(send(job)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it.each<[string, (job: Job) => Promise<unknown>]>([
    ['replaced', (job) => admin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true })],
    ['credited', async (job) => admin().invoices.credit({ id: (await billing(job)).invoice?.id ?? '', credit_id: randomUUID() })],
    ['of a canceled job', ({ id }) => test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id])],
  ])('a mail with an invoice that is %s before it is delivered is not sent', async (_how, happens) => {
    const job = await addJob();
    await mailbox.stop();
    await send(job);
    await expect
      .poll(async () => (await billing(job)).mails[0]?.problem, { timeout: 20_000 })
      .toBe('The mail server could not be reached.');
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    await happens(job);
    await mailbox.startAgain();
    await retryNow(test);
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(job))).toEqual([]);
    expect((await billing(job)).mails).toEqual([]);
  });

  describe('that fails', () => {
    async function sendDuring(fault: MailFault, expected: Partial<InvoiceMail>) {
      const job = await addJob();
      await mailbox.stop();
      const faulty = await startFaultyMailServer(Number(new URL(mailbox.environment.SMTP_URL).port), fault);
      const { mail, billing: sent } = await send(job);
      expect([mail, sent.job.status]).toEqual(['queued', 'invoiced']);
      await expect.poll(async () => (await billing(job)).mails, { timeout: 30_000 }).toMatchObject([{ ...expected, sent_at: null }]);
      await faulty.stop();
      await mailbox.startAgain();
      return { job, readIds: faulty.readIds };
    }

    async function expectOneMail(job: Job) {
      const delivered = await mailbox.mailTo(emailOf(job));
      await waitForQueue(test);
      const { mails, invoices, job: shown } = await billing(job);
      expect(mails).toEqual([expect.objectContaining({ status: 'sent', problem: null, sent_at: expect.any(String) as string })]);
      expect([invoices.length, shown.status]).toEqual([1, 'invoiced']);
      expect(mailbox.mailsTo(emailOf(job))).toHaveLength(1);
      expect(delivered.attachments).toHaveLength(1);
      return delivered;
    }

    it('for good (550) tells its sender why, keeps the invoice, and can be sent again', async () => {
      const problem = 'This email address does not exist. Please check it for typos.';
      const { job } = await sendDuring({ refusal: '550 5.1.1 No such user' }, { status: 'failed', problem });
      expect(await errors()).toMatchObject([
        { message: `Your invoice #${job.job_number} to Helen Faleolo couldn't be delivered. ${problem}`, data: { job_id: job.id } },
      ]);
      const { mails, invoices } = await billing(job);
      expect(invoices).toMatchObject([{ state: 'open' }]);
      const id = mails[0]?.id ?? '';
      await Promise.all([admin().invoices.retryMail({ id }), admin().invoices.retryMail({ id })]);
      await expectOneMail(job);
      expect((await actionsOf(job)).filter((action) => action.includes('mail'))).toEqual([
        'invoice-mailed',
        'mail-failed',
        'invoice-mailed',
      ]);
    });

    it.each<[string, MailFault, string]>([
      ['421', { refusal: '421 4.3.2 Try again later' }, 'Their mail server is not accepting mail right now.'],
      ['a connection cut after the text', 'cut-after-data', 'The mail server could not be reached.'],
    ])('for now (%s) shows why, and is sent by itself later', { timeout: 60_000 }, async (_name, fault, problem) => {
      const { job, readIds } = await sendDuring(fault, { status: 'queued', problem });
      expect(await errors()).toEqual([]);
      await retryNow(test);
      const { headers } = await expectOneMail(job);
      // Should the first one have arrived after all, the customer's mail program knows the second as the same.
      expect(headers.map((line) => line.replace(/^message-id: /i, ''))).toEqual(expect.arrayContaining([...readIds]));
    });

    it('goes to the corrected address when it is sent again; not once the invoice was canceled', async () => {
      const [job, corrected] = [await addJob(), uniqueEmail()];
      mailbox.beforeTaking(() => {
        throw Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 });
      });
      await send(job);
      await waitForQueue(test);
      mailbox.beforeTaking(() => undefined);
      await test.owner.query('update customers set email = $2 where id = $1', [job.customer?.id, corrected]);
      const { mails, invoice } = await billing(job);
      await admin().invoices.retryMail({ id: mails[0]?.id ?? '' });
      await mailbox.mailTo(corrected);
      await waitForQueue(test);
      expect(await billing(job)).toMatchObject({ mails: [{ recipient: corrected, status: 'sent' }] });
      await test.owner.query(`update invoice_mails set status = 'failed' where id = $1`, [mails[0]?.id]);
      await admin().invoices.credit({ id: invoice?.id ?? '', credit_id: randomUUID() });
      await expect(admin().invoices.retryMail({ id: mails[0]?.id ?? '' })).rejects.toMatchObject({ code: 'INVOICE_CLOSED' });
    });
  });
});

describe('without a mail server', () => {
  beforeAll(async () => {
    test = await startTestApp();
    firm = await createFirm(test);
  });

  it('the mail is kept and the job stays complete, until the administrator sends it with one', async () => {
    const mailbox = await startMailbox();
    const job = await addJob();
    expect(await send(job)).toMatchObject({
      mail: 'kept',
      billing: { job: { status: 'complete' }, mails: [{ status: 'kept' }], invoices: [{}] },
    });
    await waitForQueue(test);
    expect(await billing(job)).toMatchObject({ job: { status: 'complete' }, mails: [{ status: 'kept', sent_at: null }] });
    const { platform } = test.app;
    const settings = { mailFrom: mailbox.environment.MAIL_FROM, smtpUrl: mailbox.environment.SMTP_URL, appUrl: platform.appUrl };
    const { rows } = await test.owner.query<{ id: string }>('select id from outbox_mails where recipient = $1', [emailOf(job)]);
    const pools = createPools(test.logins, 1, () => undefined);
    const parts = { pool: pools.work, log: platform.log, settings, attachmentMakers: [invoicePdfMaker(platform)] };
    await sendQueuedMail(parts, rows[0]?.id ?? '', { isLast: false, signal: new AbortController().signal });
    await pools.end();
    await mailbox.stop();
    expect(mailbox.mailsTo(emailOf(job))[0]?.attachments).toHaveLength(1);
    await waitForQueue(test);
    expect(await billing(job)).toMatchObject({ job: { status: 'invoiced' }, mails: [{ status: 'sent' }] });
  });

  it('a corrected invoice of a paid job makes it unpaid, although its mail is kept', async () => {
    const job = await addJob();
    await send(job);
    await admin().payments.record({ id: randomUUID(), job_id: job.id });
    await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [job.id]);
    expect(await send(job)).toMatchObject({
      mail: 'kept',
      billing: { job: { status: 'invoiced' }, invoice: { shown_status: 'due' }, request: { outstanding: '115.00' } },
    });
  });
});
