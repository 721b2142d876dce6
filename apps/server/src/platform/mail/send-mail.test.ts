import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { withOwnerClient } from '../../../test/database.ts';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { retryFailedWorkNow } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { type AllPools, createPools, WORKER_COUNT } from '../db/pools.ts';
import { runTenantTransaction } from '../db/tenant-scope.ts';
import { queueTasks } from '../queue/queue.sql.ts';
import { startQueue } from '../queue/queue.ts';
import { createTaskHandler } from '../queue/task.ts';
import { type AttachmentMaker, createAttachmentMaker, defineAttachmentKind } from './mail-attachment.ts';
import type { Mail } from './mail-layout.ts';
import { deleteOldMailTexts, queueMail } from './outbox.sql.ts';
import { createMailer, type MailDependencies, type Mailer, sendMailTask } from './send-mail.ts';

let test: TestApp;
let mailbox: Mailbox;
let firm: Firm;
let pools: AllPools;
let mailer: Mailer;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, DATABASE_POOL: '2' });
  firm = await createFirm(test);
  pools = createPools(test.logins, 2, () => undefined);
  mailer = createMailer(createDependencies());
  return async () => {
    mailer.close();
    await pools.end();
    await mailbox.stop();
  };
});

beforeEach(() => mailbox.beforeAccept(() => undefined));

