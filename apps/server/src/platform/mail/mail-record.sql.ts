import type { SQL } from 'drizzle-orm';
import { type PgColumn, type PgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';
import { type CompanyTable, inCompany } from '../db/records.ts';
import type { TenantScope } from '../db/tenant-scope.ts';

/** What a record keeps of a mail to its customer: the words, who sent it, and what became of its latest attempt, `mail_id` in the outbox. */
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

export type MailTable = CompanyTable & { readonly id: PgColumn };

/** Who sends a mail, and the name they have now; the server has neither. */
export interface MailSender {
  readonly user_id: string | null;
  readonly sent_by: SQL<string> | null;
}

type OwnColumn = 'company_id' | 'queued_at' | 'sent_at' | 'problem' | keyof MailSender;

/** False when the id is taken. */
export async function insertMailRecord<Table extends MailTable>(
  scope: TenantScope,
  table: Table,
  mail: Omit<Table['$inferInsert'], OwnColumn>,
  sender: MailSender,
): Promise<boolean> {
  const inserted = await scope.db
    .insert(table as PgTable)
    .values({ ...mail, ...sender, company_id: scope.companyId, queued_at: scope.now })
    .onConflictDoNothing({ target: [table.company_id, table.id] })
    .returning({ id: table.id });
  return inserted.length > 0;
}

/** Another attempt, in a new mail of the outbox, on behalf of whoever asked for it. A reminder stays the server's. */
export async function restartMailRecord<Table extends MailTable>(
  scope: TenantScope,
  table: Table,
  { id, kind }: { readonly id: string; readonly kind: string },
  attempt: Partial<Omit<Table['$inferInsert'], OwnColumn>>,
  { user_id, sent_by }: MailSender,
): Promise<void> {
  const values = { ...attempt, problem: null, queued_at: scope.now, user_id, ...(kind !== 'reminder' && { sent_by }) };
  await scope.db
    .update(table)
    .set(values)
    .where(inCompany(scope, table, id));
}

export async function saveDelivery(
  scope: TenantScope,
  table: MailTable,
  id: string,
  delivery: { status: string; problem: string | null; sent_at?: string; queued_at?: string },
): Promise<void> {
  await scope.db
    .update(table)
    .set(delivery)
    .where(inCompany(scope, table, id));
}

export async function deleteMailRecord(scope: TenantScope, table: MailTable, id: string): Promise<void> {
  await scope.db.delete(table).where(inCompany(scope, table, id));
}
