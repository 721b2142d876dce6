import type { DocumentIssuer } from '@callout/domain/documents/document-parts';
import { containsUrl } from '@callout/domain/validation/text-rules';
import { type Mail, type MailTable, renderMail } from '../../platform/mail/mail-layout.ts';
import type { MailMessage } from './document-kind.ts';

/** Returns null if the name contains a URL. Some stored names do, because URLs used to be allowed. */
export function nullIfUrl(name: string | null | undefined): string | null {
  return !name || containsUrl(name) ? null : name;
}

interface DocumentMailContent extends MailMessage {
  readonly issuer: DocumentIssuer;
  readonly logoUrl: string | null;
  /** The button that opens the document's public page. */
  readonly action: { readonly label: string; readonly url: string };
  readonly tables: readonly MailTable[];
}

/** Builds an email with the sender's message, a button and the document. Replies go to the company, which is also shown as the sender. */
export function buildDocumentMail({ recipient, subject, body, issuer, logoUrl, action, tables }: DocumentMailContent): Mail {
  const { company_name, phone, email, address } = issuer;
  const name = nullIfUrl(company_name);
  return renderMail({
    recipient,
    subject,
    // Anyone who has the link can open the document, so the email's text is deleted once it has been sent.
    hasSecretLink: true,
    logoUrl,
    ...(email && { replyTo: { name: name ?? '', address: email, isSender: true } }),
    intro: body.split(/\n{2,}/),
    action,
    tables,
    closing: [[name, phone, email, address].filter(Boolean).join('\n') || 'Thank you.'],
  });
}

/** Builds the greeting above the text, and the closing line below it if the company can be replied to. */
export function buildLetter(customerName: string | null | undefined, { email }: DocumentIssuer, paragraphs: readonly string[]): string {
  const name = nullIfUrl(customerName);
  const closing = email ? ['If you have any questions, just reply to this email.'] : [];
  return [name ? `Hi ${name},` : 'Hi,', ...paragraphs, ...closing].join('\n\n');
}

/** Builds the table above the amounts: the title, and a note with the facts and the description. */
export function buildHeaderTable(
  { title, description, customer }: HeaderContent,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): Omit<MailTable, 'rows'> {
  const names = [customer?.company_name, customer?.name].flatMap((name) => nullIfUrl(name) ?? []);
  const facts = [...before, ...(names.length > 0 ? [`for ${names.join(', ')}`] : []), ...after];
  return { title, note: [facts.join(' · '), ...(description ? [description] : [])].join('\n') };
}

interface HeaderContent {
  readonly title: string;
  readonly description: string | null;
  readonly customer: { readonly name: string; readonly company_name: string | null } | null;
}
