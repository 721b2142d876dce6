import { idTakenError } from '@callout/contract/errors';
import { type Billing, invoiceClosedError, invoiceNotFoundError, unconfirmedInvoiceSenderError } from '@callout/contract/invoices';
import { readPublicLink } from '../../platform/auth/public-links.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, toFailure } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import { publishChange } from '../../platform/live/live.ts';
import { defineAttachmentKind } from '../../platform/mail/mail-attachment.ts';
import { type DocumentKind, type DocumentMailer, defineDocument } from '../documents/document-kind.ts';
import { findDocumentMail, hasQueuedOrDeliveredMail } from '../documents/document-mails.sql.ts';
import { getEarlierOutcome, type MailOutcome, requireRecipient, retryDocumentMail, sendDocument } from '../documents/send-document.ts';
import { recordEvent } from '../history/history.sql.ts';
import { jobRecordType } from '../jobs/jobs.sql.ts';
import { lockPricedJob, settleJob } from '../jobs/settle-job.ts';
import { buildInvoiceMail, buildInvoiceMessage, buildInvoiceReminder } from './invoice.mail.ts';
import { findCustomerEmail, INVOICE_REMINDER_RULE, isInvoiceReminderDue, readReminderTemplate } from './invoice-mails.sql.ts';
import { clearHandOver, findInvoice, readSenderName, type SentInvoice } from './invoices.sql.ts';
import { invoice_mails } from './invoices.table.ts';
import { issueOrReuseInvoice, markInvoiceNotSent, markInvoiceSent } from './issue-invoice.ts';
import { readBilling } from './read-billing.ts';
import { PUBLIC_INVOICE_LINK } from './read-public-invoice.ts';
import { type RenderableInvoice, readRenderableInvoice } from './renderable-invoice.ts';

export const INVOICE_DOCUMENT: DocumentKind<SentInvoice> = defineDocument<SentInvoice>(
  {
    name: 'invoice',
    topic: 'invoices',
    mails: invoice_mails,
    notFound: invoiceNotFoundError,
    unconfirmedSender: unconfirmedInvoiceSenderError,
    reminderRule: INVOICE_REMINDER_RULE,
    find: findInvoice,
    lock: lockInvoiceJob,
    prepareMail: prepareInvoiceMail,
    isReminderDue: isInvoiceReminderDue,
    describe: ({ job_id, job_number, invoice_number, customer_name }) => ({
      label: `invoice #${job_number}`,
      customerName: customer_name,
      history: { kind: 'job', id: job_id, changes: { invoice_number: [null, invoice_number] } },
      notificationData: { job_id },
    }),
    markSent: markInvoiceMailed,
    markResent: markInvoiceMailed,
    markUndelivered: revertToUnsent,
  },
  // Enough for a company that sends all of a month's invoices in one evening.
  { perCompanyAndHour: 200, perNetworkAndDay: 500 },
);

export interface SendInvoiceInput {
  readonly id: string;
  readonly mail_id: string;
  readonly content_hash?: string | undefined;
  readonly by_hand: boolean;
  readonly handed_over: boolean;
}

export interface SendInvoiceResult {
  readonly billing: Billing;
  readonly mail: MailOutcome | null;
}

export async function sendInvoice(scope: TenantScope, context: MailingContext, request: SendInvoiceInput): Promise<SendInvoiceResult> {
  if (!request.by_hand) return mailInvoice(scope, context, request);
  const { invoice, job } = await issueOrReuseInvoice(scope, request.id, request);
  if (request.handed_over) await recordHandOver(scope, invoice);
  else await settleJob(scope, job);
  return { billing: await readBilling(scope, request.id), mail: null };
}

/** Records that the person gave the invoice to its customer, on paper or with the link. Idempotent. */
export async function handOverInvoice(scope: TenantScope, id: string): Promise<Billing> {
  const invoice = await lockOpenInvoice(scope, id);
  await recordHandOver(scope, invoice);
  return readBilling(scope, invoice.job_id);
}

/** Takes back a hand-over that was recorded by mistake. The invoice is then not sent, unless it was also emailed. Idempotent. */
export async function undoHandOver(scope: TenantScope, id: string): Promise<Billing> {
  const invoice = await lockOpenInvoice(scope, id);
  if (invoice.handed_over_by !== null) {
    await recordEvent(scope, 'job', invoice.job_id, 'hand-over-undone', { invoice_number: [null, invoice.invoice_number] });
    await clearHandOver(scope, id);
    if (!(await hasQueuedOrDeliveredMail(scope, invoice_mails, id))) await markInvoiceNotSent(scope, invoice);
    await publishChange(scope, 'invoices');
  }
  return readBilling(scope, invoice.job_id);
}

async function lockOpenInvoice(scope: TenantScope, id: string): Promise<SentInvoice> {
  const found = await findInvoice(scope, id);
  if (!found) throw toFailure(invoiceNotFoundError);
  await lockPricedJob(scope, found.job_id);
  const invoice = await findInvoice(scope, id);
  if (invoice?.kind !== 'invoice' || invoice.state !== 'open') throw toFailure(invoiceClosedError);
  return invoice;
}

