import { type PublicQuote, publicQuoteNotFoundError } from '@callout/contract/public-quotes';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, toFailure } from '../../platform/errors/failures.ts';
import { listIdsWithThumbnail, type StoredFile } from '../../platform/files/files.sql.ts';
import type { GuardedContext } from '../../platform/http/call-context.ts';
import { readIssuer } from '../company/company.sql.ts';
import {
  type AcceptedQuoteCopy,
  findAcceptance,
  findDepositLinkToken,
  PUBLIC_QUOTE_VERSION_SQL,
  type StoredAcceptance,
} from './quote-acceptances.sql.ts';
import { buildQuoteContent, hashQuoteOffer } from './quote-content.ts';
import { findQuote } from './quotes.sql.ts';

export const PUBLIC_QUOTE_LINK = { kind: 'quote', notFound: publicQuoteNotFoundError, versionSql: PUBLIC_QUOTE_VERSION_SQL };

/** Reads what the public page displays. For signed-in members of the company, includes the path to the quote in the app. */
export async function readPublicQuote(scope: TenantScope, id: string, token: string, context: GuardedContext): Promise<PublicQuote> {
  const isMember = context.actor?.member?.companyId === scope.companyId;
  return { ...(await readQuoteForLink(scope, id, token)), member_path: isMember ? `/quotes/${id}` : null };
}

/** Returns the frozen copy if the quote is accepted, even if the quote has since been changed or deleted. */
async function readQuoteForLink(scope: TenantScope, id: string, token: string): Promise<Omit<PublicQuote, 'member_path'>> {
  const quote = await findQuote(scope, id);
  const acceptance = await findAcceptance(scope, id);
  const company = await readIssuer(scope);
  const { logo_url, timezone } = company;
  if (acceptance) {
    const { accepted_at, is_intact, job_id } = acceptance;
    const depositToken = job_id && (await findDepositLinkToken(scope, job_id));
    const { document, files } = requireAcceptedCopy(acceptance);
    const accepted = { document, accepted_by: getPublicAcceptedBy(acceptance), accepted_at, timezone, is_intact };
    const idsWithThumbnail = await listIdsWithThumbnail(
      scope,
      files.map((file) => file.id),
    );
    const attachments = files.map((file) => toPublicAttachment(file, idsWithThumbnail.has(file.id), token));
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
  if (!quote) throw toFailure(publicQuoteNotFoundError);
  const { shown_status, is_actionable } = quote;
  const content = buildQuoteContent(quote, company);
  const attachments = quote.attachments.map((file) => toPublicAttachment(file, file.thumbnail_url !== null, token));
  return {
    status: shown_status,
    is_actionable,
    logo_url,
    content,
    content_hash: hashQuoteOffer(content, quote),
    accepted: null,
    deposit_path: null,
    attachments,
  };
}

export function requireAcceptedCopy({ copy, job_number }: StoredAcceptance): AcceptedQuoteCopy {
  if (!copy) throw createFailure('QUOTE_CLOSED', UNREADABLE_COPY_MESSAGE, { status: 'accepted', job_number });
  return copy;
}

const UNREADABLE_COPY_MESSAGE = 'This quote was accepted, but its saved copy can no longer be read.';

/** Returns the name of the customer who accepted, or the company's name if a staff member accepted on the customer's behalf. */
export function getPublicAcceptedBy({ copy, accepted_by, by_customer }: StoredAcceptance): string {
  return by_customer ? accepted_by : (copy?.document.issuer.company_name ?? 'The company');
}

/** Builds file URLs that work without signing in (see public-quote-files.route.ts). */
function toPublicAttachment(
  { id, file_name, file_size, file_type }: StoredFile,
  hasThumbnail: boolean,
  token: string,
): PublicQuote['attachments'][number] {
  const url = `/api/public/quotes/${token}/files/${id}`;
  return { id, file_name, file_size, file_type, url, thumbnail_url: hasThumbnail ? `${url}/thumbnail` : null };
}
