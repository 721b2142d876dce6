import { emailUnconfirmedError, type InvitationDelivery, type StaffMember } from '@callout/contract/staff';
import type { MailStatus } from '@callout/domain/mail/mail';
import { DAY_MS } from '@callout/domain/time/time-units';
import { createLinkToken } from '../../platform/auth/password-links.sql.ts';
import { getPerson } from '../../platform/db/actor.ts';
import { runTenantTransaction, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { findMailState, type MailReport, queueMail } from '../../platform/mail/outbox.sql.ts';
import { defineTask, mintTaskTenant } from '../../platform/queue/task.ts';
import { mustConfirmEmail } from '../auth/confirm-email.ts';
import { notifyUndeliveredMail } from '../notifications/notifications.sql.ts';
import { requireInvitableEmail } from './check-email.ts';
import { buildInvitationMail } from './invitation.mail.ts';
import { findInvitationByMail, readInvitationSender, saveCopiedLink, saveInvitationDelivery, saveMailedLink } from './invitations.sql.ts';
import { getMyStaffId } from './staff.sql.ts';

const INVITATION_LINK_DAYS = 7;

export function requireConfirmedInviter(scope: TenantScope, { platform }: CallContext): void {
  if (mustConfirmEmail(getPerson(scope.actor), platform.config)) throw toFailure(emailUnconfirmedError);
}

/** Throws if the inviter isn't allowed to give the member another link, whether emailed or copied. */
export async function requireInvitationAllowed(scope: TenantScope, context: MailingContext, { email }: StaffMember): Promise<void> {
  requireConfirmedInviter(scope, context);
  await context.mailLimiter.enforceSenderLimits(scope.companyId);
  await requireInvitableEmail(scope, email);
}

type InvitedMember = Pick<StaffMember, 'id' | 'name' | 'email' | 'role'>;

/** Emails a new link to a member, which makes earlier links stop working. Stores the request's id to recognize retries. */
export async function sendInvitation(
  scope: TenantScope,
  { mailLimiter, platform }: MailingContext,
  invited: InvitedMember,
  request: { readonly request_id?: string; readonly resend_id?: string | null } = {},
): Promise<void> {
  const { id, name, email: recipient, role } = invited;
  await mailLimiter.enforceRecipientLimits(scope.companyId, recipient);
  const { url, hash } = createInvitationLink(platform);
  const { inviter, company_name, logo_url } = await readInvitationSender(scope);
  const mail = buildInvitationMail({
    recipient,
    name,
    role,
    inviter: { name: inviter, email: getPerson(scope.actor).email },
    company_name,
    logoUrl: logo_url && `${platform.appUrl}${logo_url}`,
    url,
    validDays: INVITATION_LINK_DAYS,
  });
  const mail_id = await queueMail(scope, { ...mail, reportTask: recordInvitationDeliveryTask });
  await saveMailedLink(scope, id, { token_hash: hash, expires_at: getInvitationExpiry(scope.now), mail_id, ...request });
}

/** Creates a link for the inviter to copy and share. The link can't be shown again later, because only its hash is stored. */
export async function copyInvitationLink(scope: TenantScope, { platform }: MailingContext, member: StaffMember): Promise<string> {
  const { url, hash } = createInvitationLink(platform);
  const copied_expires_at = getInvitationExpiry(scope.now);
  await saveCopiedLink(scope, member.id, { copied_token_hash: hash, copied_by: getMyStaffId(scope), copied_expires_at });
  return url;
}

function createInvitationLink({ appUrl }: Pick<Platform, 'appUrl'>) {
  const { token, hash } = createLinkToken();
  return { url: `${appUrl}/invitation?token=${token}`, hash };
}

export function getInvitationExpiry(now: string): string {
  return new Date(Date.parse(now) + INVITATION_LINK_DAYS * DAY_MS).toISOString();
}

export const recordInvitationDeliveryTask = defineTask<MailReport>('record-invitation-delivery');

const DELIVERY_BY_MAIL_STATUS: Record<MailStatus, InvitationDelivery> = {
  waiting: 'sending',
  sent: 'delivered',
  failed: 'failed',
  kept: 'not-sent',
};

/** Stores the email's delivery status. If the email can't be delivered, notifies the inviter once. */
export async function recordInvitationDelivery({ pools, now }: Pick<Platform, 'pools' | 'now'>, report: MailReport): Promise<void> {
  const { mail_id, company_id } = report;
  if (!company_id) return;
  const tenant = mintTaskTenant(recordInvitationDeliveryTask.name, company_id, now().toISOString());
  const recordDelivery = async (scope: TenantScope) => {
    const [mail, before] = [await findMailState(pools.system, mail_id), await findInvitationByMail(scope, mail_id)];
    if (!mail || !before) return;
    const state = { delivery: DELIVERY_BY_MAIL_STATUS[mail.status], delivery_problem: mail.problem };
    if (before.delivery === state.delivery && before.delivery_problem === state.delivery_problem) return;
    await saveInvitationDelivery(scope, mail_id, state);
    await publishChange(scope, 'staff');
    if (state.delivery !== 'failed' || before.delivery === 'failed') return;
    const [description, data] = [`Your invitation to ${before.name}`, { staff_id: before.staff_id }];
    await notifyUndeliveredMail(scope, before.invited_by, { description, problem: mail.problem, data });
  };
  // Lock the staff before reading the status, so that a slow report can't overwrite a newer status.
  await runTenantTransaction(pools.app, tenant, recordDelivery, 'staff');
}
