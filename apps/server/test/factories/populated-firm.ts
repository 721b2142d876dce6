import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { queueMail } from '../../src/platform/mail/outbox.sql.ts';
import { buildTestEmail, signIn, signUp } from '../accounts.ts';
import { withOwnerClient } from '../database.ts';
import type { Mailbox } from '../mailbox.ts';
import { postponeQueuedWork, waitForQueue } from '../queue.ts';
import { buildPng } from '../sample-files.ts';
import type { TestApp } from '../test-app.ts';
import { uploadFile } from '../upload.ts';
import { createFirm, type Firm } from './people.ts';
import { createSampleRecords } from './sample-records.ts';

export interface PopulatedFirm {
  readonly firm: Firm;
  /** An admin who signed up with a password, not through an invitation. */
  readonly owner: { readonly email: string; readonly password: string; readonly cookie: string };
  /** Values that occur only in this company's rows: the company's id, and the ids and email addresses of its people. */
  readonly traces: readonly string[];
}

/** Creates a company that has rows in every table, queued jobs, emails in the outbox, and files on disk. */
export async function createPopulatedFirm(test: TestApp, mailbox: Mailbox, name: string): Promise<PopulatedFirm> {
  const firm = await createFirm(test, name);
  const owner = await addOwner(test, firm);
  await createSampleRecords(test, firm);
  const logo = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const uploads = [
    await uploadFile(test, `/api/files/${randomUUID()}`, owner.cookie, 'leak.png', buildPng()),
    await uploadFile(test, '/api/company/logo', owner.cookie, 'logo.png', logo),
  ];
  for (const { statusCode, body } of uploads) if (statusCode >= 300) throw new Error(body);
  const newEmail = buildTestEmail();
  await requestMails(test, owner, newEmail);
  await waitForQueue(test);
  const unsentMailIds = await queueRejectedMail(test, mailbox, owner.email);
  await queueFutureWork(test, firm, owner.email);
  return { firm, owner, traces: [...unsentMailIds, ...(await listTraces(test, firm)), newEmail] };
}

async function addOwner(test: TestApp, { companyId }: Firm) {
  const account = await signUp(test);
  await test.app.platform.pools.system.query(
    `insert into staff_members (company_id, id, profile_id, name, email, role)
      select $1, gen_random_uuid(), id, name, email, 'admin' from users where email = $2`,
    [companyId, account.email],
  );
  return { ...account, cookie: await signIn(test, account.email, account.password) };
}

/** Requests emails for the owner. Leaves behind unused links and a failed sign-in attempt. */
async function requestMails(test: TestApp, owner: PopulatedFirm['owner'], newEmail: string): Promise<void> {
  await test
    .client()
    .auth.signIn({ email: owner.email, password: 'wrong' })
    .catch(() => undefined);
  await test.client().auth.requestPasswordReset({ email: owner.email });
  await test.client(owner.cookie).auth.requestEmailChange({ email: newEmail, current_password: owner.password });
}

/** Queues an email without a company, like one to a person who hasn't joined a company yet. The mail server rejects the email. */
async function queueRejectedMail(test: TestApp, mailbox: Mailbox, recipient: string): Promise<string[]> {
  mailbox.beforeAccept(() => {
    throw new Error('Mailbox full');
  });
  const { system } = test.app.platform.pools;
  await queueMail(system, { recipient, subject: 'Waiting', text: 'Text', html: '<p>Text</p>' });
  await waitForQueue(test);
  mailbox.beforeAccept(() => undefined);
  const { rows } = await system.query<{ id: string }>('select id from outbox_mails where company_id is null and recipient = $1', [
    recipient,
  ]);
  return rows.map(({ id }) => id);
}

async function queueFutureWork(test: TestApp, { companyId }: Firm, email: string): Promise<void> {
  await withOwnerClient(test.database, async (client) => {
    const later = { run_at: new Date(Date.now() + 60 * 60 * 1000).toISOString() };
    const add = 'select graphile_worker.add_job($1, $2, run_at => $3)';
    await client.query(add, ['send-password-reset', { email: email.toUpperCase() }, later.run_at]);
    await client.query(add, ['remove-file', { key: `${companyId}/${randomUUID()}` }, later.run_at]);
  });
  await postponeQueuedWork(test);
}

async function listTraces(test: TestApp, { companyId }: Firm): Promise<string[]> {
  const { rows } = await test.app.platform.pools.system.query<{ trace: string }>(
    `select $1::uuid::text as trace
      union select lower(email) from staff_members where company_id = $1
      union select profile_id::text from staff_members where company_id = $1 and profile_id is not null
      union select id::text from outbox_mails where company_id = $1`,
    [companyId],
  );
  return rows.map(({ trace }) => trace);
}
