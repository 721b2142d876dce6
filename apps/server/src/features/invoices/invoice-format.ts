import { type InvoiceDocument, withoutPaymentFee } from '@callout/domain/invoices/invoice-document';
import { toDecimal } from '@callout/domain/money/decimal';
import { subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import type { RenderableInvoice } from './renderable-invoice.ts';

/** A row of totals or bank details. The email and the PDF print the same rows. */
export interface PrintedRow {
  readonly label: string;
  readonly amount: string;
  /** True if `amount` contains text such as an account number. */
  readonly isText?: boolean;
  readonly strong?: boolean;
}

/** Returns a file name without an extension, such as 'INV-2026-0187', 'CN-2026-0003' or 'Invoice J26110391 (draft)'. */
export const formatInvoiceFileName = ({ document: { job_number, invoice_number } }: Pick<RenderableInvoice, 'document'>) =>
  invoice_number ?? `Invoice ${job_number} (draft)`;

/** Returns a title such as 'Invoice J26110391' or 'Credit Note CN-2026-0003'. */
export function formatInvoicePdfTitle({
  kind,
  document: { job_number, invoice_number },
}: Pick<RenderableInvoice, 'kind' | 'document'>): string {
  return kind === 'credit_note' ? `Credit Note ${invoice_number ?? ''}` : `Invoice ${job_number}`;
}

/** Returns 'Tax Invoice' only with a GST number and tax, because customers can claim the GST back with a document titled that way. */
export function formatInvoiceHeading({ kind, gst_number, document, credits }: RenderableInvoice): string {
  if (kind === 'credit_note') return `Credit Note ${document.invoice_number ?? ''}${credits ? ` for ${credits}` : ''}`;
  const isTaxed = gst_number !== null && gst_number !== '' && toDecimal(document.exact.tax).gt('0');
  return isTaxed && document.invoice_number !== null ? 'Tax Invoice' : 'Invoice';
}

/** Returns the printed status, or null for a credit note or a sent invoice that is still unpaid. */
export function formatInvoiceStatus({ kind, state, request, credit_note, replaced_by }: RenderableInvoice): string | null {
  if (kind === 'credit_note') return null;
  if (credit_note) return `Canceled by credit note ${credit_note}${replaced_by ? ` and replaced by ${replaced_by}` : ''}`;
  if (replaced_by) return `Replaced by ${replaced_by}`;
  if (state === 'canceled') return 'Canceled';
  if (state === 'paid') return 'Paid';
  if (request.what === 'deposit_paid') return "Deposit paid. You'll be invoiced for the rest when the work is done.";
  return state === 'draft' ? 'Draft: not sent yet' : null;
}

/** Makes a credit note's amounts negative and removes the fee, which applies only to online payments. */
export function toPrintedDocument({ kind, document: source }: Pick<RenderableInvoice, 'kind' | 'document'>): InvoiceDocument {
  if (kind === 'invoice') return source;
  const document = withoutPaymentFee(source);
  return {
    ...document,
    items: document.items.map((item) => ({ ...item, unit_price: negateAmount(item.unit_price), total: negateAmount(item.total) })),
    subtotal: negateAmount(document.subtotal),
    tax: negateAmount(document.tax),
    amount: negateAmount(document.amount),
    total: formatMoney(negateAmount(document.exact.total), document.currency),
  };
}

/** Negates a formatted or stored amount. Zero stays unsigned. */
const negateAmount = (amount: string) => (/^-|^[0.]+$/.test(amount) ? amount.replace(/^-/, '') : `-${amount}`);

/** Prints one strong amount per invoice: what is due, or the total if nothing is. */
export function buildTotalRows(view: RenderableInvoice): PrintedRow[] {
  const { subtotal, tax_label, tax, fee, total } = toPrintedDocument(view);
  return [
    { label: 'Subtotal', amount: subtotal },
    { label: tax_label, amount: tax },
    ...(fee === null ? [] : [{ label: 'PayPal Fee (online payment only)', amount: fee }]),
    { label: 'Total', amount: total, strong: !buildPaymentRows(view).some(({ strong }) => strong) },
  ];
}

/** Builds the rows for payments received and for the amount still due. */
export function buildPaymentRows({ kind, state, payments, request, document, paid_amount }: RenderableInvoice): PrintedRow[] {
  if (kind === 'credit_note') return [];
  const received = payments.map(({ date, amount }) => ({ label: `Paid ${date}`, amount: `-${amount}` }));
  if (state === 'canceled') return received;
  const { currency } = document;
  const overpaid = subtractMoney(paid_amount, document.exact.amount);
  if (toDecimal(overpaid).gt('0')) return [...received, { label: 'Overpaid', amount: formatMoney(overpaid, currency), strong: true }];
  return [...received, ...buildAmountDueRows(state, request, currency)];
}

function buildAmountDueRows(
  state: RenderableInvoice['state'],
  request: RenderableInvoice['request'],
  currency: string | null,
): PrintedRow[] {
  if (request.what === 'deposit_paid') return [{ label: 'Remaining', amount: formatMoney(request.outstanding, currency), strong: true }];
  if (state === 'paid') return [{ label: 'Amount due', amount: formatMoney(request.amount, currency), strong: true }];
  const what = request.what === 'deposit' ? 'Deposit due' : 'Amount due';
  if (request.fee === '0.00') return [{ label: what, amount: formatMoney(request.amount, currency), strong: true }];
  return [
    { label: `${what} by bank transfer`, amount: formatMoney(request.amount, currency), strong: true },
    {
      label: `${what} online (includes ${formatMoney(request.fee, currency)} PayPal Fee)`,
      amount: formatMoney(request.total, currency),
    },
  ];
}

/** Returns a text such as '$115.00', or '$115.00 by bank transfer, or $118.74 online' if online payments have a fee. */
export function formatAmountDue({ request, document: { currency } }: Pick<RenderableInvoice, 'request' | 'document'>): string {
  const amount = formatMoney(request.amount, currency);
  return request.fee === '0.00' ? amount : `${amount} by bank transfer, or ${formatMoney(request.total, currency)} online`;
}

/** Returns no rows if the company has no bank details or no payment is due. */
export function buildBankRows({ bank_name, bank_account_number, document }: RenderableInvoice): PrintedRow[] {
  if (!bank_name && !bank_account_number) return [];
  return [
    ...(bank_name ? [{ label: 'Bank', amount: bank_name, isText: true }] : []),
    ...(bank_account_number ? [{ label: 'Account number', amount: bank_account_number, isText: true }] : []),
    { label: 'Payment Reference', amount: document.reference, isText: true },
  ];
}

export const PAYMENT_REFERENCE_NOTE = 'Please include the payment reference when making your transfer';
