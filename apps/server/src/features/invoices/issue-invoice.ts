import { randomUUID } from 'node:crypto';
import { invoiceChangedError, nothingToBillError } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import { formatInvoiceNumber, type InvoiceKind } from '@callout/domain/invoices/invoice';
import { hasSameBilledContent, type InvoiceDocument } from '@callout/domain/invoices/invoice-document';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { toDecimal } from '@callout/domain/money/decimal';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type BillingCompany, readBillingCompany, readTimezone } from '../company/company.sql.ts';
import { freezeDocument } from '../documents/freeze-document.ts';
import { recordEvent } from '../history/history.sql.ts';
import { freezeTaxRate, setBilledAmount } from '../jobs/job-billing.sql.ts';
import { jobRecordType, type StoredJob, setJobStatus } from '../jobs/jobs.sql.ts';
import { lockPricedJob, settleJob } from '../jobs/settle-job.ts';
import { buildDraftDocument, getInvoiceDates, hashInvoiceContent } from './invoice-content.ts';
import {
  closeInvoice,
  type FrozenColumns,
  findInvoice,
  insertInvoice,
  listJobInvoices,
  readSenderName,
  type SentInvoice,
  SentInvoiceCopy,
  setInvoiceNotSent,
  setInvoiceSent,
  takeNextInvoiceNumber,
} from './invoices.sql.ts';

export interface IssuedInvoice {
  readonly invoice: SentInvoice;
  readonly document: InvoiceDocument;
  readonly isNew: boolean;
  readonly job: StoredJob;
  readonly company: BillingCompany;
}

/**
 * Returns the open invoice if the job still matches it. Otherwise cancels the open one with a credit note and issues a new invoice. Fails if
 * the content no longer matches `content_hash`, the version that the sender saw. Locks the job, but leaves its status to the caller.
 */
export async function issueOrReuseInvoice(
  scope: TenantScope,
  jobId: string,
  { content_hash }: { readonly content_hash?: string | undefined },
): Promise<IssuedInvoice> {
  await lockPricedJob(scope, jobId);
  const job = await readRecord(scope, jobRecordType, jobId);
  const [company, { latest }] = [await readBillingCompany(scope), await listJobInvoices(scope, jobId)];
  const open = latest?.state === 'open' ? latest : null;
  const draft = buildDraftDocument(job, company, latest);
  const isSame = open?.copy ? hasSameBilledContent(open.copy.document, draft) : false;
  const document = isSame && open?.copy ? open.copy.document : draft;
  if (content_hash !== undefined && content_hash !== hashInvoiceContent(document)) throw toFailure(invoiceChangedError);
  if (job.status === 'canceled') {
    throw createFailure('NOTHING_TO_BILL', 'This job is canceled. Please change its status before you send an invoice.');
  }
  if (isSame && open) return { invoice: open, document, isNew: false, job, company };
  return issueInvoice(scope, job, company, { draft, replaces: open });
}

interface NewInvoice {
  readonly draft: InvoiceDocument;
  readonly replaces: SentInvoice | null;
}

/** Issues an invoice with a frozen copy of the draft. The caller must hold the job's lock. */
async function issueInvoice(scope: TenantScope, job: StoredJob, company: BillingCompany, { draft, replaces }: NewInvoice) {
  const { amount } = draft.exact;
  if (toDecimal(amount).lte('0')) throw toFailure(nothingToBillError);
  if (!isStorableAmount(amount)) throw createInvalidInputFailure({ items: `The total must be at most ${MAX_AMOUNT_TEXT}` });
  if (replaces) await issueCreditNote(scope, replaces, { id: randomUUID(), reason: CORRECTION_REASON, today: company.today });
  const invoice = await createSentInvoice(scope, {
    id: randomUUID(),
    kind: 'invoice',
    job,
    customerId: job.customer_id,
    dates: getInvoiceDates(job, company),
    replaces: replaces?.id ?? null,
    paidAmount: job.paid_amount,
    copy: SentInvoiceCopy.parse({ document: draft, gst_number: company.gst_number, fees: company.fees, reason: null }),
  });
  await setBilledAmount(scope, job.id, amount);
  await freezeTaxRate(scope, job.id, job.tax_rate);
  await recordEvent(scope, 'job', job.id, 'invoiced', {
    invoice_number: [replaces?.invoice_number ?? null, invoice.invoice_number],
    total_amount: [replaces?.total_amount ?? null, amount],
  });
  await publishChange(scope, 'jobs', 'invoices');
  if (!invoice.copy) throw new Error('The new invoice is unreadable');
  return { invoice, document: invoice.copy.document, isNew: true, job: await readRecord(scope, jobRecordType, job.id), company };
}

const CORRECTION_REASON = 'Corrected with a new invoice';

