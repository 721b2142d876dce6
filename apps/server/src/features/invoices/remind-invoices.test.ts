import { randomUUID } from 'node:crypto';
import type { Job } from '@callout/contract/jobs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { addBilledJob } from '../../../test/factories/billed-job.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { captureSystemPlans } from '../../../test/query-plans.ts';
import { retryNow, waitForQueue } from '../../../test/queue.ts';
import { queueDueReminders, saveReminderDays, setConfirmed } from '../../../test/reminders.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createPools } from '../../platform/db/pools.ts';
import type { AttachmentMaker } from '../../platform/mail/mail-attachment.ts';
import { sendQueuedMail } from '../../platform/mail/send-mail.ts';
import { listDueInvoices } from './invoice-reminders.sql.ts';
import { invoicePdfMaker } from './make-invoice-pdf.ts';
import { mailInvoiceReminder, remindInvoices } from './remind-invoices.ts';

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

const admin = () => firm.people.admin.client;
const emailOf = ({ customer }: Pick<Job, 'customer'>) => customer?.email ?? '';
const setCompany = (values: string) => test.owner.query(`update companies set ${values} where company_id = $1`, [firm.companyId]);
const billing = ({ id }: Pick<Job, 'id'>) => admin().invoices.billing({ id });

const saveDays = (days: string | null) => saveReminderDays(firm, { invoice_reminder_days: days });

/** Reminders were switched on long ago. */
async function switchOn(days = '7'): Promise<void> {
  await saveDays(days);
  await setCompany(`invoice_reminders_since = now() - interval '1 year', timezone = 'UTC'`);
}

type Overdue = Job & { readonly invoiceId: string; readonly invoiceNumber: string };

/** Due that many days ago. */
async function addOverdue(days = 8): Promise<Overdue> {
  const { id: customer_id } = await admin().customers.create(newCustomer({ name: 'Helen Faleolo', email: uniqueEmail() }));
  const job = await addBilledJob(test, firm, { customer_id, title: 'Hot water' });
  const { invoice } = (await admin().invoices.send({ id: job.id, mail_id: randomUUID(), by_hand: true })).billing;
  if (!invoice) throw new Error('No invoice');
  await makeDue(invoice.id, days);
  return { ...job, invoiceId: invoice.id, invoiceNumber: invoice.invoice_number };
}

const makeDue = (id: string, days: number) =>
  test.owner.query(
    `update invoices set late_after = (now() at time zone 'UTC')::date - $2::int, due_on = (now() at time zone 'UTC')::date - $2::int where id = $1`,
    [id, days],
  );

const runOnce = () => queueDueReminders(test, remindInvoices);

async function run(): Promise<void> {
  await runOnce();
  await waitForQueue(test);
}

