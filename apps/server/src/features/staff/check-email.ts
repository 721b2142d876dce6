import { INVALID_EMAIL_MESSAGE } from '@callout/contract/fields';
import { colleagueEmailError, emailTakenError, type StaffMember } from '@callout/contract/staff';
import type pg from 'pg';
import { isValidAccountEmail } from '../../platform/auth/accounts.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { isLoginEmail, isStaffEmail } from './logins.sql.ts';
import { findMemberByEmail } from './staff.sql.ts';

/** Names the colleague who has the email address, which reveals nothing new because the caller manages the staff. */
export function createColleagueEmailFailure(member: StaffMember) {
  const message = `${member.name} ${COLLEAGUE_EMAIL_REASONS[member.status]}.`;
  return toFailure({ EMAIL_TAKEN: { ...colleagueEmailError.EMAIL_TAKEN, message } }, { member });
}

const COLLEAGUE_EMAIL_REASONS: Record<StaffMember['status'], string> = {
  active: 'is already on your staff',
  invited: 'has already been invited',
  expired: 'has this email address',
  uninvited: 'has this email address',
};

/** Throws if the email address isn't valid for an account or already belongs to a member of any company. */
export async function requireInvitableEmail(scope: TenantScope, email: string): Promise<void> {
  if (!isValidAccountEmail(email)) throw createInvalidInputFailure({ email: INVALID_EMAIL_MESSAGE });
  if (await isStaffEmail(scope, email)) throw toFailure(emailTakenError);
}

/** Throws if a member's new email address is in use. A member with a login may use their own sign-in address. */
export async function requireUnusedEmail(scope: TenantScope, pool: pg.Pool, { id, profile_id }: StaffMember, email: string): Promise<void> {
  const colleague = await findMemberByEmail(scope, email);
  if (colleague && colleague.id !== id) throw createColleagueEmailFailure(colleague);
  if (!profile_id) await requireInvitableEmail(scope, email);
  else if ((await isStaffEmail(scope, email)) && !(await isLoginEmail(pool, profile_id, email))) throw toFailure(emailTakenError);
}
