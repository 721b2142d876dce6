import { INVALID_EMAIL } from '@callout/contract/fields';
import type { StaffMember } from '@callout/contract/staff';
import type pg from 'pg';
import { isAccountAddress } from '../../platform/auth/accounts.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { addressHasCompany, isLoginAddress } from './logins.sql.ts';
import { readMemberByAddress } from './staff.sql.ts';

export interface AddressErrors {
  EMAIL_TAKEN(): Error;
  INVALID_INPUT(details: { data: { fields: Record<string, string> } }): Error;
}

/** An address to sign in with: one that an account can have and that works for no company yet. */
export async function requireInvitable(scope: TenantScope, email: string, errors: AddressErrors): Promise<void> {
  if (!isAccountAddress(email)) throw errors.INVALID_INPUT({ data: { fields: { email: INVALID_EMAIL } } });
  if (await addressHasCompany(scope, email)) throw errors.EMAIL_TAKEN();
}

/** An address that is not the member's yet. Of one with a login it is only where they are reached, so that of their login is free for them. */
export async function requireFree(
  scope: TenantScope,
  pool: pg.Pool,
  { profile_id }: StaffMember,
  email: string,
  errors: AddressErrors,
): Promise<void> {
  if (await readMemberByAddress(scope, email)) throw errors.EMAIL_TAKEN();
  if (!profile_id) await requireInvitable(scope, email, errors);
  else if ((await addressHasCompany(scope, email)) && !(await isLoginAddress(pool, profile_id, email))) throw errors.EMAIL_TAKEN();
}

/** A colleague's login moved to this address since it was looked for: moving a login waits for nobody. */
export function refusingTaken({ EMAIL_TAKEN }: AddressErrors): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error, 'staff_members_by_email') ? EMAIL_TAKEN() : error;
  };
}
