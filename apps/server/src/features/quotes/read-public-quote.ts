import { type PublicQuote, publicQuoteNotFound } from '@callout/contract/public-quotes';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf } from '../../platform/errors/failures.ts';
import { listWithThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { recordLinkOpening } from '../../platform/http/public-link.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readIssuer } from '../company/company.sql.ts';
import { type Acceptance, type AcceptedCopy, findAcceptance, findDepositToken } from './quote-acceptances.sql.ts';
import { offerHash, quoteContent } from './quote-content.sql.ts';
import { findQuote } from './quotes.sql.ts';

export const publicQuote = { kind: 'quote', notFound: publicQuoteNotFound };

/** For whoever has the link; members of the company are led to the quote in the application. */
export async function showPublicQuote(scope: TenantScope, id: string, token: string, context: GuardedContext): Promise<PublicQuote> {
  const isMember = context.actor?.member?.companyId === scope.companyId;
  return { ...(await readPublicQuote(scope, id, token)), member_path: isMember ? `/quotes/${id}` : null };
}

/** What the holder of a quote's link sees. What was accepted is shown as it was then, also once the quote was deleted. */
async function readPublicQuote(scope: TenantScope, id: string, token: string): Promise<Omit<PublicQuote, 'member_path'>> {
  const quote = await findQuote(scope, id);
  const acceptance = await findAcceptance(scope, id);
  const company = await readIssuer(scope);
  const { logo_url } = company;
  if (acceptance) {
    const { accepted_at, is_intact, job_id } = acceptance;
    const depositToken = job_id && (await findDepositToken(scope, job_id));
    const { document, files } = requireCopy(acceptance);
    const accepted = { document, accepted_by: publicNameOf(acceptance), accepted_at, is_intact };
    const pictures = await listWithThumbnail(
      scope,
      files.map((file) => file.id),
    );
    const attachments = files.map((file) => publicAttachment(file, pictures.has(file.id), token));
    return {
      status: 'accepted',
      is_actionable: false,
      logo_url,
      content: null,
      content_hash: null,
      accepted,
      deposit_path: depositToken && `/invoice/${depositToken}`,
      attachments,
    };
  }
  if (!quote) throw failureOf(publicQuoteNotFound);
  const { shown_status, is_actionable } = quote;
  const content = quoteContent(quote, company);
  const attachments = quote.attachments.map((file) => publicAttachment(file, file.thumbnail_url !== null, token));
  return {
    status: shown_status,
    is_actionable,
    logo_url,
    content,
    content_hash: offerHash(content, quote),
    accepted: null,
    deposit_path: null,
    attachments,
  };
}

/** Nothing is shown instead of a copy that somebody has made unreadable. */
export function requireCopy({ copy, job_number }: Acceptance): AcceptedCopy {
  if (!copy) throw failure('QUOTE_CLOSED', UNREADABLE_COPY, { status: 'accepted', job_number });
  return copy;
}

const UNREADABLE_COPY = 'This quote was accepted, but the copy of it that was kept can no longer be read.';

/** Who of the company accepted it for the customer is not shown to them. */
export function publicNameOf({ copy, accepted_by, by_customer }: Acceptance): string {
  return by_customer ? accepted_by : (copy?.document.issuer.company_name ?? 'The company');
}

/** With addresses that open without signing in (public-quote-files.route.ts). */
function publicAttachment(
  { id, file_name, file_size, file_type }: StoredFile,
  hasThumbnail: boolean,
  token: string,
): PublicQuote['attachments'][number] {
  const url = `/api/public/quotes/${token}/files/${id}`;
  return { id, file_name, file_size, file_type, url, thumbnail_url: hasThumbnail ? `${url}/thumbnail` : null };
}

/** Tells the company that the customer has looked at a quote. */
export async function recordOpening(scope: TenantScope, id: string, context: GuardedContext): Promise<Record<string, never>> {
  if (await recordLinkOpening(scope, { kind: publicQuote.kind, id }, context)) await publishChange(scope, 'quotes');
  return {};
}
