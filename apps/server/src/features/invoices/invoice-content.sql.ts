import { InvoiceDocument } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import { calculateDueDate, calculateLateAfterDate, getEarliestPaymentDate } from '@callout/domain/invoices/invoice';
import { buildInvoiceDocument, type InvoiceDocument as Document, type InvoiceContent } from '@callout/domain/invoices/invoice-document';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { hashDocument } from '../../platform/db/freeze-document.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type Issuer, issuerColumns } from '../company/company.sql.ts';
import { companies } from '../company/company.table.ts';

/** This file builds the content and dates of invoices. Only `readBillingCompany` runs SQL. */

/** A company's details, payment methods and payment terms, as used on its invoices. */
export interface BillingCompany extends Issuer {
  /** Today's date in the company's time zone, as 'yyyy-MM-dd'. */
  readonly today: string;
  /** Days until an invoice is due; null means that invoices are due on the booking date. */
  readonly termsDays: number | null;
  readonly fees: FeeSettings;
  readonly gst_number: string | null;
  readonly paypal_email: string | null;
  readonly bank_name: string | null;
  readonly bank_account_number: string | null;
}

export async function readBillingCompany(scope: TenantScope): Promise<BillingCompany> {
  const { gst_number, paypal_email, bank_name, bank_account_number, payment_terms_days, add_paypal_fees, paypal_fee_percentage } =
    companies;
  const [company] = await scope.db
    .select({
      ...issuerColumns,
      gst_number,
      paypal_email,
      bank_name,
      bank_account_number,
      termsDays: payment_terms_days,
      fees: { add_paypal_fees, paypal_fee_percentage },
    })
    .from(companies)
    .where(inCompany(scope, companies));
  if (!company) throw new Error('This company no longer exists');
  const timezone = company.timezone ?? 'UTC';
  const termsDays = company.termsDays === null ? null : Number(company.termsDays);
  return { ...company, timezone, termsDays, today: toLocalDate(scope.now, timezone) };
}

/** Returns the dates of an invoice issued today: when it is issued, when it is due, and after which date it is late. */
export function getInvoiceDates({ booking_date }: Job, { today, termsDays, timezone }: BillingCompany) {
  const bookedOn = booking_date && toLocalDate(booking_date, timezone);
  const terms = { issuedOn: today, termsDays, bookedOn };
  return { issued_on: today, due_on: calculateDueDate(terms), late_after: calculateLateAfterDate(terms) };
}

export function getEarliestJobPaymentDate({ created_at, booking_date }: Job, { timezone }: Pick<BillingCompany, 'timezone'>): string {
  return getEarliestPaymentDate({
    createdOn: toLocalDate(created_at, timezone),
    bookedOn: booking_date && toLocalDate(booking_date, timezone),
  });
}

/** Lists every field explicitly, so that a new job field stays hidden from customers until someone adds it to this list. */
export function buildInvoiceContent(job: Job, company: BillingCompany): InvoiceContent {
  const { job_number, title, description, job_type, fixed_amount, tax_rate, customer } = job;
  return {
    job_number,
    title,
    description: description || null,
    job_type,
    fixed_amount,
    items: job.items.map((item) => ({
      name: item.name,
      description: item.description,
      is_service: item.is_service,
      tax_inclusive: item.tax_inclusive,
      quantity: item.quantity,
      unit_price: item.unit_price,
      discount: item.discount,
      discount_percent: item.discount_percent,
      total: item.total_price,
    })),
    tax_rate,
    fees: company.fees,
    currency: job.currency,
    issuer: company.issuer,
    customer: customer && { name: customer.name, company_name: customer.company_name, address: customer.address || null },
    due_on: getInvoiceDates(job, company).due_on,
  };
}

/** Builds the invoice that the job would get if it were issued now. */
export const buildDraftDocument = (job: Job, company: BillingCompany) =>
  InvoiceDocument.parse(buildInvoiceDocument(buildInvoiceContent(job, company), null));

/** Ignores the number and dates, so that a draft and the invoice issued from it have the same hash. */
export const hashInvoiceContent = ({ invoice_number: _number, issued: _issued, due: _due, ...billed }: Document) => hashDocument(billed);