const platform = () => test.app.platform;
const createAttempt = (isLast: boolean) => ({ isLast, signal: new AbortController().signal });
const createDependencies = (): MailDependencies => {
  const { log, config, appUrl } = platform();
  return { pool: pools.work, log, settings: { ...config, appUrl }, attachmentMakers: [] };
};
const buildMail = (recipient: string, overrides: Partial<Mail> = {}): Mail => ({
  recipient,
  subject: 'Hello',
  text: 'Text',
  html: '<p>Text</p>',
  ...overrides,
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

async function findOutboxRow(recipient: string): Promise<OutboxRow | undefined> {
  const { rows } = await platform().pools.system.query<OutboxRow>('select * from outbox_mails where recipient = $1', [recipient]);
  return rows[0];
}

const expectOutboxRow = (recipient: string, row: Partial<OutboxRow>) =>
  expect.poll(() => findOutboxRow(recipient), { timeout: 20_000 }).toMatchObject(row);

const receipt = defineAttachmentKind<{ number: string }>('receipt');

/** Queues an email for a worker that the test runs. The server's own worker can't build this file and would only retry later. */
async function queueMailWithReceipt(number: string): Promise<{ id: string; recipient: string }> {
  const recipient = buildTestEmail();
  const mail = { ...buildMail(recipient), attachment: receipt.from({ number }) };
  const id = await runTenantTransaction(platform().pools.app, toTenant(firm), (scope) => queueMail(scope, mail));
  await expectOutboxRow(recipient, { status: 'waiting', problem: 'The attachment could not be created.' });
  await test.owner.query('select graphile_worker.remove_job($1)', [`send-mail ${id}`]);
  return { id, recipient };
}

const receiptMaker: AttachmentMaker = createAttachmentMaker(receipt, async (companyId, { number }) => ({
  name: `Receipt ${number}.txt`,
  type: 'text/plain',
  bytes: new TextEncoder().encode(`${companyId} has ${number}`),
}));

const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

describe('an email', () => {
  it('queued by a committed transaction is sent once and marked as sent', async () => {
    const recipient = buildTestEmail();
    await runTenantTransaction(platform().pools.app, toTenant(firm), (scope) => queueMail(scope, buildMail(recipient)));
    await expectOutboxRow(recipient, { status: 'sent', attempts: 1, last_error: null, company_id: firm.companyId });
    expect(mailbox.listMailsTo(recipient)).toMatchObject([{ subject: 'Hello', text: 'Text', html: '<p>Text</p>' }]);
  });

  it('queued by a rolled-back transaction is never sent', async () => {
    const [rolledBack, committed] = [buildTestEmail(), buildTestEmail()];
    const change = runTenantTransaction(platform().pools.app, toTenant(firm), async (scope) => {
      await queueMail(scope, buildMail(rolledBack));
      throw new Error('changed my mind');
    });
    await expect(change).rejects.toThrow('changed my mind');
    await queueMail(platform().pools.system, buildMail(committed));
    await expectOutboxRow(committed, { status: 'sent' });
    expect(await findOutboxRow(rolledBack)).toBeUndefined();
    expect(mailbox.listMailsTo(rolledBack)).toEqual([]);
  });

  it('is not sent again when its job runs twice', async () => {
    const recipient = buildTestEmail();
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, { status: 'sent' });
    await mailer.sendQueuedMail((await findOutboxRow(recipient))?.id ?? '', createAttempt(false));
    expect(mailbox.listMailsTo(recipient)).toHaveLength(1);
  });

  it('is never sent without its attachment, which is built at delivery', async () => {
    const { id, recipient } = await queueMailWithReceipt('R-1');
    expect(mailbox.listMailsTo(recipient)).toEqual([]);
    await createMailer({ ...createDependencies(), attachmentMakers: [receiptMaker] }).sendQueuedMail(id, createAttempt(false));
    const [{ attachments } = { attachments: [] }] = mailbox.listMailsTo(recipient);
    expect(attachments).toEqual([
      { name: 'Receipt R-1.txt', type: 'text/plain', content: Buffer.from(`${firm.companyId} has R-1`).toString('base64') },
    ]);
  });

  it('is retried if its attachment cannot be built, and fails after the last attempt', async () => {
    const { id, recipient } = await queueMailWithReceipt('R-2');
    const failingMaker: AttachmentMaker = { name: receipt.name, make: () => Promise.reject(new Error('out of paper')) };
    const failing = createMailer({ ...createDependencies(), attachmentMakers: [failingMaker] });
    await expect(failing.sendQueuedMail(id, createAttempt(false))).rejects.toThrow('out of paper');
    await expectOutboxRow(recipient, { status: 'waiting' });
    await failing.sendQueuedMail(id, createAttempt(true));
    await expectOutboxRow(recipient, { status: 'failed', problem: 'The attachment could not be created.' });
    expect(mailbox.listMailsTo(recipient)).toEqual([]);
  });

  it('is skipped by a second worker while the first worker sends it', async () => {
    const recipient = buildTestEmail();
    let secondWorker: Promise<void> | undefined;
    mailbox.beforeAccept(async () => {
      secondWorker = mailer.sendQueuedMail((await findOutboxRow(recipient))?.id ?? '', createAttempt(false));
      await secondWorker;
    });
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, { status: 'sent', attempts: 1 });
    expect(secondWorker).toBeDefined();
    expect(mailbox.listMailsTo(recipient)).toHaveLength(1);
  });

  it('is sent once after a restart if the server was stopped while the mail server hung', async () => {
    const recipient = buildTestEmail();
    const hung = Promise.withResolvers<never>();
    // Without this line, the rejection would be reported as unhandled.
    hung.promise.catch(() => undefined);
    const hasArrived = Promise.withResolvers<void>();
    mailbox.beforeAccept(() => {
      hasArrived.resolve();
      return hung.promise;
    });
    const stopped = await startTestApp(mailbox.environment);
    await queueMail(stopped.app.platform.pools.system, buildMail(recipient));
    await hasArrived.promise;
    await stopped.app.close();
    hung.reject(smtpError(451, 'too late'));
    mailbox.beforeAccept(() => undefined);
    const { rows } = await stopped.owner.query('select status, attempts, last_error from outbox_mails');
    expect(rows).toEqual([{ status: 'waiting', attempts: 0, last_error: null }]);
    const nextPools = createPools(stopped.logins, 2, () => undefined);
    const { log, config, appUrl } = stopped.app.platform;
    const nextMailer = createMailer({ pool: nextPools.work, log, settings: { ...config, appUrl }, attachmentMakers: [] });
    const queue = await startQueue(
      { pool: nextPools.queue, log },
      [createTaskHandler(sendMailTask, ({ id }, attempt) => nextMailer.sendQueuedMail(id, attempt))],
      [],
    );
    await mailbox.waitForMail(recipient);
    await queue.stop();
    nextMailer.close();
    await nextPools.end();
    expect(mailbox.listMailsTo(recipient)).toHaveLength(1);
  });

  it('is sent over the connection that the previous email left open', async () => {
    const recipients = Array.from({ length: 5 }, buildTestEmail);
    const connections = new Set<string>();
    mailbox.beforeAccept(({ connection }) => void connections.add(connection));
    for (const recipient of recipients) {
      await queueMail(platform().pools.system, buildMail(recipient));
      await expectOutboxRow(recipient, { status: 'sent' });
    }
    expect(connections.size).toBe(1);
  });

  it('is sent while the queue’s other workers are all busy', async () => {
    const recipient = buildTestEmail();
    await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin; lock table customers in access exclusive mode');
      await queueTasks(
        platform().pools.system,
        'unlink-deleted-record',
        Array.from({ length: 3 }, () => ({ company_id: firm.companyId, table: 'customers', id: randomUUID() })),
      );
      const running = `select from graphile_worker.jobs where task_identifier = 'unlink-deleted-record' and locked_at is not null`;
      await expect.poll(async () => (await test.owner.query(running)).rowCount, { timeout: 20_000 }).toBe(WORKER_COUNT);
      await queueMail(platform().pools.system, buildMail(recipient));
      await mailbox.waitForMail(recipient);
      await owner.query('rollback');
    });
  });

  it('is sent once when several servers share a database', async () => {
    const second = await startQueue(
      { pool: pools.queue, log: platform().log },
      [createTaskHandler(sendMailTask, ({ id }, attempt) => mailer.sendQueuedMail(id, attempt))],
      [],
    );
    const recipients = Array.from({ length: 20 }, buildTestEmail);
    for (const recipient of recipients) await queueMail(platform().pools.system, buildMail(recipient));
    for (const recipient of recipients) await expectOutboxRow(recipient, { status: 'sent' });
    await second.stop();
    expect(recipients.map((recipient) => mailbox.listMailsTo(recipient).length)).toEqual(recipients.map(() => 1));
  });
});

