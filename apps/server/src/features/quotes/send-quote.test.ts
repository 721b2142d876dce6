import { randomUUID } from 'node:crypto';
import type { Quote } from '@callout/contract/quotes';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { waitUntilBlocked } from '../../../test/database.ts';
import { newCustomer, newQuote, newQuoteLine, newSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type MailFault, startFaultyMailServer } from '../../../test/faulty-mail-server.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { retryNow, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { createPools } from '../../platform/db/pools.ts';
import { sendQueuedMail } from '../../platform/mail/send-mail.ts';

const BODY = 'Hi Helen,\n\nHere is your quote.\nCall me if anything is unclear.';

async function createQuote({ people }: Firm): Promise<Quote> {
  const { customers, quotes } = people.manager.client;
  const { id: customer_id } = await customers.create(newCustomer({ name: 'Helen Faleolo', email: uniqueEmail() }));
  const sections = [
    newSection({ name: 'Gas hot water', always_required: true, items: [newQuoteLine({ name: 'Heater <b>', unit_price: '1150.00' })] }),
    newSection({ name: 'Outdoor tap', items: [newQuoteLine({ name: 'Tap', unit_price: '103.50', quantity: '2' })] }),
  ];
  return quotes.create(newQuote({ customer_id, title: 'Hot water', sections }));
}

const emailOf = ({ customer }: Quote) => customer?.email ?? '';
const letter = (quote: Quote, over: object = {}) => ({
  id: quote.id,
  mail_id: randomUUID(),
  subject: `Quote ${quote.quote_number}`,
  body: BODY,
  ...over,
});
const errorsOf = async ({ people }: Firm) => (await people.manager.client.notifications.list()).rows.filter(({ type }) => type === 'error');
const actionsOf = async ({ people }: Firm, { id }: Quote) =>
  (await people.manager.client.quotes.history({ id })).rows.map(({ action }) => action);

