import { and, eq, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { getUserId } from '../../platform/db/actor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { buildStaffNameSubquery } from '../history/history.sql.ts';
import type { MailTable } from './documents.table.ts';

export type DocumentMail = MailTable['$inferSelect'];

async function findMailWhere(scope: TenantScope, mails: MailTable, condition: SQL): Promise<DocumentMail | null> {
  const [mail] = await scope.db
    .select()
    .from(mails)
    .where(and(inCompany(scope, mails), condition));
  return mail ?? null;
}

export const findDocumentMail = (scope: TenantScope, mails: MailTable, id: string) => findMailWhere(scope, mails, eq(mails.id, id));

/** Finds the email by the id of its latest delivery attempt in the outbox. */
export const findMailByOutboxId = (scope: TenantScope, mails: MailTable, outboxId: string) =>
  findMailWhere(scope, mails, eq(mails.mail_id, outboxId));

/** Returns true if an email with the document, not a reminder, was delivered or is queued. */
export async function hasQueuedOrDeliveredMail(scope: TenantScope, mails: MailTable, documentId: string): Promise<boolean> {
  const isQueuedOrDelivered = or(isNotNull(mails.sent_at), eq(mails.status, 'queued'));
  const rows = await scope.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(inCompany(scope, mails), eq(mails.document_id, documentId), ne(mails.kind, 'reminder'), isQueuedOrDelivered))
    .limit(1);
  return rows.length > 0;
}

/** A list column: true if the latest email with the document failed. Ignores reminders. */
export const buildMailFailedColumn = (mails: MailTable, document: { readonly company_id: PgColumn; readonly id: PgColumn }) =>
  sql<boolean>`coalesce((select ${mails.status} = 'failed' from ${mails}
    where ${mails.company_id} = ${document.company_id} and ${mails.document_id} = ${document.id} and ${mails.kind} <> 'reminder'
    order by ${mails.queued_at} desc, ${mails.id} desc limit 1), false)`;

/** The person who sends the email. The name, `sent_by`, is null if the server sends the email automatically. */
function getMailSender(scope: TenantScope) {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  return { user_id: getUserId(actor), sent_by: staffId === undefined ? null : buildStaffNameSubquery(scope, staffId) };
}

type NewMail = Pick<DocumentMail, 'id' | 'document_id' | 'kind' | 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>;

/** Returns false if the id is taken. Throws if this would be the document's second reminder. */
export async function insertDocumentMail(scope: TenantScope, mails: MailTable, mail: NewMail): Promise<boolean> {
  const inserted = await scope.db
    .insert(mails)
    .values({ ...mail, ...getMailSender(scope), company_id: scope.companyId, queued_at: scope.now })
    .onConflictDoNothing({ target: [mails.company_id, mails.id] })
    .returning({ id: mails.id });
  return inserted.length > 0;
}

/** Records another attempt, with the person who requested it as the sender. A reminder's sender remains the server. */
export async function markMailRequeued(
  scope: TenantScope,
  mails: MailTable,
  { id, kind }: Pick<DocumentMail, 'id' | 'kind'>,
  attempt: Pick<DocumentMail, 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>,
): Promise<void> {
  const { user_id, sent_by } = getMailSender(scope);
  await scope.db
    .update(mails)
    .set({ ...attempt, problem: null, queued_at: scope.now, user_id, ...(kind !== 'reminder' && { sent_by }) })
    .where(inCompany(scope, mails, id));
}

export async function updateMailDelivery(
  scope: TenantScope,
  mails: MailTable,
  id: string,
  delivery: Pick<DocumentMail, 'status' | 'problem'> & { sent_at?: string; queued_at?: string },
): Promise<void> {
  await scope.db
    .update(mails)
    .set(delivery)
    .where(inCompany(scope, mails, id));
}

export async function deleteDocumentMail(scope: TenantScope, mails: MailTable, id: string): Promise<void> {
  await scope.db.delete(mails).where(inCompany(scope, mails, id));
}
