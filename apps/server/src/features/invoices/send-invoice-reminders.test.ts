import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { createBilledJob } from '../../../test/factories/billed-job.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, sendKeptMail, startMailbox } from '../../../test/mailbox.ts';
import { captureSystemQueryPlans } from '../../../test/query-plans.ts';
import { retryFailedWorkNow, waitForQueue } from '../../../test/queue.ts';
import { queueDueReminders, saveReminderDays, setEmailConfirmed } from '../../../test/reminders.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import type { AttachmentMaker } from '../../platform/mail/mail-attachment.ts';
import { listDueDocuments } from '../documents/document-reminders.sql.ts';
import { sendReminder } from '../documents/send-reminders.ts';
import { createInvoicePdfMaker } from './invoice-pdf.route.ts';
import { INVOICE_DOCUMENT } from './send-invoice.ts';

let test: TestApp;
let mailbox: Mailbox;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp(mailbox.environment);
  return () => mailbox.stop();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const getAdmin = () => firm.people.admin.client;
const getCustomerEmail = ({ customer }: Pick<Job, 'customer'>) => customer?.email ?? '';
const updateCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const readBilling = ({ id }: Pick<Job, 'id'>) => getAdmin().invoices.billing({ id });

const saveInvoiceReminderDays = (days: string | null) => saveReminderDays(firm, { invoice_reminder_days: days });

/** Turns reminders on, backdated by a year, so that existing invoices are due for one. */
async function enableReminders(days = '7'): Promise<void> {
  await saveInvoiceReminderDays(days);
  await updateCompany(`invoice_reminders_since = now() - interval '1 year', timezone = 'UTC'`);
}

type OverdueJob = Job & { readonly invoiceId: string; readonly invoiceNumber: string };

/** Creates a job with an invoice that was due `days` days ago. */
async function createOverdueJob(days = 8): Promise<OverdueJob> {
  const { id: customer_id } = await getAdmin().customers.create(buildCustomer({ name: 'Helen Faleolo', email: buildTestEmail() }));
  const job = await createBilledJob(test, firm, { customer_id, title: 'Hot water' });
  const { invoice } = (await getAdmin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true })).billing;
  if (!invoice) throw new Error('No invoice');
  await setDueDaysAgo(invoice.id, days);
  return { ...job, invoiceId: invoice.id, invoiceNumber: invoice.invoice_number };
}

const setDueDaysAgo = (id: string, days: number) =>
  test.owner.query(
    `update invoices set issued_on = day, late_after = day, due_on = day, sent_on = day from (select (now() at time zone 'UTC')::date - $2::int as day) due
      where id = $1`,
    [id, days],
  );

const queueReminders = () => queueDueReminders(test, INVOICE_DOCUMENT);

async function sendDueReminders(): Promise<void> {
  await queueReminders();
  await waitForQueue(test);
}

