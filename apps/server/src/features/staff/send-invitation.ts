import type { StaffMember } from '@callout/contract/staff';
import { newLinkToken } from '../../platform/auth/link-token.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import type { Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { invitationEmail } from './invitation.email.ts';
import { putInvitation, readInviter } from './invitations.sql.ts';

/** Per company: more than any firm hires in an hour, fewer than a sender of junk wants. */
const INVITATIONS: Limit = { attempts: 50, seconds: 60 * 60 };
const LINK_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

type Invited = Pick<StaffMember, 'id' | 'name' | 'email' | 'role'>;

/** Before an address is looked for: who tries many would find out which of them work for a company. */
export function limitInvitations(scope: TenantScope, context: CallContext): Promise<void> {
  return limitAttempts(context.platform.pools.system, `invite ${scope.companyId}`, INVITATIONS);
}

/** Mails a member a new link; the one before stops working. The id of the request is kept, so that it is known when it comes again. */
export async function sendInvitation(scope: TenantScope, context: CallContext, invited: Invited, requestId?: string): Promise<void> {
  const { id, name, email: recipient, role } = invited;
  const { token, hash } = newLinkToken();
  const url = `${context.platform.appUrl}/invitation?token=${token}`;
  const letter = invitationEmail({ ...(await readInviter(scope)), recipient, name, role, url, days: LINK_DAYS });
  const mail_id = await queueMail(scope, letter);
  const link = { token_hash: hash, expires_at: linkExpiry(scope.now), mail_id };
  await putInvitation(scope, id, requestId === undefined ? link : { ...link, request_id: requestId });
}

export function linkExpiry(now: string): string {
  return new Date(Date.parse(now) + LINK_DAYS * DAY_MS).toISOString();
}
