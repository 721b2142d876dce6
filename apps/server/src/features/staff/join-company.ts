import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { changeAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange, publishEndedSessions } from '../../platform/live/live.ts';
import { removeCompanyFiles } from '../files/remove-files.ts';
import { adminsOf } from '../notifications/notifications.sql.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { type OpenInvitation, takeInvitation } from './invitations.sql.ts';
import { type GivenLogin, lockCompaniesToJoin } from './logins.sql.ts';

export interface JoinErrors {
  EMAIL_TAKEN(): Error;
}

/** How somebody becomes the member who was invited. */
export interface Joining {
  readonly invitation: OpenInvitation;
  /** Between the first look and now the invitation may have been used, withdrawn or mailed to another address. */
  invitationEnded(): Error;
  /** Null when their email works for a company. */
  giveLogin(scope: TenantScope): Promise<GivenLogin | null>;
}

const MAX_ATTEMPTS = 2;

/** Uses an invitation up. A company that its person never finished setting up is replaced by the one they join. */
export async function joinCompany({ pools }: Pick<Platform, 'pools'>, joining: Joining, errors: JoinErrors): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changeAs(pools.app, joining.invitation.tenant, (scope) => join(scope, joining, errors));
    } catch (error) {
      if (!isUniqueViolation(error, 'staff_members_profile_id_key')) throw error;
      // They started or joined a company at the same moment. Now that it is there, it is replaced if it is unfinished.
      if (attempt === MAX_ATTEMPTS) throw errors.EMAIL_TAKEN();
    }
  }
}

async function join(scope: TenantScope, joining: Joining, errors: JoinErrors): Promise<void> {
  const { staff_id, name, token_hash } = joining.invitation;
  await lockCompaniesToJoin(scope, staff_id);
  if (!(await takeInvitation(scope, token_hash))) throw joining.invitationEnded();
  const given = await joining.giveLogin(scope);
  if (!given) throw errors.EMAIL_TAKEN();
  await publishEndedSessions(scope, given.ended_sessions);
  if (given.replaced_company) await removeCompanyFiles.later(scope, { company_id: given.replaced_company });
  const others = (await adminsOf(scope)).filter((admin) => admin !== given.login);
  await notifyPeople(scope, others, { message: `${name} accepted your invitation`, type: 'success' });
  await publishChange(scope, 'staff');
}
