import { and, eq, isNotNull, or } from 'drizzle-orm';
import { memberOf, userIdOf } from '../../platform/db/actor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { nameOf } from '../history/history.sql.ts';
import { quote_mails } from './quotes.table.ts';

export type QuoteMailRow = typeof quote_mails.$inferSelect;

export async function findQuoteMail(scope: TenantScope, id: string): Promise<QuoteMailRow | null> {
  const [mail] = await scope.db
    .select()
    .from(quote_mails)
    .where(inCompany(scope, quote_mails, id));
  return mail ?? null;
}

/** By the mail of its latest attempt in the outbox. */
export async function findByOutboxMail(scope: TenantScope, mailId: string): Promise<QuoteMailRow | null> {
  const [mail] = await scope.db
    .select()
    .from(quote_mails)
    .where(and(inCompany(scope, quote_mails), eq(quote_mails.mail_id, mailId)));
  return mail ?? null;
}

type NewQuoteMail = Pick<QuoteMailRow, 'id' | 'quote_id' | 'kind' | 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>;

/** False when the id is taken. A second reminder of a quote fails. */
export async function insertQuoteMail(scope: TenantScope, mail: NewQuoteMail): Promise<boolean> {
  const inserted = await scope.db
    .insert(quote_mails)
    .values({
      ...mail,
      company_id: scope.companyId,
      queued_at: scope.now,
      user_id: userIdOf(scope.actor),
      sent_by: scope.actor.kind === 'person' ? nameOf(scope, memberOf(scope.actor).staffId) : null,
    })
    .onConflictDoNothing({ target: [quote_mails.company_id, quote_mails.id] })
    .returning({ id: quote_mails.id });
  return inserted.length > 0;
}

/** Another attempt, in a new mail of the outbox, on behalf of whoever asked for it. */
export async function restartQuoteMail(
  scope: TenantScope,
  { id, kind }: Pick<QuoteMailRow, 'id' | 'kind'>,
  attempt: Pick<QuoteMailRow, 'mail_id' | 'recipient' | 'status'>,
): Promise<void> {
  await scope.db
    .update(quote_mails)
    .set({
      ...attempt,
      problem: null,
      queued_at: scope.now,
      user_id: userIdOf(scope.actor),
      ...(kind === 'quote' && { sent_by: nameOf(scope, memberOf(scope.actor).staffId) }),
    })
    .where(inCompany(scope, quote_mails, id));
}

type Delivery = Partial<Pick<QuoteMailRow, 'status' | 'problem' | 'sent_at' | 'queued_at'>>;

export async function saveQuoteDelivery(scope: TenantScope, id: string, delivery: Delivery): Promise<void> {
  await scope.db
    .update(quote_mails)
    .set(delivery)
    .where(inCompany(scope, quote_mails, id));
}

export async function deleteQuoteMail(scope: TenantScope, id: string): Promise<void> {
  await scope.db.delete(quote_mails).where(inCompany(scope, quote_mails, id));
}

/** Whether a mail with the quote has reached the customer, or still may. */
export async function isQuoteUnderWay(scope: TenantScope, quoteId: string): Promise<boolean> {
  const rows = await scope.db
    .select({ id: quote_mails.id })
    .from(quote_mails)
    .where(
      and(
        inCompany(scope, quote_mails),
        eq(quote_mails.quote_id, quoteId),
        eq(quote_mails.kind, 'quote'),
        or(isNotNull(quote_mails.sent_at), eq(quote_mails.status, 'queued')),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether the quote became 'sent' by being mailed, not by hand: then both happened at one moment. */
export async function wasSentByMail(scope: TenantScope, quoteId: string, sentAt: string): Promise<boolean> {
  const rows = await scope.db
    .select({ id: quote_mails.id })
    .from(quote_mails)
    .where(and(inCompany(scope, quote_mails), eq(quote_mails.quote_id, quoteId), eq(quote_mails.queued_at, sentAt)))
    .limit(1);
  return rows.length > 0;
}
