import { emailTaken, invitationNotFound, type MyInvitations } from '@callout/contract/staff';
import { failureOf } from '../../platform/errors/failures.ts';
import type { PersonContext } from '../../platform/http/call-context.ts';
import { listOpenInvitations } from './invitations.sql.ts';
import { joinCompany } from './join-company.ts';
import { joinWithLogin } from './logins.sql.ts';

/** Someone whose email is unconfirmed learns only that an invitation exists, not from whom. */
export async function readMyInvitations(context: PersonContext): Promise<MyInvitations> {
  const { actor, platform, now } = context;
  const open = await listOpenInvitations(platform.pools.system, actor.email, now);
  const companies = actor.emailVerified ? open.map(({ company_id, company_name }) => ({ company_id, company_name })) : [];
  return { open: open.length > 0, companies };
}

/** Joins without a link, with the login that confirmed the email that was invited. */
export async function joinMyCompany(context: PersonContext, companyId: string): Promise<void> {
  const { actor, platform, now } = context;
  const open = actor.emailVerified ? await listOpenInvitations(platform.pools.system, actor.email, now) : [];
  const invitation = open.find(({ company_id }) => company_id === companyId.toLowerCase());
  if (!invitation) throw failureOf(invitationNotFound);
  await joinCompany(platform, {
    invitation,
    ended: invitationNotFound,
    refused: emailTaken,
    attachLogin: (scope) => joinWithLogin(scope, invitation.staff_id, actor.userId),
  });
}
