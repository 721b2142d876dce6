import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { createFirm, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { retryNow } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { type AllPools, createPools } from '../db/pools.ts';
import { changeAs } from '../db/tenant-scope.ts';
import { startQueue } from '../queue/queue.ts';
import { handleTask } from '../queue/task.ts';
import { type AttachmentMaker, defineAttachment, makeAttachment } from './mail-attachment.ts';
import type { Mail } from './mail-layout.ts';
import { queueMail } from './outbox.sql.ts';
import { type MailParts, sendMail, sendQueuedMail } from './send-mail.ts';

let test: TestApp;
let mailbox: Mailbox;
let firm: Firm;
let pools: AllPools;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, DATABASE_POOL: '2' });
  firm = await createFirm(test);
  pools = createPools(test.logins, 2, () => undefined);
  return async () => {
    await pools.end();
    await mailbox.stop();
  };
});

beforeEach(() => mailbox.beforeTaking(() => undefined));

const platform = () => test.app.platform;
const attemptOf = (isLast: boolean) => ({ isLast, signal: new AbortController().signal });
const mailParts = (): MailParts => {
  const { log, config, appUrl } = platform();
  return { pool: pools.work, log, settings: { ...config, appUrl }, attachmentMakers: [] };
};
const mailTo = (recipient: string, over: Partial<Mail> = {}): Mail => ({
  recipient,
  subject: 'Hello',
  text: 'Text',
  html: '<p>Text</p>',
  ...over,
});

interface OutboxRow {
  readonly id: string;
  readonly company_id: string | null;
  readonly status: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly problem: string | null;
  readonly text_body: string;
  readonly html_body: string;
}

async function outboxRow(recipient: string): Promise<OutboxRow | undefined> {
  const { rows } = await platform().pools.system.query<OutboxRow>('select * from outbox_mails where recipient = $1', [recipient]);
  return rows[0];
}

const becomes = (recipient: string, row: Partial<OutboxRow>) =>
  expect.poll(() => outboxRow(recipient), { timeout: 20_000 }).toMatchObject(row);

const receipt = defineAttachment<{ number: string }>('receipt');

/** In the outbox, for a worker that the test runs itself: the server's own knows no such file, and tries again later. */
async function queueWithReceipt(number: string): Promise<{ id: string; recipient: string }> {
  const recipient = uniqueEmail();
  const mail = { ...mailTo(recipient), attachment: receipt.from({ number }) };
  const id = await changeAs(platform().pools.app, tenantOf(firm), (scope) => queueMail(scope, mail));
  await becomes(recipient, { status: 'waiting', problem: 'The attached file could not be made.' });
  await test.owner.query('select graphile_worker.remove_job($1)', [`send-mail ${id}`]);
  return { id, recipient };
}

const makesReceipts: AttachmentMaker = makeAttachment(receipt, async (companyId, { number }) => ({
  name: `Receipt ${number}.txt`,
  type: 'text/plain',
  bytes: new TextEncoder().encode(`${companyId} has ${number}`),
}));

const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

