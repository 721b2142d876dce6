import type { ContentLine, DocumentCustomer, DocumentIssuer, DocumentLine } from '../documents/document-parts.ts';
import { amountDue, type FeeSettings } from '../fees/payment-fee.ts';
import type { JobType } from '../jobs/job.ts';
import { decimal } from '../money/decimal.ts';
import { formatAmount, formatMoney } from '../money/money-text.ts';
import { taxLabel, taxTotals } from '../tax/tax.ts';
import { formatCivilDate } from '../time/date-format.ts';

/** The total is stored: worked time is billed by the second, so it is not always the unit price times the quantity. */
export interface InvoiceLine extends ContentLine {
  readonly total: string;
}

/** What a customer may know of a job that is billed: all that an invoice is made from, and nothing else. */
export interface InvoiceContent {
  readonly job_number: string;
  readonly title: string;
  readonly description: string | null;
  readonly job_type: JobType;
  /** Includes the tax; the price of a fixed job that has no items. */
  readonly fixed_amount: string | null;
  readonly items: readonly InvoiceLine[];
  /** Percent. */
  readonly tax_rate: string;
  readonly fees: FeeSettings;
  readonly currency: string | null;
  readonly issuer: DocumentIssuer;
  readonly customer: DocumentCustomer | null;
  /** 'yyyy-MM-dd'; null for 'Due Immediately'. */
  readonly due_on: string | null;
}

/** What an invoice gets when it is sent. */
export interface InvoiceIssue {
  readonly invoice_number: string;
  /** 'yyyy-MM-dd' in the company's time zone. */
  readonly issued_on: string;
}

/** An invoice word for word as the page, the mail and the PDF print it. */
export interface InvoiceDocument {
  readonly job_number: string;
  /** Null while nothing was sent. */
  readonly invoice_number: string | null;
  /** 'Nov 13, 2026' */
  readonly issued: string | null;
  readonly title: string;
  readonly description: string | null;
  /** 'Due Nov 20, 2026', 'Due Immediately' */
  readonly due: string;
  readonly issuer: DocumentIssuer;
  readonly customer: DocumentCustomer | null;
  readonly items: readonly DocumentLine[];
  /** '892.50' */
  readonly subtotal: string;
  /** 'GST 15%' */
  readonly tax_label: string;
  readonly tax: string;
  /** '1,026.38': items with their tax, what a bank transfer pays. */
  readonly amount: string;
  /** The PayPal fee; null when there is none. */
  readonly fee: string | null;
  /** '$1,057.34': with the fee. */
  readonly total: string;
  readonly currency: string | null;
  /** '#J26110391' */
  readonly reference: string;
  /** The same as exact money. */
  readonly exact: {
    readonly subtotal: string;
    readonly tax: string;
    readonly amount: string;
    readonly fee: string;
    readonly total: string;
  };
}

/** The lines of a job as they are billed: its items, or while it has none, its fixed amount as one line. */
export function billedLines({ title, job_type, fixed_amount, items }: InvoiceContent): readonly InvoiceLine[] {
  if (items.length > 0 || job_type !== 'fixed' || fixed_amount === null || decimal(fixed_amount).eq('0')) return items;
  return [
    {
      name: title,
      description: null,
      is_service: false,
      tax_inclusive: true,
      quantity: '1',
      unit_price: fixed_amount,
      total: fixed_amount,
    },
  ];
}

/** A job without a description of its own has its title there: it is printed once. */
const ownDescription = ({ title, description }: Pick<InvoiceContent, 'title' | 'description'>) =>
  description?.trim() === title.trim() ? null : description;

/** The one function that words and prices an invoice. Without an issue it shows the job as it is now. */
export function invoiceDocument(content: InvoiceContent, issue: InvoiceIssue | null): InvoiceDocument {
  const { currency, tax_rate, due_on } = content;
  const lines = billedLines(content);
  const totals = taxTotals(lines, tax_rate);
  const { amount, fee, total } = amountDue(totals.total_amount, content.fees);
  return {
    job_number: content.job_number,
    invoice_number: issue?.invoice_number ?? null,
    issued: issue && formatCivilDate(issue.issued_on),
    title: content.title,
    description: ownDescription(content),
    due: due_on === null ? 'Due Immediately' : `Due ${formatCivilDate(due_on)}`,
    issuer: content.issuer,
    customer: content.customer,
    items: lines.map((line) => ({
      name: line.name,
      description: line.description,
      is_service: line.is_service,
      quantity: line.quantity,
      unit_price: formatAmount(line.unit_price),
      total: formatAmount(line.total),
      tax: taxLabel(line.tax_inclusive),
    })),
    subtotal: formatAmount(totals.subtotal),
    tax_label: `GST ${tax_rate}%`,
    tax: formatAmount(totals.tax_amount),
    amount: formatAmount(amount),
    fee: fee === '0.00' ? null : formatAmount(fee),
    total: formatMoney(total, currency),
    currency,
    reference: `#${content.job_number}`,
    exact: { subtotal: totals.subtotal, tax: totals.tax_amount, amount, fee, total },
  };
}

/**
 * As it is shown once something was paid, or once nothing is asked for: paid, canceled, replaced, credited. The fee is that of paying all of
 * it online, so it is left out: the payments are counted against the amount, and the total less the payments is what is due.
 */
export function settledDocument<Shown extends InvoiceDocument>(document: Shown): Shown {
  const { exact, currency } = document;
  return {
    ...document,
    fee: null,
    total: formatMoney(exact.amount, currency),
    exact: { ...exact, fee: '0.00', total: exact.amount },
  };
}

/** Whether a job still bills the work that was sent, to the same customer: dates, fee and the company's own details may differ. */
export function billsTheSame(sent: InvoiceDocument, now: InvoiceDocument): boolean {
  // Who was billed does not change when the customer is deleted.
  const customer = now.customer ?? sent.customer;
  return JSON.stringify(billOf(sent)) === JSON.stringify(billOf({ ...now, customer }));
}

/** In a fixed order of fields, so that equal bills are equal texts. */
function billOf({ title, description, customer, items, tax_label, exact }: InvoiceDocument) {
  return [
    title,
    ownDescription({ title, description }),
    customer && [customer.name, customer.company_name],
    items.map((item) => [item.name, item.description, item.is_service, item.quantity, item.unit_price, item.total, item.tax]),
    tax_label,
    exact.amount,
  ];
}
