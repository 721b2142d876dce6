import { randomUUID } from 'node:crypto';
import { invoiceChanged, nothingToBill } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import { type InvoiceKind, invoiceNumber } from '@callout/domain/invoices/invoice';
import { billsTheSame, type InvoiceDocument } from '@callout/domain/invoices/invoice-document';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { decimal } from '@callout/domain/money/decimal';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { frozenRecord } from '../../platform/db/frozen-record.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { keepTaxRate, setBilledAmount } from '../jobs/job-billing.sql.ts';
import { jobRecord, lockJob, type StoredJob, setStatus } from '../jobs/jobs.sql.ts';
import { settleJob } from '../jobs/settle-job.ts';
import { type Biller, contentHashOf, daysOf, draftDocument, readBiller } from './invoice-content.sql.ts';
import {
  closeInvoice,
  type FrozenFields,
  findInvoice,
  findOpenInvoice,
  insertInvoice,
  readSenderName,
  SentCopy,
  type SentInvoice,
  takeInvoiceNumber,
} from './invoices.sql.ts';

export interface IssuedInvoice {
  readonly invoice: SentInvoice;
  /** As it was frozen. */
  readonly document: InvoiceDocument;
  readonly isNew: boolean;
  readonly job: StoredJob;
  readonly biller: Biller;
}

/** In this order everywhere: the sender's login and the numbers are changed under the first lock, the job's money under the second. */
export async function lockBilling(scope: TenantScope, jobId: string): Promise<void> {
  await lockCompany(scope, scope.companyId);
  await lockJob(scope, jobId);
}

/**
 * The open invoice of a job while the job bills the same; else a new one, which replaces it. `content_hash` is of what the sender saw: with
 * another one nothing is sent. Takes the locks, and leaves the job's status to the caller.
 */
export async function issueOrReuseInvoice(
  scope: TenantScope,
  jobId: string,
  { content_hash }: { readonly content_hash?: string | undefined },
): Promise<IssuedInvoice> {
  await lockBilling(scope, jobId);
  const job = await readRecord(scope, jobRecord, jobId);
  const [biller, open] = [await readBiller(scope), await findOpenInvoice(scope, jobId)];
  const draft = draftDocument(job, biller);
  const isSame = open?.copy ? billsTheSame(open.copy.document, draft) : false;
  const document = isSame && open?.copy ? open.copy.document : draft;
  if (content_hash !== undefined && content_hash !== contentHashOf(document)) throw failureOf(invoiceChanged);
  if (job.status === 'canceled') {
    throw failure('NOTHING_TO_BILL', 'This job is canceled. Please change its status before you send an invoice.');
  }
  if (isSame && open) return { invoice: open, document, isNew: false, job, biller };
  return issueInvoice(scope, job, biller, open);
}

/** Freezes the job as it is now. Needs `lockBilling`. */
async function issueInvoice(scope: TenantScope, job: StoredJob, biller: Biller, replaces: SentInvoice | null): Promise<IssuedInvoice> {
  const draft = draftDocument(job, biller);
  const { amount } = draft.exact;
  if (decimal(amount).lte('0')) throw failureOf(nothingToBill);
  if (!isStorableAmount(amount)) throw invalidInput({ items: `The total must be at most ${MAX_AMOUNT_TEXT}` });
  if (replaces) await closeInvoice(scope, replaces.id, 'replaced');
  const invoice = await storeSent(scope, {
    id: randomUUID(),
    kind: 'invoice',
    job,
    customerId: job.customer_id,
    days: daysOf(job, biller),
    replaces: replaces?.id ?? null,
    paidAmount: job.paid_amount,
    copy: SentCopy.parse({ document: draft, gst_number: biller.gst_number, fees: biller.fees, reason: null }),
  });
  await setBilledAmount(scope, job.id, amount);
  await keepTaxRate(scope, job.id, job.tax_rate);
  await recordEvent(scope, 'job', job.id, 'invoiced', {
    invoice_number: [replaces?.invoice_number ?? null, invoice.invoice_number],
    total_amount: [replaces?.total_amount ?? null, amount],
  });
  await publishChange(scope, 'jobs', 'invoices');
  if (!invoice.copy) throw new Error('An invoice that was just sent is unreadable');
  return { invoice, document: invoice.copy.document, isNew: true, job: await readRecord(scope, jobRecord, job.id), biller };
}

interface NewSent {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly job: Pick<Job, 'id' | 'job_number'>;
  readonly customerId: string | null;
  readonly days: Pick<SentInvoice, 'issued_on' | 'due_on' | 'late_after'>;
  readonly replaces: string | null;
  readonly paidAmount: string;
  /** Its document gets the number and the day. */
  readonly copy: SentCopy;
}

/** Gives it the next number and keeps it for ever, word for word. */
export async function storeSent(scope: TenantScope, sent: NewSent): Promise<SentInvoice> {
  const { id, kind, job, days, replaces, copy } = sent;
  const year = Number(days.issued_on.slice(0, 4));
  const number = await takeInvoiceNumber(scope, kind, year);
  const invoice_number = invoiceNumber(kind, year, number);
  const document = { ...copy.document, invoice_number, issued: formatCivilDate(days.issued_on) };
  const { customer, exact, title, currency } = document;
  const customer_name = customer?.company_name || customer?.name || 'Customer';
  const frozen: FrozenFields = {
    id,
    kind,
    invoice_number,
    job_id: job.id,
    job_number: job.job_number,
    title,
    customer_name,
    ...days,
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
    customer_key: sortKey(customer_name),
    search_text: searchText([invoice_number, job.job_number, title, customer_name, customer?.name]),
    ...frozenRecord(record),
    state: 'open',
    paid_amount: sent.paidAmount,
  });
  const stored = await findInvoice(scope, id);
  if (!stored) throw new Error('An invoice was neither stored nor refused');
  return stored;
}

/** The customer has it, or will: a complete job is invoiced. Payments that cover it make it paid. Needs `lockBilling`. */
export async function markInvoiced(scope: TenantScope, { id, status }: Pick<Job, 'id' | 'status'>): Promise<Job> {
  if (status === 'complete') {
    await setStatus(scope, id, { status: 'invoiced', from: status });
    await recordEvent(scope, 'job', id, 'edited', { status: [status, 'invoiced'] });
    await publishChange(scope, 'jobs', 'invoices');
  }
  return settleJob(scope, await readRecord(scope, jobRecord, id));
}
