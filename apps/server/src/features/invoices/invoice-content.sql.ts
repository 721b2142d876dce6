import { InvoiceDocument } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import { calculateDueDate, calculateLateAfterDate } from '@callout/domain/invoices/invoice';
import { buildInvoiceDocument, type InvoiceDocument as Document, type InvoiceContent } from '@callout/domain/invoices/invoice-document';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { hashDocument } from '../../platform/db/freeze-document.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type Issuer, issuerColumns } from '../company/company.sql.ts';
import { companies } from '../company/company.table.ts';

/** Builds the content and dates of invoices. Only `readBillingCompany` contains SQL. */

/** The company details, payment methods and payment terms that its invoices use. */
export interface BillingCompany extends Issuer {
  /** Today's date in the company's time zone. */
  readonly today: string;
  /** Null means that invoices are due on the booking date. */
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

/** Returns the dates of an invoice issued today. */
export function getInvoiceDates({ booking_date }: Job, { today, termsDays, timezone }: BillingCompany) {
  const bookedOn = booking_date && toLocalDate(booking_date, timezone);
  const terms = { issuedOn: today, termsDays, bookedOn };
  return { issued_on: today, due_on: calculateDueDate(terms), late_after: calculateLateAfterDate(terms) };
}

/** Lists every field explicitly, so that new fields stay hidden from customers until they are added here. */
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
      total: item.total_price,
    })),
    tax_rate,
    fees: company.fees,
    currency: company.currency,
    issuer: company.issuer,
    customer: customer && { name: customer.name, company_name: customer.company_name },
    due_on: getInvoiceDates(job, company).due_on,
  };
}

/** Builds the job's invoice as it would look if issued now. */
export const buildDraftDocument = (job: Job, company: BillingCompany) =>
  InvoiceDocument.parse(buildInvoiceDocument(buildInvoiceContent(job, company), null));

/** Leaves out the number and dates, so issuing an invoice doesn't change its hash. */
export const hashInvoiceContent = ({ invoice_number: _number, issued: _issued, due: _due, ...billed }: Document) => hashDocument(billed);
