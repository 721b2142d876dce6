import { ADMIN_PAGE_SIZE, mailNotFoundError, type OutboxMail } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import type pg from 'pg';
import { buildPage, decodeCursor, isInstantKey } from '../../platform/db/cursor.ts';
import { createFailure, toFailure } from '../../platform/errors/failures.ts';
import type { UnsentMail } from '../../platform/mail/outbox.sql.ts';
import { buildSearchPatterns, COMPANY_LABEL } from './registered-companies.sql.ts';

/** SQL condition: the text of the email `m` was deleted after sending, because it contained a secret link or was old. */
const IS_TEXT_DELETED = `m.text_body = ''`;

interface MailRow extends Omit<OutboxMail, 'created_at' | 'sent_at' | 'next_attempt'> {
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly next_attempt: Date | null;
  readonly sort_keys: string;
}

interface MailFilter {
  readonly status?: MailStatus | undefined;
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
}

/** SQL for the time of the next delivery attempt. Finds the email's queued job by the key that `queue_mail` assigned. */
const NEXT_ATTEMPT_AT = `case when m.status = 'waiting' and m.attempts > 0 then
    (select j.run_at from graphile_worker.jobs j where j.key = 'send-mail ' || m.id and j.locked_at is null) end`;

const MAX_MATCHING_COMPANIES = 200;

/** Runs as a separate query, so that PostgreSQL knows how many companies match and picks the right index for the emails. */
async function listMatchingCompanyIds(pool: pg.Pool, pattern: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    // Recently used companies come first, because the system administrator is most likely looking for one of them.
    `select c.company_id as id from companies c where lower(${COMPANY_LABEL}) like $1 order by c.last_active desc, c.company_id limit ${MAX_MATCHING_COMPANIES}`,
    [pattern],
  );
  return rows.map(({ id }) => id);
}

export async function listOutboxMails(pool: pg.Pool, { status, search = '', cursor }: MailFilter) {
  const order = `mails ${status ?? 'any'}`;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, order, [isInstantKey]);
  const searchTerms = await Promise.all(
    buildSearchPatterns(search).map(async (pattern) => ({ pattern, companies: await listMatchingCompanyIds(pool, pattern) })),
  );
  const values: unknown[] = [ADMIN_PAGE_SIZE + 1];
  const addParameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(status ? [`m.status = ${addParameter(status)}`] : []),
    ...searchTerms.map(
      ({ pattern, companies }) =>
        `(lower(m.recipient || ' ' || m.subject) like ${addParameter(pattern)} or m.company_id = any (${addParameter(companies)}::uuid[]))`,
    ),
    ...(after ? [`(m.created_at, m.id) < (${addParameter(after.keys[0])}::timestamptz, ${addParameter(after.id)}::uuid)`] : []),
  ];
  const { rows } = await pool.query<MailRow>(
    `select m.id, case when c.company_id is not null then ${COMPANY_LABEL} end as company, m.recipient, m.subject, m.status, m.attempts,
        m.last_error, m.created_at, m.sent_at, case when m.sent_at is null then m.text_body end as text, not (${IS_TEXT_DELETED}) as can_send_again,
        ${NEXT_ATTEMPT_AT} as next_attempt, json_build_array(m.created_at::text)::text as sort_keys
      from outbox_mails m left join companies c on c.company_id = m.company_id
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      order by m.created_at desc, m.id desc
      limit $1`,
    values,
  );
  return buildPage(rows.map(toOutboxMail), ADMIN_PAGE_SIZE, order);
}

function toOutboxMail({ created_at, sent_at, next_attempt, ...row }: MailRow): OutboxMail & { sort_keys: string } {
  const toInstant = (date: Date | null) => date?.toISOString() ?? null;
  return { ...row, created_at: created_at.toISOString(), sent_at: toInstant(sent_at), next_attempt: toInstant(next_attempt) };
}

/** Throws if the email doesn't exist, or if its text had already been deleted when the page listed it. */
export async function requireResendableMail(client: pg.PoolClient, id: string, attempts: number): Promise<void> {
  const { rows } = await client.query<{ is_text_deleted: boolean }>(
    `select ${IS_TEXT_DELETED} and m.attempts = $2 as is_text_deleted from outbox_mails m where m.id = $1`,
    [id, attempts],
  );
  if (!rows[0]) throw toFailure(mailNotFoundError);
  if (rows[0].is_text_deleted) throw createFailure('NOT_FOUND', 'The text of this email was deleted after sending. Please send a new one.');
}

/** Returns null if the email is being sent right now, or has been sent since the page listed it with `attempts` attempts. */
export async function requeueMail(client: pg.PoolClient, id: string, attempts: number) {
  const { rows } = await client.query<Pick<UnsentMail, 'id' | 'company_id' | 'report_task'>>(
    `with locked as (
        select m.id from outbox_mails m where m.id = $1 and not (${IS_TEXT_DELETED}) and (m.status <> 'sent' or m.attempts = $2) for update skip locked)
      update outbox_mails m set status = 'waiting', last_error = null, problem = null from locked where m.id = locked.id
      returning m.id, m.company_id, m.report_task`,
    [id, attempts],
  );
  return rows[0] ?? null;
}