async function recordHandOver(scope: TenantScope, invoice: SentInvoice): Promise<void> {
  if (invoice.handed_over_by !== null) return;
  await recordEvent(scope, 'job', invoice.job_id, 'invoice-handed-over', { invoice_number: [null, invoice.invoice_number] });
  await markInvoiceSent(scope, invoice, await readSenderName(scope));
  await publishChange(scope, 'invoices');
}

/** Issues and emails an invoice. Marks a complete job as invoiced if a mail server is configured. Idempotent by `mail_id`. */
async function mailInvoice(scope: TenantScope, context: MailingContext, request: SendInvoiceInput): Promise<SendInvoiceResult> {
  const { id: jobId, mail_id } = request;
  await lockPricedJob(scope, jobId);
  const earlier = await findDocumentMail(scope, invoice_mails, mail_id);
  if (earlier) {
    const sent = await findInvoice(scope, earlier.document_id);
    if (sent?.job_id !== jobId || earlier.kind !== 'invoice') throw toFailure(idTakenError);
    return { billing: await readBilling(scope, jobId), mail: getEarlierOutcome(earlier) };
  }
  const { customer } = await readRecord(scope, jobRecordType, jobId);
  const recipient = requireRecipient(scope, context, INVOICE_DOCUMENT, customer?.email ?? null);
  const { invoice, job } = await issueOrReuseInvoice(scope, jobId, request);
  const mailer = await prepareInvoiceMail(scope, invoice);
  const newMail = { id: mail_id, document: invoice, mailer, recipient, text: buildInvoiceMessage(mailer.view) };
  const mail = await sendDocument(scope, context, INVOICE_DOCUMENT, newMail);
  // Without a mail server, the invoice is issued, but not sent. A corrected invoice changes the amount due, so update the job's paid status.
  if (mail === 'kept') await settleJob(scope, job);
  return { billing: await readBilling(scope, jobId), mail };
}

export async function retryInvoiceMail(scope: TenantScope, context: MailingContext, id: string): Promise<SendInvoiceResult> {
  const { document, mail } = await retryDocumentMail(scope, context, INVOICE_DOCUMENT, id);
  return { billing: await readBilling(scope, document.job_id), mail };
}

async function lockInvoiceJob(scope: TenantScope, id: string): Promise<void> {
  const invoice = await findInvoice(scope, id);
  if (invoice) await lockPricedJob(scope, invoice.job_id);
}

interface InvoiceAttachmentPayload {
  readonly invoice_id: string;
  /** Ids of the payments that the email takes into account, so that a PDF rendered later shows the same amount due. */
  readonly payment_ids: readonly string[];
}

export const invoiceAttachmentKind = defineAttachmentKind<InvoiceAttachmentPayload>('invoice-pdf');

/** All emails request the amount that is due now. */
async function prepareInvoiceMail(
  scope: TenantScope,
  invoice: SentInvoice,
): Promise<DocumentMailer & { readonly view: RenderableInvoice }> {
  const view = await readRenderableInvoice(scope, invoice.id);
  const buildReminder = async () => buildInvoiceReminder(view, invoice, await readReminderTemplate(scope));
  return {
    view,
    recipient: await findCustomerEmail(scope, invoice.id),
    canRemind: view.state === 'open',
    requireSendable: (kind) => {
      if (view.state === 'canceled') throw toFailure(invoiceClosedError);
      if (view.state !== 'paid' || kind !== 'reminder') return;
      throw createFailure('INVOICE_CLOSED', 'This invoice is paid. No reminder was sent.');
    },
    buildReminder,
    rebuildText: async ({ kind }) => (kind === 'reminder' ? buildReminder() : buildInvoiceMessage(view)),
    buildMail: async (message, appUrl) => {
      const { token } = await readPublicLink(scope, { kind: PUBLIC_INVOICE_LINK.kind, id: invoice.job_id });
      const logoUrl = view.logo_url && `${appUrl}${view.logo_url}`;
      const attachment = invoiceAttachmentKind.from({ invoice_id: invoice.id, payment_ids: view.payment_ids });
      return { ...buildInvoiceMail({ ...message, view, logoUrl, url: `${appUrl}/invoice/${token}` }), attachment };
    },
  };
}

async function markInvoiceMailed(scope: TenantScope, invoice: SentInvoice, recipient: string): Promise<void> {
  const { job_id, invoice_number } = invoice;
  await recordEvent(scope, 'job', job_id, 'invoice-mailed', { invoice_number: [null, invoice_number], recipient: [null, recipient] });
  await markInvoiceSent(scope, invoice);
}

/** Marks the open invoice as not sent, unless another email was delivered or is queued, or someone handed it over. */
async function revertToUnsent(scope: TenantScope, invoice: SentInvoice): Promise<void> {
  if (invoice.state !== 'open' || invoice.handed_over_by !== null) return;
  if (!(await hasQueuedOrDeliveredMail(scope, invoice_mails, invoice.id))) await markInvoiceNotSent(scope, invoice);
}