describe('with a mail server', () => {
  let test: TestApp;
  let mailbox: Mailbox;
  let firm: Firm;

  beforeAll(async () => {
    mailbox = await startMailbox();
    // It gives up on a silent mail server sooner than in production.
    test = await startTestApp({ ...mailbox.environment, SMTP_URL: `${mailbox.environment.SMTP_URL}/?greetingTimeout=2000` });
    return () => mailbox.stop();
  });
  beforeEach(async () => {
    mailbox.beforeTaking(() => undefined);
    firm = await createFirm(test);
  });

  const quotes = () => firm.people.manager.client.quotes;
  const shown = (quote: Quote) => quotes().get({ id: quote.id });

  it('the customer gets one mail with the words, the link and the figures, and the draft is sent', async () => {
    const { system } = test.app.platform.pools;
    await system.query(
      `update companies set email = 'office@example.com', phone = '09 555 0100', avatar_url = '/api/images/x' where company_id = $1`,
      [firm.companyId],
    );
    const quote = await createQuote(firm);
    const answer = await quotes().send(letter(quote));
    expect(answer).toMatchObject({
      mail: 'queued',
      quote: { status: 'sent', mails: [{ status: 'queued', sent_by: 'The manager', sent_at: null }] },
    });
    const mail = await mailbox.mailTo(emailOf(quote));
    await waitForQueue(test);
    expect(await shown(quote)).toMatchObject({
      status: 'sent',
      sent_at: answer.quote.sent_at,
      mails: [{ kind: 'quote', recipient: emailOf(quote), status: 'sent', problem: null, sent_at: expect.any(String) as string }],
    });
    expect(mail.subject).toBe(`Quote ${quote.quote_number}`);
    expect(mail.headers.join('\n')).toMatch(/^Reply-To: Tane Plumbing <office@example\.com>$/m);
    expect(mail.from).toBe('"Tane Plumbing via Callout" <callout@localhost>');
    expect(mail.text.trim()).toBe(
      [
        BODY,
        `View your quote: http://localhost${quote.public_path}`,
        `Hot water\nQuote #${quote.quote_number} · for Helen Faleolo`,
        'Gas hot water\n  Heater <b> (1 × 1,150.00 inc GST): 1,150.00\n  Subtotal: 1,000.00\n  GST 15%: 150.00\n  Section total: $1,150.00',
        'Outdoor tap (optional)\n  Tap (2 × 103.50 inc GST): 207.00\n  Subtotal: 180.00\n  GST 15%: 27.00\n  Price if added: $207.00',
        'Your quote, without the options\n  Subtotal: 1,000.00\n  GST 15%: 150.00\n  Total: $1,150.00',
        'Tane Plumbing\n09 555 0100\noffice@example.com',
        'Callout',
      ].join('\n\n'),
    );
    expect(mail.html).toContain('<img src="http://localhost/api/images/x"');
    expect(mail.html).toContain('Heater &lt;b&gt;');
    expect(mail.html).toContain(`href="http://localhost${quote.public_path}"`);
    expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(1);
    expect(await actionsOf(firm, quote)).toEqual(['sent', 'created']);
    expect(await errorsOf(firm)).toEqual([]);
  });

  it('a request that is repeated, also at the same time, sends one mail and answers the same; other words under its id are refused', async () => {
    const quote = await createQuote(firm);
    const request = letter(quote);
    const answers = await Promise.all([quotes().send(request), quotes().send(request), quotes().send(request)]);
    await waitForQueue(test);
    expect(answers.map(({ mail }) => mail)).toEqual(['queued', 'queued', 'queued']);
    expect((await quotes().send(request)).quote.mails).toHaveLength(1);
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(1);
    await expect(quotes().send({ ...request, body: 'Other' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    await expect(quotes().send(letter(await createQuote(firm), { mail_id: request.mail_id }))).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('a subject cannot add a header, and a name with a link in it is left out', async () => {
    await test.app.platform.pools.system.query(
      `update companies set company_name = 'www.evil.example', email = 'o@example.com' where company_id = $1`,
      [firm.companyId],
    );
    const quote = await createQuote(firm);
    const injected = 'Quote\r\nBcc: thief@example.com\r\n\r\nBody';
    await quotes()
      .send(letter(quote, { subject: injected }))
      .catch(() => quotes().send(letter(quote, { subject: injected.replaceAll(/\s+/g, ' ') })));
    const mail = await mailbox.mailTo(emailOf(quote));
    expect(mail.to).toEqual([emailOf(quote)]);
    expect(mail.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(mail.text + mail.html + mail.headers.join()).not.toContain('evil');
  });

  it.each([
    [
      'a customer who was deleted',
      async () => {
        const quote = await createQuote(firm);
        await firm.people.admin.client.customers.remove({ id: quote.customer_id ?? '' });
        return quote;
      },
      { code: 'NO_EMAIL', message: 'Customer email not found' },
    ],
    [
      'an expired quote',
      async () => {
        const quote = await createQuote(firm);
        await test.owner.query(`update quotes set valid_until = '2020-01-01' where id = $1`, [quote.id]);
        return quote;
      },
      { code: 'QUOTE_CLOSED', message: 'This quote has expired. It can no longer be sent.', data: { status: 'expired', job_number: null } },
    ],
    [
      'a quote without items',
      async () => {
        const { customer_id } = await createQuote(firm);
        return quotes().create(newQuote({ customer_id: customer_id ?? '', sections: [newSection({ items: [] })] }));
      },
      { code: 'QUOTE_EMPTY', message: 'There is nothing to send: add at least one item first.' },
    ],
  ])('%s is sent nothing', async (_what, make, refusal) => {
    const quote = await make();
    await expect(quotes().send(letter(quote))).rejects.toMatchObject(refusal);
    expect(await shown(quote)).toMatchObject({ status: 'draft', mails: [] });
  });

  it('an accepted quote is not sent, and names its job', async () => {
    const quote = await createQuote(firm);
    const { job } = await quotes().accept({ id: quote.id });
    const refusal = {
      message: 'This quote was accepted. It can no longer be sent.',
      data: { status: 'accepted', job_number: job.job_number },
    };
    await expect(quotes().send(letter(quote))).rejects.toMatchObject({ code: 'QUOTE_CLOSED', ...refusal });
  });

  it('nobody mails customers before they have confirmed their own email', async () => {
    const quote = await createQuote(firm);
    await test.owner.query('update users set email_verified = false where id = $1', [firm.people.manager.userId]);
    await expect(quotes().send(letter(quote))).rejects.toMatchObject({ code: 'EMAIL_UNCONFIRMED' });
  });

  it('one customer gets at most 20 mails a day', async () => {
    const quote = await createQuote(firm);
    for (let count = 0; count < 20; count += 1) await quotes().send(letter(quote));
    await expect(quotes().send(letter(quote))).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(20);
  });

  it('one customer of several companies gets at most 40 mails a day, and the first of each company', async () => {
    const email = uniqueEmail();
    const sendFrom = async ({ people: { manager } }: Firm) => {
      const { id: customer_id } = await manager.client.customers.create(newCustomer({ email }));
      const quote = await manager.client.quotes.create(newQuote({ customer_id }));
      return () => manager.client.quotes.send(letter(quote));
    };
    for (const sender of [firm, await createFirm(test)]) {
      const send = await sendFrom(sender);
      for (let count = 0; count < 20; count += 1) await send();
    }
    const send = await sendFrom(await createFirm(test));
    await send();
    await expect(send()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('locks the company before the quote, so that it cannot deadlock with an answer', async () => {
    const quote = await createQuote(firm);
    const other = await test.owner.connect();
    onTestFinished(() => other.release());
    await other.query('begin');
    await other.query('select from quotes where id = $1 for update', [quote.id]);
    const sending = quotes().send(letter(quote));
    await waitUntilBlocked(test.database);
    const lockCompanyToo = other.query('select from companies where company_id = $1 for no key update nowait', [firm.companyId]);
    await expect(lockCompanyToo).rejects.toMatchObject({ code: '55P03' });
    await other.query('rollback');
    expect(await sending).toMatchObject({ mail: 'queued' });
  });

  it('a mail of a quote that is deleted meanwhile is not sent', async () => {
    const [quote, other] = [await createQuote(firm), await createQuote(firm)];
    await mailbox.stop();
    await quotes().send(letter(quote));
    await expect
      .poll(async () => (await shown(quote)).mails[0]?.problem, { timeout: 20_000 })
      .toBe('The mail server could not be reached.');
    await firm.people.admin.client.quotes.remove({ id: quote.id });
    await mailbox.startAgain();
    await quotes().send(letter(other));
    await retryNow(test);
    await mailbox.mailTo(emailOf(other));
    await waitForQueue(test);
    expect(mailbox.mailsTo(emailOf(quote))).toEqual([]);
  });

  describe('that fails', () => {
    /** Sends a quote while the mail server fails like this, until it shows what is expected. */
    async function sendDuring(fault: MailFault, expected: Partial<Quote['mails'][number]>) {
      const quote = await createQuote(firm);
      await mailbox.stop();
      const faulty = await startFaultyMailServer(Number(new URL(mailbox.environment.SMTP_URL).port), fault);
      const { mail, quote: sent } = await quotes().send(letter(quote));
      expect([mail, sent.status]).toEqual(['queued', 'sent']);
      await expect.poll(async () => (await shown(quote)).mails, { timeout: 30_000 }).toMatchObject([{ ...expected, sent_at: null }]);
      await faulty.stop();
      await mailbox.startAgain();
      return { quote, readIds: faulty.readIds };
    }

    async function expectOneMail(quote: Quote) {
      const delivered = await mailbox.mailTo(emailOf(quote));
      await waitForQueue(test);
      const { status, mails } = await shown(quote);
      expect(status).toBe('sent');
      expect(mails).toEqual([expect.objectContaining({ status: 'sent', problem: null, sent_at: expect.any(String) as string })]);
      expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(1);
      expect(delivered.text).toContain('Call me if anything is unclear.');
      return delivered;
    }

    it('for good (550) is a draft again, tells its sender why, and can be sent again', async () => {
      const problem = 'This email address does not exist. Please check it for typos.';
      const { quote } = await sendDuring({ refusal: '550 5.1.1 No such user' }, { status: 'failed', problem });
      expect(await shown(quote)).toMatchObject({ status: 'draft', sent_at: null });
      expect(await errorsOf(firm)).toMatchObject([
        { message: `Your quote ${quote.quote_number} to Helen Faleolo couldn't be delivered. ${problem}`, data: { quote_id: quote.id } },
      ]);
      expect((await quotes().list({})).rows).toMatchObject([{ id: quote.id, is_mail_failed: true }]);
      const [failed] = (await shown(quote)).mails;
      const again = await Promise.all([quotes().retryMail({ id: failed?.id ?? '' }), quotes().retryMail({ id: failed?.id ?? '' })]);
      expect(again.map(({ quote: { status } }) => status)).toEqual(['sent', 'sent']);
      await expectOneMail(quote);
      expect(await actionsOf(firm, quote)).toEqual(['sent', 'mail-failed', 'sent', 'created']);
    });

    it.each<[string, MailFault, string]>([
      ['421', { refusal: '421 4.3.2 Try again later' }, 'Their mail server is not accepting mail right now.'],
      ['a timeout', 'silent', 'The mail server could not be reached.'],
      ['a connection cut after the text', 'cut-after-data', 'The mail server could not be reached.'],
    ])('for now (%s) shows why, and is sent by itself later', { timeout: 60_000 }, async (_name, fault, problem) => {
      const { quote, readIds } = await sendDuring(fault, { status: 'queued', problem });
      expect(await shown(quote)).toMatchObject({ status: 'sent' });
      expect(await errorsOf(firm)).toEqual([]);
      await retryNow(test);
      const { headers } = await expectOneMail(quote);
      // Should the first one have arrived after all, the customer's mail program knows the second as the same.
      expect(headers.map((line) => line.replace(/^message-id: /i, ''))).toEqual(expect.arrayContaining([...readIds]));
      expect(await actionsOf(firm, quote)).toEqual(['sent', 'created']);
    });

    it('goes to the corrected address when it is sent again, and not to the old one from the outbox', async () => {
      const [quote, corrected] = [await createQuote(firm), uniqueEmail()];
      mailbox.beforeTaking(() => {
        throw Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 });
      });
      await quotes().send(letter(quote));
      await waitForQueue(test);
      mailbox.beforeTaking(() => undefined);
      const { rows: outbox } = await test.owner.query<{ id: string }>('select id from outbox_mails where recipient = $1', [emailOf(quote)]);
      await test.owner.query('update customers set email = $2 where id = $1', [quote.customer_id, corrected]);
      const [failed] = (await shown(quote)).mails;
      await quotes().retryMail({ id: failed?.id ?? '' });
      await mailbox.mailTo(corrected);
      await test.owner.query(`select queue_work('send-mail', json_build_object('id', $1::text))`, [outbox[0]?.id]);
      await waitForQueue(test);
      expect(mailbox.mailsTo(emailOf(quote))).toEqual([]);
      expect((await shown(quote)).mails).toMatchObject([{ recipient: corrected, status: 'sent' }]);
    });

    it('leaves a quote sent that was marked so by hand, or that an earlier mail has delivered', async () => {
      const [byHand, delivered] = [await createQuote(firm), await createQuote(firm)];
      await quotes().send(letter(delivered));
      await mailbox.mailTo(emailOf(delivered));
      await waitForQueue(test);
      const marked = Promise.withResolvers<void>();
      mailbox.beforeTaking(async () => {
        await marked.promise;
        throw Object.assign(new Error('no'), { responseCode: 554 });
      });
      await quotes().send(letter(delivered));
      await quotes().send(letter(byHand));
      await quotes().setStatus({ id: byHand.id, status: 'draft' });
      await quotes().setStatus({ id: byHand.id, status: 'sent' });
      marked.resolve();
      await waitForQueue(test);
      expect(await shown(delivered)).toMatchObject({ status: 'sent', mails: [{ status: 'failed' }, { status: 'sent' }] });
      expect(await shown(byHand)).toMatchObject({
        status: 'sent',
        mails: [{ status: 'failed', problem: 'Their mail server refused the message.' }],
      });
    });
  });
});

describe('without a mail server', () => {
  let test: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    test = await startTestApp();
    firm = await createFirm(test);
  });

  it('the list shows that the newest mail with a quote failed, not that a reminder did', async () => {
    const quote = await createQuote(firm);
    const isMailFailed = async () =>
      (await firm.people.manager.client.quotes.list({ customer_id: quote.customer_id ?? '' })).rows[0]?.is_mail_failed;
    const addMail = (kind: 'quote' | 'reminder', status: 'sent' | 'failed', minute: number) =>
      test.owner.query(
        `insert into quote_mails (company_id, id, quote_id, kind, mail_id, recipient, subject, body, status, queued_at)
          values ($1, gen_random_uuid(), $2, $3, gen_random_uuid(), 'a@example.com', 'Quote', 'Hi', $4, now() + make_interval(mins => $5))`,
        [firm.companyId, quote.id, kind, status, minute],
      );
    await addMail('quote', 'sent', 1);
    await addMail('reminder', 'failed', 2);
    expect(await isMailFailed()).toBe(false);
    await addMail('quote', 'failed', 3);
    expect(await isMailFailed()).toBe(true);
  });

  it('the mail is kept and the quote stays a draft, until the administrator sends it with one', async () => {
    const mailbox = await startMailbox();
    const quote = await createQuote(firm);
    const { quotes } = firm.people.manager.client;
    const answer = await quotes.send(letter(quote));
    expect(answer).toMatchObject({ mail: 'kept', quote: { status: 'draft', sent_at: null, mails: [{ status: 'kept' }] } });
    await waitForQueue(test);
    expect(await quotes.get({ id: quote.id })).toMatchObject({ status: 'draft', mails: [{ status: 'kept', sent_at: null }] });
    expect(await errorsOf(firm)).toEqual([]);
    const { log, appUrl } = test.app.platform;
    const settings = { mailFrom: mailbox.environment.MAIL_FROM, smtpUrl: mailbox.environment.SMTP_URL, appUrl };
    const { rows } = await test.owner.query<{ id: string }>('select id from outbox_mails where recipient = $1', [emailOf(quote)]);
    const pools = createPools(test.logins, 1, () => undefined);
    await sendQueuedMail({ pool: pools.work, log, settings, attachmentMakers: [] }, rows[0]?.id ?? '', {
      isLast: false,
      signal: new AbortController().signal,
    });
    await pools.end();
    await mailbox.stop();
    expect(mailbox.mailsTo(emailOf(quote))).toHaveLength(1);
    await waitForQueue(test);
    expect(await quotes.get({ id: quote.id })).toMatchObject({
      status: 'sent',
      sent_at: expect.any(String) as string,
      mails: [{ status: 'sent', sent_at: expect.any(String) as string }],
    });
    expect(await actionsOf(firm, quote)).toEqual(['sent', 'created']);
  });
});
