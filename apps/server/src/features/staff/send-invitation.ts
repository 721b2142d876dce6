import { emailUnconfirmed, type StaffMember } from '@callout/contract/staff';
import { newLinkToken } from '../../platform/auth/password-links.sql.ts';
import { personOf } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { mustConfirmEmail } from '../auth/confirm-own-email.ts';
import { invitationEmail } from './invitation.email.ts';
import { putInvitation, readSender } from './invitations.sql.ts';
import type { StaffContext } from './staff-mutation.ts';

const LINK_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

export function requireConfirmedInviter(scope: TenantScope, { platform }: CallContext): void {
  if (mustConfirmEmail(personOf(scope.actor), platform.config)) throw failureOf(emailUnconfirmed);
}

type Invited = Pick<StaffMember, 'id' | 'name' | 'email' | 'role'>;

/** Mails a member a new link; the previous one stops working. The id of the request is kept, to recognize it when it is sent again. */
export async function sendInvitation(
  scope: TenantScope,
  { limits, platform }: StaffContext,
  invited: Invited,
  requestId?: string,
): Promise<void> {
  const { id, name, email: recipient, role } = invited;
  await limits.limitMailsTo(scope.companyId, recipient);
  const { token, hash } = newLinkToken();
  const url = `${platform.appUrl}/invitation?token=${token}`;
  const letter = invitationEmail({ ...(await readSender(scope)), recipient, name, role, url, days: LINK_DAYS });
  const mail_id = await queueMail(scope, letter);
  const link = { token_hash: hash, expires_at: linkExpiry(scope.now), mail_id };
  await putInvitation(scope, id, requestId === undefined ? link : { ...link, request_id: requestId });
}

export function linkExpiry(now: string): string {
  return new Date(Date.parse(now) + LINK_DAYS * DAY_MS).toISOString();
}
