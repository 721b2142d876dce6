import { publicQuoteNotFoundError } from '@callout/contract/public-quotes';
import { type QuoteRow, quoteNotFoundError } from '@callout/contract/quotes';
import { getQuoteDisplayStatus, type QuoteStatus } from '@callout/domain/quotes/quote';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { countRecords, listRecords } from '../../platform/db/keyset-list.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { requireCapability, toFailure } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { calls, requireMember, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { mailingMutation } from '../../platform/http/mailing-mutation.ts';
import { publicLinkMutation, publicLinkQuery, recordLinkView } from '../../platform/http/public-link.ts';
import { readTimezone } from '../company/company.sql.ts';
import { listEvents } from '../history/history.sql.ts';
import { acceptQuote, type QuoteAnswerer, rejectQuote } from './accept-quote.ts';
import { duplicateQuote } from './duplicate-quote.ts';
import { buildDisplayStatusFilter, quoteList, quoteRecordType } from './quotes.sql.ts';
import { PUBLIC_QUOTE_LINK, readPublicQuote } from './read-public-quote.ts';
import { createQuote, removeQuote, setQuoteStatus, updateQuote } from './save-quote.ts';
import { searchQuotes } from './search-quotes.sql.ts';
import { listSectionTemplates, removeSectionTemplate, saveSectionTemplate } from './section-templates.sql.ts';
import { QUOTE_DOCUMENT, retryQuoteMail, sendQuote } from './send-quote.ts';

export const quotesHandlers = {
  list: calls.quotes.list.handler(
    tenantQuery(async (scope, { input: { status, ...input } }) => {
      const { rows, next_cursor } = await listRecords(scope, quoteList, { ...input, ...(await readStatusFilter(scope, status)) });
      return { rows: withDisplayStatus(scope, rows), next_cursor };
    }),
  ),

  count: calls.quotes.count.handler(
    tenantQuery(async (scope, { input: { status, ...input } }) => ({
      total: await countRecords(scope, quoteList, { ...input, ...(await readStatusFilter(scope, status)) }),
    })),
  ),

  find: calls.quotes.find.handler(
    tenantQuery(async (scope, { input }) => ({
      rows: withDisplayStatus(scope, await searchQuotes(scope, input.search)),
    })),
  ),

  get: calls.quotes.get.handler(tenantQuery((scope, { input }) => readRecord(scope, quoteRecordType, input.id))),

  history: calls.quotes.history.handler(
    tenantQuery(async (scope, { input: { id, cursor } }) => {
      await readRecord(scope, quoteRecordType, id);
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
      const answerer = { staffId: member.staffId, defaultsToAll: true, typedName: null, networkAddress: ip, userAgent };
      const job = await acceptQuote(scope, id, selected_option_ids, answerer, { version });
      const quote = await readRecord(scope, quoteRecordType, id);
      if (!job) throw toFailure(quoteNotFoundError);
      return { quote, job: { id: job.job_id, job_number: job.job_number } };
    }),
  ),

  setStatus: calls.quotes.setStatus.handler(tenantMutation((scope, { input: { id, status } }) => setQuoteStatus(scope, id, status))),

  send: calls.quotes.send.handler(
    mailingMutation(QUOTE_DOCUMENT.limits.byHand, (scope, { input, context }) => sendQuote(scope, context, input)),
  ),

  retryMail: calls.quotes.retryMail.handler(
    mailingMutation(QUOTE_DOCUMENT.limits.byHand, (scope, { input, context }) => retryQuoteMail(scope, context, input.id)),
  ),
};

export const sectionTemplatesHandlers = {
  list: calls.sectionTemplates.list.handler(tenantQuery(async (scope) => ({ rows: await listSectionTemplates(scope) }))),

  save: calls.sectionTemplates.save.handler(tenantMutation((scope, { input }) => saveSectionTemplate(scope, input))),

  remove: calls.sectionTemplates.remove.handler(tenantMutation((scope, { input }) => removeSectionTemplate(scope, input.id))),
};

export const publicQuotesHandlers = {
  get: calls.publicQuotes.get.handler(
    publicLinkQuery(PUBLIC_QUOTE_LINK, (scope, id, { input, context }) => readPublicQuote(scope, id, input.token, context)),
  ),

  recordOpening: calls.publicQuotes.recordOpening.handler(
    publicLinkMutation(PUBLIC_QUOTE_LINK, (scope, id, { context }) => recordLinkView(scope, { kind: 'quote', id }, 'quotes', context)),
  ),

  accept: calls.publicQuotes.accept.handler(
    publicLinkMutation(
      PUBLIC_QUOTE_LINK,
      async (scope, id, { input: { token, selected_option_ids, accepted_by, content_hash }, context }) => {
        const job = await acceptQuote(scope, id, selected_option_ids, requireAnswerer(scope, context, accepted_by), { content_hash });
        if (!job) throw toFailure(publicQuoteNotFoundError);
        return { quote: await readPublicQuote(scope, id, token, context), job_number: job.job_number };
      },
    ),
  ),

  reject: calls.publicQuotes.reject.handler(
    publicLinkMutation(PUBLIC_QUOTE_LINK, async (scope, id, { input, context }) => {
      if (!(await rejectQuote(scope, id, requireAnswerer(scope, context, null)))) throw toFailure(publicQuoteNotFoundError);
      return { quote: await readPublicQuote(scope, id, input.token, context) };
    }),
  ),
};

/** Returns who answers on the public page: the customer, or a signed-in member of the company, who must have permission to answer. */
function requireAnswerer(scope: TenantScope, { actor, ip, userAgent }: GuardedContext, typedName: string | null): QuoteAnswerer {
  const member = actor?.member?.companyId === scope.companyId ? actor.member : null;
  if (member) requireCapability(member.role, 'quotes.accept');
  return { staffId: member?.staffId ?? null, defaultsToAll: false, typedName, networkAddress: ip, userAgent };
}

/** Builds the list's status filter. Reads the company's date only for draft, sent and expired, which depend on the expiry date. */
async function readStatusFilter(scope: TenantScope, status: QuoteStatus | undefined) {
  if (status === undefined || status === 'accepted' || status === 'rejected') return { status };
  return buildDisplayStatusFilter(status, toLocalDate(scope.now, await readTimezone(scope)));
}

/** Adds the displayed status. Takes the company's time zone from the rows, which saves a separate query. */
function withDisplayStatus<Row extends Omit<QuoteRow, 'shown_status'> & { timezone: string | null }>(
  { now }: TenantScope,
  rows: readonly Row[],
) {
  const today = toLocalDate(now, rows[0]?.timezone ?? 'UTC');
  return rows.map(({ timezone: _, ...row }) => ({ ...row, shown_status: getQuoteDisplayStatus(row, today) }));
}
