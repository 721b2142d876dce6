import { ADMIN_PAGE_SIZE, mailNotFound, type OutboxMail } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import type pg from 'pg';
import { isInstantKey, pageOf, readCursor } from '../../platform/db/cursor.ts';
import { escapeLike } from '../../platform/db/ranked-search.ts';
import { failure, failureOf } from '../../platform/errors/failures.ts';
import type { HeldMail } from '../../platform/mail/outbox.sql.ts';
import { LABEL } from './registered-companies.sql.ts';

/** Condition on a mail `m`: its text was deleted with its secret link when it was sent. */
const IS_LINK_REMOVED = 'm.secret and m.sent_at is not null';

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

/** As `queue_mail` keys its job. */
const NEXT_ATTEMPT = `case when m.status = 'waiting' and m.attempts > 0 then
    (select j.run_at from graphile_worker.jobs j where j.key = 'send-mail ' || m.id and j.locked_at is null) end`;

const MAX_WORDS = 8;
/** A single letter occurs in almost every mail. */
const MIN_LETTERS = 2;
const MAX_COMPANIES = 200;

/** A pattern for each word of a search, all of which must occur. */
function patternsOf(search: string): string[] {
  const words = search.toLowerCase().split(/\s+/u);
  const searched = words.filter((word) => word.length >= MIN_LETTERS).slice(0, MAX_WORDS);
  return searched.map((word) => `%${escapeLike(word)}%`);
}

/** Read before the mails: only with their number known does PostgreSQL choose between the indexes well. */
async function findCompanies(pool: pg.Pool, pattern: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    // Those used last: an administrator who searches for a company means one of them.
    `select c.company_id as id from companies c where lower(${LABEL}) like $1 order by c.last_active desc, c.company_id limit ${MAX_COMPANIES}`,
    [pattern],
  );
  return rows.map(({ id }) => id);
}

export async function listMails(pool: pg.Pool, { status, search = '', cursor }: MailFilter) {
  const order = `mails ${status ?? 'any'}`;
  const after = cursor === undefined ? undefined : readCursor(cursor, order, [isInstantKey]);
  const words = await Promise.all(patternsOf(search).map(async (pattern) => ({ pattern, companies: await findCompanies(pool, pattern) })));
  const values: unknown[] = [ADMIN_PAGE_SIZE + 1];
  const attach = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    ...(status ? [`m.status = ${attach(status)}`] : []),
    ...words.map(
      ({ pattern, companies }) =>
        `(lower(m.recipient || ' ' || m.subject) like ${attach(pattern)} or m.company_id = any (${attach(companies)}::uuid[]))`,
    ),
    ...(after ? [`(m.created_at, m.id) < (${attach(after.keys[0])}::timestamptz, ${attach(after.id)}::uuid)`] : []),
  ];
  const { rows } = await pool.query<MailRow>(
    `select m.id, case when c.company_id is not null then ${LABEL} end as company, m.recipient, m.subject, m.status, m.attempts,
        m.last_error, m.created_at, m.sent_at, case when m.sent_at is null then m.text_body end as text, not (${IS_LINK_REMOVED}) as can_send_again,
        ${NEXT_ATTEMPT} as next_attempt, json_build_array(m.created_at::text)::text as sort_keys
      from outbox_mails m left join companies c on c.company_id = m.company_id
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      order by m.created_at desc, m.id desc
      limit $1`,
    values,
  );
  return pageOf(rows.map(presented), ADMIN_PAGE_SIZE, order);
}

function presented({ created_at, sent_at, next_attempt, ...row }: MailRow): OutboxMail & { sort_keys: string } {
  const toInstant = (date: Date | null) => date?.toISOString() ?? null;
  return { ...row, created_at: created_at.toISOString(), sent_at: toInstant(sent_at), next_attempt: toInstant(next_attempt) };
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

/** Null when it was sent since it was listed with this number of attempts, or is being sent right now. */
export async function markWaiting(client: pg.PoolClient, id: string, attempts: number) {
  const { rows } = await client.query<Pick<HeldMail, 'id' | 'company_id' | 'report_task'>>(
    `with held as (
        select m.id from outbox_mails m where m.id = $1 and not (${IS_LINK_REMOVED}) and (m.status <> 'sent' or m.attempts = $2) for update skip locked)
      update outbox_mails m set status = 'waiting', last_error = null, problem = null from held where m.id = held.id
      returning m.id, m.company_id, m.report_task`,
    [id, attempts],
  );
  return rows[0] ?? null;
}
