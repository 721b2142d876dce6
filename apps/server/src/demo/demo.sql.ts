import { randomUUID } from 'node:crypto';
import type { Role } from '@callout/domain/roles/roles';
import { and, eq, lt, sql } from 'drizzle-orm';
import type pg from 'pg';
import { findLeastUsedColorId } from '../features/company/company.sql.ts';
import { companies } from '../features/company/company.table.ts';
import { customers } from '../features/customers/customers.table.ts';
import { buildStaffNameSubquery } from '../features/history/history.sql.ts';
import { invoice_mails } from '../features/invoices/invoices.table.ts';
import { time_entries } from '../features/jobs/jobs.table.ts';
import { notifications } from '../features/notifications/notifications.table.ts';
import { quote_mails } from '../features/quotes/quotes.table.ts';
import { invitations } from '../features/staff/staff.table.ts';
import { staff_members } from '../platform/auth/auth.table.ts';
import type { TenantScope } from '../platform/db/tenant-scope.ts';

export async function findUserId(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('select id from users where email = $1', [email]);
  return rows[0]?.id ?? null;
}

export interface DemoMember {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly role: Role;
  readonly hourlyRate: string;
}

export async function insertDemoMember(scope: TenantScope, member: DemoMember): Promise<string> {
  const id = randomUUID();
  await scope.db.insert(staff_members).values({
    company_id: scope.companyId,
    id,
    profile_id: member.userId,
    name: member.name,
    email: member.email,
    phone: member.phone,
    role: member.role,
    hourly_rate: member.hourlyRate,
    color_id: await findLeastUsedColorId(scope),
    created_at: scope.now,
    updated_at: scope.now,
    version: 1,
  });
  return id;
}

export async function saveOwnerDetails(scope: TenantScope, member: DemoMember, address: string): Promise<void> {
  const { name, phone, hourlyRate } = member;
  await scope.db.update(staff_members).set({ name, phone, hourly_rate: hourlyRate }).where(eq(staff_members.company_id, scope.companyId));
  await scope.db.update(companies).set({ address }).where(eq(companies.company_id, scope.companyId));
}

export async function saveBankDetails(scope: TenantScope, details: Partial<typeof companies.$inferInsert>): Promise<void> {
  await scope.db.update(companies).set(details).where(eq(companies.company_id, scope.companyId));
}

/** Marks the invitation as delivered without emailing it, because the demo sends no email. */
export async function markInvitationDelivered(scope: TenantScope, staffId: string): Promise<void> {
  await scope.db
    .update(invitations)
    .set({ delivery: 'delivered' })
    .where(and(eq(invitations.company_id, scope.companyId), eq(invitations.staff_id, staffId)));
}

export async function saveCustomerActivity(
  scope: TenantScope,
  id: string,
  activity: { status: 'active' | 'inactive'; lastInteraction: string | null },
): Promise<void> {
  await scope.db
    .update(customers)
    .set({ status: activity.status, last_interaction: activity.lastInteraction })
    .where(and(eq(customers.company_id, scope.companyId), eq(customers.id, id)));
}

interface DemoTimeEntry {
  readonly job: { readonly id: string; readonly job_number: string; readonly title: string };
  readonly staffId: string;
  readonly started_at: string;
  readonly ended_at: string | null;
}

const truncateToSecond = (instant: string) => `${instant.slice(0, 19)}.000Z`;

export async function insertTimeEntries(scope: TenantScope, entries: readonly DemoTimeEntry[]): Promise<void> {
  await scope.db.insert(time_entries).values(
    entries.map(({ job, staffId, started_at, ended_at }) => ({
      company_id: scope.companyId,
      id: randomUUID(),
      job_id: job.id,
      job_number: job.job_number,
      job_title: job.title,
      staff_id: staffId,
      staff_name: buildStaffNameSubquery(scope, staffId),
      started_at: truncateToSecond(started_at),
      ended_at: ended_at && truncateToSecond(ended_at),
      version: 1,
    })),
  );
}

interface DemoMail {
  readonly recipient: string;
  readonly subject: string;
}

/** Stores a quote email as already delivered, because the demo sends no email. */
export async function addDeliveredQuoteMail(scope: TenantScope, quoteId: string, mail: DemoMail): Promise<void> {
  const body = 'Here is your quote.';
  await scope.db.insert(quote_mails).values({ ...mail, ...buildDeliveredMail(scope), document_id: quoteId, kind: 'quote', body });
}

export async function addDeliveredInvoiceMail(scope: TenantScope, invoiceId: string, mail: DemoMail): Promise<void> {
  const body = 'Here is your invoice.';
  await scope.db.insert(invoice_mails).values({ ...mail, ...buildDeliveredMail(scope), document_id: invoiceId, kind: 'invoice', body });
}

function buildDeliveredMail(scope: TenantScope) {
  const person = scope.actor.kind === 'person' ? scope.actor : null;
  return {
    company_id: scope.companyId,
    id: randomUUID(),
    mail_id: randomUUID(),
    status: 'sent' as const,
    queued_at: scope.now,
    sent_at: scope.now,
    user_id: person?.userId ?? null,
    sent_by: person?.member ? buildStaffNameSubquery(scope, person.member.staffId) : null,
  };
}

/** Marks notifications older than three days as read. */
export async function markOldNotificationsRead(scope: TenantScope): Promise<void> {
  await scope.db
    .update(notifications)
    .set({ read: true })
    .where(
      and(eq(notifications.company_id, scope.companyId), lt(notifications.created_at, sql`${scope.now}::timestamptz - interval '3 days'`)),
    );
}
