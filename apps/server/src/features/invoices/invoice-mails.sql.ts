import type { InvoiceMail } from '@callout/contract/invoices';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { and, desc, eq, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { readTimezone } from '../company/company.sql.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { findDueDocument, REMINDER_EXPIRY_DAYS, type ReminderRule } from '../documents/document-reminders.sql.ts';
import type { ReminderTemplate } from './invoice.mail.ts';
import { invoice_mails, invoices } from './invoices.table.ts';

/** Lists the job's invoice emails, newest first. */
export function listJobInvoiceMails(scope: TenantScope, jobId: string): Promise<InvoiceMail[]> {
  const { id, kind, recipient, status, problem, queued_at, sent_at, sent_by } = invoice_mails;
  return scope.db
    .select({ id, kind, recipient, status, problem, queued_at, sent_at, sent_by, invoice_number: invoices.invoice_number })
    .from(invoice_mails)
    .innerJoin(invoices, and(eq(invoices.company_id, invoice_mails.company_id), eq(invoices.id, invoice_mails.document_id)))
    .where(and(inCompany(scope, invoice_mails), eq(invoices.job_id, jobId)))
    .orderBy(desc(queued_at), desc(id));
}

/** Returns the customer's current email address, or null if the customer has none or was deleted. */
export async function findCustomerEmail(scope: TenantScope, invoiceId: string): Promise<string | null> {
  const [found] = await scope.db
    .select({ email: customers.email })
    .from(invoices)
    .innerJoin(customers, and(eq(customers.company_id, invoices.company_id), eq(customers.id, invoices.customer_id)))
    .where(inCompany(scope, invoices, invoiceId));
  return found?.email || null;
}

/** The date on which the reminder is sent, in the company's time zone. Counts from the same date as `getReminderDueDate`. */
const reminderDate = sql`(greatest(r.late_after + greatest(r.sent_on - r.issued_on, 0), r.due_on) + c.invoice_reminder_days)`;

/**
 * Compares UTC dates with a day to spare, because PostgreSQL doesn't know all of JavaScript's time zones, and an unknown zone would fail the
 * query for all companies. `isInvoiceReminderDue` checks the exact date before sending.
 */
export const INVOICE_REMINDER_RULE: ReminderRule = {
  name: 'invoice',
  isDue: (now) => sql`r.balance > 0 and r.sent_at is not null
    and ${reminderDate} <= (${now}::timestamptz at time zone 'UTC')::date + 1
    and ${reminderDate} >= (${now}::timestamptz at time zone 'UTC')::date - ${REMINDER_EXPIRY_DAYS}::int
    and ${reminderDate} >= (c.invoice_reminders_since at time zone 'UTC')::date - 1`,
};

/** Checks the reminder date in the company's time zone. Returns false if reminders were turned on after the reminder date. */
export async function isInvoiceReminderDue(scope: TenantScope, id: string): Promise<boolean> {
  const since = sql`to_char(c.invoice_reminders_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const columns = sql`${reminderDate}::text as day, ${since} as since`;
  const due = await findDueDocument<{ day: string; since: string }>(scope, INVOICE_REMINDER_RULE, id, columns);
  if (!due) return false;
  const timezone = await readTimezone(scope);
  return due.day <= toLocalDate(scope.now, timezone) && due.day >= toLocalDate(due.since, timezone);
}

export async function readReminderTemplate(scope: TenantScope): Promise<ReminderTemplate> {
  const { invoice_reminder_subject: subject, invoice_reminder_body: body } = companies;
  const [wording] = await scope.db.select({ subject, body }).from(companies).where(inCompany(scope, companies));
  return wording ?? { subject: null, body: null };
}
