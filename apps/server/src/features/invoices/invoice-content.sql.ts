import { InvoiceDocument } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import type { FeeSettings } from '@callout/domain/fees/payment-fee';
import { dueDate, lateAfter } from '@callout/domain/invoices/invoice';
import { type InvoiceDocument as Document, type InvoiceContent, invoiceDocument } from '@callout/domain/invoices/invoice-document';
import { localDate } from '@callout/domain/time/zoned-time';
import { hashOf } from '../../platform/db/frozen-record.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type Issuer, issuerColumns } from '../company/company.sql.ts';
import { companies } from '../company/company.table.ts';

/** The company as it bills: what its customers see, how they pay, and its terms. */
export interface Biller extends Issuer {
  /** Today in its time zone. */
  readonly today: string;
  /** Null: invoices are due on the booking date. */
  readonly termsDays: number | null;
  readonly fees: FeeSettings;
  readonly gst_number: string | null;
  readonly paypal_email: string | null;
  readonly bank_name: string | null;
  readonly bank_account_number: string | null;
}

export async function readBiller(scope: TenantScope): Promise<Biller> {
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
  return { ...company, timezone, termsDays, today: localDate(scope.now, timezone) };
}

/** The days of an invoice that is sent today. */
export function daysOf({ booking_date }: Job, { today, termsDays, timezone }: Biller) {
  const bookedOn = booking_date && localDate(booking_date, timezone);
  const terms = { issuedOn: today, termsDays, bookedOn };
  return { issued_on: today, due_on: dueDate(terms), late_after: lateAfter(terms) };
}

/** What a customer may know of a job, and nothing else: every field is named, so that a new one stays inside until it is added here. */
export function invoiceContent(job: Job, company: Biller): InvoiceContent {
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
    due_on: daysOf(job, company).due_on,
  };
}

/** The job as it would be billed now. */
export const draftDocument = (job: Job, company: Biller) => InvoiceDocument.parse(invoiceDocument(invoiceContent(job, company), null));

/** Of all that a document bills; its number and its dates, which it gets when it is sent, leave the hash as it is. */
export const contentHashOf = ({ invoice_number: _number, issued: _issued, due: _due, ...billed }: Document) => hashOf(billed);
