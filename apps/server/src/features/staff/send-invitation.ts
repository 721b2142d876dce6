import { emailUnconfirmed, type InvitationDelivery, type StaffMember } from '@callout/contract/staff';
import type { MailStatus } from '@callout/domain/mail/mail';
import { DAY_MS } from '@callout/domain/time/time-units';
import { newLinkToken } from '../../platform/auth/password-links.sql.ts';
import { personOf } from '../../platform/db/actor.ts';
import { changeAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type MailReport, queueMail, readMailState } from '../../platform/mail/outbox.sql.ts';
import { defineTask, tenantOfTask } from '../../platform/queue/task.ts';
import { mustConfirmEmail } from '../auth/confirm-own-email.ts';
import { notifyUndelivered } from '../notifications/notifications.sql.ts';
import { requireInvitable } from './check-email.ts';
import { invitationEmail } from './invitation.mail.ts';
import { findMailedInvitation, type MailedLink, putCopiedLink, putInvitation, readSender, saveDelivery } from './invitations.sql.ts';
import { lockStaff, staffIdOf } from './staff.sql.ts';

const LINK_DAYS = 7;

export function requireConfirmedInviter(scope: TenantScope, { platform }: CallContext): void {
  if (mustConfirmEmail(personOf(scope.actor), platform.config)) throw failureOf(emailUnconfirmed);
}

/** The checks before an existing member is given another link, mailed or copied. */
export async function requireInvitationAllowed(scope: TenantScope, context: MailingContext, { email }: StaffMember): Promise<void> {
  requireConfirmedInviter(scope, context);
  await context.limits.limitSender(scope.companyId);
  await requireInvitable(scope, email);
}

type Invited = Pick<StaffMember, 'id' | 'name' | 'email' | 'role'>;

/** Mails a member a new link; the previous ones stop working. The id of the request is kept, to recognize it when it is repeated. */
export async function sendInvitation(
  scope: TenantScope,
  { limits, platform }: MailingContext,
  invited: Invited,
  request: Pick<MailedLink, 'request_id' | 'resend_id'> = {},
): Promise<void> {
  const { id, name, email: recipient, role } = invited;
  await limits.limitMailsTo(scope.companyId, recipient);
  const { url, hash } = newInvitationLink(platform);
  const { inviter, company_name, logo_url } = await readSender(scope);
  const letter = invitationEmail({
    recipient,
    name,
    role,
    inviter: { name: inviter, email: personOf(scope.actor).email },
    company_name,
    logoUrl: logo_url && `${platform.appUrl}${logo_url}`,
    url,
    days: LINK_DAYS,
  });
  const mail_id = await queueMail(scope, { ...letter, report: recordInvitationDelivery });
  await putInvitation(scope, id, { token_hash: hash, expires_at: linkExpiry(scope.now), mail_id, ...request });
}

/** Makes a link that the inviter sends themselves, and returns it: only its hash is stored. */
export async function copyInvitationLink(scope: TenantScope, { platform }: MailingContext, member: StaffMember): Promise<string> {
  const { url, hash } = newInvitationLink(platform);
  await putCopiedLink(scope, member.id, { copied_token_hash: hash, copied_by: staffIdOf(scope), copied_expires_at: linkExpiry(scope.now) });
  return url;
}

function newInvitationLink({ appUrl }: Pick<Platform, 'appUrl'>) {
  const { token, hash } = newLinkToken();
  return { url: `${appUrl}/invitation?token=${token}`, hash };
}

export function linkExpiry(now: string): string {
  return new Date(Date.parse(now) + LINK_DAYS * DAY_MS).toISOString();
}

export const recordInvitationDelivery = defineTask<MailReport>('record-invitation-delivery');

const DELIVERIES: Record<MailStatus, InvitationDelivery> = { waiting: 'sending', sent: 'delivered', failed: 'failed', kept: 'not-sent' };

/** Shows the delivery status on the invitation, and notifies the inviter once when the mail could not be delivered. */
export async function recordDelivery({ pools, now }: Pick<Platform, 'pools' | 'now'>, { mail_id, company_id }: MailReport): Promise<void> {
  if (!company_id) return;
  const tenant = tenantOfTask(recordInvitationDelivery.name, company_id, now().toISOString());
  await changeAs(pools.app, tenant, async (scope) => {
    // Read under the lock: otherwise a report that read an earlier state could be the last to save.
    await lockStaff(scope);
    const [mail, before] = [await readMailState(pools.system, mail_id), await findMailedInvitation(scope, mail_id)];
    if (!mail || !before) return;
    const state = { delivery: DELIVERIES[mail.status], delivery_problem: mail.problem };
    if (before.delivery === state.delivery && before.delivery_problem === state.delivery_problem) return;
    await saveDelivery(scope, mail_id, state);
    await publishChange(scope, 'staff');
    if (state.delivery !== 'failed' || before.delivery === 'failed') return;
    const [what, data] = [`Your invitation to ${before.name}`, { staff_id: before.staff_id }];
    await notifyUndelivered(scope, before.invited_by, { what, problem: mail.problem, data });
  });
}
