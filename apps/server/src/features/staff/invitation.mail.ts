import { PRODUCT_NAME } from '@callout/domain/product/product';
import { ROLE_LABELS_WITH_ARTICLE } from '@callout/domain/roles/role-labels';
import type { Role } from '@callout/domain/roles/roles';
import { containsUrl } from '@callout/domain/validation/text-rules';
import { type Mail, renderMail } from '../../platform/mail/mail-layout.ts';

export interface InvitationMailContent {
  readonly recipient: string;
  readonly name: string;
  readonly role: Role;
  /** The person who sent the invitation. Replies to the email go to them. */
  readonly inviter: { readonly name: string | null; readonly email: string };
  readonly company_name: string | null;
  readonly logoUrl: string | null;
  readonly url: string;
  readonly validDays: number;
}

const PRODUCT_DESCRIPTION = `${PRODUCT_NAME} is an app that trade businesses use to plan jobs and send quotes and invoices.`;

/** Leaves out names that contain a URL, so that strangers can't use invitations for phishing. */
export function buildInvitationMail(content: InvitationMailContent): Mail {
  const { recipient, name, role, inviter, company_name, logoUrl, url, validDays } = content;
  const company = nullIfUrl(company_name);
  const destination = `${company ? `“${company.replaceAll(/["“”]/g, '')}”` : 'a company'} on ${PRODUCT_NAME}`;
  const greeting = ['Hi', nullIfUrl(name)].filter(Boolean).join(' ');
  const inviterName = nullIfUrl(inviter.name);
  const invitation = `${inviterName ?? 'Someone'} invited you to join ${destination}`;
  return renderMail({
    recipient,
    hasSecretLink: true,
    logoUrl,
    replyTo: { name: inviterName ?? '', address: inviter.email },
    // Leave the inviter's name out of the subject. Anyone can sign up with a name that reads like a phishing message.
    subject: `You're invited to join ${destination}`,
    intro: [`${greeting},`, `${invitation} as ${ROLE_LABELS_WITH_ARTICLE[role]}.`, PRODUCT_DESCRIPTION],
    action: { label: 'Accept invitation', url },
    closing: [
      `You'll choose a password and sign in with ${recipient}.`,
      `This link can be used once and expires in ${validDays} days. If you weren't expecting this invitation, you can ignore this email.`,
    ],
  });
}

/** Returns null if the name contains a URL. New names can't, but old names and names derived from an email address may. */
function nullIfUrl(name: string | null): string | null {
  return name === null || containsUrl(name) ? null : name;
}
