import { createHash } from 'node:crypto';
import { invoiceNumber } from '@callout/domain/invoices/invoice';
import { invoiceDocument } from '@callout/domain/invoices/invoice-document';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import { addDays } from '@callout/domain/time/zoned-time';
import { SentCopy } from '../apps/server/src/features/invoices/invoices.sql.ts';
import { frozenRecord } from '../apps/server/src/platform/db/frozen-record.ts';
import { type GeneratedCustomer, generateId } from './customers.ts';
import type { GeneratedJob } from './jobs.ts';
import { RATE } from './quotes.ts';
import { createRandom } from './random.ts';

const TERMS_DAYS = 7;
const TOKEN_LENGTH = 22;
const FEES = { add_paypal_fees: true, paypal_fee_percentage: '2.9' };
const ISSUER = { company_name: 'Bench Plumbing', address: '1 Quay Street', phone: '09 555 0100', email: 'office@example.com' };
const SENDER = 'Office';
/** One in so many is unpaid. */
const UNPAID = 20;

export type GeneratedInvoice = ReturnType<typeof generateInvoices>[number];

/** One invoice per job, frozen as the product does it, most of them paid; the same ones for the same seed. */
export function generateInvoices(seed: number, jobs: readonly GeneratedJob[], customers: readonly GeneratedCustomer[]) {
  const random = createRandom(seed);
  const customerOf = new Map(customers.map((customer) => [customer.id, customer]));
  const lastNumbers = new Map<number, number>();
  return jobs.map((job, index) => {
    const { job_number, title, description, job_type, fixed_amount, created_at, customer_id } = job;
    const issued_on = created_at.slice(0, 10);
    const year = Number(issued_on.slice(0, 4));
    const number = (lastNumbers.get(year) ?? 0) + 1;
    lastNumbers.set(year, number);
    const invoice_number = invoiceNumber('invoice', year, number);
    const { name = 'Customer', company_name = null } = customerOf.get(customer_id) ?? {};
    const due_on = addDays(issued_on, TERMS_DAYS);
    const document = invoiceDocument(
      {
        job_number,
        title,
        description,
        job_type,
        fixed_amount,
        tax_rate: RATE,
        fees: FEES,
        currency: 'NZD',
        issuer: ISSUER,
        due_on,
        customer: { name, company_name },
        items: job.lines.map((line) => ({ ...line, description: null, total: line.total_price })).map(printedLine),
      },
      { invoice_number, issued_on },
    );
    const customer_name = company_name || name;
    const frozen = {
      id: generateId(Date.parse(created_at), random),
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
      created_by: SENDER,
    };
    const record = { ...frozen, ...SentCopy.parse({ document, gst_number: null, fees: FEES, reason: null }) };
    return {
      token: createHash('sha256').update(job.id).digest('base64url').slice(0, TOKEN_LENGTH),
      paymentId: generateId(Date.parse(created_at), random),
      isPaid: index % UNPAID !== 0,
      row: {
        ...frozen,
        year,
        number,
        customer_id,
        customer_key: sortKey(customer_name),
        ...frozenRecord(record),
        created_at,
        search_text: searchText([invoice_number, job_number, title, customer_name, name]),
        state: 'open',
        paid_amount: '0.00',
      },
    };
  });
}

type Line = Parameters<typeof invoiceDocument>[0]['items'][number];

/** Nothing else of a line is printed. */
function printedLine({ name, description, is_service, tax_inclusive, quantity, unit_price, total }: Line): Line {
  return { name, description, is_service, tax_inclusive, quantity, unit_price, total };
}