describe('an email with a secret link', () => {
  const secret = { text: 'Open https://work.example.com/secret', html: '<p>secret</p>', hasSecretLink: true };

  it('keeps its content until it is sent and is then cleared', async () => {
    const recipient = buildTestEmail();
    let before: OutboxRow | undefined;
    mailbox.beforeAccept(async () => {
      before = await findOutboxRow(recipient);
    });
    await queueMail(platform().pools.system, buildMail(recipient, secret));
    await expectOutboxRow(recipient, { status: 'sent', text_body: '', html_body: '' });
    expect(before).toMatchObject({ text_body: secret.text, html_body: secret.html });
    expect(mailbox.listMailsTo(recipient)).toMatchObject([{ text: secret.text, html: secret.html }]);
  });

  it('keeps its content for a retry if it could not be sent', async () => {
    const recipient = buildTestEmail();
    mailbox.beforeAccept(() => {
      throw new Error('mailbox full');
    });
    await queueMail(platform().pools.system, buildMail(recipient, secret));
    await expectOutboxRow(recipient, { status: 'waiting', attempts: 1, text_body: secret.text });
    mailbox.beforeAccept(() => undefined);
    await retryFailedWorkNow(test);
    await expectOutboxRow(recipient, { status: 'sent', text_body: '' });
    expect(mailbox.listMailsTo(recipient)).toMatchObject([{ text: secret.text }]);
  });

  it('is the only kind of email that is cleared after sending', async () => {
    const recipient = buildTestEmail();
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, { status: 'sent' });
    expect(await findOutboxRow(recipient)).toMatchObject({ text_body: 'Text', html_body: '<p>Text</p>' });
  });
});

