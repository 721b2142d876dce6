import { invoiceNotFound, type Payment } from '@callout/contract/invoices';
import { jobNotFound } from '@callout/contract/jobs';
import type { PublicInvoice } from '@callout/contract/public-invoices';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import type { InvoiceKind } from '@callout/domain/invoices/invoice';
import { billsTheSame, type InvoiceDocument, settledDocument } from '@callout/domain/invoices/invoice-document';
import { invoiceItemName, isAllDue, paymentLink, paymentRequest } from '@callout/domain/invoices/payment-request';
import { decimal } from '@callout/domain/money/decimal';
import { sumMoney } from '@callout/domain/money/money';
import { formatAmount, formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf } from '../../platform/errors/failures.ts';
import { findJob, type StoredJob } from '../jobs/jobs.sql.ts';
import { listPaymentsOfJob } from '../payments/payments.sql.ts';
import { type Biller, draftDocument, readBiller } from './invoice-content.sql.ts';
import { findInvoice, type ListedInvoice, listInvoicesOfJob, type SentCopy, type SentInvoice } from './invoices.sql.ts';

/** An invoice on the day it is looked at. The page, the mail and the PDF print this, so that no figure differs between them. */
export interface InvoiceView extends Omit<PublicInvoice, 'document'> {
  readonly document: InvoiceDocument;
  readonly kind: InvoiceKind;
  readonly gst_number: string | null;
  /** The invoice that took its place. */
  readonly replaced_by: string | null;
  /** Of a credit note: the invoice that it cancels, and why. */
  readonly credits: string | null;
  readonly reason: string | null;
  readonly is_intact: boolean;
  /** All rows that `payments` and `paid_amount` are made from. */
  readonly payment_ids: readonly string[];
}

type State = PublicInvoice['state'];
type PaymentRow = Pick<Payment, 'id' | 'amount' | 'paid_on' | 'reverses'>;

interface Viewed {
  readonly document: InvoiceDocument;
  readonly fees: FeeSettings;
  readonly gst_number: string | null;
  /** What it is unless it is paid. */
  readonly state: Exclude<State, 'paid'>;
  readonly isPaid: boolean;
  readonly deposit: string | null;
  readonly isDue: boolean;
  readonly payments: readonly PaymentRow[];
}

/** Canceled, or paid once its payments cover it; else as it was sent. */
export function stateOf(
  { state, isPaid }: Pick<Viewed, 'state' | 'isPaid'>,
  paid: string,
  { outstanding }: Pick<InvoiceView['request'], 'outstanding'>,
): State {
  const isCovered = decimal(paid).gt('0') && decimal(outstanding).eq('0');
  return state !== 'canceled' && (isPaid || isCovered) ? 'paid' : state;
}

/** Whether the customer is told how to pay. */
export const isAskedFor = (state: State) => state === 'draft' || state === 'open';

/** Without a PayPal account nobody pays online, and nobody is asked for its fee. */
export const askedFees = (fees: FeeSettings, { paypal_email }: Pick<Biller, 'paypal_email'>): FeeSettings => ({
  ...fees,
  add_paypal_fees: fees.add_paypal_fees && Boolean(paypal_email),
});

interface Shown {
  readonly state: State;
  readonly paid: string;
  readonly company: Pick<Biller, 'paypal_email'>;
}

/** The total with the fee is for who pays all of it online: it is shown only while that is possible. */
export function shownDocument<Document extends InvoiceDocument>(document: Document, { state, paid, company }: Shown): Document {
  return isAskedFor(state) && decimal(paid).eq('0') && company.paypal_email ? document : settledDocument(document);
}

/** What has been paid, and what is asked for: nothing once it is paid or canceled, or between the deposit and the end of the work. */
export function viewInvoice(viewed: Viewed, company: Biller): InvoiceView {
  const { document, fees, gst_number, deposit, isDue } = viewed;
  // By the day of payment: somebody may have recorded an older one last.
  const rows = viewed.payments
    .toReversed()
    .toSorted((one, other) => (one.paid_on < other.paid_on ? -1 : Number(one.paid_on > other.paid_on)));
  const paid_amount = sumMoney(rows.map(({ amount }) => amount));
  const reversed = new Set(rows.flatMap(({ reverses }) => reverses ?? []));
  const owed = { amount: document.exact.amount, paid: paid_amount, deposit, isDue };
  const request = paymentRequest(owed, askedFees(fees, company));
  const state = stateOf(viewed, paid_amount, request);
  const isAsked = isAskedFor(state) && request.what !== 'deposit_paid';
  const { currency, job_number, title } = document;
  return {
    kind: 'invoice',
    state,
    document: shownDocument(document, { state, paid: paid_amount, company }),
    logo_url: company.logo_url,
    gst_number,
    payments: rows
      .filter(({ id, reverses }) => reverses === null && !reversed.has(id))
      .map(({ paid_on, amount }) => ({ date: formatCivilDate(paid_on), amount: formatAmount(amount) })),
    payment_ids: rows.map(({ id }) => id),
    paid_amount,
    request,
    deposit: isAsked && request.what === 'deposit' ? formatMoney(request.amount, currency) : null,
    credit_note: null,
    replaces: null,
    replaced_by: null,
    credits: null,
    reason: null,
    is_intact: true,
    payment_link: isAsked
      ? paymentLink({ business: company.paypal_email, amount: request.total, currency, item_name: invoiceItemName({ job_number, title }) })
      : null,
    bank_name: isAsked ? company.bank_name : null,
    bank_account_number: isAsked ? company.bank_account_number : null,
  };
}

