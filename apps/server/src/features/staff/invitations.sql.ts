import type { Invitation } from '@callout/contract/staff';
import { and, eq, gt } from 'drizzle-orm';
import type pg from 'pg';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { personOf } from '../../platform/db/actor.ts';
import { mintTenant } from '../../platform/db/mint-tenant.ts';
import type { Tenant, TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { invitations } from './staff.table.ts';

const own = (scope: TenantScope, staffId: string) => and(eq(invitations.company_id, scope.companyId), eq(invitations.staff_id, staffId));

export interface OpenLink {
  readonly token_hash: string;
  readonly expires_at: string;
  /** Recalled by the database, if it still waits, when the link ends. */
  readonly mail_id: string | null;
  readonly request_id?: string;
}

/** In the place of the one before, whose link then no longer works. */
export async function putInvitation(scope: TenantScope, staffId: string, link: OpenLink): Promise<void> {
  const opened = { ...link, created_at: scope.now };
  await scope.db
    .insert(invitations)
    .values({ company_id: scope.companyId, staff_id: staffId, ...opened })
    .onConflictDoUpdate({ target: [invitations.company_id, invitations.staff_id], set: opened });
}

export async function deleteInvitation(scope: TenantScope, staffId: string): Promise<void> {
  await scope.db.delete(invitations).where(own(scope, staffId));
}

/** Uses a link up; false when it is not open any more. */
export async function takeInvitation(scope: TenantScope, tokenHash: string): Promise<boolean> {
  const rows = await scope.db
    .delete(invitations)
    .where(and(eq(invitations.company_id, scope.companyId), eq(invitations.token_hash, tokenHash), gt(invitations.expires_at, scope.now)))
    .returning({ staff_id: invitations.staff_id });
  return rows.length > 0;
}

/** Who invites to what, as the mail says it. */
export async function readInviter(scope: TenantScope): Promise<{ inviter: string; company_name: string | null }> {
  const person = personOf(scope.actor);
  const rows = await scope.db
    .select({ inviter: staff_members.name, company_name: companies.company_name })
    .from(staff_members)
    .innerJoin(companies, eq(companies.company_id, staff_members.company_id))
    .where(and(eq(staff_members.company_id, scope.companyId), eq(staff_members.profile_id, person.userId)));
  return rows[0] ?? { inviter: person.email, company_name: null };
}

export interface OpenInvitation extends Invitation {
  readonly company_id: string;
  readonly staff_id: string;
  /** Whoever holds the link is let into the company that sent it. */
  readonly tenant: Tenant;
}

/** Whoever holds a link has no company yet, so it is looked for among all; null when it is not open any more. */
export async function readOpenInvitation(pool: pg.Pool, tokenHash: string, now: string): Promise<OpenInvitation | null> {
  const { rows } = await pool.query<Omit<OpenInvitation, 'tenant'>>(
    `select i.company_id, i.staff_id, c.company_name, m.name, m.email, m.role
      from invitations i
      join staff_members m on m.company_id = i.company_id and m.id = i.staff_id
      join companies c on c.company_id = i.company_id
      where i.token_hash = $1 and i.expires_at > $2`,
    [tokenHash, now],
  );
  const [found] = rows;
  if (!found) return null;
  return { ...found, tenant: mintTenant(found.company_id, { kind: 'link', recordKind: 'invitation', recordId: found.staff_id }, now) };
}
