import type { DocumentIssuer } from '@callout/domain/documents/document-parts';
import { containsUrl } from '@callout/domain/validation/text-rules';
import type { Mail } from '../../platform/mail/mail-layout.ts';

/** Returns null if the name contains a URL. Some stored names do, because URLs used to be allowed. */
export function nullIfUrl(name: string | null | undefined): string | null {
  return !name || containsUrl(name) ? null : name;
}

/** Builds the reply-to address, which also shows the company as the sender. Empty if the company has no email address. */
export function buildReplyTo({ company_name, email }: DocumentIssuer): Pick<Mail, 'replyTo'> {
  return email ? { replyTo: { name: nullIfUrl(company_name) ?? '', address: email, isSender: true } } : {};
}

export function formatSignature({ company_name, phone, email, address }: DocumentIssuer): string {
  return [nullIfUrl(company_name), phone, email, address].filter(Boolean).join('\n') || 'Thank you.';
}