interface NewCreditNote {
  readonly id: string;
  readonly reason: string | null;
  readonly today: string;
}

/** Cancels an open invoice: closes it and issues its credit note, dated today. The caller must hold the job's lock. */
export async function issueCreditNote(scope: TenantScope, invoice: SentInvoice, { id, reason, today }: NewCreditNote): Promise<void> {
  if (!invoice.copy) throw new Error('The stored invoice is unreadable');
  await closeInvoice(scope, invoice.id);
  const { invoice_number } = await createSentInvoice(scope, {
    id,
    kind: 'credit_note',
    job: { id: invoice.job_id, job_number: invoice.job_number },
    customerId: invoice.customer_id,
    dates: { issued_on: today, due_on: null, late_after: today },
    replaces: invoice.id,
    paidAmount: '0.00',
    copy: { ...invoice.copy, reason },
  });
  await recordEvent(scope, 'job', invoice.job_id, 'credited', {
    credit_note: [invoice.invoice_number, invoice_number],
    total_amount: [invoice.total_amount, null],
    reason: [null, reason],
  });
}

interface NewSentInvoice {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly job: Pick<Job, 'id' | 'job_number'>;
  readonly customerId: string | null;
  readonly dates: Pick<SentInvoice, 'issued_on' | 'due_on' | 'late_after'>;
  readonly replaces: string | null;
  readonly paidAmount: string;
  /** The document in this copy has no number or issue date yet. */
  readonly copy: SentInvoiceCopy;
}

/** Assigns the next number and stores the invoice or credit note with its frozen copy. */
async function createSentInvoice(scope: TenantScope, sent: NewSentInvoice): Promise<SentInvoice> {
  const { id, kind, job, dates, replaces, copy } = sent;
  const year = Number(dates.issued_on.slice(0, 4));
  const number = await takeNextInvoiceNumber(scope, kind, year);
  const invoice_number = formatInvoiceNumber(kind, year, number);
  const document = { ...copy.document, invoice_number, issued: formatCivilDate(dates.issued_on) };
  const { customer, exact, title, currency } = document;
  const customer_name = customer?.company_name || customer?.name || 'Customer';
  const frozen: FrozenColumns = {
    id,
    kind,
    invoice_number,
    job_id: job.id,
    job_number: job.job_number,
    title,
    customer_name,
    ...dates,
    subtotal: exact.subtotal,
    tax_amount: exact.tax,
    total_amount: exact.amount,
    currency,
    replaces,
    created_by: await readSenderName(scope),
  };
  const record = { ...frozen, ...copy, document };
  await insertInvoice(scope, {
    ...frozen,
    year,
    number,
    customer_id: sent.customerId,
    customer_key: buildSortKey(customer_name),
    search_text: buildSearchText([invoice_number, job.job_number, title, customer_name, customer?.name]),
    ...freezeDocument(record),
    state: 'open',
    paid_amount: sent.paidAmount,
  });
  const stored = await findInvoice(scope, id);
  if (!stored) throw new Error('The invoice was not stored');
  return stored;
}

/**
 * Records that the customer has the open invoice: it was queued for delivery by email, or `handedOverBy` gave it to them. A complete job
 * becomes invoiced, or paid if its payments cover the invoice. The caller must hold the job's lock.
 */
export async function markInvoiceSent(
  scope: TenantScope,
  { id, job_id }: Pick<SentInvoice, 'id' | 'job_id'>,
  handedOverBy: string | null = null,
): Promise<void> {
  await setInvoiceSent(scope, id, { today: toLocalDate(scope.now, await readTimezone(scope)), handedOverBy });
  await markJobInvoiced(scope, await readRecord(scope, jobRecordType, job_id));
}

async function markJobInvoiced(scope: TenantScope, { id, status }: Pick<Job, 'id' | 'status'>): Promise<void> {
  if (status === 'complete') {
    await setJobStatus(scope, id, { status: 'invoiced', from: status });
    await recordEvent(scope, 'job', id, 'edited', { status: [status, 'invoiced'] });
    await publishChange(scope, 'jobs', 'invoices');
  }
  await settleJob(scope, await readRecord(scope, jobRecordType, id));
}

/** Records that the open invoice didn't reach the customer after all. The job is then complete again. */
export async function markInvoiceNotSent(scope: TenantScope, { id, job_id }: Pick<SentInvoice, 'id' | 'job_id'>): Promise<void> {
  await setInvoiceNotSent(scope, id);
  const { status } = await readRecord(scope, jobRecordType, job_id);
  if (status === 'invoiced') {
    await setJobStatus(scope, job_id, { status: 'complete', from: status });
    await recordEvent(scope, 'job', job_id, 'edited', { status: [status, 'complete'] });
  }
  await publishChange(scope, 'jobs', 'invoices');
}
