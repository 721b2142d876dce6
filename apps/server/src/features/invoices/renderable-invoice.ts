import { invoiceNotFoundError, type Payment } from '@callout/contract/invoices';
import { jobNotFoundError } from '@callout/contract/jobs';
import type { PublicInvoice } from '@callout/contract/public-invoices';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import type { InvoiceKind } from '@callout/domain/invoices/invoice';
import { hasSameBilledContent, type InvoiceDocument, withoutPaymentFee } from '@callout/domain/invoices/invoice-document';
import {
  buildPaymentLink,
  calculatePaymentRequest,
  formatInvoiceItemName,
  isFullAmountDue,
} from '@callout/domain/invoices/payment-request';
import { toDecimal } from '@callout/domain/money/decimal';
import { sumMoney } from '@callout/domain/money/money';
import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, toFailure } from '../../platform/errors/failures.ts';
import { type BillingCompany, readBillingCompany } from '../company/company.sql.ts';
import { listJobPayments } from '../jobs/job-payments.sql.ts';
import { findJob, type StoredJob } from '../jobs/jobs.sql.ts';
import { buildDraftDocument } from './invoice-content.ts';
import {
  findInvoice,
  findSuccessor,
  listJobInvoices,
  type SentInvoice,
  type SentInvoiceCopy,
  type SentInvoiceRow,
} from './invoices.sql.ts';

/** An invoice with its current payments. The page, the email and the PDF all render this data, so their amounts never differ. */
export interface RenderableInvoice extends Omit<PublicInvoice, 'document'> {
  readonly document: InvoiceDocument;
  readonly kind: InvoiceKind;
  readonly gst_number: string | null;
  /** The due date for messages: 'Due Immediately' if the printed date, the day of the work, was past when the invoice was issued. */
  readonly message_due: string;
  /** Number of the invoice that corrects this one. */
  readonly replaced_by: string | null;
  /** Number of the canceled invoice. Only set for credit notes, like `reason`. */
  readonly credits: string | null;
  readonly reason: string | null;
  readonly is_intact: boolean;
  /** Ids of all payments and reversals that `payments` and `paid_amount` are calculated from. */
  readonly payment_ids: readonly string[];
}

type InvoiceDisplayState = PublicInvoice['state'];
type ListedPayment = Pick<Payment, 'id' | 'amount' | 'paid_on' | 'reverses'>;

interface RenderableInvoiceInput {
  readonly document: InvoiceDocument;
  readonly fees: FeeSettings;
  readonly gst_number: string | null;
  /** The state to display if the invoice isn't paid. */
  readonly state: Exclude<InvoiceDisplayState, 'paid'>;
  readonly isPaid: boolean;
  readonly deposit: string | null;
  readonly isDue: boolean;
  readonly payments: readonly ListedPayment[];
}

/** Returns 'paid' if payments cover the invoice, unless the invoice is canceled. */
export function getInvoiceDisplayState(
  { state, isPaid }: Pick<RenderableInvoiceInput, 'state' | 'isPaid'>,
  paid: string,
  { outstanding }: Pick<RenderableInvoice['request'], 'outstanding'>,
): InvoiceDisplayState {
  const isCovered = toDecimal(paid).gt('0') && toDecimal(outstanding).eq('0');
  return state !== 'canceled' && (isPaid || isCovered) ? 'paid' : state;
}

/** Returns true if the customer should see payment instructions. */
export const isInvoicePayable = (state: InvoiceDisplayState) => state === 'draft' || state === 'open';

/** Removes the fee if the company has no PayPal account, because the fee applies only to online payments. */
export const getApplicableFees = (fees: FeeSettings, { paypal_email }: Pick<BillingCompany, 'paypal_email'>): FeeSettings => ({
  ...fees,
  add_paypal_fees: fees.add_paypal_fees && Boolean(paypal_email),
});

interface FeeContext {
  readonly state: InvoiceDisplayState;
  readonly paid: string;
  readonly company: Pick<BillingCompany, 'paypal_email'>;
}

