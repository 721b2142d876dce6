import { createHash } from 'node:crypto';
import { formatInvoiceNumber } from '@callout/domain/invoices/invoice';
import { buildInvoiceDocument } from '@callout/domain/invoices/invoice-document';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { addDays } from '@callout/domain/time/zoned-time';
import { freezeDocument } from '../apps/server/src/features/documents/freeze-document.ts';
import { SentInvoiceCopy } from '../apps/server/src/features/invoices/invoices.sql.ts';
import { type GeneratedCustomer, generateUuidV7 } from './customers.ts';
import type { GeneratedJob } from './jobs.ts';
import { GST_RATE } from './quotes.ts';
import { createRandomGenerator } from './random.ts';

const PAYMENT_TERM_DAYS = 7;
const TOKEN_LENGTH = 22;
const FEES = { add_paypal_fees: true, paypal_fee_percentage: '2.9' };
const ISSUER = { company_name: 'Bench Plumbing', address: '1 Quay Street', phone: '09 555 0100', email: 'office@example.com' };
const CREATED_BY = 'Office';
/** Every 20th invoice is unpaid. */
const UNPAID_INTERVAL = 20;

export type GeneratedInvoice = ReturnType<typeof generateInvoices>[number];

/** Generates an invoice for every second job, with a frozen document, like the server's. Most are paid. The same seed always gives the same invoices. */
export function generateInvoices(seed: number, jobs: readonly GeneratedJob[], customers: readonly GeneratedCustomer[]) {
  const random = createRandomGenerator(seed);
  const customersById = new Map(customers.map((customer) => [customer.id, customer]));
  const lastNumbers = new Map<number, number>();
  const invoicedJobs = jobs.filter((_, index) => index % 2 === 0);
  return invoicedJobs.map((job, index) => {
    const { job_number, title, description, job_type, fixed_amount, created_at, customer_id } = job;
    const issued_on = created_at.slice(0, 10);
    const year = Number(issued_on.slice(0, 4));
    const number = (lastNumbers.get(year) ?? 0) + 1;
    lastNumbers.set(year, number);
    const invoice_number = formatInvoiceNumber('invoice', year, number);
    const { name = 'Customer', company_name = null } = customersById.get(customer_id) ?? {};
    const due_on = addDays(issued_on, PAYMENT_TERM_DAYS);
    const document = buildInvoiceDocument(
      {
        job_number,
        title,
        description,
        job_type,
        fixed_amount,
        tax_rate: GST_RATE,
        fees: FEES,
        currency: 'NZD',
        issuer: ISSUER,
        due_on,
        customer: { name, company_name, address: null },
        items: job.lines.map((line) => ({ ...line, description: null, total: line.total_price })).map(toPrintedLine),
      },
      { invoice_number, issued_on },
    );
    const customer_name = company_name || name;
    const frozen = {
      id: generateUuidV7(Date.parse(created_at), random),
      kind: 'invoice',
      invoice_number,
      job_id: job.id,
      job_number,
      title,
      customer_name,
      issued_on,
      due_on,
      late_after: due_on,
      subtotal: document.exact.subtotal,
      tax_amount: document.exact.tax,
      total_amount: document.exact.amount,
      currency: 'NZD',
      replaces: null,
      created_by: CREATED_BY,
    };
    const record = { ...frozen, ...SentInvoiceCopy.parse({ document, gst_number: null, fees: FEES, reason: null }) };
    return {
      token: createHash('sha256').update(job.id).digest('base64url').slice(0, TOKEN_LENGTH),
      paymentId: generateUuidV7(Date.parse(created_at), random),
      isPaid: index % UNPAID_INTERVAL !== 0,
      row: {
        ...frozen,
        year,
        number,
        customer_id,
        customer_key: buildSortKey(customer_name),
        ...freezeDocument(record),
        created_at,
        search_text: buildSearchText([invoice_number, job_number, title, customer_name, name]),
        state: 'open',
        paid_amount: '0.00',
        sent_at: created_at,
        sent_on: issued_on,
      },
    };
  });
}

type Line = Parameters<typeof buildInvoiceDocument>[0]['items'][number];

/** Returns the line with only the fields that appear on the document. */
function toPrintedLine({ name, description, is_service, tax_inclusive, quantity, unit_price, total }: Line): Line {
  return { name, description, is_service, tax_inclusive, quantity, unit_price, total };
}
