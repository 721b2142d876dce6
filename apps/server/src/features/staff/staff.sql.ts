import type { NewStaffMember, StaffColor, StaffMember, StaffMemberChange } from '@callout/contract/staff';
import type { Role } from '@callout/domain/roles/roles';
import { and, asc, eq, sql } from 'drizzle-orm';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { personOf } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';
import { leastUsedColor } from '../company/staff-colors.sql.ts';
import { invitations } from './staff.table.ts';

const member = {
  id: staff_members.id,
  profile_id: staff_members.profile_id,
  name: staff_members.name,
  email: staff_members.email,
  phone: staff_members.phone,
  hourly_rate: staff_members.hourly_rate,
  role: staff_members.role,
  color: { id: staff_colors.id, name: staff_colors.name, hex_code: staff_colors.hex_code },
  avatar_url: staff_members.avatar_url,
  invited_at: invitations.created_at,
  invitation_expires_at: invitations.expires_at,
  created_at: staff_members.created_at,
  updated_at: staff_members.updated_at,
  version: staff_members.version,
};

const ofCompany = (scope: TenantScope) => eq(staff_members.company_id, scope.companyId);
const own = (scope: TenantScope, id: string) => and(ofCompany(scope), eq(staff_members.id, id));
const hasAddress = (email: string) => eq(sql`lower(${staff_members.email})`, sql`lower(${email})`);

const selectMembers = (scope: TenantScope) =>
  scope.db
    .select(member)
    .from(staff_members)
    .leftJoin(staff_colors, eq(staff_colors.id, staff_members.color_id))
    .leftJoin(invitations, and(eq(invitations.company_id, staff_members.company_id), eq(invitations.staff_id, staff_members.id)));

type MemberRow = Omit<StaffMember, 'status'>;

function withStatus(scope: TenantScope, row: MemberRow): StaffMember {
  return { ...row, status: statusOf(row, scope.now) };
}

function statusOf({ profile_id, invitation_expires_at }: MemberRow, now: string): StaffMember['status'] {
  if (profile_id) return 'active';
  if (!invitation_expires_at) return 'uninvited';
  return invitation_expires_at > now ? 'invited' : 'expired';
}

export async function listMembers(scope: TenantScope): Promise<StaffMember[]> {
  const rows = await selectMembers(scope).where(ofCompany(scope)).orderBy(sql`lower(${staff_members.name})`, asc(staff_members.id));
  return rows.map((row) => withStatus(scope, row));
}

export async function readMember(scope: TenantScope, id: string): Promise<StaffMember | null> {
  const [row] = await selectMembers(scope).where(own(scope, id));
  return row ? withStatus(scope, row) : null;
}

export async function readMemberByAddress(scope: TenantScope, email: string): Promise<StaffMember | null> {
  const [row] = await selectMembers(scope).where(and(ofCompany(scope), hasAddress(email)));
  return row ? withStatus(scope, row) : null;
}

/** Whose open invitation was asked for under this id. */
export async function readMemberByRequest(scope: TenantScope, requestId: string): Promise<StaffMember | null> {
  const [row] = await selectMembers(scope).where(and(ofCompany(scope), eq(invitations.request_id, requestId)));
  return row ? withStatus(scope, row) : null;
}

export function listColors(scope: TenantScope): Promise<StaffColor[]> {
  return scope.db.select(member.color).from(staff_colors).orderBy(asc(staff_colors.name));
}

export async function isStaffColor(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db.select({ id: staff_colors.id }).from(staff_colors).where(eq(staff_colors.id, id));
  return rows.length > 0;
}

/**
 * One change of the staff at a time: what is looked at from here on stays so until this transaction ends. Adding records to the
 * company goes on meanwhile.
 */
export async function lockStaff(scope: TenantScope): Promise<void> {
  await scope.db
    .select({ company_id: companies.company_id })
    .from(companies)
    .where(eq(companies.company_id, scope.companyId))
    .for('no key update');
}

/** The role of the person who calls, as it is at this moment; null when they are no member any more. */
export async function readOwnRole(scope: TenantScope): Promise<Role | null> {
  const rows = await scope.db
    .select({ role: staff_members.role })
    .from(staff_members)
    .where(and(ofCompany(scope), eq(staff_members.profile_id, personOf(scope.actor).userId)));
  return rows[0]?.role ?? null;
}

export async function insertMember(scope: TenantScope, { id, ...fields }: NewStaffMember): Promise<void> {
  await scope.db.insert(staff_members).values({
    company_id: scope.companyId,
    id,
    ...fields,
    color_id: await leastUsedColor(scope),
    created_at: scope.now,
    updated_at: scope.now,
    version: 1,
  });
}

type MemberFields = Omit<StaffMemberChange, 'id' | 'version' | 'color_id'> & { readonly color_id?: string | null };

/** From a version, when one is named: false when there is another by now. */
export async function updateMember(scope: TenantScope, id: string, fields: MemberFields, version?: number): Promise<boolean> {
  const { name, email, phone, hourly_rate, role, color_id } = fields;
  const rows = await scope.db
    .update(staff_members)
    .set({
      name,
      email,
      phone,
      hourly_rate,
      role,
      ...(color_id !== undefined && { color_id }),
      updated_at: scope.now,
      version: sql`${staff_members.version} + 1`,
    })
    .where(and(own(scope, id), version === undefined ? undefined : eq(staff_members.version, version)))
    .returning({ id: staff_members.id });
  return rows.length > 0;
}

/** The picture that was there before, and whose it was; null when there is no such member. The form's version stays: it has no picture. */
export async function replaceAvatar(
  scope: TenantScope,
  id: string,
  url: string | null,
): Promise<Pick<StaffMember, 'avatar_url' | 'profile_id'> | null> {
  const before = await scope.db
    .select({ avatar_url: staff_members.avatar_url, profile_id: staff_members.profile_id })
    .from(staff_members)
    .where(own(scope, id))
    .for('update');
  await scope.db.update(staff_members).set({ avatar_url: url, updated_at: scope.now }).where(own(scope, id));
  return before[0] ?? null;
}

export async function deleteMember(scope: TenantScope, id: string): Promise<void> {
  await scope.db.delete(staff_members).where(own(scope, id));
}
