import { idTaken } from '@callout/contract/errors';
import type { Billing } from '@callout/contract/invoices';
import { invoiceClosed, invoiceNotFound } from '@callout/contract/invoices';
import { isPositive } from '@callout/domain/money/money';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { releaseTaxRate, setBilledAmount } from '../jobs/job-billing.sql.ts';
import { jobRecord, setStatus } from '../jobs/jobs.sql.ts';
import { outstandingAmount, settleJob } from '../jobs/settle-job.ts';
import { readBiller } from './invoice-content.sql.ts';
import { closeInvoice, findInvoice } from './invoices.sql.ts';
import { lockBilling, storeSent } from './issue-invoice.ts';
import { readBilling } from './read-billing.ts';

interface CreditRequest {
  readonly id: string;
  readonly credit_id: string;
  readonly reason: string | null;
}

/**
 * Cancels an invoice with a credit note of its own number. What is due is then what the job costs, at the company's GST rate of today. The
 * same credit_id again is the same note.
 */
export async function creditInvoice(scope: TenantScope, { id, credit_id, reason }: CreditRequest): Promise<Billing> {
  const found = await findInvoice(scope, id);
  if (!found) throw failureOf(invoiceNotFound);
  await lockBilling(scope, found.job_id);
  const [invoice, earlier] = [await findInvoice(scope, id), await findInvoice(scope, credit_id)];
  if (earlier) {
    if (earlier.kind !== 'credit_note' || earlier.replaces !== id) throw failureOf(idTaken);
    return readBilling(scope, found.job_id);
  }
  if (invoice?.kind !== 'invoice' || invoice.state !== 'open') throw failureOf(invoiceClosed);
  if (!invoice.copy) throw new Error('An invoice that was sent is unreadable');
  const { today } = await readBiller(scope);
  await closeInvoice(scope, id, 'credited');
  const { invoice_number } = await storeSent(scope, {
    id: credit_id,
    kind: 'credit_note',
    job: { id: invoice.job_id, job_number: invoice.job_number },
    customerId: invoice.customer_id,
    days: { issued_on: today, due_on: null, late_after: today },
    replaces: id,
    paidAmount: '0.00',
    copy: { ...invoice.copy, reason },
  });
  await setBilledAmount(scope, invoice.job_id, null);
  await recordEvent(scope, 'job', invoice.job_id, 'credited', {
    credit_note: [invoice.invoice_number, invoice_number],
    total_amount: [invoice.total_amount, null],
    reason: [null, reason],
  });
  const job = await readRecord(scope, jobRecord, invoice.job_id);
  const { status } = job;
  // Otherwise a wrong rate could never be corrected. What is paid in full was paid at this rate, and keeps it.
  if (isPositive(outstandingAmount(job))) await releaseTaxRate(scope, job.id);
  if (status === 'invoiced') {
    await setStatus(scope, invoice.job_id, { status: 'complete', from: status });
    await recordEvent(scope, 'job', invoice.job_id, 'edited', { status: [status, 'complete'] });
  }
  await settleJob(scope, await readRecord(scope, jobRecord, invoice.job_id));
  await publishChange(scope, 'jobs', 'invoices');
  return readBilling(scope, invoice.job_id);
}
