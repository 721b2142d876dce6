import type { InvoiceMail } from '@callout/contract/invoices';
import { and, desc, eq } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { invoice_mails, invoices } from './invoices.table.ts';

/** The newest first. */
export function listInvoiceMailsOfJob(scope: TenantScope, jobId: string): Promise<InvoiceMail[]> {
  const { id, kind, recipient, status, problem, queued_at, sent_at, sent_by } = invoice_mails;
  return scope.db
    .select({ id, kind, recipient, status, problem, queued_at, sent_at, sent_by, invoice_number: invoices.invoice_number })
    .from(invoice_mails)
    .innerJoin(invoices, and(eq(invoices.company_id, invoice_mails.company_id), eq(invoices.id, invoice_mails.invoice_id)))
    .where(and(inCompany(scope, invoice_mails), eq(invoices.job_id, jobId)))
    .orderBy(desc(queued_at), desc(id));
}