describe('reminders for overdue invoices', () => {
  it('are off by default, and cover only invoices due after reminders are turned on', async () => {
    const [old, due] = [await createOverdueJob(9), await createOverdueJob(7)];
    await updateCompany(`timezone = 'UTC'`);
    expect((await getAdmin().company.me()).profile?.invoice_reminder_days).toBeNull();
    await sendDueReminders();
    await saveInvoiceReminderDays('7');
    await sendDueReminders();
    expect([mailbox.listMailsTo(getCustomerEmail(old)).length, mailbox.listMailsTo(getCustomerEmail(due)).length]).toEqual([0, 1]);
  });

  it('contain the invoice, its link, its PDF and the amount due, and appear on the payment page', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id, amount: '50' });
    await sendDueReminders();
    const mail = await mailbox.waitForMail(getCustomerEmail(job));
    expect(mail.subject).toBe(`Reminder: invoice ${job.invoiceNumber} from Tane Plumbing`);
    expect(mail.text).toMatch(
      new RegExp(
        `^Hi Helen Faleolo,\n\nThis is a friendly reminder that invoice ${job.invoiceNumber} was due on \\w{3} \\d+, \\d{4}\\. \\$65\\.00 is still outstanding\\.`,
      ),
    );
    const { public_path, mails } = await readBilling(job);
    expect(mail.text).toContain(`View and pay your invoice: http://localhost${public_path}`);
    expect(mail.attachments).toMatchObject([{ name: expect.stringMatching(/^INV-\d{4}-\d{4}\.pdf$/) as string }]);
    expect(mails).toMatchObject([{ kind: 'reminder', status: 'sent', sent_by: null, recipient: getCustomerEmail(job) }]);
    expect((await getAdmin().comments.history({ id: job.id })).rows[0]).toMatchObject({ action: 'reminded', who: 'Callout' });
  });

  it('use the texts from Settings as plain text, and replace each placeholder once', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await test.owner.query(
      `update companies set invoice_reminder_subject = $2, invoice_reminder_body = $3, company_name = $4 where company_id = $1`,
      [
        firm.companyId,
        '{company}: {number} {unknown}',
        'Kia ora {customer},\n\n<b>{amount}</b> was due {due}. {amount}{constructor}',
        'A {number} B',
      ],
    );
    await sendDueReminders();
    const mail = await mailbox.waitForMail(getCustomerEmail(job));
    // The invoice has frozen the company's name, so the reminder doesn't use the new name.
    expect(mail.subject).toBe(`Tane Plumbing: ${job.invoiceNumber} {unknown}`);
    expect(mail.text).toMatch(/^Kia ora Helen Faleolo,\n\n<b>\$115\.00<\/b> was due \w{3} \d+, \d{4}\. \$115\.00\{constructor\}\n/);
    expect(mail.html).toContain('&lt;b&gt;$115.00&lt;/b&gt;');
  });

  it('are sent once, even if the task runs concurrently', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await Promise.all([queueReminders(), queueReminders(), queueReminders()]);
    const due = { company_id: firm.companyId, id: job.invoiceId };
    await Promise.all(Array.from({ length: 5 }, () => sendReminder(test.app.platform, INVOICE_DOCUMENT, due)));
    await waitForQueue(test);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toHaveLength(1);
    expect((await readBilling(job)).mails).toHaveLength(1);
  });

  it("are sent even if PostgreSQL does not know the company's time zone", async () => {
    await enableReminders();
    await updateCompany(`timezone = 'AET'`);
    const job = await createOverdueJob();
    await sendDueReminders();
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toHaveLength(1);
  });

  it("skip invoices that were due before reminders were turned on, judged in the company's time zone", async () => {
    const [before, after] = [await createOverdueJob(8), await createOverdueJob(7)];
    await saveInvoiceReminderDays('7');
    // Reminders were turned on at midnight UTC. The query still finds yesterday's reminder, but `isInvoiceReminderDue` rejects it.
    await updateCompany(`invoice_reminders_since = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', timezone = 'UTC'`);
    for (const { invoiceId: id } of [before, after])
      await sendReminder(test.app.platform, INVOICE_DOCUMENT, { company_id: firm.companyId, id });
    await waitForQueue(test);
    expect([mailbox.listMailsTo(getCustomerEmail(before)).length, mailbox.listMailsTo(getCustomerEmail(after)).length]).toEqual([0, 1]);
  });

  it("wait for the due date in the company's time zone", async () => {
    await enableReminders();
    const job = await createOverdueJob(6);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toEqual([]);
    // This time zone is 14 hours ahead of UTC, so for most of the day its date is already tomorrow.
    await updateCompany(`timezone = 'Etc/GMT-14'`);
    const isTomorrow = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10) > new Date().toISOString().slice(0, 10);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toHaveLength(isTomorrow ? 1 : 0);
  });

  const notDue: [string, (job: OverdueJob) => Promise<unknown>][] = [
    ['before it is due', ({ invoiceId }) => setDueDaysAgo(invoiceId, 5)],
    [
      'before its printed due date, such as an upcoming booking',
      ({ invoiceId }) => test.owner.query('update invoices set due_on = current_date where id = $1', [invoiceId]),
    ],
    [
      'that was not sent yet',
      ({ invoiceId }) => test.owner.query('update invoices set sent_at = null, sent_on = null where id = $1', [invoiceId]),
    ],
    [
      'that was sent after its due date, less than a week ago',
      ({ invoiceId }) => test.owner.query('update invoices set sent_on = current_date - 5 where id = $1', [invoiceId]),
    ],
    [
      'that was sent after its day of issue, before the payment terms and the week have passed',
      ({ invoiceId }) =>
        test.owner.query(
          'update invoices set issued_on = current_date - 40, late_after = current_date - 33, sent_on = current_date - 12, due_on = current_date - 33 where id = $1',
          [invoiceId],
        ),
    ],
    ['that is long overdue', ({ invoiceId }) => setDueDaysAgo(invoiceId, 60)],
    ['after it was paid', ({ id }) => getAdmin().payments.record({ id: randomUUID(), job_id: id })],
    ['after it was credited', ({ invoiceId }) => getAdmin().invoices.credit({ id: invoiceId, credit_id: randomUUID() })],
    [
      'after it was replaced',
      async ({ id }) => {
        await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [id]);
        await getAdmin().invoices.send({ id, mail_id: randomUUID(), by_hand: true });
      },
    ],
    ['whose job was canceled', ({ id }) => test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id])],
    ['whose customer was deleted', ({ customer }) => getAdmin().customers.remove({ id: customer?.id ?? '' })],
    ['after reminders are turned off', () => saveInvoiceReminderDays(null)],
    [
      'after its company was closed',
      () => test.owner.query(`update companies set deletes_at = now() + interval '7 days' where company_id = $1`, [firm.companyId]),
    ],
  ];

  it.each(notDue)('are not sent for an invoice %s, even if the reminder was already queued', async (_when, change) => {
    await enableReminders();
    const job = await createOverdueJob();
    await change(job);
    await sendDueReminders();
    await sendReminder(test.app.platform, INVOICE_DOCUMENT, { company_id: firm.companyId, id: job.invoiceId });
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toEqual([]);
  });

  it('are limited to five a day per customer', async () => {
    await enableReminders();
    const jobs: OverdueJob[] = [];
    for (let count = 0; count < 7; count += 1) jobs.push(await createOverdueJob());
    const [first] = jobs;
    await test.owner.query('update invoices set customer_id = $2 where company_id = $1', [firm.companyId, first?.customer?.id]);
    await sendDueReminders();
    expect(mailbox.listMailsTo(first ? getCustomerEmail(first) : '')).toHaveLength(5);
    await test.owner.query(`update rate_limits set window_ends_at = now() where key like 'invoice-reminder %'`);
    await sendDueReminders();
    expect(mailbox.listMailsTo(first ? getCustomerEmail(first) : '')).toHaveLength(7);
  });

  it('are not sent until an admin of the company has confirmed their email address', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await setEmailConfirmed(test, firm, false);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toEqual([]);
  });

  it.each([
    ['the payment arrives', ({ id }: OverdueJob) => getAdmin().payments.record({ id: randomUUID(), job_id: id })],
    ['the job is canceled', ({ id }: OverdueJob) => test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id])],
  ])('are withdrawn when %s while the mail server is down', async (_event, change) => {
    await enableReminders();
    const job = await createOverdueJob();
    await mailbox.stop();
    await queueReminders();
    await expect
      .poll(async () => (await readBilling(job)).mails, { timeout: 20_000 })
      .toMatchObject([{ kind: 'reminder', status: 'queued', problem: 'The mail server could not be reached.' }]);
    await change(job);
    await mailbox.restart();
    await retryFailedWorkNow(test);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toEqual([]);
    expect((await readBilling(job)).mails).toEqual([]);
  });

  it('are withdrawn if the payment arrives while the PDF is being rendered', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await mailbox.stop();
    await queueReminders();
    await expect
      .poll(async () => (await readBilling(job)).mails, { timeout: 20_000 })
      .toMatchObject([{ problem: expect.any(String) as string }]);
    await mailbox.restart();
    const { platform } = test.app;
    const maker = createInvoicePdfMaker(platform);
    const payingMaker: AttachmentMaker = {
      name: maker.name,
      make: async (companyId, payload) => {
        await getAdmin().payments.record({ id: randomUUID(), job_id: job.id });
        return maker.make(companyId, payload);
      },
    };
    await sendKeptMail(test, mailbox, getCustomerEmail(job), [payingMaker]);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getCustomerEmail(job))).toEqual([]);
    expect((await readBilling(job)).mails).toEqual([]);
  });

  it('can be retried while part of the invoice is unpaid, without sending the invoice again', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await sendDueReminders();
    await test.owner.query(`update invoice_mails set status = 'failed' where invoice_id = $1`, [job.invoiceId]);
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id, amount: '15' });
    const [mail] = (await readBilling(job)).mails;
    expect(await getAdmin().invoices.retryMail({ id: mail?.id ?? '' })).toMatchObject({ mail: 'queued' });
    await waitForQueue(test);
    const [, retried] = mailbox.listMailsTo(getCustomerEmail(job));
    expect(retried?.text).toContain('$100.00 is still outstanding');
    expect((await readBilling(job)).mails).toMatchObject([{ kind: 'reminder', status: 'sent' }]);
    const { rows } = await getAdmin().comments.history({ id: job.id });
    expect(rows.filter(({ action }) => action === 'invoice-mailed')).toEqual([]);
  });

  it('cannot be retried once the invoice is paid', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await sendDueReminders();
    await test.owner.query(`update invoice_mails set status = 'failed' where invoice_id = $1`, [job.invoiceId]);
    await getAdmin().payments.record({ id: randomUUID(), job_id: job.id });
    const [mail] = (await readBilling(job)).mails;
    await expect(getAdmin().invoices.retryMail({ id: mail?.id ?? '' })).rejects.toMatchObject({
      code: 'INVOICE_CLOSED',
      message: 'This invoice is paid. No reminder was sent.',
    });
    expect((await readBilling(job)).mails).toEqual([mail]);
  });
});

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

