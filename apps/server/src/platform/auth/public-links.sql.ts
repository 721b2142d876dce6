import { randomBytes, randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type pg from 'pg';
import { mintTenant } from '../db/mint-tenant.ts';
import type { Tenant, TenantScope } from '../db/tenant-scope.ts';
import { public_links } from './auth.table.ts';

/** 128 random bits: infeasible to guess. */
const TOKEN_BYTES = 16;
const TOKEN = /^[\w-]{22}$/;

/** A record shown on a public page, such as a quote or an invoice. */
export interface LinkedRecord {
  readonly kind: string;
  readonly id: string;
}

const openLinkOf = (scope: TenantScope, { kind, id }: LinkedRecord) =>
  and(
    eq(public_links.company_id, scope.companyId),
    eq(public_links.record_kind, kind),
    eq(public_links.record_id, id),
    isNull(public_links.revoked_at),
  );

/** The token of the record's open link, created by the first call and kept until the link is revoked. */
export async function publicTokenOf(scope: TenantScope, record: LinkedRecord): Promise<string> {
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
    // A no-op update, so that the existing row is returned.
    .onConflictDoUpdate({
      target: [public_links.company_id, public_links.record_kind, public_links.record_id],
      targetWhere: isNull(public_links.revoked_at),
      set: { record_kind: record.kind },
    })
    .returning({ token: public_links.token });
  if (!link) throw new Error('A public link was neither made nor found');
  return link.token;
}

/** The record's open link; null while it has none. */
export async function findPublicLink(scope: TenantScope, record: LinkedRecord) {
  const { token, first_opened_at, last_opened_at } = public_links;
  const [link] = await scope.db.select({ token, first_opened_at, last_opened_at }).from(public_links).where(openLinkOf(scope, record));
  return link ?? null;
}

/** The link stops working; the next one gets a new token. */
export async function revokePublicLink(scope: TenantScope, record: LinkedRecord): Promise<void> {
  await scope.db.update(public_links).set({ revoked_at: scope.now }).where(openLinkOf(scope, record));
}

/** Records when the link's page was first and last opened. False when the link, with this token if it is given, is revoked by now. */
export async function markLinkOpened(scope: TenantScope, record: LinkedRecord & { readonly token?: string }): Promise<boolean> {
  const { token } = record;
  const opened = await scope.db
    .update(public_links)
    .set({ first_opened_at: sql`coalesce(${public_links.first_opened_at}, ${scope.now})`, last_opened_at: scope.now })
    .where(and(openLinkOf(scope, record), token === undefined ? undefined : eq(public_links.token, token)))
    .returning({ id: public_links.id });
  return opened.length > 0;
}

export interface OpenedLink {
  readonly tenant: Tenant;
  readonly recordId: string;
}

/** The only way from a public page to a company. Null when no such link is open: unknown and revoked links look the same. */
export async function openPublicLink(pool: pg.Pool, token: string, kind: string, now: string): Promise<OpenedLink | null> {
  // Reject malformed tokens before they reach the database.
  if (!TOKEN.test(token)) return null;
  const { rows } = await pool.query<{ company_id: string; record_id: string }>({
    name: 'open-public-link',
    text: 'select company_id, record_id from public_links where token = $1 and record_kind = $2 and revoked_at is null',
    values: [token, kind],
  });
  const [link] = rows;
  if (!link) return null;
  return {
    tenant: mintTenant(link.company_id, { kind: 'link', recordKind: kind, recordId: link.record_id }, now),
    recordId: link.record_id,
  };
}
