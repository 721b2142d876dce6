import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { startAppWithAdministrator } from '../../../test/factories/administrator.ts';
import { createFirm, type Firm, type Person, toTenant } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { postponeQueuedWork, waitForQueue } from '../../../test/queue.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Mail } from '../../platform/mail/mail-layout.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAppWithAdministrator(mailbox.environment));
  firm = await createFirm(test, 'Tane Plumbing');
  return () => mailbox.stop();
});

beforeEach(() => mailbox.beforeAccept(() => undefined));

const rejectMails = () =>
  mailbox.beforeAccept(() => {
    throw new Error('mailbox full');
  });

/** Queues an email from the company, waits for one delivery attempt, and returns the recipient. */
async function attemptDelivery(over: Partial<Mail> = {}): Promise<string> {
  const recipient = buildTestEmail();
  const mail = { recipient, subject: 'Hello', text: 'Open http://localhost/secret', html: '<p>Text</p>', ...over };
  await runTenantTransaction(test.app.platform.pools.app, toTenant(firm), (scope) => queueMail(scope, mail));
  await waitForQueue(test);
  await postponeQueuedWork(test);
  return recipient;
}

async function readMail(recipient: string, status?: 'waiting' | 'sent' | 'failed' | 'kept') {
  const { rows } = await administrator.client.admin.mails(status ? { status } : {});
  const mail = rows.find((row) => row.recipient === recipient);
  if (!mail) throw new Error(`No mail to ${recipient}`);
  return mail;
}

async function resendMail({ id, attempts }: { id: string; attempts: number }): Promise<void> {
  await administrator.client.admin.sendMailAgain({ id, attempts });
  await waitForQueue(test);
}

