import type { StaffMember } from '@callout/contract/staff';
import { newLinkToken } from '../../platform/auth/link-token.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import type { Limit } from '../../platform/http/rate-limit.sql.ts';
import { limitAttempts } from '../../platform/http/rate-limit.ts';
import { queueMail } from '../../platform/mail/outbox.sql.ts';
import { invitationEmail } from './invitation.email.ts';
import { putInvitation, readInviter } from './invitations.sql.ts';

/** Per company: more than any firm hires in an hour, fewer than a sender of junk wants. */
const INVITATIONS: Limit = { attempts: 50, seconds: 60 * 60 };
const LINK_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

type Invited = Pick<StaffMember, 'id' | 'name' | 'email' | 'role'>;

/** Mails a member a new link; the one before stops working. */
export async function sendInvitation(scope: TenantScope, context: CallContext, { id, name, email, role }: Invited): Promise<void> {
  await limitAttempts(context, `invite ${scope.companyId}`, INVITATIONS);
  const { token, hash } = newLinkToken();
  await putInvitation(scope, id, { token_hash: hash, expires_at: linkExpiry(scope.now) });
  const url = `${context.platform.appUrl}/invitation?token=${token}`;
  await queueMail(scope, invitationEmail({ ...(await readInviter(scope)), recipient: email, name, role, url, days: LINK_DAYS }));
}

export function linkExpiry(now: string): string {
  return new Date(Date.parse(now) + LINK_DAYS * DAY_MS).toISOString();
}