it('an old email’s text is deleted if the email was sent, and kept if it was not', async () => {
  const [old, recent, unsent] = [buildTestEmail(), buildTestEmail(), buildTestEmail()];
  for (const recipient of [old, recent]) {
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, { status: 'sent' });
  }
  mailbox.beforeAccept(() => {
    throw smtpError(550, 'no such mailbox');
  });
  await queueMail(platform().pools.system, buildMail(unsent));
  await expectOutboxRow(unsent, { status: 'failed' });
  const setSentDaysAgo = (recipient: string, days: number) =>
    test.owner.query('update outbox_mails set sent_at = now() - make_interval(days => $2) where recipient = $1', [recipient, days]);
  for (const [recipient, days] of [
    [old, 366],
    [recent, 364],
    [unsent, 366],
  ] as const)
    await setSentDaysAgo(recipient, days);
  await deleteOldMailTexts(platform().pools.system, 365);
  expect(await findOutboxRow(old)).toMatchObject({ status: 'sent', text_body: '', html_body: '' });
  expect(await findOutboxRow(recent)).toMatchObject({ text_body: 'Text', html_body: '<p>Text</p>' });
  expect(await findOutboxRow(unsent)).toMatchObject({ text_body: 'Text', html_body: '<p>Text</p>' });
});

describe('a mail server', () => {
  it('that is down leaves the email waiting with an error, and receives it after a restart', async () => {
    const recipient = buildTestEmail();
    await mailbox.stop();
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, {
      status: 'waiting',
      last_error: expect.stringContaining('ECONNREFUSED') as string,
      problem: 'The mail server could not be reached.',
    });
    await mailbox.restart();
    await retryFailedWorkNow(test);
    await expectOutboxRow(recipient, { status: 'sent', last_error: null, problem: null });
    expect(mailbox.listMailsTo(recipient)).toHaveLength(1);
  });

  it('that rejects an email permanently is tried only once, and the email fails with the error', async () => {
    const recipient = buildTestEmail();
    mailbox.beforeAccept(() => {
      throw smtpError(550, 'no such mailbox');
    });
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, { status: 'failed', attempts: 1, last_error: expect.stringContaining('no such mailbox') as string });
    const failedJobsQuery = `select from graphile_worker.jobs where task_identifier = 'send-mail' and last_error is not null`;
    // Wait until the previous test's job is gone. It is deleted shortly after its email is sent.
    await expect.poll(async () => (await test.owner.query(failedJobsQuery)).rowCount, { timeout: 10_000 }).toBe(0);
  });

  it('that rejects our password is retried, because the password can be corrected', async () => {
    const recipient = buildTestEmail();
    await mailbox.stop();
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, { status: 'waiting', attempts: 1 });
    await mailbox.restart();
    const { settings, ...dependencies } = createDependencies();
    const smtpUrl = (settings.smtpUrl ?? '').replace('//', '//callout:wrong@');
    const attempt = createMailer({ ...dependencies, settings: { ...settings, smtpUrl } }).sendQueuedMail(
      (await findOutboxRow(recipient))?.id ?? '',
      createAttempt(false),
    );
    await expect(attempt).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 });
    expect(await findOutboxRow(recipient)).toMatchObject({ status: 'waiting', attempts: 2 });
    await retryFailedWorkNow(test);
    await expectOutboxRow(recipient, { status: 'sent' });
  });

  it('that rejects an email temporarily is retried, and the email fails after the last attempt', async () => {
    const recipient = buildTestEmail();
    mailbox.beforeAccept(() => {
      throw smtpError(452, 'mailbox full');
    });
    await queueMail(platform().pools.system, buildMail(recipient));
    await expectOutboxRow(recipient, { status: 'waiting', last_error: expect.stringContaining('mailbox full') as string });
    await mailer.sendQueuedMail((await findOutboxRow(recipient))?.id ?? '', createAttempt(true));
    await expectOutboxRow(recipient, { status: 'failed', attempts: 2 });
  });

  it('that is slow delays no calls and loses no email to a timeout', async () => {
    const recipients = [buildTestEmail(), buildTestEmail()];
    const gate = Promise.withResolvers<void>();
    let waitingMails = 0;
    mailbox.beforeAccept(async () => {
      waitingMails += 1;
      await gate.promise;
    });
    for (const recipient of recipients) await queueMail(platform().pools.system, buildMail(recipient));
    await expect.poll(() => waitingMails, { timeout: 20_000 }).toBe(2);
    expect((await firm.people.admin.client.company.me()).profile?.company_id).toBe(firm.companyId);
    gate.resolve();
    for (const recipient of recipients) await expectOutboxRow(recipient, { status: 'sent', attempts: 1 });
    const { rows } = await pools.work.query('show idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
  });
});

