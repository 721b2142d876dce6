import type { Invitation } from '@callout/contract/staff';
import { and, eq, gt, sql } from 'drizzle-orm';
import type pg from 'pg';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { userIdOf } from '../../platform/db/actor.ts';
import { mintTenant } from '../../platform/db/mint-tenant.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { Tenant, TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { invitations } from './staff.table.ts';

export interface OpenLink {
  readonly token_hash: string;
  readonly expires_at: string;
  /** The database deletes it, if still unsent, when the link ends. */
  readonly mail_id: string | null;
  readonly request_id?: string;
}

/** Replaces the previous one, whose link no longer works. */
export async function putInvitation(scope: TenantScope, staffId: string, link: OpenLink): Promise<void> {
  const opened = { ...link, created_at: scope.now };
  await scope.db
    .insert(invitations)
    .values({ company_id: scope.companyId, staff_id: staffId, ...opened })
    .onConflictDoUpdate({ target: [invitations.company_id, invitations.staff_id], set: opened });
}

export async function deleteInvitation(scope: TenantScope, staffId: string): Promise<void> {
  await scope.db.delete(invitations).where(and(inCompany(scope, invitations), eq(invitations.staff_id, staffId)));
}

/** Consumes a link; false when it is no longer open. */
export async function consumeInvitation(scope: TenantScope, tokenHash: string): Promise<boolean> {
  const rows = await scope.db
    .delete(invitations)
    .where(and(inCompany(scope, invitations), eq(invitations.token_hash, tokenHash), gt(invitations.expires_at, scope.now)))
    .returning({ staff_id: invitations.staff_id });
  return rows.length > 0;
}

/** The inviter and company named in the mail; no inviter when the invited person requested it. */
export async function readSender(scope: TenantScope): Promise<{ inviter: string | null; company_name: string | null }> {
  const userId = userIdOf(scope.actor);
  const isInviter = userId === null ? sql`false` : eq(staff_members.profile_id, userId);
  const rows = await scope.db
    .select({ inviter: staff_members.name, company_name: companies.company_name })
    .from(companies)
    .leftJoin(staff_members, and(eq(staff_members.company_id, companies.company_id), isInviter))
    .where(eq(companies.company_id, scope.companyId));
  return rows[0] ?? { inviter: null, company_name: null };
}

export interface OpenInvitation extends Invitation {
  readonly company_id: string;
  readonly staff_id: string;
  readonly token_hash: string;
  /** Whoever holds the link is let into the company that sent it. */
  readonly tenant: Tenant;
}

const OPEN_INVITATIONS = `
  select i.company_id, i.staff_id, i.token_hash, c.company_name, m.name, m.email, m.role,
      coalesce(unfinished_company_of(m.email) <> i.company_id, false) as replaces_company,
      exists (select from users u join staff_members o on o.profile_id = u.id
        where u.email = lower(m.email) and not u.email_verified and o.company_id <> i.company_id
          and o.company_id is distinct from unfinished_company_of(m.email)) as leaves_company
    from invitations i
    join staff_members m on m.company_id = i.company_id and m.id = i.staff_id
    join companies c on c.company_id = i.company_id
    where i.expires_at > $1`;

type OpenInvitationRow = Omit<OpenInvitation, 'tenant'>;

function withTenant(row: OpenInvitationRow, now: string): OpenInvitation {
  return { ...row, tenant: mintTenant(row.company_id, { kind: 'link', recordKind: 'invitation', recordId: row.staff_id }, now) };
}

/** Searches all companies, since the holder of a link has none yet; null when the link is no longer open. */
export async function readOpenInvitation(pool: pg.Pool, tokenHash: string, now: string): Promise<OpenInvitation | null> {
  const { rows } = await pool.query<OpenInvitationRow>(`${OPEN_INVITATIONS} and i.token_hash = $2`, [now, tokenHash]);
  return rows[0] ? withTenant(rows[0], now) : null;
}

/** Those to one email, of every company, the newest first. */
export async function listOpenInvitations(pool: pg.Pool, email: string, now: string): Promise<OpenInvitation[]> {
  const { rows } = await pool.query<OpenInvitationRow>(
    `${OPEN_INVITATIONS} and m.profile_id is null and lower(m.email) = lower($2) order by i.created_at desc, i.company_id`,
    [now, email],
  );
  return rows.map((row) => withTenant(row, now));
}
