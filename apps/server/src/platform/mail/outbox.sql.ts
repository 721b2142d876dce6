import { randomUUID } from 'node:crypto';
import type { MailStatus } from '@callout/domain/mail/mail';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { type EffectContext, getCompanyId, getDatabase } from '../db/tenant-scope.ts';
import { queueTask } from '../queue/queue.sql.ts';
import type { Task } from '../queue/task.ts';
import type { MailAttachment } from './mail-attachment.ts';
import type { Mail, MailAddress } from './mail-layout.ts';

/** An email that is locked for sending. */
export interface UnsentMail {
  readonly id: string;
  readonly company_id: string | null;
  readonly recipient: string;
  readonly subject: string;
  readonly text_body: string;
  readonly html_body: string;
  readonly reply_to: MailAddress | null;
  readonly report_task: string | null;
  readonly attachment: MailAttachment | null;
  /** When the email was last sent, if it is being resent. */
  readonly sent_at: Date | null;
}

/** The payload of a task that follows up on an email by reading its current state. */
export interface MailReport {
  readonly mail_id: string;
  readonly company_id: string | null;
}

export interface QueuedMail extends Mail {
  /** Runs after every delivery attempt, and also when someone resends the email. */
  readonly reportTask?: Task<MailReport>;
  /** The file to attach, which is built when the email is delivered. */
  readonly attachment?: MailAttachment;
}

/**
 * Adds an email to the outbox in the caller's transaction, so that a rollback never sends it and a commit never loses it. The email is
 * deleted with its company. Returns the email's id.
 */
export async function queueMail(context: EffectContext, mail: QueuedMail, companyId = getCompanyId(context)): Promise<string> {
  const { recipient, subject, text, html, hasSecretLink = false, replyTo, reportTask, attachment } = mail;
  const id = randomUUID();
  await getDatabase(context).execute(
    sql`select queue_mail(${id}, ${companyId}, ${recipient}, ${subject}, ${text}, ${html}, ${hasSecretLink},
      ${replyTo ? JSON.stringify(replyTo) : null}::jsonb, ${reportTask?.name ?? null},
      ${attachment ? JSON.stringify(attachment) : null}::jsonb)`,
  );
  return id;
}

/** Locks the email for one worker. Returns null if another worker has locked it, or if it was sent, deleted or withdrawn. */
export async function lockUnsentMail(client: pg.PoolClient, id: string): Promise<UnsentMail | null> {
  const { rows } = await client.query<UnsentMail>(
    `select id, company_id, recipient, subject, text_body, html_body, reply_to, report_task, attachment, sent_at
      from outbox_mails where id = $1 and status <> 'sent' for update skip locked`,
    [id],
  );
  const [mail] = rows;
  if (!mail) return null;
  if (!(await deleteMailIfWithdrawn(client, id))) return mail;
  await queueMailReport(client, mail);
  return null;
}

/** Deletes the email if it was withdrawn. Returns false if the email should still be sent. */
export async function deleteMailIfWithdrawn(client: pg.PoolClient, id: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from outbox_mails where id = $1 and is_mail_withdrawn(id)', [id]);
  return rowCount !== 0;
}

/** Marks the email as sent, and deletes its text if it contains a secret link. */
export async function markMailSent(client: pg.PoolClient, id: string): Promise<void> {
  await client.query(
    `update outbox_mails set status = 'sent', sent_at = now(), attempts = attempts + 1, last_error = null, problem = null,
        text_body = case when secret then '' else text_body end, html_body = case when secret then '' else html_body end
      where id = $1`,
    [id],
  );
}

const TEXTS_PER_BATCH = 1000;

/** Deletes the texts of emails that were sent more than `days` ago. Their other columns stay, as a record of what was sent. */
export async function deleteOldMailTexts(pool: pg.Pool, days: number): Promise<void> {
  let deleted: number | null;
  do {
    ({ rowCount: deleted } = await pool.query(
      // Checks the status again, because the email may have been queued again since it was selected.
      `update outbox_mails set text_body = '', html_body = '' where status = 'sent' and id in (
          select id from outbox_mails where status = 'sent' and text_body <> '' and sent_at < now() - make_interval(days => $1) limit ${TEXTS_PER_BATCH})`,
      [days],
    ));
  } while (deleted === TEXTS_PER_BATCH);
}

/** The outbox is never emptied, so that counting all of it could take long. */
const MAX_COUNTED_MAILS = 10_000;

/** Counts the emails that weren't sent, up to `MAX_COUNTED_MAILS` of each kind. */
export async function countUnsentMails(pool: pg.Pool): Promise<{ status: Exclude<MailStatus, 'sent'>; count: number }[]> {
  const { rows } = await pool.query<{ status: Exclude<MailStatus, 'sent'>; count: number }>(
    `select status, (select count(*) from (select from outbox_mails m where m.status = s.status limit ${MAX_COUNTED_MAILS}) as counted)::int as count
      from unnest(array['waiting', 'failed', 'kept']) as s (status)`,
  );
  return rows;
}

export async function markMailKept(client: pg.PoolClient, id: string): Promise<void> {
  await client.query(`update outbox_mails set status = 'kept' where id = $1`, [id]);
}

export interface MailFailure {
  readonly error: Error;
  /** The error in plain language, for the person who sent the email. */
  readonly problem: string;
  readonly willRetry: boolean;
}

export async function markMailFailed(client: pg.PoolClient, id: string, { error, problem, willRetry }: MailFailure): Promise<void> {
  await client.query(
    `update outbox_mails set status = case when $3 then 'waiting' else 'failed' end, attempts = attempts + 1, last_error = $2, problem = $4
      where id = $1`,
    [id, error.message, willRetry, problem],
  );
}

/** Queues the task that follows up on the email, if any. Call this after every change to the email's state. */
export async function queueMailReport(
  client: pg.PoolClient,
  { id, company_id, report_task }: Pick<UnsentMail, 'id' | 'company_id' | 'report_task'>,
): Promise<void> {
  const report: MailReport = { mail_id: id, company_id };
  if (report_task) await queueTask(client, report_task, report);
}

export async function findMailState(pool: pg.Pool, id: string): Promise<{ status: MailStatus; problem: string | null } | null> {
  const { rows } = await pool.query<{ status: MailStatus; problem: string | null }>(
    'select status, problem from outbox_mails where id = $1',
    [id],
  );
  return rows[0] ?? null;
}
