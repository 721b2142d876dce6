import type { InvoiceMail } from '@callout/contract/invoices';
import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import { userIdOf } from '../../platform/db/actor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from '../customers/customers.table.ts';
import { nameOf } from '../history/history.sql.ts';
import { invoice_mails, invoices } from './invoices.table.ts';

const { id, kind, recipient, status, problem, queued_at, sent_at, sent_by } = invoice_mails;
const isOfInvoice = and(eq(invoices.company_id, invoice_mails.company_id), eq(invoices.id, invoice_mails.invoice_id));

/** The newest first. */
export function listInvoiceMailsOfJob(scope: TenantScope, jobId: string): Promise<InvoiceMail[]> {
  return scope.db
    .select({ id, kind, recipient, status, problem, queued_at, sent_at, sent_by, invoice_number: invoices.invoice_number })
    .from(invoice_mails)
    .innerJoin(invoices, isOfInvoice)
    .where(and(inCompany(scope, invoice_mails), eq(invoices.job_id, jobId)))
    .orderBy(desc(queued_at), desc(id));
}

export interface InvoiceMailRow extends Omit<typeof invoice_mails.$inferSelect, 'company_id'> {
  readonly job_id: string;
}

const { company_id: _, ...mailColumns } = getTableColumns(invoice_mails);

async function findMail(scope: TenantScope, isWanted: ReturnType<typeof eq>): Promise<InvoiceMailRow | null> {
  const [mail] = await scope.db
    .select({ ...mailColumns, job_id: invoices.job_id })
    .from(invoice_mails)
    .innerJoin(invoices, isOfInvoice)
    .where(and(inCompany(scope, invoice_mails), isWanted));
  return mail ?? null;
}

export const findInvoiceMail = (scope: TenantScope, mailId: string) => findMail(scope, eq(id, mailId));

/** By the mail of its latest attempt in the outbox. */
export const findByOutboxMail = (scope: TenantScope, outboxId: string) => findMail(scope, eq(invoice_mails.mail_id, outboxId));

type NewInvoiceMail = Pick<InvoiceMailRow, 'id' | 'invoice_id' | 'kind' | 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>;

/** Who sends it, by the name they have now; the server has none. */
function senderOf(scope: TenantScope) {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  return { user_id: userIdOf(actor), sent_by: staffId === undefined ? null : nameOf(scope, staffId) };
}

/** False when the id is taken. A second reminder of an invoice fails. */
export async function insertInvoiceMail(scope: TenantScope, mail: NewInvoiceMail): Promise<boolean> {
  const inserted = await scope.db
    .insert(invoice_mails)
    .values({ ...mail, company_id: scope.companyId, queued_at: scope.now, ...senderOf(scope) })
    .onConflictDoNothing({ target: [invoice_mails.company_id, invoice_mails.id] })
    .returning({ id });
  return inserted.length > 0;
}

/** Another attempt, in a new mail of the outbox, on behalf of whoever asked for it. */
export async function restartInvoiceMail(
  scope: TenantScope,
  mail: Pick<InvoiceMailRow, 'id' | 'kind'>,
  attempt: Pick<InvoiceMailRow, 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>,
): Promise<void> {
  const { user_id, sent_by: sender } = senderOf(scope);
  await scope.db
    .update(invoice_mails)
    .set({ ...attempt, problem: null, queued_at: scope.now, user_id, ...(mail.kind === 'invoice' && { sent_by: sender }) })
    .where(inCompany(scope, invoice_mails, mail.id));
}

type Delivery = Partial<Pick<InvoiceMailRow, 'status' | 'problem' | 'sent_at' | 'queued_at'>>;

export async function saveInvoiceDelivery(scope: TenantScope, mailId: string, delivery: Delivery): Promise<void> {
  await scope.db
    .update(invoice_mails)
    .set(delivery)
    .where(inCompany(scope, invoice_mails, mailId));
}

export async function deleteInvoiceMail(scope: TenantScope, mailId: string): Promise<void> {
  await scope.db.delete(invoice_mails).where(inCompany(scope, invoice_mails, mailId));
}

/** Of the customer who was billed, as it is now. */
export async function findBilledEmail(scope: TenantScope, invoiceId: string): Promise<string | null> {
  const [found] = await scope.db
    .select({ email: customers.email })
    .from(invoices)
    .innerJoin(customers, and(eq(customers.company_id, invoices.company_id), eq(customers.id, invoices.customer_id)))
    .where(inCompany(scope, invoices, invoiceId));
  return found?.email || null;
}
