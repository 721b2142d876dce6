import { type PublicQuote, publicQuoteNotFound } from '@callout/contract/public-quotes';
import type { Quote } from '@callout/contract/quotes';
import { markLinkOpened } from '../../platform/auth/public-links.sql.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type Acceptance, findAcceptance } from './quote-acceptances.sql.ts';
import { hashOf, quoteContent, readIssuer } from './quote-content.sql.ts';
import { findQuote } from './quotes.sql.ts';

/** What the holder of a quote's link sees. What was accepted is shown as it was then, also once the quote was deleted. */
export async function readPublicQuote(scope: TenantScope, id: string, token: string): Promise<PublicQuote> {
  const quote = await findQuote(scope, id);
  const acceptance = await findAcceptance(scope, id);
  const company = await readIssuer(scope);
  const shared = { logo_url: company.logo_url, attachments: publicAttachments(quote?.attachments ?? [], token) };
  if (acceptance)
    return { ...shared, status: 'accepted', is_actionable: false, content: null, content_hash: null, accepted: acceptedCopy(acceptance) };
  if (!quote) throw failureOf(publicQuoteNotFound);
  const { shown_status, is_actionable } = quote;
  const content = quoteContent(quote, company);
  return { ...shared, status: shown_status, is_actionable, content, content_hash: hashOf(content), accepted: null };
}

function acceptedCopy(acceptance: Acceptance): PublicQuote['accepted'] {
  const { document, accepted_at, is_intact } = acceptance;
  return { document, accepted_by: publicNameOf(acceptance), accepted_at, is_intact };
}

/** Who of the company accepted it for the customer is not shown to them. */
export function publicNameOf({ document, accepted_by, by_customer }: Acceptance): string {
  return by_customer ? accepted_by : (document.issuer.company_name ?? 'The company');
}

/** With addresses that open without signing in (public-quote-files.route.ts). */
function publicAttachments(attachments: Quote['attachments'], token: string): PublicQuote['attachments'] {
  return attachments.map(({ id, file_name, file_size, file_type, thumbnail_url }) => {
    const url = `/api/public/quotes/${token}/files/${id}`;
    return { id, file_name, file_size, file_type, url, thumbnail_url: thumbnail_url && `${url}/thumbnail` };
  });
}

/** Programs that open a link by themselves and say so: previews of messengers, crawlers, scanners. Cubot makes phones. */
const LINK_PREVIEW = /(?<!cu)bot\b|crawler|spider|preview|facebookexternalhit|whatsapp\/|curl\/|wget\/|python-|go-http-client/i;

/** Notes that the customer has looked at a quote: neither a member of the company, nor a link preview. */
export async function recordOpening(scope: TenantScope, id: string, { actor, userAgent }: GuardedContext): Promise<Record<string, never>> {
  const isMember = actor?.member?.companyId === scope.companyId;
  if (isMember || userAgent === '' || LINK_PREVIEW.test(userAgent)) return {};
  await markLinkOpened(scope, { kind: 'quote', id });
  await publishChange(scope, 'quotes');
  return {};
}
