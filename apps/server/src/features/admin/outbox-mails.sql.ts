import { ADMIN_PAGE_SIZE, mailNotFound, type OutboxMail } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import type pg from 'pg';
import { isInstantKey, pageOf, readCursor } from '../../platform/db/cursor.ts';
import { failure, failureOf } from '../../platform/errors/failures.ts';
import { LABEL } from './registered-companies.sql.ts';

/** Condition on a mail `m`: its text was deleted with its secret link when it was sent. */
const IS_LINK_REMOVED = 'm.secret and m.sent_at is not null';

interface MailRow extends Omit<OutboxMail, 'created_at' | 'sent_at'> {
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly sort_keys: string;
}

interface MailFilter {
  readonly status?: MailStatus | undefined;
  readonly cursor?: string | undefined;
}

export async function listMails(pool: pg.Pool, { status, cursor }: MailFilter) {
  const order = `mails ${status ?? 'any'}`;
  const after = cursor === undefined ? undefined : readCursor(cursor, order, [isInstantKey]);
  const values: unknown[] = [ADMIN_PAGE_SIZE + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(status ? [`m.status = ${place(status)}`] : []),
    ...(after ? [`(m.created_at, m.id) < (${place(after.keys[0])}::timestamptz, ${place(after.id)}::uuid)`] : []),
  ];
  const { rows } = await pool.query<MailRow>(
    `select m.id, case when c.company_id is not null then ${LABEL} end as company, m.recipient, m.subject, m.status, m.attempts,
        m.last_error, m.created_at, m.sent_at, case when m.sent_at is null then m.text_body end as text, not (${IS_LINK_REMOVED}) as can_send_again,
        json_build_array(m.created_at::text)::text as sort_keys
      from outbox_mails m left join companies c on c.company_id = m.company_id
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      order by m.created_at desc, m.id desc
      limit $1`,
    values,
  );
  return pageOf(rows.map(presented), ADMIN_PAGE_SIZE, order);
}

function presented({ created_at, sent_at, ...row }: MailRow): OutboxMail & { sort_keys: string } {
  return { ...row, created_at: created_at.toISOString(), sent_at: sent_at?.toISOString() ?? null };
}

/** Refused when there is no such mail, or when it was listed as one that had been sent with its secret link, which is no longer kept. */
export async function requireSendable(client: pg.PoolClient, id: string, attempts: number): Promise<void> {
  const { rows } = await client.query<{ spent: boolean }>(
    `select ${IS_LINK_REMOVED} and m.attempts = $2 as spent from outbox_mails m where m.id = $1`,
    [id, attempts],
  );
  if (!rows[0]) throw failureOf(mailNotFound);
  if (rows[0].spent) throw failure('NOT_FOUND', 'The link of this mail is no longer kept. Ask for a new one.');
}

/** False when it was sent since it was listed with this number of attempts, or is being sent right now. */
export async function markWaiting(client: pg.PoolClient, id: string, attempts: number): Promise<boolean> {
  const { rows } = await client.query(
    `with held as (
        select m.id from outbox_mails m where m.id = $1 and not (${IS_LINK_REMOVED}) and (m.status <> 'sent' or m.attempts = $2) for update skip locked)
      update outbox_mails m set status = 'waiting', last_error = null, problem = null from held where m.id = held.id returning m.id`,
    [id, attempts],
  );
  return rows.length > 0;
}
