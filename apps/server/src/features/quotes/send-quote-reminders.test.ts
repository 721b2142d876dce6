import type { Quote } from '@callout/contract/quotes';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { buildCustomer, buildQuote, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { captureSystemQueryPlans } from '../../../test/query-plans.ts';
import { retryFailedWorkNow, waitForQueue } from '../../../test/queue.ts';
import { queueDueReminders, saveReminderDays, setEmailConfirmed } from '../../../test/reminders.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { listDueDocuments } from '../documents/document-reminders.sql.ts';
import { sendReminder } from '../documents/send-reminders.ts';
import { QUOTE_DOCUMENT } from './send-quote.ts';

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
const readQuote = ({ id }: Quote) => getAdmin().quotes.get({ id });
const getEmail = ({ customer }: Quote) => customer?.email ?? '';

const setReminderDays = (days: string | null) => saveReminderDays(firm, { quote_reminder_days: days });

/** Turns reminders on, backdated by a year, so that existing quotes are due for one. */
async function enableReminders(days = '7'): Promise<void> {
  await setReminderDays(days);
  await test.owner.query(`update companies set quote_reminders_since = now() - interval '1 year' where company_id = $1`, [firm.companyId]);
}

async function createSentQuote(daysAgo = 8): Promise<Quote> {
  const { id: customer_id } = await getAdmin().customers.create(buildCustomer({ name: 'Helen Faleolo', email: buildTestEmail() }));
  const quote = await getAdmin().quotes.create(
    buildQuote({ customer_id, title: 'Hot water', sections: [buildQuoteSection({ always_required: true })] }),
  );
  await getAdmin().quotes.setStatus({ id: quote.id, status: 'sent' });
  await test.owner.query(`update quotes set sent_at = now() - make_interval(days => $2) where id = $1`, [quote.id, daysAgo]);
  return quote;
}

const queueReminders = () => queueDueReminders(test, QUOTE_DOCUMENT);

async function sendDueReminders(): Promise<void> {
  await queueReminders();
  await waitForQueue(test);
}

describe('quote reminders', () => {
  it('are off by default, and skip quotes that were due for a reminder before reminders were turned on', async () => {
    const [old, due] = [await createSentQuote(8), await createSentQuote(7)];
    expect((await getAdmin().company.me()).profile?.quote_reminder_days).toBeNull();
    await sendDueReminders();
    await setReminderDays('7');
    // This quote becomes due for a reminder at the very moment when reminders are turned on.
    await test.owner.query(
      `update quotes q set sent_at = c.quote_reminders_since - interval '7 days' from companies c where c.company_id = q.company_id and q.id = $1`,
      [due.id],
    );
    await sendDueReminders();
    expect((await getAdmin().company.me()).profile?.quote_reminder_days).toBe('7');
    expect([mailbox.listMailsTo(getEmail(old)).length, mailbox.listMailsTo(getEmail(due)).length]).toEqual([0, 1]);
  });

  it('skip quotes that were due for a reminder before the number of days was changed', async () => {
    await enableReminders('30');
    const quote = await createSentQuote(8);
    await setReminderDays('7');
    await sendDueReminders();
    expect(mailbox.listMailsTo(getEmail(quote))).toEqual([]);
    await setReminderDays('7');
    const since = `select quote_reminders_since::text from companies where company_id = $1`;
    const before = await test.owner.query(since, [firm.companyId]);
    await setReminderDays('7');
    expect((await test.owner.query(since, [firm.companyId])).rows).toEqual(before.rows);
  });

  it('contain the quote and its link, and appear on the quote page', async () => {
    await enableReminders();
    const quote = await createSentQuote(8);
    await sendDueReminders();
    const mail = await mailbox.waitForMail(getEmail(quote));
    expect(mail.subject).toBe(`Reminder: quote ${quote.quote_number} from Tane Plumbing`);
    expect(mail.text).toMatch(
      /^Hi Helen Faleolo,\n\nWe sent you a quote for “Hot water” on \w{3} \d+, \d{4}\. Have you had a chance to look at it\?\n\nYou can accept or decline it online\.\n/,
    );
    expect(mail.text).toContain(`View your quote: http://localhost${quote.public_path}`);
    expect(mail.text).toContain('Total: $100.00');
    expect(await readQuote(quote)).toMatchObject({
      status: 'sent',
      mails: [{ kind: 'reminder', status: 'sent', sent_by: null, recipient: getEmail(quote) }],
    });
    expect((await getAdmin().quotes.history({ id: quote.id })).rows).toMatchObject([{ action: 'reminded', who: 'Callout' }, {}, {}]);
  });

  it('skip a quote without items', async () => {
    await enableReminders();
    const quote = await createSentQuote();
    await test.owner.query('delete from quote_items where quote_id = $1', [quote.id]);
    await sendDueReminders();
    expect([mailbox.listMailsTo(getEmail(quote)), (await readQuote(quote)).mails]).toEqual([[], []]);
  });

  it('are sent once, even if the task runs concurrently', async () => {
    await enableReminders();
    const quote = await createSentQuote();
    await Promise.all([queueReminders(), queueReminders(), queueReminders()]);
    const due = { company_id: firm.companyId, id: quote.id };
    await Promise.all(Array.from({ length: 5 }, () => sendReminder(test.app.platform, QUOTE_DOCUMENT, due)));
    await waitForQueue(test);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(1);
    expect((await readQuote(quote)).mails).toHaveLength(1);
  });

  it('are sent even if PostgreSQL does not know the company’s time zone', async () => {
    await enableReminders();
    // Settings accept every time zone that JavaScript knows, including some that PostgreSQL doesn't know.
    await test.owner.query(`update companies set timezone = 'AET' where company_id = $1`, [firm.companyId]);
    const quote = await createSentQuote();
    await test.owner.query('update quotes set valid_until = current_date + 3 where id = $1', [quote.id]);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(1);
  });

  const NOT_DUE_CASES: [string, (quote: Quote) => Promise<unknown>][] = [
    ['that is not due yet', ({ id }) => test.owner.query(`update quotes set sent_at = now() - interval '6 days' where id = $1`, [id])],
    [
      'that became due long ago',
      ({ id }) => test.owner.query(`update quotes set sent_at = now() - interval '200 days' where id = $1`, [id]),
    ],
    ['that was accepted', ({ id }) => acceptAsMember(getAdmin(), { id })],
    ['that was rejected', ({ public_path }) => test.client().publicQuotes.reject({ token: public_path.replace('/quote/', '') })],
    ['that has expired', ({ id }) => test.owner.query(`update quotes set valid_until = current_date - 2 where id = $1`, [id])],
    ['that is a draft again', ({ id }) => getAdmin().quotes.setStatus({ id, status: 'draft' })],
    ['whose customer was deleted', ({ customer_id }) => getAdmin().customers.remove({ id: customer_id ?? '' })],
    ['after reminders were turned off', () => setReminderDays(null)],
    ['that was deleted', ({ id }) => getAdmin().quotes.remove({ id })],
    [
      'after its company was closed',
      () => test.owner.query(`update companies set deletes_at = now() + interval '7 days' where company_id = $1`, [firm.companyId]),
    ],
  ];

  it.each(NOT_DUE_CASES)('are not sent for a quote %s, even if the reminder was already queued', async (_case, makeNotDue) => {
    await enableReminders();
    const quote = await createSentQuote();
    await makeNotDue(quote);
    await sendDueReminders();
    await sendReminder(test.app.platform, QUOTE_DOCUMENT, { company_id: firm.companyId, id: quote.id });
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getEmail(quote))).toEqual([]);
  });

  it('are limited to five a day per customer', async () => {
    await enableReminders();
    const quotes = [];
    for (let count = 0; count < 8; count += 1) quotes.push(await createSentQuote());
    const [first] = quotes;
    await test.owner.query('update quotes set customer_id = $2 where company_id = $1', [firm.companyId, first?.customer_id]);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getEmail(first as Quote))).toHaveLength(5);
    await test.owner.query(`update rate_limits set window_ends_at = now() where key like 'quote-reminder %'`);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getEmail(first as Quote))).toHaveLength(8);
  });

  it('can be resent by hand after a failure, without changing when the quote was sent', async () => {
    await enableReminders();
    const quote = await createSentQuote();
    mailbox.beforeAccept(() => {
      throw Object.assign(new Error('no such mailbox'), { responseCode: 550 });
    });
    await sendDueReminders();
    mailbox.beforeAccept(() => undefined);
    const failed = await readQuote(quote);
    expect(failed).toMatchObject({ status: 'sent', mails: [{ kind: 'reminder', status: 'failed' }] });
    await getAdmin().quotes.retryMail({ id: failed.mails[0]?.id ?? '' });
    await waitForQueue(test);
    expect(await readQuote(quote)).toMatchObject({
      status: 'sent',
      sent_at: failed.sent_at,
      mails: [{ kind: 'reminder', status: 'sent' }],
    });
  });

  it('are limited to 300 a day per company', async () => {
    await enableReminders();
    const quotes = [await createSentQuote(), await createSentQuote()];
    await test.owner.query(`insert into rate_limits (key, attempts, window_ends_at) values ($1, 299, now() + interval '1 hour')`, [
      `quote-reminder ${firm.companyId}`,
    ]);
    await sendDueReminders();
    expect(quotes.flatMap((quote) => mailbox.listMailsTo(getEmail(quote)))).toHaveLength(1);
  });

  it('are not sent until an admin of the company has confirmed their email address', async () => {
    await enableReminders();
    const quote = await createSentQuote();
    await setEmailConfirmed(test, firm, false);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getEmail(quote))).toEqual([]);
    await setEmailConfirmed(test, firm, true);
    await sendDueReminders();
    expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(1);
  });

  it('are withdrawn if the customer answers while the mail server is down', async () => {
    await enableReminders();
    const quote = await createSentQuote();
    await mailbox.stop();
    await queueReminders();
    await expect
      .poll(async () => (await readQuote(quote)).mails, { timeout: 20_000 })
      .toMatchObject([{ kind: 'reminder', status: 'queued', problem: 'The mail server could not be reached.' }]);
    await acceptAsMember(getAdmin(), { id: quote.id });
    await mailbox.restart();
    await retryFailedWorkNow(test);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getEmail(quote))).toEqual([]);
    expect((await readQuote(quote)).mails).toEqual([]);
  });
});

