import {
  type AssignableStaffMember,
  emailTakenError,
  MAX_STAFF_MEMBERS,
  MyDetails,
  type NewStaffMember,
  type StaffColor,
  StaffMember,
  staffLimitError,
  staffMemberNotFoundError,
} from '@callout/contract/staff';
import type { Role } from '@callout/domain/roles/roles';
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { getPerson } from '../../platform/db/actor.ts';
import { createRecordOnce, inCompany, pickColumns, type RecordType } from '../../platform/db/records.ts';
import type { Tenant, TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { findLeastUsedColorId } from '../company/company.sql.ts';
import { invitations } from './staff.table.ts';

const linkCopiers = alias(staff_members, 'copiers');

const memberColumns = {
  ...pickColumns(
    staff_members,
    StaffMember.omit({
      color: true,
      status: true,
      invited_at: true,
      invitation_expires_at: true,
      delivery: true,
      delivery_problem: true,
      copied_link: true,
    }),
  ),
  color: { id: staff_colors.id, name: staff_colors.name, hex_code: staff_colors.hex_code },
  invited_at: invitations.created_at,
  invitation_expires_at: invitations.expires_at,
  delivery: invitations.delivery,
  delivery_problem: invitations.delivery_problem,
  copied_link: { by: linkCopiers.name, created_at: invitations.copied_at, expires_at: invitations.copied_expires_at },
};

const selectMembers = (scope: TenantScope) =>
  scope.db
    .select(memberColumns)
    .from(staff_members)
    .leftJoin(staff_colors, eq(staff_colors.id, staff_members.color_id))
    .leftJoin(invitations, and(eq(invitations.company_id, staff_members.company_id), eq(invitations.staff_id, staff_members.id)))
    .leftJoin(linkCopiers, and(eq(linkCopiers.company_id, invitations.company_id), eq(linkCopiers.id, invitations.copied_by)));

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

const EMPTY_INVITATION = { invited_at: null, invitation_expires_at: null, delivery: null, delivery_problem: null, copied_link: null };

function toStaffMember({ now }: TenantScope, row: MemberRow): StaffMember {
  // The emailed link stays valid after the copied one was used, but an active member must not be shown as invited.
  if (row.profile_id) return { ...row, ...EMPTY_INVITATION, status: 'active' };
  const { by, created_at, expires_at } = row.copied_link;
  const copied_link = by !== null && created_at !== null && expires_at !== null && expires_at > now ? { by, created_at, expires_at } : null;
  const isMailedLinkOpen = row.invitation_expires_at !== null && row.invitation_expires_at > now;
  const isOnlyCopied = copied_link && !isMailedLinkOpen;
  const invitation = isOnlyCopied
    ? { ...EMPTY_INVITATION, invited_at: copied_link.created_at, invitation_expires_at: copied_link.expires_at }
    : { invitation_expires_at: row.invitation_expires_at ?? expires_at };
  const displayed = { ...row, ...invitation, copied_link };
  return { ...displayed, status: getInvitationStatus(displayed, now) };
}

function getInvitationStatus({ invitation_expires_at }: Pick<StaffMember, 'invitation_expires_at'>, now: string): StaffMember['status'] {
  if (!invitation_expires_at) return 'uninvited';
  return invitation_expires_at > now ? 'invited' : 'expired';
}

export async function listStaffMembers(scope: TenantScope): Promise<StaffMember[]> {
  const rows = await selectMembers(scope)
    .where(inCompany(scope, staff_members))
    .orderBy(sql`lower(${staff_members.name})`, asc(staff_members.id));
  return rows.map((row) => toStaffMember(scope, row));
}

export const staffRecordType: RecordType<typeof staff_members, StaffMember> = {
  table: staff_members,
  idColumn: staff_members.id,
  notFound: staffMemberNotFoundError,
  // Members can change their own email address without the staff lock, so a colleague may take this address after the check.
  conflicts: { staff_members_by_email: emailTakenError },
  returning: null,
  find: (scope, id) => findMemberWhere(scope, eq(staff_members.id, id)),
};

/** The details that members can view and change about themselves. */
export const myDetailsRecordType: RecordType<typeof staff_members, MyDetails> = {
  ...staffRecordType,
  async find(scope, id) {
    const found = await staffRecordType.find(scope, id);
    return found && MyDetails.parse(found);
  },
};

export function getMyStaffId({ actor }: Tenant): string {
  const { member } = getPerson(actor);
  if (!member) throw toFailure(staffMemberNotFoundError);
  return member.staffId;
}

export function findMemberByEmail(scope: TenantScope, email: string): Promise<StaffMember | null> {
  return findMemberWhere(scope, eq(sql`lower(${staff_members.email})`, sql`lower(${email})`));
}

/** Finds the member that this request invited, while the invitation is pending. */
export function findMemberByRequestId(scope: TenantScope, requestId: string): Promise<StaffMember | null> {
  return findMemberWhere(scope, eq(invitations.request_id, requestId));
}

async function findMemberWhere(scope: TenantScope, condition: SQL): Promise<StaffMember | null> {
  const [row] = await selectMembers(scope).where(and(inCompany(scope, staff_members), condition));
  return row ? toStaffMember(scope, row) : null;
}

export function listStaffNames(scope: TenantScope): Promise<AssignableStaffMember[]> {
  const { id, name, avatar_url, hourly_rate } = staff_members;
  return scope.db
    .select({ id, name, hex_code: staff_colors.hex_code, avatar_url, hourly_rate })
    .from(staff_members)
    .leftJoin(staff_colors, eq(staff_colors.id, staff_members.color_id))
    .where(inCompany(scope, staff_members))
    .orderBy(sql`lower(${name})`, asc(id));
}

export function listStaffColors(scope: TenantScope): Promise<StaffColor[]> {
  return scope.db.select(memberColumns.color).from(staff_colors).orderBy(asc(staff_colors.name));
}

export async function isStaffColorId(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db.select({ id: staff_colors.id }).from(staff_colors).where(eq(staff_colors.id, id));
  return rows.length > 0;
}

/** Reads the caller's role from the database. Returns null if the caller is no longer a member. */
export async function findCurrentRole(scope: TenantScope): Promise<Role | null> {
  const rows = await scope.db
    .select({ role: staff_members.role })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), eq(staff_members.profile_id, getPerson(scope.actor).userId)));
  return rows[0]?.role ?? null;
}

/** Requires the staff lock, so that concurrent calls can't exceed the maximum number of members. */
export async function createStaffMember(scope: TenantScope, { id, ...fields }: NewStaffMember): Promise<StaffMember> {
  const [existing] = await scope.db.select({ members: count() }).from(staff_members).where(inCompany(scope, staff_members));
  if (existing && existing.members >= MAX_STAFF_MEMBERS) throw toFailure(staffLimitError);
  return createRecordOnce(scope, staffRecordType, id, { ...fields, color_id: await findLeastUsedColorId(scope) });
}

/** Returns the previous picture and the member's user id. Keeps the version, so that open staff forms can still be saved. */
export async function replaceAvatarUrl(
  scope: TenantScope,
  id: string,
  url: string | null,
): Promise<Pick<StaffMember, 'avatar_url' | 'profile_id'>> {
  const [before] = await scope.db
    .select({ avatar_url: staff_members.avatar_url, profile_id: staff_members.profile_id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, id))
    .for('no key update');
  if (!before) throw toFailure(staffMemberNotFoundError);
  await scope.db
    .update(staff_members)
    .set({ avatar_url: url, updated_at: scope.now })
    .where(inCompany(scope, staff_members, id));
  return before;
}