describe('a mail', () => {
  it('of a committed change is sent once and marked as sent', async () => {
    const recipient = uniqueEmail();
    await changeAs(platform().pools.app, tenantOf(firm), (scope) => queueMail(scope, mailTo(recipient)));
    await becomes(recipient, { status: 'sent', attempts: 1, last_error: null, company_id: firm.companyId });
    expect(mailbox.mailsTo(recipient)).toMatchObject([{ subject: 'Hello', text: 'Text', html: '<p>Text</p>' }]);
  });

  it('of a rolled back change does not exist', async () => {
    const [never, after] = [uniqueEmail(), uniqueEmail()];
    const change = changeAs(platform().pools.app, tenantOf(firm), async (scope) => {
      await queueMail(scope, mailTo(never));
      throw new Error('changed my mind');
    });
    await expect(change).rejects.toThrow('changed my mind');
    await queueMail(platform().pools.system, mailTo(after));
    await becomes(after, { status: 'sent' });
    expect(await outboxRow(never)).toBeUndefined();
    expect(mailbox.mailsTo(never)).toEqual([]);
  });

  it('that was sent is not sent again when its job runs twice', async () => {
    const recipient = uniqueEmail();
    await queueMail(platform().pools.system, mailTo(recipient));
    await becomes(recipient, { status: 'sent' });
    await sendQueuedMail(mailParts(), (await outboxRow(recipient))?.id ?? '', attemptOf(false));
    expect(mailbox.mailsTo(recipient)).toHaveLength(1);
  });

  it('is never sent without its file, which is made when it is delivered', async () => {
    const { id, recipient } = await queueWithReceipt('R-1');
    expect(mailbox.mailsTo(recipient)).toEqual([]);
    await sendQueuedMail({ ...mailParts(), attachmentMakers: [makesReceipts] }, id, attemptOf(false));
    const [{ attachments } = { attachments: [] }] = mailbox.mailsTo(recipient);
    expect(attachments).toEqual([
      { name: 'Receipt R-1.txt', type: 'text/plain', content: Buffer.from(`${firm.companyId} has R-1`).toString('base64') },
    ]);
  });

  it('whose file cannot be made waits, and fails after the last attempt', async () => {
    const { id, recipient } = await queueWithReceipt('R-2');
    const fails: AttachmentMaker = { name: receipt.name, make: () => Promise.reject(new Error('out of paper')) };
    const parts = { ...mailParts(), attachmentMakers: [fails] };
    await expect(sendQueuedMail(parts, id, attemptOf(false))).rejects.toThrow('out of paper');
    await becomes(recipient, { status: 'waiting' });
    await sendQueuedMail(parts, id, attemptOf(true));
    await becomes(recipient, { status: 'failed', problem: 'The attached file could not be made.' });
    expect(mailbox.mailsTo(recipient)).toEqual([]);
  });

  it('that is being sent is left to its worker', async () => {
    const recipient = uniqueEmail();
    let secondWorker: Promise<void> | undefined;
    mailbox.beforeTaking(async () => {
      secondWorker = sendQueuedMail(mailParts(), (await outboxRow(recipient))?.id ?? '', attemptOf(false));
      await secondWorker;
    });
    await queueMail(platform().pools.system, mailTo(recipient));
    await becomes(recipient, { status: 'sent', attempts: 1 });
    expect(secondWorker).toBeDefined();
    expect(mailbox.mailsTo(recipient)).toHaveLength(1);
  });

  it('is given up for now when the server stops while the mail server hangs, and sent once after the next start', async () => {
    const recipient = uniqueEmail();
    const hung = Promise.withResolvers<never>();
    // Otherwise its rejection is reported as unhandled when nobody waits for it.
    hung.promise.catch(() => undefined);
    const isHeld = Promise.withResolvers<void>();
    mailbox.beforeTaking(() => {
      isHeld.resolve();
      return hung.promise;
    });
    const stopped = await startTestApp(mailbox.environment);
    await queueMail(stopped.app.platform.pools.system, mailTo(recipient));
    await isHeld.promise;
    await stopped.app.close();
    hung.reject(smtpError(451, 'too late'));
    mailbox.beforeTaking(() => undefined);
    const { rows } = await stopped.owner.query('select status, attempts, last_error from outbox_mails');
    expect(rows).toEqual([{ status: 'waiting', attempts: 0, last_error: null }]);
    const next = createPools(stopped.logins, 2, () => undefined);
    const { log, config, appUrl } = stopped.app.platform;
    const parts: MailParts = { pool: next.work, log, settings: { ...config, appUrl }, attachmentMakers: [] };
    const queue = await startQueue(
      { pool: next.queue, log },
      [handleTask(sendMail, ({ id }, attempt) => sendQueuedMail(parts, id, attempt))],
      [],
    );
    await mailbox.mailTo(recipient);
    await queue.stop();
    await next.end();
    expect(mailbox.mailsTo(recipient)).toHaveLength(1);
  });

  it('is sent once by several servers on one database', async () => {
    const second = await startQueue(
      { pool: pools.queue, log: platform().log },
      [handleTask(sendMail, ({ id }, attempt) => sendQueuedMail(mailParts(), id, attempt))],
      [],
    );
    const recipients = Array.from({ length: 20 }, uniqueEmail);
    for (const recipient of recipients) await queueMail(platform().pools.system, mailTo(recipient));
    for (const recipient of recipients) await becomes(recipient, { status: 'sent' });
    await second.stop();
    expect(recipients.map((recipient) => mailbox.mailsTo(recipient).length)).toEqual(recipients.map(() => 1));
  });
});

