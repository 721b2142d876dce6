import { idTakenError } from '@callout/contract/errors';
import type { Billing } from '@callout/contract/invoices';
import { invoiceClosedError, invoiceNotFoundError } from '@callout/contract/invoices';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readBillingCompany } from '../company/company.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { setBilledAmount } from '../jobs/job-billing.sql.ts';
import { jobRecordType, setJobStatus } from '../jobs/jobs.sql.ts';
import { updateJobStatus } from '../jobs/save-job.ts';
import { lockPricedJob, settleJob } from '../jobs/settle-job.ts';
import { findInvoice } from './invoices.sql.ts';
import { issueCreditNote } from './issue-invoice.ts';
import { readBilling } from './read-billing.ts';

interface CreditInvoiceInput {
  readonly id: string;
  readonly credit_id: string;
  readonly reason: string | null;
  readonly cancel_job?: boolean;
}

/** Cancels an invoice by issuing a numbered credit note. The job's current total is then due again. Idempotent by `credit_id`. */
export async function creditInvoice(scope: TenantScope, { id, credit_id, reason, cancel_job }: CreditInvoiceInput): Promise<Billing> {
  const found = await findInvoice(scope, id);
  if (!found) throw toFailure(invoiceNotFoundError);
  await lockPricedJob(scope, found.job_id);
  const [invoice, existing] = [await findInvoice(scope, id), await findInvoice(scope, credit_id)];
  if (existing) {
    if (existing.kind !== 'credit_note' || existing.replaces !== id) throw toFailure(idTakenError);
    return readBilling(scope, found.job_id);
  }
  if (invoice?.kind !== 'invoice' || invoice.state !== 'open') throw toFailure(invoiceClosedError);
  const { today } = await readBillingCompany(scope);
  await issueCreditNote(scope, invoice, { id: credit_id, reason, today });
  await setBilledAmount(scope, invoice.job_id, null);
  const { status } = await readRecord(scope, jobRecordType, invoice.job_id);
  if (status === 'invoiced') {
    await setJobStatus(scope, invoice.job_id, { status: 'complete', from: status });
    await recordEvent(scope, 'job', invoice.job_id, 'edited', { status: [status, 'complete'] });
  }
  // Unless it is fully paid, the job follows the company's GST rate again, so that a wrong rate can be corrected.
  await settleJob(scope, await readRecord(scope, jobRecordType, invoice.job_id));
  if (cancel_job) await updateJobStatus(scope, { id: invoice.job_id, status: 'canceled' });
  await publishChange(scope, 'jobs', 'invoices');
  return readBilling(scope, invoice.job_id);
}
