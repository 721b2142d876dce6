import { emailTakenError, invitationNotFoundError, type MyInvitations } from '@callout/contract/staff';
import { toFailure } from '../../platform/errors/failures.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { listOpenInvitationsByEmail } from './invitations.sql.ts';
import { joinCompany } from './join-company.ts';
import { attachExistingLogin } from './logins.sql.ts';

/** Lists the companies that invited the person. Someone with an unconfirmed address learns only whether an invitation exists. */
export async function readMyInvitations(context: PersonContext): Promise<MyInvitations> {
  const { actor, platform, now } = context;
  const open = await listOpenInvitationsByEmail(platform.pools.system, actor.email, now);
  const companies = actor.emailVerified ? open.map(({ company_id, company_name }) => ({ company_id, company_name })) : [];
  return { open: open.length > 0, companies };
}

/** Joins a company without an invitation link. Requires a confirmed email address, which proves that the person is the invitee. */
export async function joinInvitingCompany(context: PersonContext, companyId: string): Promise<void> {
  const { actor, platform, now } = context;
  const open = actor.emailVerified ? await listOpenInvitationsByEmail(platform.pools.system, actor.email, now) : [];
  const invitation = open.find(({ company_id }) => company_id === companyId.toLowerCase());
  if (!invitation) throw toFailure(invitationNotFoundError);
  await joinCompany(platform, {
    invitation,
    invitationClosedError: invitationNotFoundError,
    loginRefusedError: emailTakenError,
    attachLogin: (scope) => attachExistingLogin(scope, invitation.staff_id, actor.userId),
  });
}