describe('a mail with a secret link', () => {
  const secret = { text: 'Open https://work.example.com/secret', html: '<p>secret</p>', secret: true };

  it('keeps its content until it is sent, and then loses it', async () => {
    const recipient = uniqueEmail();
    let before: OutboxRow | undefined;
    mailbox.beforeTaking(async () => {
      before = await outboxRow(recipient);
    });
    await queueMail(platform().pools.system, mailTo(recipient, secret));
    await becomes(recipient, { status: 'sent', text_body: '', html_body: '' });
    expect(before).toMatchObject({ text_body: secret.text, html_body: secret.html });
    expect(mailbox.mailsTo(recipient)).toMatchObject([{ text: secret.text, html: secret.html }]);
  });

  it('that was not sent keeps its content for the next attempt', async () => {
    const recipient = uniqueEmail();
    mailbox.beforeTaking(() => {
      throw new Error('mailbox full');
    });
    await queueMail(platform().pools.system, mailTo(recipient, secret));
    await becomes(recipient, { status: 'waiting', attempts: 1, text_body: secret.text });
    mailbox.beforeTaking(() => undefined);
    await retryNow(test);
    await becomes(recipient, { status: 'sent', text_body: '' });
    expect(mailbox.mailsTo(recipient)).toMatchObject([{ text: secret.text }]);
  });

  it('is the only kind that loses its content', async () => {
    const recipient = uniqueEmail();
    await queueMail(platform().pools.system, mailTo(recipient));
    await becomes(recipient, { status: 'sent' });
    expect(await outboxRow(recipient)).toMatchObject({ text_body: 'Text', html_body: '<p>Text</p>' });
  });
});

describe('a mail server', () => {
  it('that is down leaves the mail waiting with the error, and gets it when it is back', async () => {
    const recipient = uniqueEmail();
    await mailbox.stop();
    await queueMail(platform().pools.system, mailTo(recipient));
    await becomes(recipient, {
      status: 'waiting',
      last_error: expect.stringContaining('ECONNREFUSED') as string,
      problem: 'The mail server could not be reached.',
    });
    await mailbox.startAgain();
    await retryNow(test);
    await becomes(recipient, { status: 'sent', last_error: null, problem: null });
    expect(mailbox.mailsTo(recipient)).toHaveLength(1);
  });

  it('that rejects a mail permanently is tried once, and the mail fails at once with the error', async () => {
    const recipient = uniqueEmail();
    mailbox.beforeTaking(() => {
      throw smtpError(550, 'no such mailbox');
    });
    await queueMail(platform().pools.system, mailTo(recipient));
    await becomes(recipient, { status: 'failed', attempts: 1, last_error: expect.stringContaining('no such mailbox') as string });
    const toTryAgain = `select from graphile_worker.jobs where task_identifier = 'send-mail' and last_error is not null`;
    // The previous test's job is deleted shortly after its mail is sent.
    await expect.poll(async () => (await test.owner.query(toTryAgain)).rowCount).toBe(0);
  });

  it('that rejects our password is tried again, because the password can be corrected', async () => {
    const recipient = uniqueEmail();
    await mailbox.stop();
    await queueMail(platform().pools.system, mailTo(recipient));
    await becomes(recipient, { status: 'waiting', attempts: 1 });
    await mailbox.startAgain();
    const { settings, ...parts } = mailParts();
    const smtpUrl = (settings.smtpUrl ?? '').replace('//', '//callout:wrong@');
    const attempt = sendQueuedMail(
      { ...parts, settings: { ...settings, smtpUrl } },
      (await outboxRow(recipient))?.id ?? '',
      attemptOf(false),
    );
    await expect(attempt).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 });
    expect(await outboxRow(recipient)).toMatchObject({ status: 'waiting', attempts: 2 });
    await retryNow(test);
    await becomes(recipient, { status: 'sent' });
  });

  it('that rejects a mail temporarily is tried again, and after the last attempt the mail fails with the error', async () => {
    const recipient = uniqueEmail();
    mailbox.beforeTaking(() => {
      throw smtpError(452, 'mailbox full');
    });
    await queueMail(platform().pools.system, mailTo(recipient));
    await becomes(recipient, { status: 'waiting', last_error: expect.stringContaining('mailbox full') as string });
    await sendQueuedMail(mailParts(), (await outboxRow(recipient))?.id ?? '', attemptOf(true));
    await becomes(recipient, { status: 'failed', attempts: 2 });
  });

  it('that is slow keeps no call waiting and loses no mail to a timeout', async () => {
    const recipients = [uniqueEmail(), uniqueEmail()];
    const held = Promise.withResolvers<void>();
    let holding = 0;
    mailbox.beforeTaking(async () => {
      holding += 1;
      await held.promise;
    });
    for (const recipient of recipients) await queueMail(platform().pools.system, mailTo(recipient));
    await expect.poll(() => holding, { timeout: 20_000 }).toBe(2);
    expect((await firm.people.admin.client.company.me()).profile?.company_id).toBe(firm.companyId);
    held.resolve();
    for (const recipient of recipients) await becomes(recipient, { status: 'sent', attempts: 1 });
    const { rows } = await pools.work.query('show idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
  });
});

