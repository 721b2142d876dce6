import type { JobStatus } from '../jobs/job.ts';
import { decimal } from '../money/decimal.ts';
import { isPositive } from '../money/money.ts';
import { DAY_MS } from '../time/time-units.ts';
import { addDays } from '../time/zoned-time.ts';

/** What was sent: an invoice, or the credit note that cancels one. Both are kept for ever. */
export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** Of the invoices of a job at most one is open: a corrected one replaces it, a credit note cancels it. */
export const INVOICE_STATES = ['open', 'replaced', 'credited'] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

export const PAYMENT_METHODS = ['bank_transfer', 'cash', 'card', 'paypal', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_METHOD_WORDS: Record<PaymentMethod, string> = {
  bank_transfer: 'Bank transfer',
  cash: 'Cash',
  card: 'Card',
  paypal: 'PayPal',
  other: 'Other',
};

const PREFIXES: Record<InvoiceKind, string> = { invoice: 'INV', credit_note: 'CN' };

/** 'INV-2026-0187' for number 187 of 2026: each kind is numbered on its own, without gaps, per company and year. */
export function invoiceNumber(kind: InvoiceKind, year: number, number: number): string {
  if (!Number.isInteger(number) || number < 1) throw new RangeError('No such invoice number');
  return `${PREFIXES[kind]}-${year}-${String(number).padStart(4, '0')}`;
}

export interface DueTerms {
  /** 'yyyy-MM-dd' in the company's time zone, as all days here. */
  readonly issuedOn: string;
  /** Null: the booking date is the due date, and an invoice is late from the day it was sent. */
  readonly termsDays: number | null;
  readonly bookedOn: string | null;
}

/** The day that is printed as due; null for 'Due Immediately'. */
export function dueDate({ issuedOn, termsDays, bookedOn }: DueTerms): string | null {
  return termsDays === null ? bookedOn : addDays(issuedOn, termsDays);
}

/** The last day on which an invoice is not late. */
export function lateAfter({ issuedOn, termsDays }: Pick<DueTerms, 'issuedOn' | 'termsDays'>): string {
  return addDays(issuedOn, termsDays ?? 0);
}

export const SHOWN_INVOICE_STATUSES = ['due', 'overdue', 'paid', 'replaced', 'canceled'] as const;
export type ShownInvoiceStatus = (typeof SHOWN_INVOICE_STATUSES)[number];

export interface OwedInvoice {
  readonly state: InvoiceState;
  readonly late_after: string;
  /** What is still to be paid. */
  readonly balance: string;
}

/** As a person sees it on this day. */
export function shownInvoiceStatus({ state, late_after, balance }: OwedInvoice, today: string): ShownInvoiceStatus {
  if (state === 'credited') return 'canceled';
  if (state === 'replaced') return 'replaced';
  if (!isPositive(balance)) return 'paid';
  return today > late_after ? 'overdue' : 'due';
}

/** Days of the calendar, negative before the last day on which it is not late. */
export function daysLate(lateAfterDay: string, today: string): number {
  return Math.round((Date.parse(today) - Date.parse(lateAfterDay)) / DAY_MS);
}

/** Days late as a person sees them: none once it is settled. */
export function shownDaysLate({ balance, late_after }: Pick<OwedInvoice, 'balance' | 'late_after'>, today: string): number {
  return isPositive(balance) ? daysLate(late_after, today) : 0;
}

export interface PaidJob {
  readonly status: JobStatus;
  /** Of the open invoice, or of the job while none was sent. */
  readonly due: string;
  readonly paid: string;
  readonly isInvoiced: boolean;
}

/** A finished job is paid when its payments cover what is due, and no longer when they don't. Work to be done keeps its status. */
export function statusByPayments({ status, due, paid, isInvoiced }: PaidJob): JobStatus {
  const isCovered = decimal(paid).gte(decimal(due));
  if (status === 'paid') return isCovered ? 'paid' : isInvoiced ? 'invoiced' : 'complete';
  const isFinished = status === 'complete' || status === 'invoiced';
  return isFinished && isCovered && isPositive(due) ? 'paid' : status;
}
