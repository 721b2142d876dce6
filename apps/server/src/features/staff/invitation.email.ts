import { PRODUCT_NAME } from '@callout/domain/product/product';
import type { Role } from '@callout/domain/roles/roles';
import { layOutMail, type Mail } from '../../platform/mail/mail-layout.ts';

const AS: Record<Role, string> = {
  admin: 'as an admin',
  manager: 'as a manager',
  accountant: 'as an accountant',
  staff: 'as a staff member',
};

export interface InvitationLetter {
  readonly recipient: string;
  readonly name: string;
  readonly role: Role;
  readonly inviter: string;
  readonly company_name: string | null;
  readonly url: string;
  readonly days: number;
}

export function invitationEmail({ recipient, name, role, inviter, company_name, url, days }: InvitationLetter): Mail {
  const company = company_name ?? 'their company';
  return layOutMail({
    recipient,
    secret: true,
    subject: `${inviter} invited you to ${company_name ?? PRODUCT_NAME}`,
    before: [`Hello ${name},`, `${inviter} invited you to ${company} on ${PRODUCT_NAME} ${AS[role]}.`],
    action: { label: 'Accept the invitation', url },
    after: [
      `There you choose a password and are signed in as ${recipient}.`,
      `The link works once and for ${days} days. If you did not expect it, ignore this mail: nothing changes.`,
    ],
  });
}
