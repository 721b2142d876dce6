import { publicQuoteNotFound } from '@callout/contract/public-quotes';
import { markLinkOpened } from '../../platform/auth/public-links.sql.ts';
import { changeAs, readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { calls } from '../../platform/http/calls.ts';
import { openLimitedLink } from '../../platform/http/public-link.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type Answerer, acceptQuote, rejectQuote } from './accept-quote.ts';
import { readPublicQuote } from './read-public-quote.ts';

export const publicQuotesHandlers = {
  get: calls.publicQuotes.get.handler(async (call) => {
    const { tenant, recordId } = await requireLink(call);
    return readAs(call.context.platform.pools.app, tenant, (scope) => readShown(scope, recordId, call.input.token));
  }),

  recordOpening: calls.publicQuotes.recordOpening.handler(async (call) => {
    const { tenant, recordId } = await requireLink(call);
    const { actor, userAgent, platform } = call.context;
    if (actor?.member?.companyId === tenant.companyId || isLinkPreview(userAgent)) return {};
    return changeAs(platform.pools.app, tenant, async (scope) => {
      await markLinkOpened(scope, { kind: 'quote', id: recordId });
      await publishChange(scope, 'quotes');
      return {};
    });
  }),

  accept: calls.publicQuotes.accept.handler(async (call) => {
    const { tenant, recordId } = await requireLink(call);
    const { token, selected_option_ids, accepted_by } = call.input;
    return changeAs(call.context.platform.pools.app, tenant, async (scope) => {
      const job = await acceptQuote(scope, recordId, selected_option_ids, visitor(call.context, accepted_by));
      if (!job) throw failureOf(publicQuoteNotFound);
      return { quote: await readShown(scope, recordId, token), job_number: job.job_number };
    });
  }),

  reject: calls.publicQuotes.reject.handler(async (call) => {
    const { tenant, recordId } = await requireLink(call);
    return changeAs(call.context.platform.pools.app, tenant, async (scope) => {
      if (!(await rejectQuote(scope, recordId, visitor(call.context, null)))) throw failureOf(publicQuoteNotFound);
      return { quote: await readShown(scope, recordId, call.input.token) };
    });
  }),
};

async function requireLink(call: Parameters<typeof openLimitedLink>[0]) {
  const link = await openLimitedLink(call, 'quote');
  if (!link) throw failureOf(publicQuoteNotFound);
  return link;
}

async function readShown(scope: TenantScope, id: string, token: string) {
  const quote = await readPublicQuote(scope, id, token);
  if (!quote) throw failureOf(publicQuoteNotFound);
  return quote;
}

const visitor = ({ ip, userAgent }: GuardedContext, name: string | null): Answerer => ({
  staffId: null,
  name,
  networkAddress: ip,
  userAgent,
});

/** Programs that open a link by themselves and say so: previews of messengers, crawlers, scanners. Cubot makes phones. */
const LINK_PREVIEW = /(?<!cu)bot\b|crawler|spider|preview|facebookexternalhit|whatsapp\/|curl\/|wget\/|python-|go-http-client/i;

const isLinkPreview = (userAgent: string) => userAgent === '' || LINK_PREVIEW.test(userAgent);
