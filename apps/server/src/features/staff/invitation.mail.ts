import { PRODUCT_NAME } from '@callout/domain/product/product';
import { ROLE_IN_SENTENCE } from '@callout/domain/roles/role-text';
import type { Role } from '@callout/domain/roles/roles';
import { containsUrl } from '@callout/domain/validation/text-rules';
import { layOutMail, type Mail } from '../../platform/mail/mail-layout.ts';

export interface InvitationEmailInput {
  readonly recipient: string;
  readonly name: string;
  readonly role: Role;
  /** Receives replies. */
  readonly inviter: { readonly name: string | null; readonly email: string };
  readonly company_name: string | null;
  readonly logoUrl: string | null;
  readonly url: string;
  readonly days: number;
}

/** Sent to someone who may not know us. Names that contain a URL are left out, so that the mail cannot carry a link of theirs. */
export function invitationEmail({ recipient, name, role, inviter, company_name, logoUrl, url, days }: InvitationEmailInput): Mail {
  const company = withoutUrl(company_name);
  const to = `${company ? `“${company.replaceAll(/["“”]/g, '')}”` : 'a company'} on ${PRODUCT_NAME}`;
  const greeting = ['Hi', withoutUrl(name)].filter(Boolean).join(' ');
  const sender = withoutUrl(inviter.name);
  const invitation = `${sender ?? 'Someone'} invited you to join ${to}`;
  return layOutMail({
    recipient,
    secret: true,
    logoUrl,
    replyTo: { name: sender ?? '', address: inviter.email },
    // Without the inviter's name: whoever signs up chooses it, and a subject is read before anything else.
    subject: `You're invited to join ${to}`,
    before: [`${greeting},`, `${invitation} as ${ROLE_IN_SENTENCE[role]}.`],
    action: { label: 'Accept the invitation', url },
    after: [
      `You'll set a password and sign in as ${recipient}.`,
      `This link can be used once and expires in ${days} days. If you weren't expecting this, you can ignore this email.`,
    ],
  });
}

/** Some names are older than the rule against links in them, or were taken from an email. */
function withoutUrl(name: string | null): string | null {
  return name === null || containsUrl(name) ? null : name;
}