describe('user input', () => {
  it('cannot add a header to an email', async () => {
    const recipient = buildTestEmail();
    await queueMail(platform().pools.system, buildMail(recipient, { subject: 'Quote\r\nBcc: thief@example.com\r\n\r\nBody' }));
    const mail = await mailbox.waitForMail(recipient);
    expect(mail.to).toEqual([recipient]);
    expect(mail.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(mail.text).toBe('Text');
  });

  it('in a subject is shown as typed, even if it looks like an encoded word', async () => {
    const recipient = buildTestEmail();
    const subject = `=?utf-8?B?${Buffer.from('Your bank').toString('base64')}?= for the shower at 5 Rata Street, Ponsonby`;
    await queueMail(platform().pools.system, buildMail(recipient, { subject }));
    expect((await mailbox.waitForMail(recipient)).subject).toBe(subject);
  });

  it('in a sender’s name is never decoded as an encoded word', async () => {
    const recipient = buildTestEmail();
    const name = `=?utf-8?B?${Buffer.from('Your bank').toString('base64')}?=`;
    await queueMail(platform().pools.system, buildMail(recipient, { replyTo: { name, address: 'office@example.com', isSender: true } }));
    const { from, headers } = await mailbox.waitForMail(recipient);
    expect(from).not.toContain('Your bank');
    expect(headers.filter((line) => /^(from|reply-to):.*=\?/i.test(line))).toEqual([]);
  });

  it.each(['a@example.com, thief@example.com', 'a@example.com\r\nBcc: thief@example.com', '"x" <thief@example.com>'])(
    'as the address %j reaches no other recipient',
    async (recipient) => {
      await queueMail(platform().pools.system, buildMail(recipient));
      await expect.poll(async () => (await findOutboxRow(recipient))?.attempts, { timeout: 20_000 }).toBeGreaterThan(0);
      expect(mailbox.listMailsTo('thief@example.com')).toEqual([]);
    },
  );
});

describe('without a mail server', () => {
  let noMail: TestApp;

  beforeAll(async () => {
    noMail = await startTestApp({ APP_URL: 'https://work.example.com' });
  });

  it('email stays in the outbox, and the log shows its link', async () => {
    const url = 'https://work.example.com/auth?reset=true&token=abc';
    await queueMail(noMail.app.platform.pools.system, buildMail('ana@example.com', { text: `Set a new password: ${url}\n\nThanks` }));
    const queryStatus = () =>
      noMail.app.platform.pools.system.query<object>(`select status, attempts from outbox_mails where recipient = 'ana@example.com'`);
    await expect.poll(async () => (await queryStatus()).rows, { timeout: 20_000 }).toEqual([{ status: 'kept', attempts: 0 }]);
    const lines = noMail.logLines.filter((line) => line.includes('email stays in the outbox')).map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([{ to: 'ana@example.com', subject: 'Hello', link: url }]);
  });

  it('a link typed by a user is never logged as the email’s link', async () => {
    const text = 'https://work.example.com.evil/x Plumbing invited you.\n\nAccept: https://work.example.com/invitation?token=abc\n\nThanks';
    await queueMail(noMail.app.platform.pools.system, buildMail('ben@example.com', { text }));
    const line = () => noMail.logLines.find((one) => one.includes('email stays in the outbox') && one.includes('ben@example.com'));
    await expect.poll(line, { timeout: 20_000 }).toBeDefined();
    expect(JSON.parse(line() ?? '')).toMatchObject({ link: 'https://work.example.com/invitation?token=abc' });
  });
});