describe('user input', () => {
  it('cannot add a header to a mail', async () => {
    const recipient = uniqueEmail();
    await queueMail(platform().pools.system, mailTo(recipient, { subject: 'Quote\r\nBcc: thief@example.com\r\n\r\nBody' }));
    const mail = await mailbox.mailTo(recipient);
    expect(mail.to).toEqual([recipient]);
    expect(mail.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(mail.text).toBe('Text');
  });

  it('in a subject is read as it was typed, also when it looks like an encoding', async () => {
    const recipient = uniqueEmail();
    const subject = `=?utf-8?B?${Buffer.from('Your bank').toString('base64')}?= for the shower at 5 Rata Street, Ponsonby`;
    await queueMail(platform().pools.system, mailTo(recipient, { subject }));
    expect((await mailbox.mailTo(recipient)).subject).toBe(subject);
  });

  it('in the name of a sender is no encoding either', async () => {
    const recipient = uniqueEmail();
    const name = `=?utf-8?B?${Buffer.from('Your bank').toString('base64')}?=`;
    await queueMail(platform().pools.system, mailTo(recipient, { replyTo: { name, address: 'office@example.com', isSender: true } }));
    const { from, headers } = await mailbox.mailTo(recipient);
    expect(from).not.toContain('Your bank');
    expect(headers.filter((line) => /^(from|reply-to):.*=\?/i.test(line))).toEqual([]);
  });

  it.each(['a@example.com, thief@example.com', 'a@example.com\r\nBcc: thief@example.com', '"x" <thief@example.com>'])(
    'as the address %j reaches nobody else',
    async (recipient) => {
      await queueMail(platform().pools.system, mailTo(recipient));
      await expect.poll(async () => (await outboxRow(recipient))?.attempts, { timeout: 20_000 }).toBeGreaterThan(0);
      expect(mailbox.mailsTo('thief@example.com')).toEqual([]);
    },
  );
});

describe('without a mail server', () => {
  let quiet: TestApp;

  beforeAll(async () => {
    quiet = await startTestApp({ APP_URL: 'https://work.example.com' });
  });

  it('the mail is kept, and the log shows its link', async () => {
    const url = 'https://work.example.com/auth?reset=true&token=abc';
    await queueMail(quiet.app.platform.pools.system, mailTo('ana@example.com', { text: `Set a new password: ${url}\n\nThanks` }));
    const kept = () =>
      quiet.app.platform.pools.system.query<object>(`select status, attempts from outbox_mails where recipient = 'ana@example.com'`);
    await expect.poll(async () => (await kept()).rows, { timeout: 20_000 }).toEqual([{ status: 'kept', attempts: 0 }]);
    const lines = quiet.logged.filter((line) => line.includes('mail kept in the outbox')).map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([{ to: 'ana@example.com', subject: 'Hello', link: url }]);
  });

  it('a link typed by a user is never logged as ours', async () => {
    const text = 'https://work.example.com.evil/x Plumbing invited you.\n\nAccept: https://work.example.com/invitation?token=abc\n\nThanks';
    await queueMail(quiet.app.platform.pools.system, mailTo('ben@example.com', { text }));
    const line = () => quiet.logged.find((one) => one.includes('mail kept in the outbox') && one.includes('ben@example.com'));
    await expect.poll(line, { timeout: 20_000 }).toBeDefined();
    expect(JSON.parse(line() ?? '')).toMatchObject({ link: 'https://work.example.com/invitation?token=abc' });
  });
});
