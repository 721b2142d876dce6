import { emailTakenError } from '@callout/contract/staff';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { runTenantTransaction, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DeclaredError, toFailure } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange, publishEndedSessions } from '../../platform/live/live.ts';
import { removeCompanyFilesTask } from '../files/remove-files.ts';
import { listAdminUserIds, notifyPeople } from '../notifications/notifications.sql.ts';
import { consumeInvitation, type OpenInvitation } from './invitations.sql.ts';
import { lockCompaniesForJoin, type StaffLogin } from './logins.sql.ts';

/** An open invitation, and a function that attaches the accepting person's login. */
export interface JoinRequest {
  readonly invitation: OpenInvitation;
  /** Thrown if the invitation was used, withdrawn or sent to another address after it was read. */
  readonly invitationClosedError: DeclaredError;
  readonly loginRefusedError: DeclaredError;
  attachLogin(scope: TenantScope): Promise<StaffLogin | null>;
}

const MAX_JOIN_ATTEMPTS = 2;

/**
 * Accepts an invitation. If the person has started a company but not finished setting it up, deletes that company. `lockCompaniesForJoin`
 * locks both companies, in an order that prevents deadlocks.
 */
export async function joinCompany({ pools }: Pick<Platform, 'pools'>, request: JoinRequest): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTenantTransaction(pools.app, request.invitation.tenant, (scope) => joinInTransaction(scope, request), 'none');
    } catch (error) {
      if (!isUniqueViolation(error, 'staff_members_profile_id_key')) throw error;
      // The person has just started or joined a company. The retry replaces that company if its setup is unfinished.
      if (attempt === MAX_JOIN_ATTEMPTS) throw toFailure(emailTakenError);
    }
  }
}

async function joinInTransaction(scope: TenantScope, request: JoinRequest): Promise<void> {
  const { staff_id, name, takes_over_account } = request.invitation;
  await lockCompaniesForJoin(scope, staff_id);
  if (!(await consumeInvitation(scope, request.invitation))) throw toFailure(request.invitationClosedError);
  const attached = await request.attachLogin(scope);
  if (!attached) throw toFailure(request.loginRefusedError);
  await publishEndedSessions(scope, attached.ended_sessions);
  if (attached.replaced_company) await removeCompanyFilesTask.queue(scope, { company_id: attached.replaced_company });
  const otherAdmins = (await listAdminUserIds(scope)).filter((admin) => admin !== attached.userId);
  const message = `${name} accepted your invitation${takes_over_account ? '' : ' with the copied link'}`;
  await notifyPeople(scope, otherAdmins, { message, type: 'success', data: { staff_id } });
  await publishChange(scope, 'staff');
}
