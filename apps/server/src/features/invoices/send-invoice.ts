import { idTaken } from '@callout/contract/errors';
import { type Billing, invoiceClosed, invoiceMailNotFound, invoiceNotFound, invoiceSenderUnconfirmed } from '@callout/contract/invoices';
import { noCustomerEmail } from '@callout/contract/quotes';
import { publicTokenOf } from '../../platform/auth/public-links.sql.ts';
import { personOf } from '../../platform/db/actor.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf } from '../../platform/errors/failures.ts';
import type { MailingContext } from '../../platform/http/mailing-mutation.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type MailReport, queueMail } from '../../platform/mail/outbox.sql.ts';
import { mailOutcome } from '../../platform/mail/send-mail.ts';
import { defineTask } from '../../platform/queue/task.ts';
import { mustConfirmEmail } from '../auth/confirm-own-email.ts';
import { recordEvent } from '../history/history.sql.ts';
import { jobRecord } from '../jobs/jobs.sql.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { invoiceEmail, invoiceLetter, type Letter } from './invoice.mail.ts';
import { findBilledEmail, findInvoiceMail, type InvoiceMailRow, insertInvoiceMail, restartInvoiceMail } from './invoice-mails.sql.ts';
import { reminderLetter } from './invoice-reminder.ts';
import { readReminderWording } from './invoice-reminders.sql.ts';
import { type InvoiceView, readViewOfInvoice } from './invoice-view.ts';
import { findInvoice, type SentInvoice } from './invoices.sql.ts';
import { issueOrReuseInvoice, lockBilling, markInvoiced } from './issue-invoice.ts';
import { invoiceAttachment } from './make-invoice-pdf.ts';
import { readBilling } from './read-billing.ts';
import { publicInvoice } from './read-public-invoice.ts';

export interface InvoiceRequest {
  readonly id: string;
  readonly mail_id: string;
  readonly content_hash?: string | undefined;
  readonly by_hand: boolean;
}

export interface SentBilling {
  readonly billing: Billing;
  readonly mail: 'queued' | 'kept' | null;
}

export async function sendInvoice(scope: TenantScope, context: MailingContext, request: InvoiceRequest): Promise<SentBilling> {
  if (!request.by_hand) return mailInvoice(scope, context, request);
  const { job } = await issueOrReuseInvoice(scope, request.id, request);
  await markInvoiced(scope, job);
  return { billing: await readBilling(scope, request.id), mail: null };
}

/** Mails the customer the invoice, once per `mail_id`. A complete job is invoiced from then on, unless this server sends no mail. */
async function mailInvoice(scope: TenantScope, context: MailingContext, request: InvoiceRequest): Promise<SentBilling> {
  const { id: jobId, mail_id } = request;
  await lockBilling(scope, jobId);
  const earlier = await findInvoiceMail(scope, mail_id);
  if (earlier) {
    if (earlier.job_id !== jobId || earlier.kind !== 'invoice') throw failureOf(idTaken);
    return { billing: await readBilling(scope, jobId), mail: outcomeOf(earlier) };
  }
  const { customer } = await readRecord(scope, jobRecord, jobId);
  const recipient = requireRecipient(scope, context, customer?.email || null);
  const { invoice, job } = await issueOrReuseInvoice(scope, jobId, request);
  await countMail(scope, context, recipient);
  const status = mailOutcome(context.platform.config);
  const view = await readViewOfInvoice(scope, invoice.id);
  const letter = { recipient, ...invoiceLetter(view) };
  const outboxId = await queueInvoiceMail(scope, context.platform, { invoice, view, letter });
  const isNew = await insertInvoiceMail(scope, {
    id: mail_id,
    invoice_id: invoice.id,
    kind: 'invoice',
    mail_id: outboxId,
    status,
    ...letter,
  });
  // Another invoice was mailed under this id at the same time.
  if (!isNew) throw failureOf(idTaken);
  if (status === 'queued') {
    await recordMailed(scope, { ...invoice, recipient });
    await markInvoiced(scope, job);
  } else {
    // Issued all the same: a corrected invoice changes what is due.
    await settleJob(scope, job);
  }
  await publishChange(scope, 'invoices');
  return { billing: await readBilling(scope, jobId), mail: status };
}

