import { and, eq, isNotNull, or } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { insertMailRecord, restartMailRecord } from '../../platform/mail/mail-record.sql.ts';
import { senderOf } from '../history/history.sql.ts';
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
export const insertQuoteMail = (scope: TenantScope, mail: NewQuoteMail) => insertMailRecord(scope, quote_mails, mail, senderOf(scope));

export const restartQuoteMail = (
  scope: TenantScope,
  mail: Pick<QuoteMailRow, 'id' | 'kind'>,
  attempt: Pick<QuoteMailRow, 'mail_id' | 'recipient' | 'status'>,
) => restartMailRecord(scope, quote_mails, mail, attempt, senderOf(scope));

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
