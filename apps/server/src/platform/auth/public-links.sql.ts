import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type pg from 'pg';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant, TenantScope } from '../db/tenant-scope.ts';
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
}

/** Opens a public link and mints the tenant that its page runs as. Returns null if the link is unknown or revoked, or its company is closed. */
export async function openPublicLink(pool: pg.Pool, token: string, kind: string, now: string): Promise<ResolvedPublicLink | null> {
  // Reject malformed tokens without querying the database.
  if (!TOKEN_PATTERN.test(token)) return null;
  const { rows } = await pool.query<{ company_id: string; record_id: string }>({
    name: 'open-public-link',
    text: `select l.company_id, l.record_id from public_links l join companies c on c.company_id = l.company_id
      where l.token = $1 and l.record_kind = $2 and l.revoked_at is null and c.deletes_at is null`,
    values: [token, kind],
  });
  const [link] = rows;
  if (!link) return null;
  return {
    tenant: mintTenant(link.company_id, { kind: 'link', recordKind: kind, recordId: link.record_id }, now),
    recordId: link.record_id,
  };
}
