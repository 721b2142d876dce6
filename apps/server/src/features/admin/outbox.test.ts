import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { startAdministeredApp } from '../../../test/factories/administrator.ts';
import { createFirm, type Firm, type Person, tenantOf } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { postponeWork, waitForQueue } from '../../../test/queue.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import type { Mail } from '../../platform/mail/mail-layout.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAdministeredApp(mailbox.environment));
  firm = await createFirm(test, 'Tane Plumbing');
  return () => mailbox.stop();
});

beforeEach(() => mailbox.beforeTaking(() => undefined));

const refuseMails = () =>
  mailbox.beforeTaking(() => {
    throw new Error('mailbox full');
  });

/** A mail of the company after one delivery attempt. */
async function mailed(over: Partial<Mail> = {}): Promise<string> {
  const recipient = uniqueEmail();
  const mail = { recipient, subject: 'Hello', text: 'Open http://localhost/secret', html: '<p>Text</p>', ...over };
  await changeAs(test.app.platform.pools.app, tenantOf(firm), (scope) => queueMail(scope, mail));
  await waitForQueue(test);
  await postponeWork(test);
  return recipient;
}

async function shown(recipient: string, status?: 'waiting' | 'sent' | 'failed' | 'kept') {
  const { rows } = await administrator.client.admin.mails(status ? { status } : {});
  const mail = rows.find((row) => row.recipient === recipient);
  if (!mail) throw new Error(`No mail to ${recipient}`);
  return mail;
}

async function sendAgain({ id, attempts }: { id: string; attempts: number }): Promise<void> {
  await administrator.client.admin.sendMailAgain({ id, attempts });
  await waitForQueue(test);
}