describe('listDueDocuments', () => {
  it('uses an index to find one quote among 5,000', async () => {
    await enableReminders();
    const quote = await createSentQuote();
    await test.owner.query(
      `insert into quotes (company_id, id, customer_id, quote_number, title, status, tax_rate, subtotal, tax_amount, total_amount, sent_at, title_key, search_text)
        select $1, gen_random_uuid(), $2, 'N' || number, 'Many', case when number % 10 = 0 then 'sent' else 'accepted' end, 15, 0, 0, 0,
          now() - make_interval(days => 100 + number % 300), 'many', 'many' from generate_series(1, 5000) as number`,
      [firm.companyId, quote.customer_id],
    );
    await test.owner.query('analyze quotes, companies, quote_mails, customers');
    const { pool, during } = captureSystemQueryPlans(test);
    let found: unknown;
    const plan = await during(async () => {
      found = await listDueDocuments(pool, QUOTE_DOCUMENT.reminderRule, { now: new Date().toISOString(), after: null, limit: 500 });
    });
    expect(found).toContainEqual({ company_id: firm.companyId, id: quote.id });
    expect(plan).toContain('sent_quotes_by_time');
    expect(plan).not.toContain('Seq Scan on quotes');
    expect(
      await listDueDocuments(pool, QUOTE_DOCUMENT.reminderRule, {
        now: new Date().toISOString(),
        after: { company_id: firm.companyId, id: quote.id },
        limit: 500,
      }),
    ).not.toContainEqual({ company_id: firm.companyId, id: quote.id });
  });
});
