import { and, eq, isNotNull, or } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { insertMailRecord, markMailRequeued } from '../../platform/mail/mail-record.sql.ts';
import { getMailSender } from '../history/history.sql.ts';
import { quote_mails } from './quotes.table.ts';

export type QuoteMailRow = typeof quote_mails.$inferSelect;

export async function findQuoteMail(scope: TenantScope, id: string): Promise<QuoteMailRow | null> {
  const [mail] = await scope.db
    .select()
    .from(quote_mails)
    .where(inCompany(scope, quote_mails, id));
  return mail ?? null;
}

/** Finds the email by the id of its latest delivery attempt in the outbox. */
export async function findQuoteMailByOutboxId(scope: TenantScope, mailId: string): Promise<QuoteMailRow | null> {
  const [mail] = await scope.db
    .select()
    .from(quote_mails)
    .where(and(inCompany(scope, quote_mails), eq(quote_mails.mail_id, mailId)));
  return mail ?? null;
}

type NewQuoteMail = Pick<QuoteMailRow, 'id' | 'quote_id' | 'kind' | 'mail_id' | 'recipient' | 'subject' | 'body' | 'status'>;

/** Returns false if the id is taken. Throws if this would be the quote's second reminder. */
export const insertQuoteMail = (scope: TenantScope, mail: NewQuoteMail) => insertMailRecord(scope, quote_mails, mail, getMailSender(scope));

export const markQuoteMailRequeued = (
  scope: TenantScope,
  mail: Pick<QuoteMailRow, 'id' | 'kind'>,
  attempt: Pick<QuoteMailRow, 'mail_id' | 'recipient' | 'status'>,
) => markMailRequeued(scope, quote_mails, mail, attempt, getMailSender(scope));

/** Returns true if the quote has been emailed or its email is still queued. Ignores reminders. */
export async function hasQueuedOrDeliveredMail(scope: TenantScope, quoteId: string): Promise<boolean> {
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

/** Returns true if emailing marked the quote as sent, not a person. Emailing sets `sent_at` to the email's timestamp. */
export async function wasMarkedSentByMail(scope: TenantScope, quoteId: string, sentAt: string): Promise<boolean> {
  const rows = await scope.db
    .select({ id: quote_mails.id })
    .from(quote_mails)
    .where(and(inCompany(scope, quote_mails), eq(quote_mails.quote_id, quoteId), eq(quote_mails.queued_at, sentAt)))
    .limit(1);
  return rows.length > 0;
}