describe('a mail in the outbox', () => {
  it('shows the recipient of a sent mail but not its links', async () => {
    const recipient = await mailed();
    expect(await shown(recipient, 'sent')).toEqual({
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

  it('shows the error and text of a mail that was not sent', async () => {
    refuseMails();
    const recipient = await mailed();
    expect(await shown(recipient, 'waiting')).toMatchObject({
      attempts: 1,
      last_error: expect.stringContaining('mailbox full') as string,
      sent_at: null,
      text: 'Open http://localhost/secret',
      can_send_again: true,
      next_attempt: expect.stringMatching(/Z$/) as string,
    });
    await expect(shown(recipient, 'sent')).rejects.toThrow('No mail');
  });

  it('shows no next attempt while an attempt is running', async () => {
    refuseMails();
    const recipient = await mailed();
    const held = Promise.withResolvers<void>();
    mailbox.beforeTaking(() => held.promise);
    await administrator.client.admin.sendMailAgain(await shown(recipient));
    await expect.poll(() => shown(recipient), { timeout: 10_000 }).toMatchObject({ status: 'waiting', attempts: 1, next_attempt: null });
    held.resolve();
    await waitForQueue(test);
    expect(await shown(recipient)).toMatchObject({ status: 'sent' });
  });

  it('shows no company for a mail that belongs to none', async () => {
    const recipient = uniqueEmail();
    await queueMail(test.app.platform.pools.system, { recipient, subject: 'Hi', text: 'Text', html: '<p>Text</p>' });
    expect((await shown(recipient)).company).toBeNull();
    await waitForQueue(test);
  });

  it('is listed 50 per page, newest first, and filtered by status', async () => {
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

describe('a search in the outbox', () => {
  const find = async (search: string, status?: 'sent' | 'failed') =>
    (await administrator.client.admin.mails({ search, ...(status ? { status } : {}) })).rows.map(({ subject }) => subject);

  beforeAll(async () => {
    await mailed({ recipient: 'Rita@Search.example', subject: 'Invoice 100% paid' });
    await mailed({ recipient: 'sam@search.example', subject: 'Your quote' });
  });

  it('finds parts of recipients and subjects in any case, newest first', async () => {
    expect(await find('search.EXAMPLE')).toEqual(['Your quote', 'Invoice 100% paid']);
    expect(await find('rita invoice')).toEqual(['Invoice 100% paid']);
    expect(await find('  QUOTE sam ')).toEqual(['Your quote']);
    expect(await find('rita quote')).toEqual([]);
  });

  it('finds the mails of a company by its name', async () => {
    const other = await createFirm(test, 'Zanzibar Drains');
    await changeAs(test.app.platform.pools.app, tenantOf(other), (scope) =>
      queueMail(scope, { recipient: uniqueEmail(), subject: 'Of Zanzibar', text: '', html: '' }),
    );
    await waitForQueue(test);
    expect(await find('zanzibar drains')).toEqual(['Of Zanzibar']);
    expect(await find('drains sam')).toEqual([]);
  });

  it('ignores single letters, and words after the eighth', async () => {
    expect(await find('x invoice')).toEqual(['Invoice 100% paid']);
    const eight = 'rita search example invoice 100 paid inv voice';
    expect(await find(`${eight} nowhere`)).toEqual(['Invoice 100% paid']);
    expect(await find(`nowhere ${eight}`)).toEqual([]);
  });

  it('combines with a status, and takes % and _ literally', async () => {
    expect(await find('search.example', 'failed')).toEqual([]);
    expect(await find('search.example', 'sent')).toHaveLength(2);
    expect(await find('100%')).toEqual(['Invoice 100% paid']);
    expect(await find('100_')).toEqual([]);
  });
});

describe('sending again', () => {
  it('sends what failed, once the mail server takes it', async () => {
    refuseMails();
    const recipient = await mailed();
    await test.app.platform.pools.system.query(`update outbox_mails set status = 'failed' where recipient = $1`, [recipient]);
    mailbox.beforeTaking(() => undefined);
    await sendAgain(await shown(recipient, 'failed'));
    expect(await shown(recipient, 'sent')).toMatchObject({ attempts: 2, last_error: null });
    expect(mailbox.mailsTo(recipient)).toHaveLength(1);
  });

  it('delivers a sent mail again under a new message id', async () => {
    const recipient = await mailed();
    await sendAgain(await shown(recipient));
    const identities = mailbox.mailsTo(recipient).map(({ headers }) => headers.find((line) => /^message-id:/i.test(line)));
    expect(identities).toHaveLength(2);
    expect(new Set(identities).size).toBe(2);
  });

  it('delivers it only once when pressed twice, at once or in a row', async () => {
    const recipient = await mailed();
    const seen = await shown(recipient);
    await Promise.all([sendAgain(seen), sendAgain(seen)]);
    await sendAgain(seen);
    expect(mailbox.mailsTo(recipient)).toHaveLength(2);
  });

  it('sends a mail that is being delivered only once, without waiting', async () => {
    const recipient = uniqueEmail();
    const pressed = Promise.withResolvers<void>();
    mailbox.beforeTaking(() => pressed.promise);
    await queueMail(test.app.platform.pools.system, { recipient, subject: 'Slow', text: 'Text', html: '<p>Text</p>' });
    const seen = await shown(recipient);
    await expect.poll(async () => (await administrator.client.admin.queue()).running).toBe(1);
    await administrator.client.admin.sendMailAgain(seen);
    pressed.resolve();
    await waitForQueue(test);
    expect(mailbox.mailsTo(recipient)).toHaveLength(1);
  });

  it('reveals no links of a sent mail, even while it waits', async () => {
    const recipient = await mailed();
    refuseMails();
    await sendAgain(await shown(recipient));
    expect(await shown(recipient, 'waiting')).toMatchObject({ attempts: 2, text: null });
  });

  it('refuses a sent mail with a secret link, because the link is not kept', async () => {
    const recipient = await mailed({ secret: true });
    const seen = await shown(recipient, 'sent');
    expect(seen).toMatchObject({ text: null, can_send_again: false });
    await expect(sendAgain(seen)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'The link of this mail is no longer kept. Ask for a new one.',
    });
    expect(await shown(recipient, 'sent')).toEqual(seen);
    expect(mailbox.mailsTo(recipient)).toHaveLength(1);
  });

  it('delivers an unsent mail with a secret link, however often it is pressed', async () => {
    refuseMails();
    const recipient = await mailed({ secret: true });
    const seen = await shown(recipient, 'waiting');
    expect(seen).toMatchObject({ text: 'Open http://localhost/secret', can_send_again: true });
    mailbox.beforeTaking(() => undefined);
    await sendAgain(seen);
    await sendAgain(seen);
    expect(mailbox.mailsTo(recipient)).toMatchObject([{ text: 'Open http://localhost/secret' }]);
  });

  it('replaces the attempt that was waiting, so that a mail is in the queue once', async () => {
    refuseMails();
    const recipient = await mailed();
    const seen = await shown(recipient, 'waiting');
    const jobs = () => test.owner.query('select from graphile_worker.jobs where key = $1', [`send-mail ${seen.id}`]);
    await sendAgain(seen);
    expect((await jobs()).rowCount).toBe(1);
    expect(await shown(recipient, 'waiting')).toMatchObject({ attempts: 2 });
  });

  it('of a mail that is not there answers so', async () => {
    const unknown = administrator.client.admin.sendMailAgain({ id: randomUUID(), attempts: 0 });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});

describe("the queue's health", () => {
  it('shows failed jobs with their error and next attempt, but not their content', async () => {
    refuseMails();
    await mailed();
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

  it('shows jobs that were given up, with a shortened error and without query values', async () => {
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
