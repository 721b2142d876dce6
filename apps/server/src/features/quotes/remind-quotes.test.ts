import type { Quote } from '@callout/contract/quotes';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { newCustomer, newQuote, newSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { captureSystemPlans } from '../../../test/query-plans.ts';
import { retryNow, waitForQueue } from '../../../test/queue.ts';
import { queueDueReminders, saveReminderDays, setConfirmed } from '../../../test/reminders.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { listDueQuotes } from './quote-reminders.sql.ts';
import { mailReminder, remindQuotes } from './remind-quotes.ts';

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
const shown = ({ id }: Quote) => admin().quotes.get({ id });
const emailOf = ({ customer }: Quote) => customer?.email ?? '';

const saveDays = (days: string | null) => saveReminderDays(firm, { quote_reminder_days: days });

/** Reminders were switched on long ago. */
async function switchOn(days = '7'): Promise<void> {
  await saveDays(days);
  await test.owner.query(`update companies set quote_reminders_since = now() - interval '1 year' where company_id = $1`, [firm.companyId]);
}

async function addSent(daysAgo = 8): Promise<Quote> {
  const { id: customer_id } = await admin().customers.create(newCustomer({ name: 'Helen Faleolo', email: uniqueEmail() }));
  const quote = await admin().quotes.create(
    newQuote({ customer_id, title: 'Hot water', sections: [newSection({ always_required: true })] }),
  );
  await admin().quotes.setStatus({ id: quote.id, status: 'sent' });
  await test.owner.query(`update quotes set sent_at = now() - make_interval(days => $2) where id = $1`, [quote.id, daysAgo]);
  return quote;
}

const runOnce = () => queueDueReminders(test, remindQuotes);

async function run(): Promise<void> {
  await runOnce();
  await waitForQueue(test);
}

describe('reminders', () => {
  it('are off unless somebody switches them on, and then start with what is due from that moment', async () => {
    const [old, due] = [await addSent(8), await addSent(7)];
    expect((await admin().company.me()).profile?.quote_reminder_days).toBeNull();
    await run();
    await saveDays('7');
    // It became due a moment after they were switched on.
    await test.owner.query(
      `update quotes q set sent_at = c.quote_reminders_since - interval '7 days' from companies c where c.company_id = q.company_id and q.id = $1`,
      [due.id],
    );
    await run();
    expect((await admin().company.me()).profile?.quote_reminder_days).toBe('7');
    expect([mailbox.mailsTo(emailOf(old)).length, mailbox.mailsTo(emailOf(due)).length]).toEqual([0, 1]);
  });

  it('start again with what is due from the moment the number of days is changed', async () => {
    await switchOn('30');
    const quote = await addSent(8);
    await saveDays('7');
    await run();
    expect(mailbox.mailsTo(emailOf(quote))).toEqual([]);
    await saveDays('7');
    const since = `select quote_reminders_since::text from companies where company_id = $1`;
    const before = await test.owner.query(since, [firm.companyId]);
    await saveDays('7');
    expect((await test.owner.query(since, [firm.companyId])).rows).toEqual(before.rows);
  });

  it('are polite, carry the quote and its link, and show on the quote', async () => {
    await switchOn();
    const quote = await addSent(8);
    await run();
    const mail = await mailbox.mailTo(emailOf(quote));
    expect(mail.subject).toBe(`Reminder: quote ${quote.quote_number} from Tane Plumbing`);
    expect(mail.text).toMatch(
      /^Hi Helen Faleolo,\n\nWe sent you our quote “Hot water” on \w{3} \d+, \d{4}\. Have you had a chance to look at it\?\n\nYou can accept or decline it online\.\n/,
    );
    expect(mail.text).toContain(`View your quote: http://localhost${quote.public_path}`);
    expect(mail.text).toContain('Total: $100.00');
    expect(await shown(quote)).toMatchObject({
      status: 'sent',
      mails: [{ kind: 'reminder', status: 'sent', sent_by: null, recipient: emailOf(quote) }],
    });
    expect((await admin().quotes.history({ id: quote.id })).rows).toMatchObject([{ action: 'reminded', who: 'Callout' }, {}, {}]);
  });

  it('leave out a quote whose items were all removed', async () => {
    await switchOn();
    const quote = await addSent();
    await test.owner.query('delete from quote_items where quote_id = $1', [quote.id]);
    await run();
    expect([mailbox.mailsTo(emailOf(quote)), (await shown(quote)).mails]).toEqual([[], []]);
  });

  it('are sent once, however many runs and processes there are', async () => {
    await switchOn();
    const quote = await addSent();
    await Promise.all([runOnce(), runOnce(), runOnce()]);
    const due = { company_id: firm.companyId, id: quote.id };
    await Promise.all(Array.from({ length: 5 }, () => mailReminder(test.app.platform, due)));
    await waitForQueue(test);
    await run();
    expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(1);
    expect((await shown(quote)).mails).toHaveLength(1);
  });

  it('reach everybody, also when a company has a time zone that the database has no name for', async () => {
    await switchOn();
    // Settings take what JavaScript knows.
    await test.owner.query(`update companies set timezone = 'AET' where company_id = $1`, [firm.companyId]);
    const quote = await addSent();
    await test.owner.query('update quotes set valid_until = current_date + 3 where id = $1', [quote.id]);
    await run();
    expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(1);
  });

  const notDue: [string, (quote: Quote) => Promise<unknown>][] = [
    ['before its time', ({ id }) => test.owner.query(`update quotes set sent_at = now() - interval '6 days' where id = $1`, [id])],
    ['long after its time', ({ id }) => test.owner.query(`update quotes set sent_at = now() - interval '200 days' where id = $1`, [id])],
    ['after it was accepted', ({ id }) => admin().quotes.accept({ id })],
    ['after it was rejected', ({ public_path }) => test.client().publicQuotes.reject({ token: public_path.replace('/quote/', '') })],
    ['after its last day', ({ id }) => test.owner.query(`update quotes set valid_until = current_date - 2 where id = $1`, [id])],
    ['that is a draft again', ({ id }) => admin().quotes.setStatus({ id, status: 'draft' })],
    ['whose customer was deleted', ({ customer_id }) => admin().customers.remove({ id: customer_id ?? '' })],
    ['when they are switched off again', () => saveDays(null)],
    ['that was deleted', ({ id }) => admin().quotes.remove({ id })],
  ];

  it.each(notDue)('are not sent for a quote %s, not even when it was found before', async (_when, happens) => {
    await switchOn();
    const quote = await addSent();
    await happens(quote);
    await run();
    await mailReminder(test.app.platform, { company_id: firm.companyId, id: quote.id });
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(quote))).toEqual([]);
  });

  it('do not flood one customer, however many quotes are marked as sent', async () => {
    await switchOn();
    const quotes = [];
    for (let count = 0; count < 8; count += 1) quotes.push(await addSent());
    const [first] = quotes;
    await test.owner.query('update quotes set customer_id = $2 where company_id = $1', [firm.companyId, first?.customer_id]);
    await run();
    expect(mailbox.mailsTo(emailOf(first as Quote))).toHaveLength(5);
    await test.owner.query(`update rate_limits set window_ends_at = now() where key like 'quote-reminder %'`);
    await run();
    expect(mailbox.mailsTo(emailOf(first as Quote))).toHaveLength(8);
  });

  it('that failed are sent again by hand, and the quote stays sent on its day', async () => {
    await switchOn();
    const quote = await addSent();
    mailbox.beforeTaking(() => {
      throw Object.assign(new Error('no such mailbox'), { responseCode: 550 });
    });
    await run();
    mailbox.beforeTaking(() => undefined);
    const failed = await shown(quote);
    expect(failed).toMatchObject({ status: 'sent', mails: [{ kind: 'reminder', status: 'failed' }] });
    await admin().quotes.retryMail({ id: failed.mails[0]?.id ?? '' });
    await waitForQueue(test);
    expect(await shown(quote)).toMatchObject({ status: 'sent', sent_at: failed.sent_at, mails: [{ kind: 'reminder', status: 'sent' }] });
  });

  it('are at most three hundred a day for one company', async () => {
    await switchOn();
    const quotes = [await addSent(), await addSent()];
    await test.owner.query(`insert into rate_limits (key, attempts, window_ends_at) values ($1, 299, now() + interval '1 hour')`, [
      `quote-reminder ${firm.companyId}`,
    ]);
    await run();
    expect(quotes.flatMap((quote) => mailbox.mailsTo(emailOf(quote)))).toHaveLength(1);
  });

  it('are not sent for a company in which no administrator has confirmed their email', async () => {
    await switchOn();
    const quote = await addSent();
    await setConfirmed(test, firm, false);
    await run();
    expect(mailbox.mailsTo(emailOf(quote))).toEqual([]);
    await setConfirmed(test, firm, true);
    await run();
    expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(1);
  });

  it('are withdrawn when the answer comes while the mail server is down', async () => {
    await switchOn();
    const quote = await addSent();
    await mailbox.stop();
    await runOnce();
    await expect
      .poll(async () => (await shown(quote)).mails, { timeout: 20_000 })
      .toMatchObject([{ kind: 'reminder', status: 'queued', problem: 'The mail server could not be reached.' }]);
    await admin().quotes.accept({ id: quote.id });
    await mailbox.startAgain();
    await retryNow(test);
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(quote))).toEqual([]);
    expect((await shown(quote)).mails).toEqual([]);
  });
});

