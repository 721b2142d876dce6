import type { SQL } from 'drizzle-orm';
import { type PgColumn, type PgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';
import { type CompanyTable, inCompany } from '../db/records.ts';
import type { TenantScope } from '../db/tenant-scope.ts';

/** The columns of an email to a customer: text, sender, and the state of the latest attempt, which is `mail_id` in the outbox. */
export const mailRecordColumns = {
  company_id: uuid().notNull(),
  id: uuid().notNull(),
  mail_id: uuid().notNull(),
  recipient: text().notNull(),
  subject: text().notNull(),
  body: text().notNull(),
  status: text().$type<'queued' | 'sent' | 'failed' | 'kept'>().notNull(),
  problem: text(),
  queued_at: instant().notNull(),
  sent_at: instant(),
  user_id: uuid(),
  sent_by: text(),
};

export type MailRecordTable = CompanyTable & { readonly id: PgColumn };

/** The person who sends the email and their current name, or null if the server sends it. */
export interface MailSender {
  readonly user_id: string | null;
  readonly sent_by: SQL<string> | null;
}

type ManagedColumn = 'company_id' | 'queued_at' | 'sent_at' | 'problem' | keyof MailSender;

/** Stores the email with its record. Returns false if the id is taken. */
export async function insertMailRecord<Table extends MailRecordTable>(
  scope: TenantScope,
  table: Table,
  mail: Omit<Table['$inferInsert'], ManagedColumn>,
  sender: MailSender,
): Promise<boolean> {
  const inserted = await scope.db
    .insert(table as PgTable)
    .values({ ...mail, ...sender, company_id: scope.companyId, queued_at: scope.now })
    .onConflictDoNothing({ target: [table.company_id, table.id] })
    .returning({ id: table.id });
  return inserted.length > 0;
}

/** Records another attempt, with the person who requested it as the sender. A reminder's sender remains the server. */
export async function markMailRequeued<Table extends MailRecordTable>(
  scope: TenantScope,
  table: Table,
  { id, kind }: { readonly id: string; readonly kind: string },
  attempt: Partial<Omit<Table['$inferInsert'], ManagedColumn>>,
  { user_id, sent_by }: MailSender,
): Promise<void> {
  const values = { ...attempt, problem: null, queued_at: scope.now, user_id, ...(kind !== 'reminder' && { sent_by }) };
  await scope.db
    .update(table)
    .set(values)
    .where(inCompany(scope, table, id));
}

export async function updateMailDelivery(
  scope: TenantScope,
  table: MailRecordTable,
  id: string,
  delivery: { status: string; problem: string | null; sent_at?: string; queued_at?: string },
): Promise<void> {
  await scope.db
    .update(table)
    .set(delivery)
    .where(inCompany(scope, table, id));
}

export async function deleteMailRecord(scope: TenantScope, table: MailRecordTable, id: string): Promise<void> {
  await scope.db.delete(table).where(inCompany(scope, table, id));
}
