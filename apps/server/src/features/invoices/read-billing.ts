import type { Billing, InvoiceMail } from '@callout/contract/invoices';
import { hasSameBilledContent } from '@callout/domain/invoices/invoice-document';
import { buildPaymentLink, calculatePaymentRequest, formatJobItemName, isFullAmountDue } from '@callout/domain/invoices/payment-request';
import { readPublicLink } from '../../platform/auth/public-links.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { readBillingCompany } from '../company/company.sql.ts';
import { listJobPayments } from '../jobs/job-payments.sql.ts';
import { jobRecordType } from '../jobs/jobs.sql.ts';
import { buildDraftDocument, getEarliestJobPaymentDate, hashInvoiceContent } from './invoice-content.ts';
import { listJobInvoiceMails } from './invoice-mails.sql.ts';
import { listDamagedInvoiceIds, listJobInvoices, toDisplayInvoice } from './invoices.sql.ts';
import { getApplicableFees, getInvoiceDisplayDocument, getInvoiceDisplayState, isInvoicePayable } from './renderable-invoice.ts';

/** Reads everything that a job's payment page displays. Run it in a snapshot or a transaction, so that the amounts agree. */
export async function readBilling(scope: TenantScope, jobId: string): Promise<Billing> {
  const job = await readRecord(scope, jobRecordType, jobId);
  const company = await readBillingCompany(scope);
  const { all, latest } = await listJobInvoices(scope, jobId);
  const damaged = await listDamagedInvoiceIds(scope, jobId);
  const displayInvoices = all.map((invoice) => toDisplayInvoice(invoice, { jobInvoices: all, damaged, today: company.today }));
  // Only the latest invoice can be open, because earlier invoices are always replaced or canceled.
  const open = latest?.state === 'open' ? latest : undefined;
  const draft = buildDraftDocument(job, company, latest);
  const document = open?.copy?.document ?? draft;
  const differs = open !== undefined && !hasSameBilledContent(document, draft);
  const current = differs ? draft : document;
  const { id, job_number, title, status, customer, paid_amount, deposit_amount } = job;
  const isDue = isFullAmountDue(status, open !== undefined);
  const owed = { amount: document.exact.amount, paid: paid_amount, deposit: deposit_amount, isDue };
  const request = calculatePaymentRequest(owed, getApplicableFees(open?.copy?.fees ?? company.fees, company));
  // Once its invoice is canceled, the customer's link requests nothing until the next invoice, so this page doesn't either.
  const isCredited = !open && latest !== null;
  const sentState = status === 'canceled' || isCredited ? 'canceled' : open ? 'open' : 'draft';
  const state = getInvoiceDisplayState({ state: sentState, isPaid: status === 'paid' }, paid_amount, request);
  const feeContext = { state, paid: paid_amount, company };
  const item_name = formatJobItemName({ job_number, title: document.title });
  const { token, first_opened_at, last_opened_at } = await readPublicLink(scope, { kind: 'invoice', id: jobId });
  const mails: InvoiceMail[] = await listJobInvoiceMails(scope, jobId);
  return {
    job: { id, job_number, title, status, customer },
    document: getInvoiceDisplayDocument(document, feeContext),
    invoice: displayInvoices.find((invoice) => invoice.id === open?.id) ?? null,
    differs,
    current: getInvoiceDisplayDocument(current, feeContext),
    content_hash: hashInvoiceContent(current),
    invoices: displayInvoices,
    payments: await listJobPayments(scope, jobId),
    mails,
    paid_amount,
    deposit_amount,
    request,
    payment_link: isInvoicePayable(state)
      ? buildPaymentLink({ business: company.paypal_email, amount: request.total, currency: document.currency, item_name })
      : null,
    public_path: `/invoice/${token}`,
    first_opened_at,
    last_opened_at,
    today: company.today,
    earliest_payment_on: getEarliestJobPaymentDate(job, company),
  };
}
