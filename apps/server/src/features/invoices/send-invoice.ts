import { idTakenError } from '@callout/contract/errors';
import {
  type Billing,
  invoiceClosedError,
  invoiceMailNotFoundError,
  invoiceNotFoundError,
  unconfirmedInvoiceSenderError,
} from '@callout/contract/invoices';
import { noCustomerEmailError } from '@callout/contract/quotes';
import { readPublicLink } from '../../platform/auth/public-links.sql.ts';
import { getPerson } from '../../platform/db/actor.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, toFailure } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type MailReport, queueMail } from '../../platform/mail/outbox.sql.ts';
import { getMailOutcome } from '../../platform/mail/send-mail.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { mustConfirmEmail } from '../auth/confirm-email.ts';
import { recordEvent } from '../history/history.sql.ts';
import { jobRecordType } from '../jobs/jobs.sql.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { invoiceAttachmentKind } from './create-invoice-pdf.ts';
import { buildInvoiceMail, buildInvoiceMessage, type InvoiceMessage } from './invoice.mail.ts';
import {
  findCustomerEmail,
  findInvoiceMail,
  hasQueuedOrDeliveredMail,
  type InvoiceMailRow,
  insertInvoiceMail,
  markInvoiceMailRequeued,
} from './invoice-mails.sql.ts';
import { buildReminderMessage } from './invoice-reminder-message.ts';
import { readReminderTemplate } from './invoice-reminders.sql.ts';
import { clearHandOver, findInvoice, readSenderName, type SentInvoice } from './invoices.sql.ts';
import { issueOrReuseInvoice, lockBilling, markInvoiceNotSent, markInvoiceSent } from './issue-invoice.ts';
import { readBilling } from './read-billing.ts';
import { PUBLIC_INVOICE_LINK } from './read-public-invoice.ts';
import { type RenderableInvoice, readRenderableInvoice } from './renderable-invoice.ts';

export interface SendInvoiceInput {
  readonly id: string;
  readonly mail_id: string;
  readonly content_hash?: string | undefined;
  readonly by_hand: boolean;
  readonly handed_over: boolean;
}

export interface SendInvoiceResult {
  readonly billing: Billing;
  readonly mail: 'queued' | 'kept' | null;
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
    if (!(await hasQueuedOrDeliveredMail(scope, id))) await markInvoiceNotSent(scope, invoice);
    await publishChange(scope, 'invoices');
  }
  return readBilling(scope, invoice.job_id);
}

async function lockOpenInvoice(scope: TenantScope, id: string): Promise<SentInvoice> {
  const found = await findInvoice(scope, id);
  if (!found) throw toFailure(invoiceNotFoundError);
  await lockBilling(scope, found.job_id);
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
  await lockBilling(scope, jobId);
  const existing = await findInvoiceMail(scope, mail_id);
  if (existing) {
    if (existing.job_id !== jobId || existing.kind !== 'invoice') throw toFailure(idTakenError);
    return { billing: await readBilling(scope, jobId), mail: toMailOutcome(existing) };
  }
  const { customer } = await readRecord(scope, jobRecordType, jobId);
  const recipient = requireRecipientEmail(scope, context, customer?.email || null);
  const { invoice, job } = await issueOrReuseInvoice(scope, jobId, request);
  await enforceMailLimits(scope, context, recipient);
  const status = getMailOutcome(context.platform.config);
  const view = await readRenderableInvoice(scope, invoice.id);
  const message = { recipient, ...buildInvoiceMessage(view) };
  const outboxId = await queueInvoiceMail(scope, context.platform, { invoice, view, message });
  const row = { id: mail_id, invoice_id: invoice.id, kind: 'invoice', mail_id: outboxId, status, ...message } as const;
  const isNew = await insertInvoiceMail(scope, row);
  // A concurrent request has used the same id for another invoice.
  if (!isNew) throw toFailure(idTakenError);
  if (status === 'queued') {
    await recordInvoiceMailEvent(scope, { ...invoice, recipient });
    await markInvoiceSent(scope, invoice);
  } else {
    // Without a mail server, the invoice is issued, but not sent. A corrected invoice changes the amount due, so update the job's paid status.
    await settleJob(scope, job);
  }
  await publishChange(scope, 'invoices');
  return { billing: await readBilling(scope, jobId), mail: status };
}

