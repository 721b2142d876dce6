import type { InvoiceMail } from '@callout/contract/invoices';
import { and, desc, eq, getTableColumns, isNotNull, or } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { insertMailRecord, markMailRequeued } from '../../platform/mail/mail-record.sql.ts';
import { customers } from '../customers/customers.table.ts';
import { getMailSender } from '../history/history.sql.ts';
import { invoice_mails, invoices } from './invoices.table.ts';

const { id, kind, recipient, status, problem, queued_at, sent_at, sent_by } = invoice_mails;
const invoiceJoin = and(eq(invoices.company_id, invoice_mails.company_id), eq(invoices.id, invoice_mails.invoice_id));

/** Lists the job's invoice emails, newest first. */
export function listJobInvoiceMails(scope: TenantScope, jobId: string): Promise<InvoiceMail[]> {
  return scope.db
    .select({ id, kind, recipient, status, problem, queued_at, sent_at, sent_by, invoice_number: invoices.invoice_number })
    .from(invoice_mails)
    .innerJoin(invoices, invoiceJoin)
    .where(and(inCompany(scope, invoice_mails), eq(invoices.job_id, jobId)))
    .orderBy(desc(queued_at), desc(id));
}

export interface InvoiceMailRow extends Omit<typeof invoice_mails.$inferSelect, 'company_id'> {
  readonly job_id: string;
}

const { company_id: _, ...mailColumns } = getTableColumns(invoice_mails);

async function findMailWhere(scope: TenantScope, condition: ReturnType<typeof eq>): Promise<InvoiceMailRow | null> {
  const [mail] = await scope.db
    .select({ ...mailColumns, job_id: invoices.job_id })
    .from(invoice_mails)
    .innerJoin(invoices, invoiceJoin)
    .where(and(inCompany(scope, invoice_mails), condition));
  return mail ?? null;
}

export const findInvoiceMail = (scope: TenantScope, mailId: string) => findMailWhere(scope, eq(id, mailId));

/** Finds the email by the id of its latest delivery attempt in the outbox. */
export const findInvoiceMailByOutboxId = (scope: TenantScope, outboxId: string) =>
  findMailWhere(scope, eq(invoice_mails.mail_id, outboxId));

/** Returns true if an email with the invoice, not a reminder, was delivered or is queued. */
export async function hasQueuedOrDeliveredMail(scope: TenantScope, invoiceId: string): Promise<boolean> {
  const rows = await scope.db
    .select({ id })
    .from(invoice_mails)
    .where(
      and(
        inCompany(scope, invoice_mails),
        eq(invoice_mails.invoice_id, invoiceId),
        eq(kind, 'invoice'),
        or(isNotNull(sent_at), eq(status, 'queued')),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

type NewInvoiceMail = Pick<InvoiceMailRow, 'id' | 'invoice_id' | 'kind' | 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>;

/** Returns false if the id is taken. Throws if this would be the invoice's second reminder. */
export const insertInvoiceMail = (scope: TenantScope, mail: NewInvoiceMail) =>
  insertMailRecord(scope, invoice_mails, mail, getMailSender(scope));

export const markInvoiceMailRequeued = (
  scope: TenantScope,
  mail: Pick<InvoiceMailRow, 'id' | 'kind'>,
  attempt: Pick<InvoiceMailRow, 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>,
) => markMailRequeued(scope, invoice_mails, mail, attempt, getMailSender(scope));

/** Returns the customer's current email address, or null if the customer has none or was deleted. */
export async function findCustomerEmail(scope: TenantScope, invoiceId: string): Promise<string | null> {
  const [found] = await scope.db
    .select({ email: customers.email })
    .from(invoices)
    .innerJoin(customers, and(eq(customers.company_id, invoices.company_id), eq(customers.id, invoices.customer_id)))
    .where(inCompany(scope, invoices, invoiceId));
  return found?.email || null;
}
