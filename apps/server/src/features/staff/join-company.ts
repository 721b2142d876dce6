import { emailTaken } from '@callout/contract/staff';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { changeAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DeclaredError, failureOf } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange, publishEndedSessions } from '../../platform/live/live.ts';
import { removeCompanyFiles } from '../files/remove-files.ts';
import { adminsOf, notifyPeople } from '../notifications/notifications.sql.ts';
import { consumeInvitation, type OpenInvitation } from './invitations.sql.ts';
import { type AttachedLogin, lockCompaniesToJoin } from './logins.sql.ts';

/** An invitation, and the login that takes it up. */
export interface JoinRequest {
  readonly invitation: OpenInvitation;
  /** Answered when the invitation was used, withdrawn or sent to another email since it was read. */
  readonly ended: DeclaredError;
  /** Answered when no login can be attached. */
  readonly refused: DeclaredError;
  attachLogin(scope: TenantScope): Promise<AttachedLogin | null>;
}

const MAX_ATTEMPTS = 2;

/** Consumes an invitation. A company that the person never finished setting up is replaced by the one they join. */
export async function joinCompany({ pools }: Pick<Platform, 'pools'>, joining: JoinRequest): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changeAs(pools.app, joining.invitation.tenant, (scope) => join(scope, joining));
    } catch (error) {
      if (!isUniqueViolation(error, 'staff_members_profile_id_key')) throw error;
      // They started or joined a company concurrently. The retry replaces it if it is unfinished.
      if (attempt === MAX_ATTEMPTS) throw failureOf(emailTaken);
    }
  }
}

async function join(scope: TenantScope, joining: JoinRequest): Promise<void> {
  const { staff_id, name, takes_over_account } = joining.invitation;
  await lockCompaniesToJoin(scope, staff_id);
  if (!(await consumeInvitation(scope, joining.invitation))) throw failureOf(joining.ended);
  const given = await joining.attachLogin(scope);
  if (!given) throw failureOf(joining.refused);
  await publishEndedSessions(scope, given.ended_sessions);
  if (given.replaced_company) await removeCompanyFiles.later(scope, { company_id: given.replaced_company });
  const others = (await adminsOf(scope)).filter((admin) => admin !== given.login);
  const message = `${name} accepted your invitation${takes_over_account ? '' : ' with the copied link'}`;
  await notifyPeople(scope, others, { message, type: 'success', data: { staff_id } });
  await publishChange(scope, 'staff');
}