describe('finding what is due', () => {
  it('reads only what may be due, also among 5,000 quotes', async () => {
    await switchOn();
    const quote = await addSent();
    await test.owner.query(
      `insert into quotes (company_id, id, customer_id, quote_number, title, status, tax_rate, subtotal, tax_amount, total_amount, sent_at, title_key, search_text)
        select $1, gen_random_uuid(), $2, 'N' || number, 'Many', case when number % 10 = 0 then 'sent' else 'accepted' end, 15, 0, 0, 0,
          now() - make_interval(days => 100 + number % 300), 'many', 'many' from generate_series(1, 5000) as number`,
      [firm.companyId, quote.customer_id],
    );
    await test.owner.query('analyze quotes, companies, quote_mails, customers');
    const { pool, during } = captureSystemPlans(test);
    let found: unknown;
    const plan = await during(async () => {
      found = await listDueQuotes(pool, { now: new Date().toISOString(), after: null, limit: 500 });
    });
    expect(found).toContainEqual({ company_id: firm.companyId, id: quote.id });
    expect(plan).toContain('sent_quotes_by_time');
    expect(plan).not.toContain('Seq Scan on quotes');
    expect(
      await listDueQuotes(pool, { now: new Date().toISOString(), after: { company_id: firm.companyId, id: quote.id }, limit: 500 }),
    ).not.toContainEqual({
      company_id: firm.companyId,
      id: quote.id,
    });
  });
});
