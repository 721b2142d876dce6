import { InvoiceDocument } from '@callout/contract/invoices';
import type { Job } from '@callout/contract/jobs';
import { calculateDueDate, calculateLateAfterDate, getEarliestPaymentDate } from '@callout/domain/invoices/invoice';
import { buildInvoiceDocument, type InvoiceDocument as Document, type InvoiceContent } from '@callout/domain/invoices/invoice-document';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { BillingCompany } from '../company/company.sql.ts';
import { hashDocument } from '../documents/freeze-document.ts';
import type { SentInvoice } from './invoices.sql.ts';

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
function buildInvoiceContent(job: Job, company: BillingCompany, latest: SentInvoice | null): InvoiceContent {
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
    customer: customer
      ? { name: customer.name, company_name: customer.company_name, address: customer.address || null }
      : (latest?.copy?.document.customer ?? null),
    due_on: getInvoiceDates(job, company).due_on,
  };
}

/** Builds the invoice that the job would get if it were issued now. Once its customer is deleted, it names the one on the latest invoice. */
export const buildDraftDocument = (job: Job, company: BillingCompany, latest: SentInvoice | null) =>
  InvoiceDocument.parse(buildInvoiceDocument(buildInvoiceContent(job, company, latest), null));

/** Ignores the number and dates, so that a draft and the invoice issued from it have the same hash. */
export const hashInvoiceContent = ({ invoice_number: _number, issued: _issued, due: _due, ...billed }: Document) => hashDocument(billed);
