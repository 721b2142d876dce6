import { publicQuoteNotFound } from '@callout/contract/public-quotes';
import { type QuoteRow, quoteNotFound } from '@callout/contract/quotes';
import { type QuoteStatus, shownQuoteStatus } from '@callout/domain/quotes/quote';
import { localDate } from '@callout/domain/time/zoned-time';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, requireCapability } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { calls, requireMember, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { mailingMutation } from '../../platform/http/mailing-mutation.ts';
import { linkMutation, linkQuery } from '../../platform/http/public-link.ts';
import { readTimezone } from '../company/company.sql.ts';
import { listEvents } from '../history/history.sql.ts';
import { type Answerer, acceptQuote, rejectQuote } from './accept-quote.ts';
import { duplicateQuote } from './duplicate-quote.ts';
import { findQuotes } from './find-quotes.ts';
import { QUOTE_MAILS } from './quote-mail-limits.ts';
import { quoteList, quoteRecord, shownStatusFilter } from './quotes.sql.ts';
import { publicQuote, recordOpening, showPublicQuote } from './read-public-quote.ts';
import { createQuote, removeQuote, setQuoteStatus, updateQuote } from './save-quote.ts';
import { listTemplates, removeTemplate, saveTemplate } from './section-templates.sql.ts';
import { retryQuoteMail, sendQuote } from './send-quote.ts';

export const quotesHandlers = {
  list: calls.quotes.list.handler(
    tenantQuery(async (scope, { input: { status, ...input } }) => {
      const { rows, next_cursor } = await listRecords(scope, quoteList, { ...input, ...(await readStatusFilter(scope, status)) });
      return { rows: withShownStatus(scope, rows), next_cursor };
    }),
  ),

  count: calls.quotes.count.handler(
    tenantQuery(async (scope, { input: { status, ...input } }) => ({
      total: await countRecords(scope, quoteList, { ...input, ...(await readStatusFilter(scope, status)) }),
    })),
  ),

  find: calls.quotes.find.handler(
    tenantQuery(async (scope, { input }) => ({
      rows: withShownStatus(scope, await findQuotes(scope, input.search)),
    })),
  ),

  get: calls.quotes.get.handler(tenantQuery((scope, { input }) => readRecord(scope, quoteRecord, input.id))),

  history: calls.quotes.history.handler(
    tenantQuery(async (scope, { input: { id, cursor } }) => {
      await readRecord(scope, quoteRecord, id);
      return listEvents(scope, { kind: 'quote', id }, cursor);
    }),
  ),

  create: calls.quotes.create.handler(tenantMutation((scope, { input }) => createQuote(scope, input))),

  update: calls.quotes.update.handler(tenantMutation((scope, { input }) => updateQuote(scope, input))),

  duplicate: calls.quotes.duplicate.handler(({ input, context }) =>
    duplicateQuote(context.platform, { tenant: requireMember(context).tenant, ip: context.ip }, input),
  ),

  remove: calls.quotes.remove.handler(tenantMutation((scope, { input }) => removeQuote(scope, input.id))),

  accept: calls.quotes.accept.handler(
    tenantMutation(async (scope, { input: { id, version, selected_option_ids }, context: { ip, userAgent, member } }) => {
      const answerer = { staffId: member.staffId, takesAll: true, name: null, networkAddress: ip, userAgent };
      const job = await acceptQuote(scope, id, selected_option_ids, answerer, { version });
      const quote = await readRecord(scope, quoteRecord, id);
      if (!job) throw failureOf(quoteNotFound);
      return { quote, job: { id: job.job_id, job_number: job.job_number } };
    }),
  ),

  setStatus: calls.quotes.setStatus.handler(tenantMutation((scope, { input: { id, status } }) => setQuoteStatus(scope, id, status))),

  send: calls.quotes.send.handler(mailingMutation(QUOTE_MAILS, (scope, { input, context }) => sendQuote(scope, context, input))),

  retryMail: calls.quotes.retryMail.handler(
    mailingMutation(QUOTE_MAILS, (scope, { input, context }) => retryQuoteMail(scope, context, input.id)),
  ),
};

export const sectionTemplatesHandlers = {
  list: calls.sectionTemplates.list.handler(tenantQuery(async (scope) => ({ rows: await listTemplates(scope) }))),

  save: calls.sectionTemplates.save.handler(tenantMutation((scope, { input }) => saveTemplate(scope, input))),

  remove: calls.sectionTemplates.remove.handler(tenantMutation((scope, { input }) => removeTemplate(scope, input.id))),
};

export const publicQuotesHandlers = {
  get: calls.publicQuotes.get.handler(
    linkQuery(publicQuote, (scope, id, { input, context }) => showPublicQuote(scope, id, input.token, context)),
  ),

  recordOpening: calls.publicQuotes.recordOpening.handler(
    linkMutation(publicQuote, (scope, id, { context }) => recordOpening(scope, id, context)),
  ),

  accept: calls.publicQuotes.accept.handler(
    linkMutation(publicQuote, async (scope, id, { input: { token, selected_option_ids, accepted_by, content_hash }, context }) => {
      const job = await acceptQuote(scope, id, selected_option_ids, answererOf(scope, context, accepted_by), { content_hash });
      if (!job) throw failureOf(publicQuoteNotFound);
      return { quote: await showPublicQuote(scope, id, token, context), job_number: job.job_number };
    }),
  ),

  reject: calls.publicQuotes.reject.handler(
    linkMutation(publicQuote, async (scope, id, { input, context }) => {
      if (!(await rejectQuote(scope, id, answererOf(scope, context, null)))) throw failureOf(publicQuoteNotFound);
      return { quote: await showPublicQuote(scope, id, input.token, context) };
    }),
  ),
};

/** Whoever answers on the public page. A member of the company who is signed in answers as that member, if they may, never as the customer. */
function answererOf(scope: TenantScope, { actor, ip, userAgent }: GuardedContext, name: string | null): Answerer {
  const member = actor?.member?.companyId === scope.companyId ? actor.member : null;
  if (member) requireCapability(member.role, 'quotes.accept');
  return { staffId: member?.staffId ?? null, takesAll: false, name, networkAddress: ip, userAgent };
}

/** Only an open status depends on the company's day. */
async function readStatusFilter(scope: TenantScope, status: QuoteStatus | undefined) {
  if (status === undefined || status === 'accepted' || status === 'rejected') return { status };
  return shownStatusFilter(status, localDate(scope.now, await readTimezone(scope)));
}

/** The company's zone comes with the rows, so that a list takes one round trip; all of them have the same. */
function withShownStatus<Row extends Omit<QuoteRow, 'shown_status'> & { timezone: string | null }>(
  { now }: TenantScope,
  rows: readonly Row[],
) {
  const today = localDate(now, rows[0]?.timezone ?? 'UTC');
  return rows.map(({ timezone: _, ...row }) => ({ ...row, shown_status: shownQuoteStatus(row, today) }));
}
