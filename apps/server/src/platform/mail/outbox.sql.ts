import { randomUUID } from 'node:crypto';
import type { MailStatus } from '@callout/domain/mail/mail';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { companyOf, databaseOf, type EffectContext } from '../db/tenant-scope.ts';
import { queueWork } from '../queue/queue.sql.ts';
import type { Task } from '../queue/task.ts';
import type { MailAttachment } from './mail-attachment.ts';
import type { Mail, MailAddress } from './mail-layout.ts';

/** A mail that is being sent. */
export interface HeldMail {
  readonly id: string;
  readonly company_id: string | null;
  readonly recipient: string;
  readonly subject: string;
  readonly text_body: string;
  readonly html_body: string;
  readonly reply_to: MailAddress | null;
  readonly report_task: string | null;
  readonly attachment: MailAttachment | null;
  /** When it went out before, if it is sent again. */
  readonly sent_at: Date | null;
}

/** The payload of a task that follows a mail; it reads the mail's state itself. */
export interface MailReport {
  readonly mail_id: string;
  readonly company_id: string | null;
}

export interface QueuedMail extends Mail {
  /** Runs after every attempt to send the mail, and when it is sent again. */
  readonly report?: Task<MailReport>;
  /** Made when the mail is delivered. */
  readonly attachment?: MailAttachment;
}

/**
 * Adds a mail to the outbox in the caller's transaction: no mail for what was rolled back, none lost for what was
 * committed. It is deleted with its company. Returns its id.
 */
export async function queueMail(context: EffectContext, mail: QueuedMail, companyId = companyOf(context)): Promise<string> {
  const { recipient, subject, text, html, secret = false, replyTo, report, attachment } = mail;
  const id = randomUUID();
  await databaseOf(context).execute(
    sql`select queue_mail(${id}, ${companyId}, ${recipient}, ${subject}, ${text}, ${html}, ${secret},
      ${replyTo ? JSON.stringify(replyTo) : null}::jsonb, ${report?.name ?? null},
      ${attachment ? JSON.stringify(attachment) : null}::jsonb)`,
  );
  return id;
}

/** Locks the mail so that no other worker sends it too; null when it was already sent, deleted, or withdrawn during an earlier attempt. */
export async function holdWaitingMail(client: pg.PoolClient, id: string): Promise<HeldMail | null> {
  const { rows } = await client.query<HeldMail>(
    `select id, company_id, recipient, subject, text_body, html_body, reply_to, report_task, attachment, sent_at
      from outbox_mails where id = $1 and status <> 'sent' for update skip locked`,
    [id],
  );
  const [mail] = rows;
  if (!mail) return null;
  if (!(await deleteWithdrawn(client, id))) return mail;
  await reportMail(client, mail);
  return null;
}

/** False when the mail is still to be sent. */
export async function deleteWithdrawn(client: pg.PoolClient, id: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from outbox_mails where id = $1 and is_mail_withdrawn(id)', [id]);
  return rowCount !== 0;
}

/** Also deletes the text of a mail with a secret link. */
export async function markSent(client: pg.PoolClient, id: string): Promise<void> {
  await client.query(
    `update outbox_mails set status = 'sent', sent_at = now(), attempts = attempts + 1, last_error = null, problem = null,
        text_body = case when secret then '' else text_body end, html_body = case when secret then '' else html_body end
      where id = $1`,
    [id],
  );
}

export async function markKept(client: pg.PoolClient, id: string): Promise<void> {
  await client.query(`update outbox_mails set status = 'kept' where id = $1`, [id]);
}

export interface MailFailure {
  readonly error: Error;
  /** The same in plain words, for the person who caused the mail. */
  readonly problem: string;
  readonly willRetry: boolean;
}

export async function markFailed(client: pg.PoolClient, id: string, { error, problem, willRetry }: MailFailure): Promise<void> {
  await client.query(
    `update outbox_mails set status = case when $3 then 'waiting' else 'failed' end, attempts = attempts + 1, last_error = $2, problem = $4
      where id = $1`,
    [id, error.message, willRetry, problem],
  );
}

/** After every change of the mail's state: runs the task that follows it, if any. */
export async function reportMail(
  client: pg.PoolClient,
  { id, company_id, report_task }: Pick<HeldMail, 'id' | 'company_id' | 'report_task'>,
): Promise<void> {
  const report: MailReport = { mail_id: id, company_id };
  if (report_task) await queueWork(client, report_task, report);
}

export async function readMailState(pool: pg.Pool, id: string): Promise<{ status: MailStatus; problem: string | null } | null> {
  const { rows } = await pool.query<{ status: MailStatus; problem: string | null }>(
    'select status, problem from outbox_mails where id = $1',
    [id],
  );
  return rows[0] ?? null;
}