describe('an email in the outbox', () => {
  it('is shown without its text once sent, because the text may contain links', async () => {
    const recipient = await attemptDelivery();
    expect(await readMail(recipient, 'sent')).toEqual({
      id: expect.any(String) as string,
      company: 'Tane Plumbing',
      recipient,
      subject: 'Hello',
      status: 'sent',
      attempts: 1,
      last_error: null,
      created_at: expect.stringMatching(/Z$/) as string,
      sent_at: expect.stringMatching(/Z$/) as string,
      text: null,
      can_send_again: true,
      next_attempt: null,
    });
  });

  it('is shown with its error and text while unsent', async () => {
    rejectMails();
    const recipient = await attemptDelivery();
    expect(await readMail(recipient, 'waiting')).toMatchObject({
      attempts: 1,
      last_error: expect.stringContaining('mailbox full') as string,
      sent_at: null,
      text: 'Open http://localhost/secret',
      can_send_again: true,
      next_attempt: expect.stringMatching(/Z$/) as string,
    });
    await expect(readMail(recipient, 'sent')).rejects.toThrow('No mail');
  });

  it('has no next attempt while a delivery attempt is running', async () => {
    rejectMails();
    const recipient = await attemptDelivery();
    const delivery = Promise.withResolvers<void>();
    mailbox.beforeAccept(() => delivery.promise);
    await administrator.client.admin.sendMailAgain(await readMail(recipient));
    await expect.poll(() => readMail(recipient), { timeout: 10_000 }).toMatchObject({ status: 'waiting', attempts: 1, next_attempt: null });
    delivery.resolve();
    await waitForQueue(test);
    expect(await readMail(recipient)).toMatchObject({ status: 'sent' });
  });

  it('is shown without a company if it does not belong to one', async () => {
    const recipient = buildTestEmail();
    await queueMail(test.app.platform.pools.system, { recipient, subject: 'Hi', text: 'Text', html: '<p>Text</p>' });
    expect((await readMail(recipient)).company).toBeNull();
    await waitForQueue(test);
  });

  it('is listed newest first, in pages of 50, and can be filtered by status', async () => {
    await test.app.platform.pools.system.query(
      `insert into outbox_mails (id, recipient, subject, text_body, html_body, status, created_at)
        select gen_random_uuid(), 'p@example.com', 'Mail ' || number, '', '', case when number % 2 = 0 then 'failed' else 'kept' end,
          '2026-01-01'::timestamptz + make_interval(mins => number) from generate_series(1, 130) number`,
    );
    const first = await administrator.client.admin.mails({ status: 'failed' });
    const second = await administrator.client.admin.mails({ status: 'failed', cursor: first.next_cursor ?? '' });
    expect([...first.rows, ...second.rows].map(({ subject }) => subject)).toEqual(
      Array.from({ length: 65 }, (_, index) => `Mail ${130 - 2 * index}`),
    );
    expect([first.rows.length, second.next_cursor]).toEqual([50, null]);
    const mixed = administrator.client.admin.mails({ status: 'kept', cursor: first.next_cursor ?? '' });
    await expect(mixed).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('an outbox search', () => {
  const searchSubjects = async (search: string, status?: 'sent' | 'failed') =>
    (await administrator.client.admin.mails({ search, ...(status ? { status } : {}) })).rows.map(({ subject }) => subject);

  beforeAll(async () => {
    await attemptDelivery({ recipient: 'Rita@Search.example', subject: 'Invoice 100% paid' });
    await attemptDelivery({ recipient: 'sam@search.example', subject: 'Your quote' });
  });

  it('finds parts of recipients and subjects in any letter case, newest first', async () => {
    expect(await searchSubjects('search.EXAMPLE')).toEqual(['Your quote', 'Invoice 100% paid']);
    expect(await searchSubjects('rita invoice')).toEqual(['Invoice 100% paid']);
    expect(await searchSubjects('  QUOTE sam ')).toEqual(['Your quote']);
    expect(await searchSubjects('rita quote')).toEqual([]);
  });

  it('finds a company’s emails by the company’s name', async () => {
    const other = await createFirm(test, 'Zanzibar Drains');
    await runTenantTransaction(test.app.platform.pools.app, toTenant(other), (scope) =>
      queueMail(scope, { recipient: buildTestEmail(), subject: 'Zanzibar mail', text: '', html: '' }),
    );
    await waitForQueue(test);
    expect(await searchSubjects('zanzibar drains')).toEqual(['Zanzibar mail']);
    expect(await searchSubjects('drains sam')).toEqual([]);
  });

  it('ignores single letters and words after the eighth', async () => {
    expect(await searchSubjects('x invoice')).toEqual(['Invoice 100% paid']);
    const eight = 'rita search example invoice 100 paid inv voice';
    expect(await searchSubjects(`${eight} nowhere`)).toEqual(['Invoice 100% paid']);
    expect(await searchSubjects(`nowhere ${eight}`)).toEqual([]);
  });

  it('can be combined with a status filter and treats % and _ literally', async () => {
    expect(await searchSubjects('search.example', 'failed')).toEqual([]);
    expect(await searchSubjects('search.example', 'sent')).toHaveLength(2);
    expect(await searchSubjects('100%')).toEqual(['Invoice 100% paid']);
    expect(await searchSubjects('100_')).toEqual([]);
  });
});

describe('resending an email', () => {
  it('delivers a failed email once the mail server accepts it', async () => {
    rejectMails();
    const recipient = await attemptDelivery();
    await test.app.platform.pools.system.query(`update outbox_mails set status = 'failed' where recipient = $1`, [recipient]);
    mailbox.beforeAccept(() => undefined);
    await resendMail(await readMail(recipient, 'failed'));
    expect(await readMail(recipient, 'sent')).toMatchObject({ attempts: 2, last_error: null });
    expect(mailbox.listMailsTo(recipient)).toHaveLength(1);
  });

  it('delivers a sent email again with a new message id', async () => {
    const recipient = await attemptDelivery();
    await resendMail(await readMail(recipient));
    const identities = mailbox.listMailsTo(recipient).map(({ headers }) => headers.find((line) => /^message-id:/i.test(line)));
    expect(identities).toHaveLength(2);
    expect(new Set(identities).size).toBe(2);
  });

  it('delivers it only once despite repeated or concurrent clicks', async () => {
    const recipient = await attemptDelivery();
    const seen = await readMail(recipient);
    await Promise.all([resendMail(seen), resendMail(seen)]);
    await resendMail(seen);
    expect(mailbox.listMailsTo(recipient)).toHaveLength(2);
  });

  it('neither waits for a delivery in progress nor sends the email twice', async () => {
    const recipient = buildTestEmail();
    const resent = Promise.withResolvers<void>();
    mailbox.beforeAccept(() => resent.promise);
    await queueMail(test.app.platform.pools.system, { recipient, subject: 'Slow', text: 'Text', html: '<p>Text</p>' });
    const seen = await readMail(recipient);
    await expect.poll(async () => (await administrator.client.admin.queue()).running).toBe(1);
    await administrator.client.admin.sendMailAgain(seen);
    resent.resolve();
    await waitForQueue(test);
    expect(mailbox.listMailsTo(recipient)).toHaveLength(1);
  });

  it('keeps the text of a sent email hidden while the email waits to be sent again', async () => {
    const recipient = await attemptDelivery();
    rejectMails();
    await resendMail(await readMail(recipient));
    expect(await readMail(recipient, 'waiting')).toMatchObject({ attempts: 2, text: null });
  });

  it('is rejected if the secret link was deleted after sending', async () => {
    const recipient = await attemptDelivery({ hasSecretLink: true });
    const seen = await readMail(recipient, 'sent');
    expect(seen).toMatchObject({ text: null, can_send_again: false });
    await expect(resendMail(seen)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'The text of this email was deleted after sending. Please send a new one.',
    });
    expect(await readMail(recipient, 'sent')).toEqual(seen);
    expect(mailbox.listMailsTo(recipient)).toHaveLength(1);
  });

  it('delivers an unsent email with a secret link only once despite repeated clicks', async () => {
    rejectMails();
    const recipient = await attemptDelivery({ hasSecretLink: true });
    const seen = await readMail(recipient, 'waiting');
    expect(seen).toMatchObject({ text: 'Open http://localhost/secret', can_send_again: true });
    mailbox.beforeAccept(() => undefined);
    await resendMail(seen);
    await resendMail(seen);
    expect(mailbox.listMailsTo(recipient)).toMatchObject([{ text: 'Open http://localhost/secret' }]);
  });

  it('replaces the pending attempt, so that the email is queued only once', async () => {
    rejectMails();
    const recipient = await attemptDelivery();
    const seen = await readMail(recipient, 'waiting');
    const jobs = () => test.owner.query('select from graphile_worker.jobs where key = $1', [`send-mail ${seen.id}`]);
    await resendMail(seen);
    expect((await jobs()).rowCount).toBe(1);
    expect(await readMail(recipient, 'waiting')).toMatchObject({ attempts: 2 });
  });

  it('returns not found for an unknown email', async () => {
    const unknown = administrator.client.admin.sendMailAgain({ id: randomUUID(), attempts: 0 });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});

describe('queue health', () => {
  it('shows failing jobs with their error and next attempt, but not their payload', async () => {
    rejectMails();
    await attemptDelivery();
    const health = await administrator.client.admin.queue();
    expect(health).toMatchObject({ running: 0, failed: 0, sends_mail: true, oldest_waiting: expect.stringMatching(/Z$/) as string });
    expect(health.waiting).toBeGreaterThan(0);
    expect(health.errors[0]).toEqual({
      id: expect.any(String) as string,
      task: 'send-mail',
      attempts: 1,
      max_attempts: 25,
      last_error: expect.stringContaining('mailbox full') as string,
      next_attempt: expect.stringMatching(/Z$/) as string,
    });
  });

  it('shows failed jobs with a truncated error and without query parameters', async () => {
    const { owner } = test;
    await owner.query(
      `select graphile_worker.add_job('no-such-work', '{"email":"secret@example.com"}', run_at => now() + interval '1 day', max_attempts => 1)`,
    );
    const fail = (error: string) =>
      owner.query(
        `update graphile_worker._private_jobs set attempts = 1, last_error = $1, updated_at = now() + interval '1 hour' where max_attempts = 1`,
        [error],
      );
    await fail(`${'x'.repeat(600)} end`);
    const { failed, errors } = await administrator.client.admin.queue();
    expect({ failed, ...errors[0] }).toMatchObject({ failed: 1, task: 'no-such-work', next_attempt: null, last_error: 'x'.repeat(500) });
    await fail('Failed query: select queue_mail($1)\nparams: secret@example.com');
    expect(JSON.stringify(await administrator.client.admin.queue())).not.toContain('secret@example.com');
  });
});
