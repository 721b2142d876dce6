import type { Billing, InvoiceMail } from '@callout/contract/invoices';
import { billsTheSame } from '@callout/domain/invoices/invoice-document';
import { isAllDue, jobItemName, paymentLink, paymentRequest } from '@callout/domain/invoices/payment-request';
import { findPublicLink, publicTokenOf } from '../../platform/auth/public-links.sql.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { jobRecord } from '../jobs/jobs.sql.ts';
import { listPaymentsOfJob } from '../payments/payments.sql.ts';
import { contentHashOf, draftDocument, readBiller } from './invoice-content.sql.ts';
import { listInvoiceMailsOfJob } from './invoice-mails.sql.ts';
import { askedFees, isAskedFor, shownDocument, stateOf } from './invoice-view.ts';
import { listDamagedInvoices, listInvoicesOfJob, shownInvoice } from './invoices.sql.ts';

/** All that the payment page of a job shows. */
export async function readBilling(scope: TenantScope, jobId: string): Promise<Billing> {
  const job = await readRecord(scope, jobRecord, jobId);
  const biller = await readBiller(scope);
  const { all, latest } = await listInvoicesOfJob(scope, jobId);
  const damaged = await listDamagedInvoices(scope, jobId);
  const shown = all.map((invoice) => shownInvoice(invoice, { others: all, damaged, today: biller.today }));
  // Whatever was sent before the latest is replaced or canceled.
  const open = latest?.state === 'open' ? latest : undefined;
  const draft = draftDocument(job, biller);
  const document = open?.copy?.document ?? draft;
  const differs = open !== undefined && !billsTheSame(document, draft);
  const current = differs ? draft : document;
  const { id, job_number, title, status, customer, paid_amount, deposit_amount } = job;
  const owed = { amount: document.exact.amount, paid: paid_amount, deposit: deposit_amount, isDue: isAllDue(status, open !== undefined) };
  const request = paymentRequest(owed, askedFees(open?.copy?.fees ?? biller.fees, biller));
  const sentState = status === 'canceled' ? 'canceled' : open ? 'open' : 'draft';
  const state = stateOf({ state: sentState, isPaid: status === 'paid' }, paid_amount, request);
  const shownAs = { state, paid: paid_amount, company: biller };
  const { token, first_opened_at, last_opened_at } = await readLink(scope, jobId);
  const mails: InvoiceMail[] = await listInvoiceMailsOfJob(scope, jobId);
  return {
    job: { id, job_number, title, status, customer },
    document: shownDocument(document, shownAs),
    invoice: shown.find((invoice) => invoice.id === open?.id) ?? null,
    differs,
    current: shownDocument(current, shownAs),
    content_hash: contentHashOf(current),
    invoices: shown,
    payments: await listPaymentsOfJob(scope, jobId),
    mails,
    paid_amount,
    deposit_amount,
    request,
    payment_link: isAskedFor(state)
      ? paymentLink({
          business: biller.paypal_email,
          amount: request.total,
          currency: document.currency,
          item_name: jobItemName({ job_number, title: document.title }),
        })
      : null,
    public_path: `/invoice/${token}`,
    first_opened_at,
    last_opened_at,
    today: biller.today,
  };
}

/** Made when somebody first asks for it. */
async function readLink(scope: TenantScope, jobId: string) {
  const record = { kind: 'invoice', id: jobId };
  const link = await findPublicLink(scope, record);
  return link ?? { token: await publicTokenOf(scope, record), first_opened_at: null, last_opened_at: null };
}