/** Nothing is shown instead of a copy that somebody has made unreadable. */
function requireCopy({ copy, invoice_number }: SentInvoice): SentCopy {
  if (!copy) throw failure('NOT_FOUND', `The copy of ${invoice_number} that was kept can no longer be read.`);
  return copy;
}

/** What a job's link shows: the latest invoice that was sent, or the job as it is now. Null when there is nothing to show. */
export async function findViewOfJob(scope: TenantScope, jobId: string): Promise<InvoiceView | null> {
  const job = await findJob(scope, jobId);
  if (!job) return null;
  const { all: sent, latest } = await listInvoicesOfJob(scope, jobId);
  const isCanceled = job.status === 'canceled';
  if (!latest && isCanceled) return null;
  const company = await readBiller(scope);
  const payments = await listPaymentsOfJob(scope, jobId);
  return latest ? viewSent(latest, { sent, payments, company, isCanceled }) : viewDraft(job, { payments, company, hasOpen: false });
}

/** For members, the job as it is billed now: its open invoice unless the job was changed since, else a draft. */
export async function readCurrentView(scope: TenantScope, jobId: string): Promise<InvoiceView> {
  const job = await findJob(scope, jobId);
  if (!job) throw failureOf(jobNotFound);
  const { all: sent, latest } = await listInvoicesOfJob(scope, jobId);
  const [company, payments] = [await readBiller(scope), await listPaymentsOfJob(scope, jobId)];
  const open = latest?.state === 'open' ? latest : undefined;
  const isCurrent = open?.copy && billsTheSame(open.copy.document, draftDocument(job, company));
  if (open && isCurrent) return viewSent(open, { sent, payments, company, isCanceled: job.status === 'canceled' });
  return viewDraft(job, { payments, company, hasOpen: open !== undefined });
}

interface DraftParts {
  readonly payments: readonly PaymentRow[];
  readonly company: Biller;
  /** An invoice is open, so the job's status and deposit are about that one. */
  readonly hasOpen: boolean;
}

function viewDraft(job: StoredJob, { payments, company, hasOpen }: DraftParts): InvoiceView {
  const viewed: Viewed = {
    document: draftDocument(job, company),
    fees: company.fees,
    gst_number: company.gst_number,
    state: job.status === 'canceled' ? 'canceled' : 'draft',
    isPaid: job.status === 'paid' && !hasOpen,
    deposit: job.deposit_amount,
    isDue: isAllDue(job.status, hasOpen),
    payments,
  };
  return viewInvoice(viewed, company);
}

/** One that was sent, whatever became of it. With `paymentIds`, as it was when those were the payments. */
export async function readViewOfInvoice(scope: TenantScope, id: string, paymentIds?: readonly string[]): Promise<InvoiceView> {
  const invoice = await findInvoice(scope, id);
  if (!invoice) throw failureOf(invoiceNotFound);
  const [job, { all: sent }] = [await findJob(scope, invoice.job_id), await listInvoicesOfJob(scope, invoice.job_id)];
  const company = await readBiller(scope);
  const all = await listPaymentsOfJob(scope, invoice.job_id);
  const payments = paymentIds ? all.filter((payment) => paymentIds.includes(payment.id)) : all;
  return viewSent(invoice, { sent, payments, company, isCanceled: job?.status === 'canceled' });
}

interface SentParts {
  /** All that was sent for the job. */
  readonly sent: readonly ListedInvoice[];
  readonly payments: readonly PaymentRow[];
  readonly company: Biller;
  /** Whether the job is. */
  readonly isCanceled: boolean;
}

/** The payments are the job's: only its open invoice shows them. */
export function viewSent(invoice: SentInvoice, { sent, payments, company, isCanceled }: SentParts): InvoiceView {
  const { document, fees, gst_number, reason } = requireCopy(invoice);
  const successor = sent.find(({ replaces }) => replaces === invoice.id);
  const isOpen = invoice.kind === 'invoice' && invoice.state === 'open';
  const view = viewInvoice(
    {
      document,
      fees,
      gst_number,
      state: isOpen && !isCanceled ? 'open' : 'canceled',
      isPaid: false,
      deposit: null,
      isDue: true,
      payments: isOpen ? payments : [],
    },
    company,
  );
  const successorNumber = successor?.invoice_number ?? null;
  const predecessor = sent.find(({ id }) => id === invoice.replaces)?.invoice_number ?? null;
  return {
    ...view,
    kind: invoice.kind,
    is_intact: invoice.is_intact,
    credit_note: invoice.state === 'credited' ? successorNumber : null,
    replaced_by: invoice.state === 'replaced' ? successorNumber : null,
    replaces: invoice.kind === 'invoice' ? predecessor : null,
    credits: invoice.kind === 'credit_note' ? predecessor : null,
    reason,
  };
}
