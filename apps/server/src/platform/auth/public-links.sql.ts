import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type pg from 'pg';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant, TenantScope } from '../db/tenant-scope.ts';
import { buildCountAttemptSql, type CountedAttempt, type RateLimit, toAttemptCount } from '../limits/rate-limit.sql.ts';
import { public_links } from './auth.table.ts';

/** 128 random bits make a token infeasible to guess. */
const TOKEN_BYTES = 16;
const TOKEN_PATTERN = /^[\w-]{22}$/;

/** A record with a public page, such as a quote or an invoice. */
export interface LinkedRecord {
  readonly kind: string;
  readonly id: string;
}

const whereOpenLink = (scope: TenantScope, { kind, id }: LinkedRecord) =>
  and(
    eq(public_links.company_id, scope.companyId),
    eq(public_links.record_kind, kind),
    eq(public_links.record_id, id),
    isNull(public_links.revoked_at),
  );

/** Returns the record's token, creating a link if needed. Idempotent: the token stays the same until its link is revoked. */
export async function findOrCreatePublicToken(scope: TenantScope, record: LinkedRecord): Promise<string> {
  const [link] = await scope.db
    .insert(public_links)
    .values({
      company_id: scope.companyId,
      id: randomUUID(),
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      record_kind: record.kind,
      record_id: record.id,
      created_at: scope.now,
    })
    // `do nothing` would return no row, so a no-op update makes PostgreSQL return the existing one.
    .onConflictDoUpdate({
      target: [public_links.company_id, public_links.record_kind, public_links.record_id],
      targetWhere: isNull(public_links.revoked_at),
      set: { record_kind: record.kind },
    })
    .returning({ token: public_links.token });
  if (!link) throw new Error('The public link was neither created nor found');
  return link.token;
}

/** Returns the record's active link, or null if the record has none. */
export async function findPublicLink(scope: TenantScope, record: LinkedRecord) {
  const { token, first_opened_at, last_opened_at } = public_links;
  const [link] = await scope.db.select({ token, first_opened_at, last_opened_at }).from(public_links).where(whereOpenLink(scope, record));
  return link ?? null;
}

/** Reads the active link of a record that always has one. */
export async function readPublicLink(scope: TenantScope, record: LinkedRecord) {
  const link = await findPublicLink(scope, record);
  if (!link) throw new Error(`The ${record.kind} link of ${record.id} is missing`);
  return link;
}

/** Makes the link stop working immediately. The record's next link gets a new token. */
export async function revokePublicLink(scope: TenantScope, record: LinkedRecord): Promise<void> {
  await scope.db.update(public_links).set({ revoked_at: scope.now }).where(whereOpenLink(scope, record));
}

/** Records when the link was first and last opened. Returns false if the link was revoked or no longer has the given `token`. */
export async function markLinkOpened(scope: TenantScope, record: LinkedRecord & { readonly token?: string }): Promise<boolean> {
  const { token } = record;
  const opened = await scope.db
    .update(public_links)
    .set({ first_opened_at: sql`coalesce(${public_links.first_opened_at}, ${scope.now})`, last_opened_at: scope.now })
    .where(and(whereOpenLink(scope, record), token === undefined ? undefined : eq(public_links.token, token)))
    .returning({ id: public_links.id });
  return opened.length > 0;
}

export interface ResolvedPublicLink {
  readonly tenant: Tenant;
  readonly recordId: string;
  /** Identifies everything that the record's page shows. Null if its kind defines no version. */
  readonly version: string | null;
}

/** A kind of record that public links open. */
export interface LinkedRecordKind {
  readonly kind: string;
  /** Attempts per link and network, instead of the default limit. */
  readonly rateLimit?: RateLimit;
  /**
   * SQL that lists the row versions (`xmin`) and values that the page shows, besides the company's row (`c`) and date. The record's id is
   * `l.record_id`. A row's `xmin` changes with every update, so the page's content can differ only if its version does.
   */
  readonly versionSql?: string;
}

export interface LinkOpening {
  readonly token: string;
  readonly now: string;
  /** The attempt counts toward this key and the link together. Unknown links share one count. */
  readonly attemptKey: string;
  readonly limit: RateLimit;
}

/**
 * A page's deadlines depend on the date in the company's zone. PostgreSQL may not know the zone, so the version changes every quarter of an
 * hour: in every zone, days begin on one.
 */
const buildVersionSql = ({ versionSql }: LinkedRecordKind, now: string) =>
  versionSql
    ? `json_build_array(c.xmin::text, floor(extract(epoch from ${now}::timestamptz) / 900), ${versionSql})::text`
    : `nullif(${now}::text, ${now})`;

/**
 * Opens a public link, counts the attempt and mints the tenant that the link's page runs as. The link is null if it is unknown or revoked,
 * or if its company is closed. It is one statement, because most requests for public pages need no other.
 */
export async function openPublicLink(
  pool: pg.Pool,
  record: LinkedRecordKind,
  { token, now, attemptKey, limit }: LinkOpening,
): Promise<{ readonly link: ResolvedPublicLink | null; readonly waitSeconds: number | null }> {
  const { kind, rateLimit = limit } = record;
  const { rows } = await pool.query<CountedAttempt & { company_id: string | null; record_id: string; version: string | null }>({
    name: `open-public-link-${record.versionSql ? `${kind}-version` : kind}`,
    text: `with link as (select l.company_id, l.record_id, ${buildVersionSql(record, '$3')} as version
        from public_links l join companies c on c.company_id = l.company_id
        where l.token = $1 and l.record_kind = $2 and l.revoked_at is null and c.deletes_at is null),
      counted as (${buildCountAttemptSql(`select $4 || ' ' || coalesce(max(record_id::text), 'unknown') as key,
        case when count(*) = 0 then $5::integer else $6::integer end as seconds from link`)})
      select attempts, wait, company_id, record_id, version from counted left join link on true`,
    // A malformed token can't match, but PostgreSQL would reject some of its characters.
    values: [TOKEN_PATTERN.test(token) ? token : '', kind, now, attemptKey, limit.seconds, rateLimit.seconds],
  });
  const [row] = rows;
  const link = row?.company_id
    ? {
        tenant: mintTenant(row.company_id, { kind: 'link', recordKind: kind, recordId: row.record_id }, now),
        recordId: row.record_id,
        version: row.version,
      }
    : null;
  return { link, waitSeconds: toAttemptCount(row, link ? rateLimit : limit).waitSeconds };
}

/** Reads the version in the scope's snapshot, so that it belongs to exactly the content that the snapshot shows. */
export async function readLinkVersion(scope: TenantScope, record: LinkedRecordKind, recordId: string): Promise<string> {
  const version = sql.raw(buildVersionSql(record, `'${new Date(scope.now).toISOString()}'`));
  const { rows } = await scope.db.execute<{ version: string }>(
    sql`select ${version} as version from companies c cross join (select ${recordId}::uuid as record_id) l where c.company_id = ${scope.companyId}`,
  );
  return rows[0]?.version ?? '';
}
