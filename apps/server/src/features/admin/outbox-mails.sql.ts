import { ADMIN_PAGE_SIZE, type MailStatus, type OutboxMail } from '@callout/contract/admin';
import type pg from 'pg';
import { isInstantKey, pageOf, readCursor } from '../../platform/db/cursor.ts';
import { LABEL } from './registered-companies.sql.ts';

interface MailRow extends Omit<OutboxMail, 'created_at' | 'sent_at'> {
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly sort_key: string;
}

interface MailFilter {
  readonly status?: MailStatus | undefined;
  readonly cursor?: string | undefined;
}

export async function listMails(pool: pg.Pool, { status, cursor }: MailFilter) {
  const order = `mails ${status ?? 'any'}`;
  const after = cursor === undefined ? undefined : readCursor(cursor, order, isInstantKey);
  const values: unknown[] = [ADMIN_PAGE_SIZE + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(status ? [`m.status = ${place(status)}`] : []),
    ...(after ? [`(m.created_at, m.id) < (${place(after.key)}::timestamptz, ${place(after.id)}::uuid)`] : []),
  ];
  const { rows } = await pool.query<MailRow>(
    `select m.id, case when c.company_id is not null then ${LABEL} end as company, m.recipient, m.subject, m.status, m.attempts,
        m.last_error, m.created_at, m.sent_at, case when m.status <> 'sent' then m.text_body end as text, m.created_at::text as sort_key
      from outbox_mails m left join companies c on c.company_id = m.company_id
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      order by m.created_at desc, m.id desc
      limit $1`,
    values,
  );
  return pageOf(rows.map(presented), ADMIN_PAGE_SIZE, order);
}

function presented({ created_at, sent_at, ...row }: MailRow): OutboxMail & { sort_key: string } {
  return { ...row, created_at: created_at.toISOString(), sent_at: sent_at?.toISOString() ?? null };
}

export async function mailExists(client: pg.PoolClient, id: string): Promise<boolean> {
  const { rows } = await client.query('select from outbox_mails where id = $1', [id]);
  return rows.length > 0;
}

/** False when it went out since it was seen with these attempts, or is going out at this moment. */
export async function markWaiting(client: pg.PoolClient, id: string, attempts: number): Promise<boolean> {
  const { rows } = await client.query(
    `with held as (
        select id from outbox_mails where id = $1 and (status <> 'sent' or attempts = $2) for update skip locked)
      update outbox_mails m set status = 'waiting', last_error = null from held where m.id = held.id returning m.id`,
    [id, attempts],
  );
  return rows.length > 0;
}