/** Includes the fee in the total only while the customer can still pay the full amount online. */
export function getInvoiceDisplayDocument<Document extends InvoiceDocument>(
  document: Document,
  { state, paid, company }: FeeContext,
): Document {
  return isInvoicePayable(state) && toDecimal(paid).eq('0') && company.paypal_email ? document : withoutPaymentFee(document);
}

/** Builds the invoice without a payment request if it is paid or canceled, or if the deposit is paid and the work isn't finished. */
export function buildRenderableInvoice(input: RenderableInvoiceInput, company: BillingCompany): RenderableInvoice {
  const { document, fees, gst_number, deposit, isDue } = input;
  // Sort by payment date, because an older payment may have been recorded later.
  const rows = input.payments.toReversed().toSorted((a, b) => (a.paid_on < b.paid_on ? -1 : Number(a.paid_on > b.paid_on)));
  const paid_amount = sumMoney(rows.map(({ amount }) => amount));
  const reversed = new Set(rows.flatMap(({ reverses }) => reverses ?? []));
  const owed = { amount: document.exact.amount, paid: paid_amount, deposit, isDue };
  const request = calculatePaymentRequest(owed, getApplicableFees(fees, company));
  const state = getInvoiceDisplayState(input, paid_amount, request);
  const isRequested = isInvoicePayable(state) && request.what !== 'deposit_paid';
  const { currency, job_number, title } = document;
  const item_name = formatInvoiceItemName({ job_number, title });
  return {
    kind: 'invoice',
    state,
    document: getInvoiceDisplayDocument(document, { state, paid: paid_amount, company }),
    logo_url: company.logo_url,
    gst_number,
    message_due: document.due,
    payments: rows
      .filter(({ id, reverses }) => reverses === null && !reversed.has(id))
      .map(({ paid_on, amount }) => ({ date: formatCivilDate(paid_on), amount: formatAmount(amount) })),
    payment_ids: rows.map(({ id }) => id),
    paid_amount,
    request,
    deposit: isRequested && request.what === 'deposit' ? formatMoney(request.amount, currency) : null,
    credit_note: null,
    replaces: null,
    replaced_by: null,
    credits: null,
    reason: null,
    is_intact: true,
    payment_link: isRequested ? buildPaymentLink({ business: company.paypal_email, amount: request.total, currency, item_name }) : null,
    bank_name: isRequested ? company.bank_name : null,
    bank_account_number: isRequested ? company.bank_account_number : null,
  };
}

function requireSentCopy({ copy, invoice_number }: SentInvoice): SentInvoiceCopy {
  if (!copy) throw createFailure('NOT_FOUND', `The saved copy of ${invoice_number} can no longer be read.`);
  return copy;
}

/** Returns the latest sent invoice, or a draft if none was sent. Returns null if the job is canceled and has no invoices. */
export async function findPublicRenderableInvoice(scope: TenantScope, jobId: string): Promise<RenderableInvoice | null> {
  const job = await findJob(scope, jobId);
  if (!job) return null;
  const { all: sent, latest } = await listJobInvoices(scope, jobId);
  const isJobCanceled = job.status === 'canceled';
  if (!latest && isJobCanceled) return null;
  const company = await readBillingCompany(scope);
  const payments = await listJobPayments(scope, jobId);
  return latest
    ? toRenderableInvoice(latest, { sent, payments, company, isJobCanceled })
    : toRenderableDraft(job, { payments, company, latest });
}

/** Returns what members see: the open invoice, or a draft if no invoice is open or the job no longer matches the open one. */
export async function readCurrentRenderableInvoice(scope: TenantScope, jobId: string): Promise<RenderableInvoice> {
  const job = await findJob(scope, jobId);
  if (!job) throw toFailure(jobNotFoundError);
  const { all: sent, latest } = await listJobInvoices(scope, jobId);
  const [company, payments] = [await readBillingCompany(scope), await listJobPayments(scope, jobId)];
  const open = latest?.state === 'open' ? latest : undefined;
  const isCurrent = open?.copy && hasSameBilledContent(open.copy.document, buildDraftDocument(job, company, latest));
  if (open && isCurrent) return toRenderableInvoice(open, { sent, payments, company, isJobCanceled: job.status === 'canceled' });
  return toRenderableDraft(job, { payments, company, latest });
}