describe('reminders of overdue invoices', () => {
  it('are off unless somebody switches them on, and then start with what is due from that day', async () => {
    const [old, due] = [await addOverdue(9), await addOverdue(7)];
    await setCompany(`timezone = 'UTC'`);
    expect((await admin().company.me()).profile?.invoice_reminder_days).toBeNull();
    await run();
    await saveDays('7');
    await run();
    expect([mailbox.mailsTo(emailOf(old)).length, mailbox.mailsTo(emailOf(due)).length]).toEqual([0, 1]);
  });

  it('carry the invoice, its link, its PDF and what is still due, and show on the payment page', async () => {
    await switchOn();
    const job = await addOverdue();
    await admin().payments.record({ id: randomUUID(), job_id: job.id, amount: '50' });
    await run();
    const mail = await mailbox.mailTo(emailOf(job));
    expect(mail.subject).toBe(`Reminder: invoice ${job.invoiceNumber} from Tane Plumbing`);
    expect(mail.text).toMatch(
      new RegExp(
        `^Hi Helen Faleolo,\n\nThis is a friendly reminder that invoice ${job.invoiceNumber} was due on \\w{3} \\d+, \\d{4}\\. \\$65\\.00 is still outstanding\\.`,
      ),
    );
    const { public_path, mails } = await billing(job);
    expect(mail.text).toContain(`View and pay your invoice: http://localhost${public_path}`);
    expect(mail.attachments).toMatchObject([{ name: expect.stringMatching(/^INV-\d{4}-\d{4}\.pdf$/) as string }]);
    expect(mails).toMatchObject([{ kind: 'reminder', status: 'sent', sent_by: null, recipient: emailOf(job) }]);
    expect((await admin().comments.history({ id: job.id })).rows[0]).toMatchObject({ action: 'reminded', who: 'Callout' });
  });

  it('have the words of Settings, as plain text; what is no placeholder stays, and what is filled in is none', async () => {
    await switchOn();
    const job = await addOverdue();
    await test.owner.query(
      `update companies set invoice_reminder_subject = $2, invoice_reminder_body = $3, company_name = $4 where company_id = $1`,
      [
        firm.companyId,
        '{company}: {number} {unknown}',
        'Kia ora {customer},\n\n<b>{amount}</b> was due {due}. {amount}{constructor}',
        'A {number} B',
      ],
    );
    await run();
    const mail = await mailbox.mailTo(emailOf(job));
    // The company's name of the day it was sent is frozen with the invoice.
    expect(mail.subject).toBe(`Tane Plumbing: ${job.invoiceNumber} {unknown}`);
    expect(mail.text).toMatch(/^Kia ora Helen Faleolo,\n\n<b>\$115\.00<\/b> was due \w{3} \d+, \d{4}\. \$115\.00\{constructor\}\n/);
    expect(mail.html).toContain('&lt;b&gt;$115.00&lt;/b&gt;');
  });

  it('are sent once, however many runs and processes there are', async () => {
    await switchOn();
    const job = await addOverdue();
    await Promise.all([runOnce(), runOnce(), runOnce()]);
    const due = { company_id: firm.companyId, id: job.invoiceId };
    await Promise.all(Array.from({ length: 5 }, () => mailInvoiceReminder(test.app.platform, due)));
    await waitForQueue(test);
    await run();
    expect(mailbox.mailsTo(emailOf(job))).toHaveLength(1);
    expect((await billing(job)).mails).toHaveLength(1);
  });

  it('reach everybody, also when a company has a time zone that the database has no name for', async () => {
    await switchOn();
    await setCompany(`timezone = 'AET'`);
    const job = await addOverdue();
    await run();
    expect(mailbox.mailsTo(emailOf(job))).toHaveLength(1);
  });

  it("leave out what was due before they were switched on, by the company's own day", async () => {
    const [before, on] = [await addOverdue(8), await addOverdue(7)];
    await saveDays('7');
    // Switched on early today in UTC: yesterday's reminder is near enough for the search, not for the company.
    await setCompany(`invoice_reminders_since = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', timezone = 'UTC'`);
    for (const { invoiceId: id } of [before, on]) await mailInvoiceReminder(test.app.platform, { company_id: firm.companyId, id });
    await waitForQueue(test);
    expect([mailbox.mailsTo(emailOf(before)).length, mailbox.mailsTo(emailOf(on)).length]).toEqual([0, 1]);
  });

  it("wait for the company's own day", async () => {
    await switchOn();
    const job = await addOverdue(6);
    await run();
    expect(mailbox.mailsTo(emailOf(job))).toEqual([]);
    // A day ahead of UTC for most of the day, and never behind it.
    await setCompany(`timezone = 'Etc/GMT-14'`);
    const tomorrow = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10) > new Date().toISOString().slice(0, 10);
    await run();
    expect(mailbox.mailsTo(emailOf(job))).toHaveLength(tomorrow ? 1 : 0);
  });

  const notDue: [string, (job: Overdue) => Promise<unknown>][] = [
    ['before its time', ({ invoiceId }) => makeDue(invoiceId, 5)],
    [
      'before the day that is printed as due, such as a booking to come',
      ({ invoiceId }) => test.owner.query('update invoices set due_on = current_date where id = $1', [invoiceId]),
    ],
    ['long after its time', ({ invoiceId }) => makeDue(invoiceId, 60)],
    ['after it was paid', ({ id }) => admin().payments.record({ id: randomUUID(), job_id: id })],
    ['after it was credited', ({ invoiceId }) => admin().invoices.credit({ id: invoiceId, credit_id: randomUUID() })],
    [
      'after it was replaced',
      async ({ id }) => {
        await test.owner.query('update jobs set fixed_amount = 230 where id = $1', [id]);
        await admin().invoices.send({ id, mail_id: randomUUID(), by_hand: true });
      },
    ],
    ['whose job was canceled', ({ id }) => test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id])],
    ['whose customer was deleted', ({ customer }) => admin().customers.remove({ id: customer?.id ?? '' })],
    ['when they are switched off again', () => saveDays(null)],
  ];

  it.each(notDue)('are not sent for an invoice %s, not even when it was found before', async (_when, happens) => {
    await switchOn();
    const job = await addOverdue();
    await happens(job);
    await run();
    await mailInvoiceReminder(test.app.platform, { company_id: firm.companyId, id: job.invoiceId });
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(job))).toEqual([]);
  });

  it('do not flood one customer', async () => {
    await switchOn();
    const jobs: Overdue[] = [];
    for (let count = 0; count < 7; count += 1) jobs.push(await addOverdue());
    const [first] = jobs;
    await test.owner.query('update invoices set customer_id = $2 where company_id = $1', [firm.companyId, first?.customer?.id]);
    await run();
    expect(mailbox.mailsTo(first ? emailOf(first) : '')).toHaveLength(5);
    await test.owner.query(`update rate_limits set window_ends_at = now() where key like 'invoice-reminder %'`);
    await run();
    expect(mailbox.mailsTo(first ? emailOf(first) : '')).toHaveLength(7);
  });

  it('are not sent for a company in which no administrator has confirmed their email', async () => {
    await switchOn();
    const job = await addOverdue();
    await setConfirmed(test, firm, false);
    await run();
    expect(mailbox.mailsTo(emailOf(job))).toEqual([]);
  });

  it.each([
    ['the payment comes', ({ id }: Overdue) => admin().payments.record({ id: randomUUID(), job_id: id })],
    ['the job is canceled', ({ id }: Overdue) => test.owner.query(`update jobs set status = 'canceled' where id = $1`, [id])],
  ])('are withdrawn when %s while the mail server is down', async (_what, happens) => {
    await switchOn();
    const job = await addOverdue();
    await mailbox.stop();
    await runOnce();
    await expect
      .poll(async () => (await billing(job)).mails, { timeout: 20_000 })
      .toMatchObject([{ kind: 'reminder', status: 'queued', problem: 'The mail server could not be reached.' }]);
    await happens(job);
    await mailbox.startAgain();
    await retryNow(test);
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(job))).toEqual([]);
    expect((await billing(job)).mails).toEqual([]);
  });

  it('are withdrawn when the payment comes while the PDF is being made', async () => {
    await switchOn();
    const job = await addOverdue();
    await mailbox.stop();
    await runOnce();
    await expect
      .poll(async () => (await billing(job)).mails, { timeout: 20_000 })
      .toMatchObject([{ problem: expect.any(String) as string }]);
    await mailbox.startAgain();
    const { platform } = test.app;
    const maker = invoicePdfMaker(platform);
    const paidMeanwhile: AttachmentMaker = {
      name: maker.name,
      make: async (companyId, payload) => {
        await admin().payments.record({ id: randomUUID(), job_id: job.id });
        return maker.make(companyId, payload);
      },
    };
    const settings = { mailFrom: mailbox.environment.MAIL_FROM, smtpUrl: mailbox.environment.SMTP_URL, appUrl: platform.appUrl };
    const { rows } = await test.owner.query<{ id: string }>('select id from outbox_mails where recipient = $1', [emailOf(job)]);
    const pools = createPools(test.logins, 1, () => undefined);
    const parts = { pool: pools.work, log: platform.log, settings, attachmentMakers: [paidMeanwhile] };
    await sendQueuedMail(parts, rows[0]?.id ?? '', { isLast: false, signal: new AbortController().signal });
    await pools.end();
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(job))).toEqual([]);
    expect((await billing(job)).mails).toEqual([]);
  });

  it('that failed are not sent again once the invoice is paid', async () => {
    await switchOn();
    const job = await addOverdue();
    await run();
    await test.owner.query(`update invoice_mails set status = 'failed' where invoice_id = $1`, [job.invoiceId]);
    await admin().payments.record({ id: randomUUID(), job_id: job.id });
    const [mail] = (await billing(job)).mails;
    await expect(admin().invoices.retryMail({ id: mail?.id ?? '' })).rejects.toMatchObject({
      code: 'INVOICE_CLOSED',
      message: 'This invoice is paid. No reminder was sent.',
    });
    expect((await billing(job)).mails).toEqual([mail]);
  });
});