describe('listDueDocuments', () => {
  it('reads only unpaid invoices', async () => {
    await enableReminders();
    const job = await createOverdueJob();
    await test.owner.query(
      `insert into invoices (company_id, id, kind, year, number, invoice_number, job_id, job_number, title, customer_id, customer_name, customer_key,
          issued_on, late_after, subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text, state, replaces)
        select company_id, gen_random_uuid(), kind, 2020, n, 'INV-2020-' || n, job_id, job_number, title, customer_id, customer_name, customer_key,
          issued_on, late_after, subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text, 'replaced', null
          from invoices, generate_series(1, 5000) n where id = $1`,
      [job.invoiceId],
    );
    await test.owner.query('analyze invoices, companies, invoice_mails, customers');
    const { pool, during } = captureSystemQueryPlans(test);
    const [found, before] = [
      { company_id: firm.companyId, id: job.invoiceId },
      { company_id: firm.companyId, id: NIL_UUID },
    ];
    for (const after of [null, before]) {
      let due: unknown;
      const plan = await during(async () => {
        due = await listDueDocuments(pool, INVOICE_DOCUMENT.reminderRule, { now: new Date().toISOString(), after, limit: 500 });
      });
      expect(due).toContainEqual(found);
      expect(plan).toMatch(/using unpaid_invoices\w* on invoices/);
      expect(plan).not.toMatch(/Seq Scan on invoices|invoices_pkey/);
    }
  });
});
