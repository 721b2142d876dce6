import { type Mail, type MailTable, renderMail } from '../../platform/mail/mail-layout.ts';
import { buildReplyTo, formatSignature, nullIfUrl } from '../company/customer-mail-parts.ts';
import { buildBankRows, buildPaymentRows, buildTotalRows, formatAmountDue, PAYMENT_REFERENCE_NOTE } from './invoice-format.ts';
import type { RenderableInvoice } from './renderable-invoice.ts';

export interface InvoiceMailContent {
  readonly recipient: string;
  readonly subject: string;
  /** Paragraphs separated by blank lines. */
  readonly body: string;
  readonly view: RenderableInvoice;
  readonly logoUrl: string | null;
  /** URL of the public invoice page. */
  readonly url: string;
}

/** Builds an email with the message, a button and the invoice. The amounts match the public invoice page. */
export function buildInvoiceMail({ recipient, subject, body, view, logoUrl, url }: InvoiceMailContent): Mail {
  const { issuer } = view.document;
  const bank = buildBankRows(view);
  return renderMail({
    recipient,
    subject,
    // Anyone who has the link can view the invoice, so the email's text is deleted once it has been sent.
    hasSecretLink: true,
    logoUrl,
    ...buildReplyTo(issuer),
    intro: body.split(/\n{2,}/),
    action: { label: view.state === 'paid' ? 'View your invoice' : 'View and pay your invoice', url },
    tables: [
      buildHeaderTable(view),
      { title: 'Your invoice', rows: [...buildTotalRows(view), ...buildPaymentRows(view)] },
      ...(bank.length > 0 ? [{ title: 'Pay by bank transfer', note: PAYMENT_REFERENCE_NOTE, rows: bank }] : []),
    ],
    closing: [formatSignature(issuer)],
  });
}

function buildHeaderTable({ document, state, message_due }: RenderableInvoice): MailTable {
  const { job_number, invoice_number, title, customer, description, items } = document;
  const address = nullIfUrl(customer?.address)?.replaceAll(/\s*\n\s*/g, ', ');
  const names = [nullIfUrl(customer?.company_name), nullIfUrl(customer?.name)].filter((name) => name !== null);
  const facts = [
    `Invoice #${job_number}`,
    ...(invoice_number ? [invoice_number] : []),
    ...(names.length > 0 ? [`for ${names.join(', ')}`] : []),
    ...(address ? [address] : []),
    ...(state === 'paid' ? [] : [message_due]),
  ];
  return {
    title,
    note: [facts.join(' · '), ...(description ? [description] : [])].join('\n'),
    rows: items.map((item) => ({ label: item.name, note: formatLineNote(item), amount: item.total })),
  };
}

const formatLineNote = ({ quantity, unit_price, tax, discount }: RenderableInvoice['document']['items'][number]) =>
  [`${quantity} × ${unit_price} ${tax}`, ...(discount ? [discount] : [])].join(' · ');

const formatReplacement = ({ invoice_number, credit_note }: NonNullable<RenderableInvoice['replaces']>) =>
  `This invoice replaces ${invoice_number}${credit_note ? `, which credit note ${credit_note} cancels` : ''}.`;

export interface InvoiceMessage {
  readonly subject: string;
  readonly body: string;
}

/** Builds a subject such as 'Invoice #J26110391 from Tane Plumbing', and a body with the amount due and the due date. */
export function buildInvoiceMessage(view: RenderableInvoice): InvoiceMessage {
  const { job_number, title, customer, issuer } = view.document;
  const [company, name, work] = [nullIfUrl(issuer.company_name), nullIfUrl(customer?.name), nullIfUrl(title)];
  const when = view.message_due.replace('Due Immediately', 'due immediately').replace(/^Due/, 'due');
  const request = view.state === 'paid' ? 'This invoice is paid. Thank you!' : `Please pay ${formatAmountDue(view)} (${when}).`;
  return {
    subject: `${view.replaces ? 'Corrected invoice' : 'Invoice'} #${job_number}${company ? ` from ${company}` : ''}`,
    body: [
      name ? `Hi ${name},` : 'Hi,',
      `Here is your ${view.replaces ? 'corrected ' : ''}invoice${work ? ` for “${work}”` : ''}. It is also attached as a PDF.`,
      ...(view.replaces ? [formatReplacement(view.replaces)] : []),
      request,
      ...(issuer.email ? ['If you have any questions, just reply to this email.'] : []),
    ].join('\n\n'),
  };
}
