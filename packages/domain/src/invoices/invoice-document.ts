import type { BilledCustomer, DocumentIssuer, DocumentLine, LineContent } from '../documents/document-parts.ts';
import { calculateAmountDue, type FeeSettings } from '../fees/payment-fee.ts';
import type { JobType } from '../jobs/job.ts';
import { getFixedPrice } from '../jobs/job-price.ts';
import { formatLineDiscount } from '../jobs/line-price.ts';
import { formatAmount, formatMoney } from '../money/money-format.ts';
import { calculateTaxTotals, getTaxInclusionLabel } from '../tax/tax.ts';
import { formatCivilDate } from '../time/date-format.ts';

/** A line with its stored total, which can differ from unit price times quantity because time is billed by the second. */
export interface InvoiceLine extends LineContent {
  /** The money that a discount takes off; already subtracted from `total`. */
  readonly discount?: string;
  /** The percentage from which `discount` was calculated; null for an amount. */
  readonly discount_percent?: string | null;
  readonly total: string;
}

/** The only data that invoices are built from. It contains nothing that the customer may not see. */
export interface InvoiceContent {
  readonly job_number: string;
  readonly title: string;
  readonly description: string | null;
  readonly job_type: JobType;
  /** Price, including tax, of a fixed-price job without items. */
  readonly fixed_amount: string | null;
  readonly items: readonly InvoiceLine[];
  /** In percent. */
  readonly tax_rate: string;
  readonly fees: FeeSettings;
  readonly currency: string | null;
  readonly issuer: DocumentIssuer;
  readonly customer: BilledCustomer | null;
  /** Due date ('yyyy-MM-dd'); null for 'Due Immediately'. */
  readonly due_on: string | null;
}

/** The number and date assigned to an invoice when it is sent. */
export interface InvoiceIssuance {
  readonly invoice_number: string;
  /** Issue date ('yyyy-MM-dd') in the company's time zone. */
  readonly issued_on: string;
}

/** An invoice exactly as it appears on the page, in the email and in the PDF. */
export interface InvoiceDocument {
  readonly job_number: string;
  /** Null until the invoice is sent. */
  readonly invoice_number: string | null;
  /** Issue date: 'Nov 13, 2026'. */
  readonly issued: string | null;
  readonly title: string;
  readonly description: string | null;
  /** Due date: 'Due Nov 20, 2026' or 'Due Immediately'. */
  readonly due: string;
  readonly issuer: DocumentIssuer;
  readonly customer: BilledCustomer | null;
  readonly items: readonly DocumentLine[];
  /** Formatted without a currency symbol: '892.50'. */
  readonly subtotal: string;
  /** Tax name and rate: 'GST 15%'. */
  readonly tax_label: string;
  readonly tax: string;
  /** Total including tax but without the fee, to be paid by bank transfer: '1,026.38'. */
  readonly amount: string;
  /** PayPal fee; null if there is none. */
  readonly fee: string | null;
  /** Amount plus fee: '$1,057.34'. */
  readonly total: string;
  readonly currency: string | null;
  /** Payment reference, which is the job number: '#J26110391'. */
  readonly reference: string;
  /** The figures above as decimal strings. */
  readonly exact: {
    readonly subtotal: string;
    readonly tax: string;
    readonly amount: string;
    readonly fee: string;
    readonly total: string;
  };
}

/** Returns a job's items or, if there are none, its fixed amount as a single line. */
export function getBilledLines({ title, items, ...job }: InvoiceContent): readonly InvoiceLine[] {
  const fixedPrice = items.length === 0 ? getFixedPrice(job) : null;
  if (fixedPrice === null) return items;
  return [
    {
      name: title,
      description: null,
      is_service: false,
      tax_inclusive: true,
      quantity: '1',
      unit_price: fixedPrice,
      total: fixedPrice,
    },
  ];
}

/** Drops a description that only repeats the title, as stored for jobs without a description, to avoid printing the title twice. */
const getDistinctDescription = ({ title, description }: Pick<InvoiceContent, 'title' | 'description'>) =>
  description?.trim() === title.trim() ? null : description;

/** Prices and formats an invoice; no other code does this. Without an `issuance`, builds a preview from the current job. */
export function buildInvoiceDocument(content: InvoiceContent, issuance: InvoiceIssuance | null): InvoiceDocument {
  const { currency, tax_rate, due_on } = content;
  const lines = getBilledLines(content);
  const totals = calculateTaxTotals(lines, tax_rate);
  const { amount, fee, total } = calculateAmountDue(totals.total_amount, content.fees);
  return {
    job_number: content.job_number,
    invoice_number: issuance?.invoice_number ?? null,
    issued: issuance && formatCivilDate(issuance.issued_on),
    title: content.title,
    description: getDistinctDescription(content),
    due: due_on === null ? 'Due Immediately' : `Due ${formatCivilDate(due_on)}`,
    issuer: content.issuer,
    customer: content.customer,
    items: lines.map(buildInvoiceLine),
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

/** Omits `discount` if there is none, so that the hashes of invoices without discounts stay the same. */
function buildInvoiceLine({ discount: amount = '0', discount_percent = null, ...line }: InvoiceLine): DocumentLine {
  const discount = formatLineDiscount({ discount: amount, discount_percent });
  return {
    name: line.name,
    description: line.description,
    is_service: line.is_service,
    quantity: line.quantity,
    unit_price: formatAmount(line.unit_price),
    ...(discount === null ? {} : { discount }),
    total: formatAmount(line.total),
    tax: getTaxInclusionLabel(line.tax_inclusive),
  };
}

/**
 * Removes the online fee. Use once something has been paid or nothing is requested anymore (paid, canceled, replaced or credited). The fee
 * assumes that the full amount is paid online, but payments count toward the amount without the fee. Without the fee, the total minus the
 * payments is the amount due.
 */
export function withoutPaymentFee<Invoice extends InvoiceDocument>(document: Invoice): Invoice {
  const { exact, currency } = document;
  return {
    ...document,
    fee: null,
    total: formatMoney(exact.amount, currency),
    exact: { ...exact, fee: '0.00', total: exact.amount },
  };
}

/** Returns true if the job still bills the same work to the same customer. Dates, fee and company details may differ. */
export function hasSameBilledContent(sent: InvoiceDocument, current: InvoiceDocument): boolean {
  // If the customer has been deleted since, compare with the customer who was billed. Older invoices were frozen without an address.
  const customer = current.customer && sent.customer?.address === null ? { ...current.customer, address: null } : current.customer;
  return JSON.stringify(getBillFields(sent)) === JSON.stringify(getBillFields({ ...current, customer: customer ?? sent.customer }));
}

/** Returns the compared fields in a fixed order, so that equal bills serialize to equal text. */
function getBillFields({ title, description, customer, items, tax_label, exact }: InvoiceDocument) {
  return [
    title,
    getDistinctDescription({ title, description }),
    customer && [customer.name, customer.company_name, customer.address],
    items.map((item) => [
      item.name,
      item.description,
      item.is_service,
      item.quantity,
      item.unit_price,
      item.discount,
      item.total,
      item.tax,
    ]),
    tax_label,
    exact.amount,
  ];
}
