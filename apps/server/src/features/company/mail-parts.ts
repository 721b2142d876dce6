import type { DocumentIssuer } from '@callout/domain/documents/document-parts';
import { containsUrl } from '@callout/domain/validation/text-rules';
import type { Mail } from '../../platform/mail/mail-layout.ts';

/** What the mails of a company to its customers share. */

/** Some names are older than the rule against links in them. */
export function withoutUrl(name: string | null | undefined): string | null {
  return !name || containsUrl(name) ? null : name;
}

/** The mail is from the company, which gets the answers. */
export function replyToOf({ company_name, email }: DocumentIssuer): Pick<Mail, 'replyTo'> {
  return email ? { replyTo: { name: withoutUrl(company_name) ?? '', address: email, isSender: true } } : {};
}

/** Who wrote, and how to reach them. */
export function signatureOf({ company_name, phone, email, address }: DocumentIssuer): string {
  return [withoutUrl(company_name), phone, email, address].filter(Boolean).join('\n') || 'Thank you.';
}
