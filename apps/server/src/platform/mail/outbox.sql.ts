import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { companyOf, databaseOf, type EffectContext } from '../db/tenant-scope.ts';
import type { Mail } from './mail-layout.ts';

/** A mail that is being sent. */
export interface HeldMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text_body: string;
  readonly html_body: string;
  /** When it went out before, if it is sent again. */
  readonly sent_at: Date | null;
}

/**
 * Adds a mail to the outbox in the caller's transaction: no mail for what was rolled back, none lost for what was
 * committed. It is deleted with its company. Returns its id.
 */
export async function queueMail(context: EffectContext, mail: Mail, companyId = companyOf(context)): Promise<string> {
  const { recipient, subject, text, html, secret = false } = mail;
  const id = randomUUID();
  await databaseOf(context).execute(sql`select queue_mail(${id}, ${companyId}, ${recipient}, ${subject}, ${text}, ${html}, ${secret})`);
  return id;
}

/** Locks the mail so that no other worker sends it too; null when it was already sent or deleted. */
export async function holdWaitingMail(client: pg.PoolClient, id: string): Promise<HeldMail | null> {
  const { rows } = await client.query<HeldMail>(
    `select id, recipient, subject, text_body, html_body, sent_at from outbox_mails where id = $1 and status <> 'sent' for update skip locked`,
    [id],
  );
  return rows[0] ?? null;
}

/** Also deletes the text of a mail with a secret link. */
export async function markSent(client: pg.PoolClient, id: string): Promise<void> {
  await client.query(
    `update outbox_mails set status = 'sent', sent_at = now(), attempts = attempts + 1, last_error = null,
        text_body = case when secret then '' else text_body end, html_body = case when secret then '' else html_body end
      where id = $1`,
    [id],
  );
}

export async function markKept(client: pg.PoolClient, id: string): Promise<void> {
  await client.query(`update outbox_mails set status = 'kept' where id = $1`, [id]);
}

export async function markFailed(client: pg.PoolClient, id: string, reason: string, willRetry: boolean): Promise<void> {
  await client.query(
    `update outbox_mails set status = case when $3 then 'waiting' else 'failed' end, attempts = attempts + 1, last_error = $2 where id = $1`,
    [id, reason, willRetry],
  );
}
