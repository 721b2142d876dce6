import type { MyInvitations } from '@callout/contract/staff';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { publishChange } from '../../platform/live/live.ts';
import { listOpenInvitations } from './invitations.sql.ts';
import { type JoinErrors, joinCompany } from './join-company.ts';
import { joinWithLogin } from './logins.sql.ts';
import { sendInvitation } from './send-invitation.ts';
import { lockStaff, readMember } from './staff.sql.ts';

interface MyInvitationErrors {
  NOT_FOUND(): Error;
}

/** Signing up confirms no email: who only claims it learns that a link can be mailed to it, and not by whom. */
export async function readMyInvitations(context: PersonContext): Promise<MyInvitations> {
  const { actor, platform, now } = context;
  const open = await listOpenInvitations(platform.pools.system, actor.email, now);
  const companies = actor.emailVerified ? open.map(({ company_id, company_name }) => ({ company_id, company_name })) : [];
  return { open: open.length > 0, companies };
}

/** Mails the newest link anew to the email it was mailed to: whoever holds that is let in by the link, not by this session. */
export async function resendMyInvitation(context: PersonContext, errors: MyInvitationErrors): Promise<void> {
  const { actor, platform, now } = context;
  const [newest] = await listOpenInvitations(platform.pools.system, actor.email, now);
  if (!newest) throw errors.NOT_FOUND();
  await changeAs(platform.pools.app, newest.tenant, async (scope) => {
    await lockStaff(scope);
    const member = await readMember(scope, newest.staff_id);
    if (member?.status !== 'invited' || member.email.toLowerCase() !== actor.email) throw errors.NOT_FOUND();
    await sendInvitation(scope, platform, member);
    await publishChange(scope, 'staff');
  });
}

/** Joins without a link, with the login that confirmed the email that was invited. */
export async function joinMyCompany(context: PersonContext, companyId: string, errors: MyInvitationErrors & JoinErrors): Promise<void> {
  const { actor, platform, now } = context;
  const open = actor.emailVerified ? await listOpenInvitations(platform.pools.system, actor.email, now) : [];
  const invitation = open.find(({ company_id }) => company_id === companyId.toLowerCase());
  if (!invitation) throw errors.NOT_FOUND();
  await joinCompany(
    platform,
    {
      invitation,
      invitationEnded: () => errors.NOT_FOUND(),
      giveLogin: (scope) => joinWithLogin(scope, invitation.staff_id, actor.userId),
    },
    errors,
  );
}