interface DraftInput {
  readonly payments: readonly ListedPayment[];
  readonly company: BillingCompany;
  /** If it is open, the job's paid status applies to it and not to this draft. */
  readonly latest: SentInvoice | null;
}

function toRenderableDraft(job: StoredJob, { payments, company, latest }: DraftInput): RenderableInvoice {
  const hasOpenInvoice = latest?.state === 'open';
  const input: RenderableInvoiceInput = {
    document: buildDraftDocument(job, company, latest),
    fees: company.fees,
    gst_number: company.gst_number,
    state: job.status === 'canceled' ? 'canceled' : 'draft',
    isPaid: job.status === 'paid' && !hasOpenInvoice,
    deposit: job.deposit_amount,
    isDue: isFullAmountDue(job.status, hasOpenInvoice),
    payments,
  };
  return buildRenderableInvoice(input, company);
}

/** Reads any invoice, including canceled ones. If `paymentIds` is given, only those payments count. */
export async function readRenderableInvoice(scope: TenantScope, id: string, paymentIds?: readonly string[]): Promise<RenderableInvoice> {
  const invoice = await findInvoice(scope, id);
  if (!invoice) throw toFailure(invoiceNotFoundError);
  const [job, { all: sent }] = [await findJob(scope, invoice.job_id), await listJobInvoices(scope, invoice.job_id)];
  const company = await readBillingCompany(scope);
  const all = await listJobPayments(scope, invoice.job_id);
  const payments = paymentIds ? all.filter((payment) => paymentIds.includes(payment.id)) : all;
  return toRenderableInvoice(invoice, { sent, payments, company, isJobCanceled: job?.status === 'canceled' });
}

interface SentInvoiceInput {
  /** All of the job's invoices and credit notes. */
  readonly sent: readonly SentInvoiceRow[];
  readonly payments: readonly ListedPayment[];
  readonly company: BillingCompany;
  readonly isJobCanceled: boolean;
}

/** Converts a sent invoice. Payments belong to the job, so only the job's open invoice lists them. */
export function toRenderableInvoice(invoice: SentInvoice, { sent, payments, company, isJobCanceled }: SentInvoiceInput): RenderableInvoice {
  const { document, fees, gst_number, reason } = requireSentCopy(invoice);
  const isOpen = invoice.kind === 'invoice' && invoice.state === 'open';
  const view = buildRenderableInvoice(
    {
      document,
      fees,
      gst_number,
      state: isOpen && !isJobCanceled ? 'open' : 'canceled',
      isPaid: false,
      deposit: null,
      isDue: true,
      payments: isOpen ? payments : [],
    },
    company,
  );
  const predecessor = sent.find(({ id }) => id === invoice.replaces);
  const getSuccessorNumber = (id: string, kind: InvoiceKind) => findSuccessor(sent, id, kind)?.invoice_number ?? null;
  return {
    ...view,
    kind: invoice.kind,
    message_due: invoice.due_on !== null && invoice.due_on < invoice.issued_on ? 'Due Immediately' : document.due,
    is_intact: invoice.is_intact,
    credit_note: getSuccessorNumber(invoice.id, 'credit_note'),
    replaced_by: getSuccessorNumber(invoice.id, 'invoice'),
    replaces:
      predecessor && invoice.kind === 'invoice'
        ? { invoice_number: predecessor.invoice_number, credit_note: getSuccessorNumber(predecessor.id, 'credit_note') }
        : null,
    credits: invoice.kind === 'credit_note' ? (predecessor?.invoice_number ?? null) : null,
    reason,
  };
}
