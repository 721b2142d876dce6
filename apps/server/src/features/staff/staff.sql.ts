import {
  emailTaken,
  MAX_STAFF,
  MyDetails,
  type NewStaffMember,
  type StaffColor,
  StaffMember,
  type StaffName,
  staffLimit,
  staffNotFound,
} from '@callout/contract/staff';
import { ACTIVE_STATUSES } from '@callout/domain/jobs/job';
import type { Role } from '@callout/domain/roles/roles';
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { staff_colors, staff_members } from '../../platform/auth/auth.table.ts';
import { personOf } from '../../platform/db/actor.ts';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { columnsOf, createOnce, inCompany, type RecordKind } from '../../platform/db/records.ts';
import type { Tenant, TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { leastUsedColor } from '../company/company.sql.ts';
import { recordEvents } from '../history/history.sql.ts';
import { invitations } from './staff.table.ts';

const copiers = alias(staff_members, 'copiers');

const member = {
  ...columnsOf(
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
  copied_link: { by: copiers.name, created_at: invitations.copied_at, expires_at: invitations.copied_expires_at },
};

const selectMembers = (scope: TenantScope) =>
  scope.db
    .select(member)
    .from(staff_members)
    .leftJoin(staff_colors, eq(staff_colors.id, staff_members.color_id))
    .leftJoin(invitations, and(eq(invitations.company_id, staff_members.company_id), eq(invitations.staff_id, staff_members.id)))
    .leftJoin(copiers, and(eq(copiers.company_id, invitations.company_id), eq(copiers.id, invitations.copied_by)));

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

const NO_INVITATION = { invited_at: null, invitation_expires_at: null, delivery: null, delivery_problem: null, copied_link: null };

function withStatus({ now }: TenantScope, row: MemberRow): StaffMember {
  // The mailed link may outlast an acceptance with the copied one, but only its holder can use it.
  if (row.profile_id) return { ...row, ...NO_INVITATION, status: 'active' };
  const { by, created_at, expires_at } = row.copied_link;
  const copied_link = by !== null && created_at !== null && expires_at !== null && expires_at > now ? { by, created_at, expires_at } : null;
  const isMailedOpen = row.invitation_expires_at !== null && row.invitation_expires_at > now;
  const onlyCopied = copied_link && !isMailedOpen;
  const invitation = onlyCopied
    ? { ...NO_INVITATION, invited_at: copied_link.created_at, invitation_expires_at: copied_link.expires_at }
    : { invitation_expires_at: row.invitation_expires_at ?? expires_at };
  const shown = { ...row, ...invitation, copied_link };
  return { ...shown, status: statusOf(shown, now) };
}

function statusOf({ invitation_expires_at }: Pick<StaffMember, 'invitation_expires_at'>, now: string): StaffMember['status'] {
  if (!invitation_expires_at) return 'uninvited';
  return invitation_expires_at > now ? 'invited' : 'expired';
}

export async function listMembers(scope: TenantScope): Promise<StaffMember[]> {
  const rows = await selectMembers(scope)
    .where(inCompany(scope, staff_members))
    .orderBy(sql`lower(${staff_members.name})`, asc(staff_members.id));
  return rows.map((row) => withStatus(scope, row));
}

export const staffRecord: RecordKind<typeof staff_members, StaffMember> = {
  table: staff_members,
  idColumn: staff_members.id,
  notFound: staffNotFound,
  // A colleague's login may have changed to this email since the check, because email changes do not take this lock.
  conflicts: { staff_members_by_email: emailTaken },
  returning: null,
  find: (scope, id) => findMember(scope, eq(staff_members.id, id)),
};

/** A member as they see and change themselves. */
export const myDetailsRecord: RecordKind<typeof staff_members, MyDetails> = {
  ...staffRecord,
  async find(scope, id) {
    const found = await staffRecord.find(scope, id);
    return found && MyDetails.parse(found);
  },
};

/** The caller's own staff member. */
export function staffIdOf({ actor }: Tenant): string {
  const { member: ownMember } = personOf(actor);
  if (!ownMember) throw failureOf(staffNotFound);
  return ownMember.staffId;
}

export function findMemberByEmail(scope: TenantScope, email: string): Promise<StaffMember | null> {
  return findMember(scope, eq(sql`lower(${staff_members.email})`, sql`lower(${email})`));
}

/** The member whose open invitation was requested under this id. */
export function findMemberByRequest(scope: TenantScope, requestId: string): Promise<StaffMember | null> {
  return findMember(scope, eq(invitations.request_id, requestId));
}

async function findMember(scope: TenantScope, condition: SQL): Promise<StaffMember | null> {
  const [row] = await selectMembers(scope).where(and(inCompany(scope, staff_members), condition));
  return row ? withStatus(scope, row) : null;
}

export function listNames(scope: TenantScope): Promise<StaffName[]> {
  const { id, name, avatar_url } = staff_members;
  return scope.db
    .select({ id, name, hex_code: staff_colors.hex_code, avatar_url })
    .from(staff_members)
    .leftJoin(staff_colors, eq(staff_colors.id, staff_members.color_id))
    .where(inCompany(scope, staff_members))
    .orderBy(sql`lower(${name})`, asc(id));
}

export function listColors(scope: TenantScope): Promise<StaffColor[]> {
  return scope.db.select(member.color).from(staff_colors).orderBy(asc(staff_colors.name));
}

export async function isStaffColor(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db.select({ id: staff_colors.id }).from(staff_colors).where(eq(staff_colors.id, id));
  return rows.length > 0;
}

/** Serializes changes to the staff until the transaction ends. */
export async function lockStaff(scope: TenantScope): Promise<void> {
  await lockCompany(scope, scope.companyId);
}

/**
 * Tells in the history of each open job of a member that they are gone, before the database unassigns them. Jobs are a later feature, so
 * their table is only named here.
 */
export async function recordUnassignedJobs(scope: TenantScope, { id, name }: Pick<StaffMember, 'id' | 'name'>): Promise<void> {
  // Waits for jobs that are being assigned to them, and lets no more come.
  await scope.db
    .select({ id: staff_members.id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, id))
    .for('update');
  const jobs = sql`select id from jobs where company_id = ${scope.companyId} and staff_id = ${id} and status in ${ACTIVE_STATUSES}`;
  await recordEvents(scope, 'job', jobs, 'edited', { assigned_to: [name, null] });
}

/** The caller's role at this moment; null when they are no longer a member. */
export async function readCurrentRole(scope: TenantScope): Promise<Role | null> {
  const rows = await scope.db
    .select({ role: staff_members.role })
    .from(staff_members)
    .where(and(inCompany(scope, staff_members), eq(staff_members.profile_id, personOf(scope.actor).userId)));
  return rows[0]?.role ?? null;
}

/** Call it with the staff locked. */
export async function createMember(scope: TenantScope, { id, ...fields }: NewStaffMember): Promise<StaffMember> {
  const [existing] = await scope.db.select({ members: count() }).from(staff_members).where(inCompany(scope, staff_members));
  if (existing && existing.members >= MAX_STAFF) throw failureOf(staffLimit);
  return createOnce(scope, staffRecord, id, { ...fields, color_id: await leastUsedColor(scope) });
}

/** Returns the picture that it replaces, and whose it was. The version stays, since the form has no picture. */
export async function replaceAvatar(
  scope: TenantScope,
  id: string,
  url: string | null,
): Promise<Pick<StaffMember, 'avatar_url' | 'profile_id'>> {
  const [before] = await scope.db
    .select({ avatar_url: staff_members.avatar_url, profile_id: staff_members.profile_id })
    .from(staff_members)
    .where(inCompany(scope, staff_members, id))
    .for('update');
  if (!before) throw failureOf(staffNotFound);
  await scope.db
    .update(staff_members)
    .set({ avatar_url: url, updated_at: scope.now })
    .where(inCompany(scope, staff_members, id));
  return before;
}