/** To the email of the customer who was billed, as it is now, with what is due now. Nothing happens unless the mail has failed. */
export async function retryInvoiceMail(scope: TenantScope, context: MailingContext, id: string): Promise<SentBilling> {
  const found = await findInvoiceMail(scope, id);
  if (!found) throw failureOf(invoiceMailNotFound);
  await lockBilling(scope, found.job_id);
  const mail = await findInvoiceMail(scope, id);
  if (!mail) throw failureOf(invoiceMailNotFound);
  if (mail.status !== 'failed') return { billing: await readBilling(scope, mail.job_id), mail: outcomeOf(mail) };
  const invoice = await findInvoice(scope, mail.invoice_id);
  if (!invoice) throw failureOf(invoiceNotFound);
  const view = await readViewOfInvoice(scope, invoice.id);
  if (view.state === 'canceled') throw failureOf(invoiceClosed);
  if (view.state === 'paid' && mail.kind === 'reminder') throw failure('INVOICE_CLOSED', 'This invoice is paid. No reminder was sent.');
  const recipient = requireRecipient(scope, context, await findBilledEmail(scope, invoice.id));
  await countMail(scope, context, recipient);
  const status = mailOutcome(context.platform.config);
  const words = mail.kind === 'invoice' ? invoiceLetter(view) : reminderLetter(view, invoice, await readReminderWording(scope));
  const letter = { recipient, ...words };
  const mail_id = await queueInvoiceMail(scope, context.platform, { invoice, view, letter });
  await restartInvoiceMail(scope, mail, { mail_id, status, ...letter });
  if (status === 'queued' && mail.kind === 'invoice') {
    await recordMailed(scope, { ...invoice, recipient });
    await markInvoiced(scope, await readRecord(scope, jobRecord, mail.job_id));
  }
  await publishChange(scope, 'invoices');
  return { billing: await readBilling(scope, mail.job_id), mail: status };
}

const outcomeOf = ({ status }: Pick<InvoiceMailRow, 'status'>) => (status === 'kept' ? 'kept' : 'queued');

/** The checks before a person mails a customer. */
function requireRecipient(scope: TenantScope, { platform }: MailingContext, recipient: string | null): string {
  if (mustConfirmEmail(personOf(scope.actor), platform.config)) throw failureOf(invoiceSenderUnconfirmed);
  if (recipient === null) throw failureOf(noCustomerEmail);
  return recipient;
}

/** Only once it is known that there is something to send: what is refused counts for no limit. */
async function countMail(scope: TenantScope, { limits }: MailingContext, recipient: string): Promise<void> {
  await limits.limitMailsTo(scope.companyId, recipient);
  await limits.limitSender(scope.companyId);
}

interface InvoiceMailParts {
  readonly invoice: Pick<SentInvoice, 'id' | 'job_id'>;
  readonly view: InvoiceView;
  readonly letter: Letter & { readonly recipient: string };
}

export const recordInvoiceDelivery = defineTask<MailReport>('record-invoice-delivery');

/** Puts the mail into the outbox: the invoice, what is due now, and its PDF with the same figures. */
export async function queueInvoiceMail(
  scope: TenantScope,
  { appUrl }: Pick<Platform, 'appUrl'>,
  { invoice, view, letter }: InvoiceMailParts,
): Promise<string> {
  const token = await publicTokenOf(scope, { kind: publicInvoice.kind, id: invoice.job_id });
  const mail = invoiceEmail({
    ...letter,
    view,
    logoUrl: view.logo_url && `${appUrl}${view.logo_url}`,
    url: `${appUrl}/invoice/${token}`,
  });
  const attachment = invoiceAttachment.from({ invoice_id: invoice.id, payment_ids: view.payment_ids });
  return queueMail(scope, { ...mail, report: recordInvoiceDelivery, attachment });
}

export async function recordMailed(
  scope: TenantScope,
  { job_id, invoice_number, recipient }: Pick<SentInvoice, 'job_id' | 'invoice_number'> & { readonly recipient: string },
): Promise<void> {
  await recordEvent(scope, 'job', job_id, 'invoice-mailed', { invoice_number: [null, invoice_number], recipient: [null, recipient] });
}
