import { randomUUID } from 'node:crypto';
import type { Quote } from '@callout/contract/quotes';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { buildCustomer, buildQuote, buildQuoteLine, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type MailFault, startFaultyMailServer } from '../../../test/faulty-mail-server.ts';
import { type Mailbox, sendKeptMail, startMailbox } from '../../../test/mailbox.ts';
import { retryFailedWorkNow, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

const BODY = 'Hi Helen,\n\nHere is your quote.\nCall me if anything is unclear.';

async function createQuote({ people }: Firm): Promise<Quote> {
  const { customers, quotes } = people.manager.client;
  const { id: customer_id } = await customers.create(buildCustomer({ name: 'Helen Faleolo', email: buildTestEmail() }));
  const sections = [
    buildQuoteSection({
      name: 'Gas hot water',
      always_required: true,
      items: [buildQuoteLine({ name: 'Heater <b>', unit_price: '1150.00' })],
    }),
    buildQuoteSection({ name: 'Outdoor tap', items: [buildQuoteLine({ name: 'Tap', unit_price: '103.50', quantity: '2' })] }),
  ];
  return quotes.create(buildQuote({ customer_id, title: 'Hot water', sections }));
}

const getEmail = ({ customer }: Quote) => customer?.email ?? '';
const buildMessage = (quote: Quote, overrides: object = {}) => ({
  id: quote.id,
  mail_id: randomUUID(),
  subject: `Quote ${quote.quote_number}`,
  body: BODY,
  ...overrides,
});
const listErrorNotifications = async ({ people }: Firm) =>
  (await people.manager.client.notifications.list()).rows.filter(({ type }) => type === 'error');
const listActions = async ({ people }: Firm, { id }: Quote) =>
  (await people.manager.client.quotes.history({ id })).rows.map(({ action }) => action);

describe('sending a quote with a mail server', () => {
  let test: TestApp;
  let mailbox: Mailbox;
  let firm: Firm;

  beforeAll(async () => {
    mailbox = await startMailbox();
    // A short timeout keeps the test for an unresponsive mail server fast.
    test = await startTestApp({ ...mailbox.environment, SMTP_URL: `${mailbox.environment.SMTP_URL}/?greetingTimeout=2000` });
    return () => mailbox.stop();
  });
  beforeEach(async () => {
    mailbox.beforeAccept(() => undefined);
    firm = await createFirm(test);
  });

  const getQuotes = () => firm.people.manager.client.quotes;
  const readQuote = (quote: Quote) => getQuotes().get({ id: quote.id });

  it('emails the customer the message, the link and the amounts, and marks the draft as sent', async () => {
    const { system } = test.app.platform.pools;
    await system.query(
      `update companies set email = 'office@example.com', phone = '09 555 0100', avatar_url = '/api/images/x' where company_id = $1`,
      [firm.companyId],
    );
    const quote = await createQuote(firm);
    const result = await getQuotes().send(buildMessage(quote));
    expect(result).toMatchObject({
      mail: 'queued',
      quote: { status: 'sent', mails: [{ status: 'queued', sent_by: 'The manager', sent_at: null }] },
    });
    const mail = await mailbox.waitForMail(getEmail(quote));
    await waitForQueue(test);
    expect(await readQuote(quote)).toMatchObject({
      status: 'sent',
      sent_at: result.quote.sent_at,
      mails: [{ kind: 'quote', recipient: getEmail(quote), status: 'sent', problem: null, sent_at: expect.any(String) as string }],
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
        'Your quote without optional sections\n  Subtotal: 1,000.00\n  GST 15%: 150.00\n  Total: $1,150.00',
        'Tane Plumbing\n09 555 0100\noffice@example.com',
        'Callout',
      ].join('\n\n'),
    );
    expect(mail.html).toContain('<img src="http://localhost/api/images/x"');
    expect(mail.html).toContain('Heater &lt;b&gt;');
    expect(mail.html).toContain(`href="http://localhost${quote.public_path}"`);
    expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(1);
    expect(await listActions(firm, quote)).toEqual(['sent', 'created']);
    expect(await listErrorNotifications(firm)).toEqual([]);
  });

  it('is idempotent, even for concurrent requests, but rejects a different message with the same id', async () => {
    const quote = await createQuote(firm);
    const request = buildMessage(quote);
    const results = await Promise.all([getQuotes().send(request), getQuotes().send(request), getQuotes().send(request)]);
    await waitForQueue(test);
    expect(results.map(({ mail }) => mail)).toEqual(['queued', 'queued', 'queued']);
    expect((await getQuotes().send(request)).quote.mails).toHaveLength(1);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(1);
    await expect(getQuotes().send({ ...request, body: 'Other' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    await expect(getQuotes().send(buildMessage(await createQuote(firm), { mail_id: request.mail_id }))).rejects.toMatchObject({
      code: 'ID_TAKEN',
    });
  });

  it('prevents header injection through the subject, and omits names that contain a URL', async () => {
    await test.app.platform.pools.system.query(
      `update companies set company_name = 'www.evil.example', email = 'o@example.com' where company_id = $1`,
      [firm.companyId],
    );
    const quote = await createQuote(firm);
    const injected = 'Quote\r\nBcc: thief@example.com\r\n\r\nBody';
    await getQuotes()
      .send(buildMessage(quote, { subject: injected }))
      .catch(() => getQuotes().send(buildMessage(quote, { subject: injected.replaceAll(/\s+/g, ' ') })));
    const mail = await mailbox.waitForMail(getEmail(quote));
    expect(mail.to).toEqual([getEmail(quote)]);
    expect(mail.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(mail.text + mail.html + mail.headers.join()).not.toContain('evil');
  });

  it.each([
    [
      'a quote whose customer was deleted',
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
        return getQuotes().create(buildQuote({ customer_id: customer_id ?? '', sections: [buildQuoteSection({ items: [] })] }));
      },
      { code: 'QUOTE_EMPTY', message: 'There is nothing to send: add at least one item first.' },
    ],
  ])('rejects %s', async (_what, createInvalidQuote, failure) => {
    const quote = await createInvalidQuote();
    await expect(getQuotes().send(buildMessage(quote))).rejects.toMatchObject(failure);
    expect(await readQuote(quote)).toMatchObject({ status: 'draft', mails: [] });
  });

  it('rejects an accepted quote and returns its job number', async () => {
    const quote = await createQuote(firm);
    const { job } = await getQuotes().accept({ id: quote.id, version: quote.version });
    const failure = {
      message: 'This quote was accepted. It can no longer be sent.',
      data: { status: 'accepted', job_number: job.job_number },
    };
    await expect(getQuotes().send(buildMessage(quote))).rejects.toMatchObject({ code: 'QUOTE_CLOSED', ...failure });
  });

  it('requires a confirmed sender address', async () => {
    const quote = await createQuote(firm);
    await test.owner.query('update users set email_verified = false where id = $1', [firm.people.manager.userId]);
    await expect(getQuotes().send(buildMessage(quote))).rejects.toMatchObject({ code: 'EMAIL_UNCONFIRMED' });
  });

  it('allows at most 200 emails a day to one customer', async () => {
    const quote = await createQuote(firm);
    await getQuotes().send(buildMessage(quote));
    await test.owner.query('update rate_limits set attempts = 199 where key like $1', [`quote-mail ${firm.companyId} %`]);
    await getQuotes().send(buildMessage(quote));
    await expect(getQuotes().send(buildMessage(quote))).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(2);
  });

  it('allows several companies at most 400 emails a day to one customer, plus the first from each company', async () => {
    const email = buildTestEmail();
    const prepareSend = async ({ people: { manager } }: Firm) => {
      const { id: customer_id } = await manager.client.customers.create(buildCustomer({ email }));
      const quote = await manager.client.quotes.create(buildQuote({ customer_id }));
      return () => manager.client.quotes.send(buildMessage(quote));
    };
    await (await prepareSend(firm))();
    await test.owner.query(
      `update rate_limits set attempts = 400 where key in (select 'quote-mail-to ' || split_part(key, ' ', 3) from rate_limits where key like $1)`,
      [`quote-mail ${firm.companyId} %`],
    );
    const send = await prepareSend(await createFirm(test));
    await send();
    await expect(send()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });

  it('does not send a queued email after its quote is deleted', async () => {
    const [quote, other] = [await createQuote(firm), await createQuote(firm)];
    await mailbox.stop();
    await getQuotes().send(buildMessage(quote));
    await expect
      .poll(async () => (await readQuote(quote)).mails[0]?.problem, { timeout: 20_000 })
      .toBe('The mail server could not be reached.');
    await firm.people.admin.client.quotes.remove({ id: quote.id });
    await mailbox.restart();
    await getQuotes().send(buildMessage(other));
    await retryFailedWorkNow(test);
    await mailbox.waitForMail(getEmail(other));
    await waitForQueue(test);
    expect(mailbox.listMailsTo(getEmail(quote))).toEqual([]);
  });

  describe('when delivery fails', () => {
    /** Sends a quote while the mail server has the given fault, and waits until the email has the expected status. */
    async function sendDuringFault(fault: MailFault, expected: Partial<Quote['mails'][number]>) {
      const quote = await createQuote(firm);
      await mailbox.stop();
      const faulty = await startFaultyMailServer(Number(new URL(mailbox.environment.SMTP_URL).port), fault);
      const { mail, quote: sent } = await getQuotes().send(buildMessage(quote));
      expect([mail, sent.status]).toEqual(['queued', 'sent']);
      await expect.poll(async () => (await readQuote(quote)).mails, { timeout: 30_000 }).toMatchObject([{ ...expected, sent_at: null }]);
      await faulty.stop();
      await mailbox.restart();
      return { quote, readIds: faulty.receivedMessageIds };
    }

    async function expectOneDelivery(quote: Quote) {
      const delivered = await mailbox.waitForMail(getEmail(quote));
      await waitForQueue(test);
      const { status, mails } = await readQuote(quote);
      expect(status).toBe('sent');
      expect(mails).toEqual([expect.objectContaining({ status: 'sent', problem: null, sent_at: expect.any(String) as string })]);
      expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(1);
      expect(delivered.text).toContain('Call me if anything is unclear.');
      return delivered;
    }

    it('permanently (550), reverts the quote to a draft, notifies the sender and allows a retry', async () => {
      const problem = 'This email address does not exist. Please check it for typos.';
      const { quote } = await sendDuringFault({ rejection: '550 5.1.1 No such user' }, { status: 'failed', problem });
      expect(await readQuote(quote)).toMatchObject({ status: 'draft', sent_at: null });
      expect(await listErrorNotifications(firm)).toMatchObject([
        { message: `Your quote ${quote.quote_number} to Helen Faleolo couldn't be delivered. ${problem}`, data: { quote_id: quote.id } },
      ]);
      expect((await getQuotes().list({})).rows).toMatchObject([{ id: quote.id, is_mail_failed: true }]);
      const [failed] = (await readQuote(quote)).mails;
      const again = await Promise.all([getQuotes().retryMail({ id: failed?.id ?? '' }), getQuotes().retryMail({ id: failed?.id ?? '' })]);
      expect(again.map(({ quote: { status } }) => status)).toEqual(['sent', 'sent']);
      await expectOneDelivery(quote);
      expect(await listActions(firm, quote)).toEqual(['sent', 'mail-failed', 'sent', 'created']);
    });

    it.each<[string, MailFault, string]>([
      ['421', { rejection: '421 4.3.2 Try again later' }, 'Their mail server is not accepting email right now.'],
      ['a timeout', 'silent', 'The mail server could not be reached.'],
      ['a connection lost after the message', 'cut-after-data', 'The mail server could not be reached.'],
    ])('temporarily (%s), shows the cause and retries automatically', { timeout: 60_000 }, async (_name, fault, problem) => {
      const { quote, readIds } = await sendDuringFault(fault, { status: 'queued', problem });
      expect(await readQuote(quote)).toMatchObject({ status: 'sent' });
      expect(await listErrorNotifications(firm)).toEqual([]);
      await retryFailedWorkNow(test);
      const { headers } = await expectOneDelivery(quote);
      // The retry has the same Message-ID, so that mail clients recognize a duplicate if the first attempt did arrive.
      expect(headers.map((line) => line.replace(/^message-id: /i, ''))).toEqual(expect.arrayContaining([...readIds]));
      expect(await listActions(firm, quote)).toEqual(['sent', 'created']);
    });

    it('retries with the corrected email address, and never sends to the old one from the outbox', async () => {
      const [quote, corrected] = [await createQuote(firm), buildTestEmail()];
      mailbox.beforeAccept(() => {
        throw Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 });
      });
      await getQuotes().send(buildMessage(quote));
      await waitForQueue(test);
      mailbox.beforeAccept(() => undefined);
      const { rows: outbox } = await test.owner.query<{ id: string }>('select id from outbox_mails where recipient = $1', [
        getEmail(quote),
      ]);
      await test.owner.query('update customers set email = $2 where id = $1', [quote.customer_id, corrected]);
      const [failed] = (await readQuote(quote)).mails;
      await getQuotes().retryMail({ id: failed?.id ?? '' });
      await mailbox.waitForMail(corrected);
      await test.owner.query(`select queue_work('send-mail', json_build_object('id', $1::text))`, [outbox[0]?.id]);
      await waitForQueue(test);
      expect(mailbox.listMailsTo(getEmail(quote))).toEqual([]);
      expect((await readQuote(quote)).mails).toMatchObject([{ recipient: corrected, status: 'sent' }]);
    });

    it('keeps the quote sent if it was marked by hand or delivered by an earlier email', async () => {
      const [byHand, delivered] = [await createQuote(firm), await createQuote(firm)];
      await getQuotes().send(buildMessage(delivered));
      await mailbox.waitForMail(getEmail(delivered));
      await waitForQueue(test);
      const marked = Promise.withResolvers<void>();
      mailbox.beforeAccept(async () => {
        await marked.promise;
        throw Object.assign(new Error('no'), { responseCode: 554 });
      });
      await getQuotes().send(buildMessage(delivered));
      await getQuotes().send(buildMessage(byHand));
      await getQuotes().setStatus({ id: byHand.id, status: 'draft' });
      await getQuotes().setStatus({ id: byHand.id, status: 'sent' });
      marked.resolve();
      await waitForQueue(test);
      expect(await readQuote(delivered)).toMatchObject({ status: 'sent', mails: [{ status: 'failed' }, { status: 'sent' }] });
      expect(await readQuote(byHand)).toMatchObject({
        status: 'sent',
        mails: [{ status: 'failed', problem: 'Their mail server refused the message.' }],
      });
    });
  });
});

describe('sending a quote without a mail server', () => {
  let test: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    test = await startTestApp();
    firm = await createFirm(test);
  });

  it('flags a failed quote email in the list, but not a failed reminder', async () => {
    const quote = await createQuote(firm);
    const readIsMailFailed = async () =>
      (await firm.people.manager.client.quotes.list({ customer_id: quote.customer_id ?? '' })).rows[0]?.is_mail_failed;
    const insertMail = (kind: 'quote' | 'reminder', status: 'sent' | 'failed', minute: number) =>
      test.owner.query(
        `insert into quote_mails (company_id, id, quote_id, kind, mail_id, recipient, subject, body, status, queued_at)
          values ($1, gen_random_uuid(), $2, $3, gen_random_uuid(), 'a@example.com', 'Quote', 'Hi', $4, now() + make_interval(mins => $5))`,
        [firm.companyId, quote.id, kind, status, minute],
      );
    await insertMail('quote', 'sent', 1);
    await insertMail('reminder', 'failed', 2);
    expect(await readIsMailFailed()).toBe(false);
    await insertMail('quote', 'failed', 3);
    expect(await readIsMailFailed()).toBe(true);
  });

  it('leaves the quote a draft until a system administrator sends the email from the outbox', async () => {
    const mailbox = await startMailbox();
    const quote = await createQuote(firm);
    const { quotes } = firm.people.manager.client;
    const result = await quotes.send(buildMessage(quote));
    expect(result).toMatchObject({ mail: 'kept', quote: { status: 'draft', sent_at: null, mails: [{ status: 'kept' }] } });
    await waitForQueue(test);
    expect(await quotes.get({ id: quote.id })).toMatchObject({ status: 'draft', mails: [{ status: 'kept', sent_at: null }] });
    expect(await listErrorNotifications(firm)).toEqual([]);
    await sendKeptMail(test, mailbox, getEmail(quote));
    await mailbox.stop();
    expect(mailbox.listMailsTo(getEmail(quote))).toHaveLength(1);
    await waitForQueue(test);
    expect(await quotes.get({ id: quote.id })).toMatchObject({
      status: 'sent',
      sent_at: expect.any(String) as string,
      mails: [{ status: 'sent', sent_at: expect.any(String) as string }],
    });
    expect(await listActions(firm, quote)).toEqual(['sent', 'created']);
  });
});
