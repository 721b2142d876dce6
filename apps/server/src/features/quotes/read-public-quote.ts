import type { PublicQuote } from '@callout/contract/public-quotes';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { findAcceptance } from './quote-acceptances.sql.ts';
import { quoteContent, readIssuer } from './quote-content.sql.ts';
import { findQuote } from './quotes.sql.ts';

/** What the holder of a quote's link sees. What was accepted is shown as it was then, also once the quote was deleted. Null when there is nothing to show. */
export async function readPublicQuote(scope: TenantScope, id: string, token: string): Promise<PublicQuote | null> {
  const quote = await findQuote(scope, id);
  const acceptance = await findAcceptance(scope, id);
  if (!quote && !acceptance) return null;
  const company = await readIssuer(scope);
  const attachments = (quote?.attachments ?? []).map(({ id: fileId, file_name, file_size, file_type, thumbnail_url }) => {
    const url = `/api/public/quotes/${token}/files/${fileId}`;
    return { id: fileId, file_name, file_size, file_type, url, thumbnail_url: thumbnail_url && `${url}/thumbnail` };
  });
  const shared = { logo_url: company.logo_url, attachments };
  if (acceptance) {
    const { document, accepted_by, accepted_at, is_intact } = acceptance;
    const accepted = { document, accepted_by, accepted_at, is_intact };
    return { ...shared, status: 'accepted', is_actionable: false, content: null, accepted };
  }
  return (
    quote && {
      ...shared,
      status: quote.shown_status,
      is_actionable: quote.is_actionable,
      content: quoteContent(quote, company),
      accepted: null,
    }
  );
}