/** Emails the current amount due to the customer's current email address. Does nothing unless the previous email failed. */
export async function retryInvoiceMail(scope: TenantScope, context: MailingContext, id: string): Promise<SendInvoiceResult> {
  const found = await findInvoiceMail(scope, id);
  if (!found) throw toFailure(invoiceMailNotFoundError);
  await lockBilling(scope, found.job_id);
  const mail = await findInvoiceMail(scope, id);
  if (!mail) throw toFailure(invoiceMailNotFoundError);
  if (mail.status !== 'failed') return { billing: await readBilling(scope, mail.job_id), mail: toMailOutcome(mail) };
  const invoice = await findInvoice(scope, mail.invoice_id);
  if (!invoice) throw toFailure(invoiceNotFoundError);
  const view = await readRenderableInvoice(scope, invoice.id);
  if (view.state === 'canceled') throw toFailure(invoiceClosedError);
  if (view.state === 'paid' && mail.kind === 'reminder')
    throw createFailure('INVOICE_CLOSED', 'This invoice is paid. No reminder was sent.');
  const recipient = requireRecipientEmail(scope, context, await findCustomerEmail(scope, invoice.id));
  await enforceMailLimits(scope, context, recipient);
  const status = getMailOutcome(context.platform.config);
  const text = mail.kind === 'invoice' ? buildInvoiceMessage(view) : buildReminderMessage(view, invoice, await readReminderTemplate(scope));
  const message = { recipient, ...text };
  const mail_id = await queueInvoiceMail(scope, context.platform, { invoice, view, message });
  await markInvoiceMailRequeued(scope, mail, { mail_id, status, ...message });
  if (status === 'queued' && mail.kind === 'invoice') {
    await recordInvoiceMailEvent(scope, { ...invoice, recipient });
    await markInvoiceSent(scope, invoice);
  }
  await publishChange(scope, 'invoices');
  return { billing: await readBilling(scope, mail.job_id), mail: status };
}

const toMailOutcome = ({ status }: Pick<InvoiceMailRow, 'status'>) => (status === 'kept' ? 'kept' : 'queued');

/** Throws if the customer has no email address, or if the sender hasn't confirmed their own. */
function requireRecipientEmail(scope: TenantScope, { platform }: MailingContext, recipient: string | null): string {
  if (mustConfirmEmail(getPerson(scope.actor), platform.config)) throw toFailure(unconfirmedInvoiceSenderError);
  if (recipient === null) throw toFailure(noCustomerEmailError);
  return recipient;
}

/** Must run after all other checks, so that rejected requests don't count toward the limits. */
async function enforceMailLimits(scope: TenantScope, { mailLimiter }: MailingContext, recipient: string): Promise<void> {
  await mailLimiter.enforceRecipientLimits(scope.companyId, recipient);
  await mailLimiter.enforceSenderLimits(scope.companyId);
}

interface InvoiceMailInput {
  readonly invoice: Pick<SentInvoice, 'id' | 'job_id'>;
  readonly view: RenderableInvoice;
  readonly message: InvoiceMessage & { readonly recipient: string };
}

export const recordInvoiceDeliveryTask = defineTask<MailReport>('record-invoice-delivery');

/** Returns the email's id in the outbox. The PDF is rendered on delivery, with the same amounts as the email. */
export async function queueInvoiceMail(
  scope: TenantScope,
  { appUrl }: Pick<Platform, 'appUrl'>,
  { invoice, view, message }: InvoiceMailInput,
): Promise<string> {
  const { token } = await readPublicLink(scope, { kind: PUBLIC_INVOICE_LINK.kind, id: invoice.job_id });
  const logoUrl = view.logo_url && `${appUrl}${view.logo_url}`;
  const mail = buildInvoiceMail({ ...message, view, logoUrl, url: `${appUrl}/invoice/${token}` });
  const attachment = invoiceAttachmentKind.from({ invoice_id: invoice.id, payment_ids: view.payment_ids });
  return queueMail(scope, { ...mail, reportTask: recordInvoiceDeliveryTask, attachment });
}

export async function recordInvoiceMailEvent(
  scope: TenantScope,
  { job_id, invoice_number, recipient }: Pick<SentInvoice, 'job_id' | 'invoice_number'> & { readonly recipient: string },
): Promise<void> {
  await recordEvent(scope, 'job', job_id, 'invoice-mailed', { invoice_number: [null, invoice_number], recipient: [null, recipient] });
}
