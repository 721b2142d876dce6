import { INVALID_EMAIL } from '@callout/contract/fields';
import { emailTaken, type StaffMember } from '@callout/contract/staff';
import type pg from 'pg';
import { isAccountEmail } from '../../platform/auth/accounts.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { emailHasCompany, isLoginEmail } from './logins.sql.ts';
import { findMemberByEmail } from './staff.sql.ts';

/** Whoever manages the staff sees these names anyway. */
export const alreadyOnStaff = ({ name }: Pick<StaffMember, 'name'>) =>
  failureOf({ EMAIL_TAKEN: { ...emailTaken.EMAIL_TAKEN, message: `${name} is already on your staff.` } });

export const alreadyInvited = ({ name }: Pick<StaffMember, 'name'>) =>
  failureOf({
    EMAIL_TAKEN: {
      ...emailTaken.EMAIL_TAKEN,
      message: `${name} is already invited. Open ${name} in Staff to change the details or send the invitation again.`,
    },
  });

/** The email must be valid for an account and belong to no company yet. */
export async function requireInvitable(scope: TenantScope, email: string): Promise<void> {
  if (!isAccountEmail(email)) throw invalidInput({ email: INVALID_EMAIL });
  if (await emailHasCompany(scope, email)) throw failureOf(emailTaken);
}

/** A new email for a member. For a member with a login it is contact information only, so it may be the login's own email. */
export async function requireUnusedEmail(scope: TenantScope, pool: pg.Pool, { id, profile_id }: StaffMember, email: string): Promise<void> {
  const colleague = await findMemberByEmail(scope, email);
  if (colleague && colleague.id !== id) throw alreadyOnStaff(colleague);
  if (!profile_id) await requireInvitable(scope, email);
  else if ((await emailHasCompany(scope, email)) && !(await isLoginEmail(pool, profile_id, email))) throw failureOf(emailTaken);
}
