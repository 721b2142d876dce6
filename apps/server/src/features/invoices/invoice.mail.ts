import { layOutMail, type Mail, type MailTable } from '../../platform/mail/mail-layout.ts';
import { replyToOf, signatureOf, withoutUrl } from '../company/mail-parts.ts';
import type { InvoiceView } from './invoice-view.ts';
import { askedAmount, bankRows, paymentRows, REFERENCE_ADVICE, totalRows } from './printed-invoice.ts';

export interface InvoiceEmailInput {
  readonly recipient: string;
  readonly subject: string;
  /** Paragraphs, apart by empty lines. */
  readonly body: string;
  readonly view: InvoiceView;
  readonly logoUrl: string | null;
  /** The public page. */
  readonly url: string;
}

/** To a customer: what is to be paid, the button, and the invoice with the figures of its page. */
export function invoiceEmail({ recipient, subject, body, view, logoUrl, url }: InvoiceEmailInput): Mail {
  const { issuer } = view.document;
  const bank = bankRows(view);
  return layOutMail({
    recipient,
    subject,
    // Whoever has the link sees the invoice.
    secret: true,
    logoUrl,
    ...replyToOf(issuer),
    before: body.split(/\n{2,}/),
    action: { label: view.state === 'paid' ? 'View your invoice' : 'View and pay your invoice', url },
    tables: [
      headOf(view),
      { title: 'Your invoice', rows: [...totalRows(view), ...paymentRows(view)] },
      ...(bank.length > 0 ? [{ title: 'Pay by bank transfer', note: REFERENCE_ADVICE, rows: bank }] : []),
    ],
    after: [signatureOf(issuer)],
  });
}

function headOf({ document, state }: InvoiceView): MailTable {
  const { job_number, invoice_number, title, customer, due, description, items } = document;
  const names = [withoutUrl(customer?.company_name), withoutUrl(customer?.name)].filter((name) => name !== null);
  const facts = [
    `Invoice #${job_number}`,
    ...(invoice_number ? [invoice_number] : []),
    ...(names.length > 0 ? [`for ${names.join(', ')}`] : []),
    ...(state === 'paid' ? [] : [due]),
  ];
  return {
    title,
    note: [facts.join(' · '), ...(description ? [description] : [])].join('\n'),
    rows: items.map((item) => ({ label: item.name, note: `${item.quantity} × ${item.unit_price} ${item.tax}`, amount: item.total })),
  };
}

export interface Letter {
  readonly subject: string;
  readonly body: string;
}

/** 'Invoice #J26110391 from Tane Plumbing', or 'Corrected invoice …', with what is to be paid and when. */
export function invoiceLetter(view: InvoiceView): Letter {
  const { job_number, title, customer, due, issuer } = view.document;
  const [company, name, work] = [withoutUrl(issuer.company_name), withoutUrl(customer?.name), withoutUrl(title)];
  const when = due.replace('Due Immediately', 'due immediately').replace(/^Due/, 'due');
  const asked = view.state === 'paid' ? 'It has been paid. Thank you!' : `Please pay ${askedAmount(view)} (${when}).`;
  return {
    subject: `${view.replaces ? 'Corrected invoice' : 'Invoice'} #${job_number}${company ? ` from ${company}` : ''}`,
    body: [
      name ? `Hi ${name},` : 'Hi,',
      `Here is your ${view.replaces ? 'corrected ' : ''}invoice${work ? ` for “${work}”` : ''}. It is also attached as a PDF.`,
      ...(view.replaces ? [`This invoice replaces ${view.replaces}.`] : []),
      asked,
      ...(issuer.email ? ['If you have any questions, just reply to this email.'] : []),
    ].join('\n\n'),
  };
}