const NIL = '00000000-0000-0000-0000-000000000000';

describe('finding what is due', () => {
  it('reads only what is unpaid', async () => {
    await switchOn();
    const job = await addOverdue();
    await test.owner.query(
      `insert into invoices (company_id, id, kind, year, number, invoice_number, job_id, job_number, title, customer_id, customer_name, customer_key,
          issued_on, late_after, subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text, state, replaces)
        select company_id, gen_random_uuid(), kind, 2020, n, 'INV-2020-' || n, job_id, job_number, title, customer_id, customer_name, customer_key,
          issued_on, late_after, subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text, 'replaced', null
          from invoices, generate_series(1, 5000) n where id = $1`,
      [job.invoiceId],
    );
    await test.owner.query('analyze invoices, companies, invoice_mails, customers');
    const { pool, during } = captureSystemPlans(test);
    const [found, before] = [
      { company_id: firm.companyId, id: job.invoiceId },
      { company_id: firm.companyId, id: NIL },
    ];
    for (const after of [null, before]) {
      let due: unknown;
      const plan = await during(async () => {
        due = await listDueInvoices(pool, { now: new Date().toISOString(), after, limit: 500 });
      });
      expect(due).toContainEqual(found);
      expect(plan).toMatch(/using unpaid_invoices\w* on invoices/);
      expect(plan).not.toMatch(/Seq Scan on invoices|invoices_pkey/);
    }
  });
});
