import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { queueMail } from '../../src/platform/mail/outbox.sql.ts';
import { signIn, signUp, uniqueEmail } from '../accounts.ts';
import { withOwner } from '../database.ts';
import type { Mailbox } from '../mailbox.ts';
import { postponeWork, waitForQueue } from '../queue.ts';
import { png } from '../sample-files.ts';
import { createRecords } from '../samples.ts';
import type { TestApp } from '../test-app.ts';
import { uploadTo } from '../upload.ts';
import { createFirm, type Firm } from './people.ts';

export interface FurnishedFirm {
  readonly firm: Firm;
  /** Someone who signed up themselves. */
  readonly owner: { readonly email: string; readonly password: string; readonly cookie: string };
  /** Values that occur only in this company's rows: its id, its people's ids and emails, the ids of its mails. */
  readonly traces: readonly string[];
}

/** A company with rows in every table, the queue and the outbox, and files on disk. */
export async function furnishFirm(test: TestApp, mailbox: Mailbox, name: string): Promise<FurnishedFirm> {
  const firm = await createFirm(test, name);
  const owner = await hireOwner(test, firm);
  await createRecords(test, firm);
  const logo = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const uploads = [
    await uploadTo(test, `/api/files/${randomUUID()}`, owner.cookie, 'leak.png', png()),
    await uploadTo(test, '/api/company/logo', owner.cookie, 'logo.png', logo),
  ];
  for (const { statusCode, body } of uploads) if (statusCode >= 300) throw new Error(body);
  const newEmail = uniqueEmail();
  await askForMails(test, owner, newEmail);
  await waitForQueue(test);
  const unsent = await leaveMailsWaiting(test, mailbox, owner.email);
  await leaveWorkWaiting(test, firm, owner.email);
  return { firm, owner, traces: [...unsent, ...(await tracesOf(test, firm)), newEmail] };
}

async function hireOwner(test: TestApp, { companyId }: Firm) {
  const account = await signUp(test);
  await test.app.platform.pools.system.query(
    `insert into staff_members (company_id, id, profile_id, name, email, role)
      select $1, gen_random_uuid(), id, name, email, 'admin' from users where email = $2`,
    [companyId, account.email],
  );
  return { ...account, cookie: await signIn(test, account.email, account.password) };
}

/** Also leaves open links and counted attempts behind. */
async function askForMails(test: TestApp, owner: FurnishedFirm['owner'], newEmail: string): Promise<void> {
  await test
    .client()
    .auth.signIn({ email: owner.email, password: 'wrong' })
    .catch(() => undefined);
  await test.client().auth.requestPasswordReset({ email: owner.email });
  await test.client(owner.cookie).auth.requestEmailChange({ email: newEmail, current_password: owner.password });
}

/** As if mailed to someone before they had a company. */
async function leaveMailsWaiting(test: TestApp, mailbox: Mailbox, recipient: string): Promise<string[]> {
  mailbox.beforeTaking(() => {
    throw new Error('mailbox full');
  });
  const { system } = test.app.platform.pools;
  await queueMail(system, { recipient, subject: 'Waiting', text: 'Text', html: '<p>Text</p>' });
  await waitForQueue(test);
  mailbox.beforeTaking(() => undefined);
  const { rows } = await system.query<{ id: string }>('select id from outbox_mails where company_id is null and recipient = $1', [
    recipient,
  ]);
  return rows.map(({ id }) => id);
}

async function leaveWorkWaiting(test: TestApp, { companyId }: Firm, email: string): Promise<void> {
  await withOwner(test.database, async (client) => {
    const later = { run_at: new Date(Date.now() + 60 * 60 * 1000).toISOString() };
    const add = 'select graphile_worker.add_job($1, $2, run_at => $3)';
    await client.query(add, ['send-password-reset', { email: email.toUpperCase() }, later.run_at]);
    await client.query(add, ['remove-file', { key: `${companyId}/${randomUUID()}` }, later.run_at]);
  });
  await postponeWork(test);
}

async function tracesOf(test: TestApp, { companyId }: Firm): Promise<string[]> {
  const { rows } = await test.app.platform.pools.system.query<{ trace: string }>(
    `select $1::uuid::text as trace
      union select lower(email) from staff_members where company_id = $1
      union select profile_id::text from staff_members where company_id = $1 and profile_id is not null
      union select id::text from outbox_mails where company_id = $1`,
    [companyId],
  );
  return rows.map(({ trace }) => trace);
}
