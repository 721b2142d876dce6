import type { JobStatus } from '../jobs/job.ts';
import { toDecimal } from '../money/decimal.ts';
import { isPositiveAmount } from '../money/money.ts';
import { DAY_MS } from '../time/time-units.ts';
import { addDays } from '../time/zoned-time.ts';

/** An invoice, or a credit note that cancels one. Neither is ever deleted. */
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** A job has at most one open invoice. A credit note cancels it. Before corrections issued credit notes, they left it as 'replaced'. */
export const INVOICE_STATES = ['open', 'replaced', 'credited'] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

export const PAYMENT_METHODS = ['bank_transfer', 'cash', 'card', 'paypal', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_METHOD_LABELS: Record<PaymentMethod, string> = {
  bank_transfer: 'Bank transfer',
  cash: 'Cash',
  card: 'Card',
  paypal: 'PayPal',
  other: 'Other',
};

interface PaymentKind {
  readonly method: PaymentMethod;
  /** Id of the payment that a reversal takes back; null for payments. */
  readonly reverses: string | null;
  readonly is_reversed: boolean;
}

/** Formats the method as 'Bank transfer', 'Bank transfer, reversed', or 'Reversal, bank transfer'. */
export function formatPaymentMethod({ method, reverses, is_reversed }: PaymentKind): string {
  const label = PAYMENT_METHOD_LABELS[method];
  if (reverses !== null) return `Reversal, ${method === 'paypal' ? label : label.toLowerCase()}`;
  return is_reversed ? `${label}, reversed` : label;
}

export const PAYMENT_SORTS = ['paid_on', 'amount', 'customer'] as const;
export type PaymentSort = (typeof PAYMENT_SORTS)[number];

const NUMBER_PREFIXES: Record<InvoiceKind, string> = { invoice: 'INV', credit_note: 'CN' };

/** Formats number 187 of 2026 as 'INV-2026-0187'. Each kind has its own gapless sequence per company and year. */
export function formatInvoiceNumber(kind: InvoiceKind, year: number, number: number): string {
  if (!Number.isInteger(number) || number < 1) throw new RangeError('An invoice number must be a positive integer');
  return `${NUMBER_PREFIXES[kind]}-${year}-${String(number).padStart(4, '0')}`;
}

/** Formats the invoice that another one corrects as 'INV-2026-0187 (canceled by CN-2026-0003)'. */
export function formatReplacedInvoice({ invoice_number, credit_note }: { invoice_number: string; credit_note: string | null }): string {
  return credit_note === null ? invoice_number : `${invoice_number} (canceled by ${credit_note})`;
}

/** Formats the invoice that a payment is for as 'INV-2026-0187', 'INV-2026-0187, canceled', or '' if there is none. */
export function formatPaidInvoice({
  invoice_number,
  is_invoice_canceled,
}: {
  invoice_number: string | null;
  is_invoice_canceled: boolean;
}) {
  return invoice_number === null ? '' : `${invoice_number}${is_invoice_canceled ? ', canceled' : ''}`;
}

export interface DueDateInput {
  /** Issue date ('yyyy-MM-dd') in the company's time zone, like every date in this file. */
  readonly issuedOn: string;
  /** Null means no payment terms: the invoice is due on the booking date and late after the day it was sent. */
  readonly termsDays: number | null;
  readonly bookedOn: string | null;
}

/** Returns the printed due date; null for 'Due Immediately'. */
export function calculateDueDate({ issuedOn, termsDays, bookedOn }: DueDateInput): string | null {
  return termsDays === null ? bookedOn : addDays(issuedOn, termsDays);
}

/** Returns the last day on which the invoice is not late. */
export function calculateLateAfterDate({ issuedOn, termsDays }: Pick<DueDateInput, 'issuedOn' | 'termsDays'>): string {
  return addDays(issuedOn, termsDays ?? 0);
}

export const INVOICE_DISPLAY_STATUSES = ['unsent', 'due', 'overdue', 'paid', 'replaced', 'canceled'] as const;
export type InvoiceDisplayStatus = (typeof INVOICE_DISPLAY_STATUSES)[number];

interface DeliveredInvoice {
  readonly issued_on: string;
  /** Last day on which the invoice isn't late if its customer got it on the day of issue. */
  readonly late_after: string;
  /** When the invoice was emailed or handed over; null if its customer doesn't have it yet. */
  readonly sent_at: string | null;
  readonly sent_on: string | null;
}

export interface InvoiceStatusInput extends DeliveredInvoice {
  readonly state: InvoiceState;
  readonly balance: string;
}

/** Returns the last day on which the invoice isn't late. The payment terms start on the day on which its customer got it. */
export function getLateAfterDate({ issued_on, late_after, sent_on }: Omit<DeliveredInvoice, 'sent_at'>): string {
  return sent_on !== null && sent_on > issued_on ? addDays(late_after, countDays(issued_on, sent_on)) : late_after;
}

const countDays = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Returns the date to name in a reminder: the printed due date, unless the invoice isn't late until later. */
export function getReminderDueDate(invoice: Omit<DeliveredInvoice, 'sent_at'> & { readonly due_on: string | null }): string {
  const lateAfter = getLateAfterDate(invoice);
  return invoice.due_on !== null && invoice.due_on > lateAfter ? invoice.due_on : lateAfter;
}

const UNPAID_STATUSES: ReadonlySet<InvoiceDisplayStatus> = new Set(['unsent', 'due', 'overdue']);

/** Returns true while something is left to pay, whether or not the customer has the invoice yet. */
export const isUnpaidStatus = (status: InvoiceDisplayStatus) => UNPAID_STATUSES.has(status);

/** Derives the status that people see from the stored state, the balance and today's date. */
export function getInvoiceDisplayStatus(invoice: InvoiceStatusInput, today: string): InvoiceDisplayStatus {
  if (invoice.state === 'credited') return 'canceled';
  if (invoice.state === 'replaced') return 'replaced';
  if (!isPositiveAmount(invoice.balance)) return 'paid';
  if (invoice.sent_at === null) return 'unsent';
  return today > getLateAfterDate(invoice) ? 'overdue' : 'due';
}

/** Returns the number of calendar days past `lateAfter`; negative before that date. */
export function calculateDaysLate(lateAfter: string, today: string): number {
  return countDays(lateAfter, today);
}

/** Returns the days late to display: 0 once the invoice is settled, and at most 0 until its customer has it. */
export function getDisplayDaysLate(invoice: DeliveredInvoice & Pick<InvoiceStatusInput, 'balance'>, today: string): number {
  if (!isPositiveAmount(invoice.balance)) return 0;
  const daysLate = calculateDaysLate(getLateAfterDate(invoice), today);
  return invoice.sent_at === null ? Math.min(daysLate, 0) : daysLate;
}

const MAX_PREPAYMENT_DAYS = 366;

/** Returns the earliest plausible date of a payment: a year before the job. Deposits come before the work, but a wrong year is refused. */
export function getEarliestPaymentDate({ createdOn, bookedOn }: { readonly createdOn: string; readonly bookedOn: string | null }): string {
  return addDays(bookedOn !== null && bookedOn < createdOn ? bookedOn : createdOn, -MAX_PREPAYMENT_DAYS);
}

export interface JobPaymentState {
  readonly status: JobStatus;
  /** Total of the open invoice, or of the job if none was sent. */
  readonly due: string;
  readonly paid: string;
  readonly isInvoiced: boolean;
}

/** Returns true if payments cover a price. A price of zero needs no payment, so nothing covers it. */
export function isPriceCovered(price: string, paid: string): boolean {
  return isPositiveAmount(price) && toDecimal(paid).gte(toDecimal(price));
}

/** Returns true if a price was lowered to what has been paid or less. Without the right to manage payments, nobody may settle a job that way. */
export function isLoweredToPaidAmount({ before, after, paid }: { before: string; after: string; paid: string }): boolean {
  const price = toDecimal(after);
  return isPositiveAmount(paid) && price.lt(toDecimal(before)) && price.lte(toDecimal(paid));
}

/** Returns 'paid' for a finished job once payments cover the amount due, and reverts 'paid' if they no longer do. Keeps other statuses. */
export function getJobStatusAfterPayment({ status, due, paid, isInvoiced }: JobPaymentState): JobStatus {
  if (status === 'paid') return toDecimal(paid).gte(toDecimal(due)) ? 'paid' : isInvoiced ? 'invoiced' : 'complete';
  const isFinished = status === 'complete' || status === 'invoiced';
  return isFinished && isPriceCovered(due, paid) ? 'paid' : status;
}
