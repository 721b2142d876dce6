import { type InvoiceDocument, settledDocument } from '@callout/domain/invoices/invoice-document';
import { decimal } from '@callout/domain/money/decimal';
import { subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import type { InvoiceView } from './invoice-view.ts';

/** The words and figures that the mail and the PDF of an invoice share. */
export interface PrintedRow {
  readonly label: string;
  readonly amount: string;
  /** In place of an amount. */
  readonly isText?: boolean;
  readonly strong?: boolean;
}

/** The name of its file: 'INV-2026-0187', 'CN-2026-0003', 'Invoice J26110391 (draft)'. */
export const pdfNameOf = ({ document: { job_number, invoice_number } }: Pick<InvoiceView, 'document'>) =>
  invoice_number ?? `Invoice ${job_number} (draft)`;

/** 'Invoice J26110391', 'Credit Note CN-2026-0003' */
export function pdfTitleOf({ kind, document: { job_number, invoice_number } }: Pick<InvoiceView, 'kind' | 'document'>): string {
  return kind === 'credit_note' ? `Credit Note ${invoice_number ?? ''}` : `Invoice ${job_number}`;
}

/** 'Tax Invoice' is for a company with a GST number, and says that there is tax to claim back. */
export function invoiceHeading({ kind, gst_number, document, credits }: InvoiceView): string {
  if (kind === 'credit_note') return `Credit Note ${document.invoice_number ?? ''}${credits ? ` for ${credits}` : ''}`;
  const isTaxed = gst_number !== null && gst_number !== '' && decimal(document.exact.tax).gt('0');
  return isTaxed && document.invoice_number !== null ? 'Tax Invoice' : 'Invoice';
}

/** What stands out on it; null for an invoice that is to be paid. */
export function invoiceMark({ kind, state, request, credit_note, replaced_by }: InvoiceView): string | null {
  if (kind === 'credit_note') return null;
  if (replaced_by) return `Replaced by ${replaced_by}`;
  if (state === 'canceled') return credit_note ? `Canceled by credit note ${credit_note}` : 'Canceled';
  if (state === 'paid') return 'Paid';
  if (request.what === 'deposit_paid') return 'Deposit paid. The rest is invoiced when the work is done.';
  return state === 'draft' ? 'Draft: not sent yet' : null;
}

/** The lines, the tax and the total. A credit note takes all of it back, without the fee, which only an online payment has. */
export function printedDocument({ kind, document: shown }: Pick<InvoiceView, 'kind' | 'document'>): InvoiceDocument {
  if (kind === 'invoice') return shown;
  const document = settledDocument(shown);
  return {
    ...document,
    items: document.items.map((item) => ({ ...item, unit_price: negated(item.unit_price), total: negated(item.total) })),
    subtotal: negated(document.subtotal),
    tax: negated(document.tax),
    amount: negated(document.amount),
    total: formatMoney(negated(document.exact.total), document.currency),
  };
}

/** Of an amount as it is printed or stored. */
const negated = (amount: string) => (/^-|^[0.]+$/.test(amount) ? amount.replace(/^-/, '') : `-${amount}`);

export function totalRows(view: Pick<InvoiceView, 'kind' | 'document'>): PrintedRow[] {
  const { subtotal, tax_label, tax, fee, total } = printedDocument(view);
  return [
    { label: 'Subtotal', amount: subtotal },
    { label: tax_label, amount: tax },
    ...(fee === null ? [] : [{ label: 'PayPal Fee', amount: fee }]),
    { label: 'Total', amount: total, strong: true },
  ];
}

/** What was received, and what is left to pay. */
export function paymentRows({ kind, state, payments, request, document, paid_amount }: InvoiceView): PrintedRow[] {
  if (kind === 'credit_note') return [];
  const received = payments.map(({ date, amount }) => ({ label: `Paid ${date}`, amount: `-${amount}` }));
  if (state === 'canceled') return received;
  const { currency } = document;
  const overpaid = subtractMoney(paid_amount, document.exact.amount);
  if (decimal(overpaid).gt('0')) return [...received, { label: 'Overpaid', amount: formatMoney(overpaid, currency), strong: true }];
  return [...received, ...askedRows(state, request, currency)];
}

function askedRows(state: InvoiceView['state'], request: InvoiceView['request'], currency: string | null): PrintedRow[] {
  if (request.what === 'deposit_paid') return [{ label: 'Remaining', amount: formatMoney(request.outstanding, currency), strong: true }];
  if (state === 'paid') return [{ label: 'Amount due', amount: formatMoney(request.amount, currency), strong: true }];
  const what = request.what === 'deposit' ? 'Deposit due' : 'Amount due';
  if (request.fee === '0.00') return [{ label: what, amount: formatMoney(request.amount, currency), strong: true }];
  return [
    { label: `${what} by bank transfer`, amount: formatMoney(request.amount, currency), strong: true },
    {
      label: `${what} online (includes ${formatMoney(request.fee, currency)} PayPal fee)`,
      amount: formatMoney(request.total, currency),
      strong: true,
    },
  ];
}

/** '$115.00', or with a fee '$115.00 by bank transfer, or $118.74 online'. */
export function askedAmount({ request, document: { currency } }: Pick<InvoiceView, 'request' | 'document'>): string {
  const amount = formatMoney(request.amount, currency);
  return request.fee === '0.00' ? amount : `${amount} by bank transfer, or ${formatMoney(request.total, currency)} online`;
}

/** Where a bank transfer goes; empty when the company has no bank details or nothing is asked for. */
export function bankRows({ bank_name, bank_account_number, document }: InvoiceView): PrintedRow[] {
  if (!bank_name && !bank_account_number) return [];
  return [
    ...(bank_name ? [{ label: 'Bank', amount: bank_name, isText: true }] : []),
    ...(bank_account_number ? [{ label: 'Account number', amount: bank_account_number, isText: true }] : []),
    { label: 'Payment Reference', amount: document.reference, isText: true },
  ];
}

export const REFERENCE_ADVICE = 'Please include the payment reference when making your transfer';
