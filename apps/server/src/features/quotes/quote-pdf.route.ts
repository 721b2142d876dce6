import { publicQuoteNotFoundError } from '@callout/contract/public-quotes';
import { quoteNotFoundError } from '@callout/contract/quotes';
import { getInitialSelection } from '@callout/domain/quotes/quote';
import { buildQuoteDocument } from '@callout/domain/quotes/quote-document';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DeclaredError, toFailure } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { definePdf } from '../../platform/pdf/pdf-renderer.ts';
import { readIssuer } from '../company/company.sql.ts';
import { ALTERED_COPY_WARNING } from '../documents/freeze-document.ts';
import { createPdfHandlers, type PrintableDocument } from '../documents/print-document.ts';
import type { QuotePdfInput } from './quote.pdf.ts';
import { findAcceptance, findJobAcceptance, type StoredAcceptance } from './quote-acceptances.sql.ts';
import { buildQuoteContent } from './quote-content.ts';
import { findQuote } from './quotes.sql.ts';
import { getPublicAcceptedBy, PUBLIC_QUOTE_LINK, requireAcceptedCopy } from './read-public-quote.ts';

const quotePdf = definePdf<QuotePdfInput>(new URL('./quote.pdf.ts', import.meta.url), 'renderQuotePdf');
type PrintableQuote = PrintableDocument<QuotePdfInput>;

export function registerQuotePdfRoutes(app: FastifyInstance, platform: Platform): void {
  const { forMembers, forLink } = createPdfHandlers(platform, quotePdf, 'quotes.view');
  app.get(
    '/api/quotes/:id/pdf',
    forMembers(quoteNotFoundError, async (scope, id) => {
      const quote = await readPrintableQuote(scope, id);
      const acceptance = await findAcceptance(scope, id);
      return acceptance ? readPrintableAcceptance(scope, acceptance) : quote;
    }),
  );
  // Prints the accepted copy, so this route also works after the quote has been deleted.
  app.get(
    '/api/quotes/:id/accepted.pdf',
    forMembers(quoteNotFoundError, async (scope, id) => readPrintableAcceptance(scope, await findAcceptance(scope, id))),
  );
  app.get(
    '/api/jobs/:id/accepted-quote.pdf',
    forMembers(quoteNotFoundError, async (scope, id) => readPrintableAcceptance(scope, await findJobAcceptance(scope, id))),
  );
  app.get(
    '/api/public/quotes/:token/pdf',
    forLink(PUBLIC_QUOTE_LINK, 'publicQuotes.pdf', async (scope, id, request) => {
      const acceptance = await findAcceptance(scope, id);
      if (acceptance) return readPrintableAcceptance(scope, { ...acceptance, accepted_by: getPublicAcceptedBy(acceptance) });
      return readPrintableQuote(scope, id, { selectedIds: parseSelectedIds(request), notFound: publicQuoteNotFoundError });
    }),
  );
}

/** Parses the sections selected on the page, given as `?sections=id,id`. Unknown ids have no effect. */
function parseSelectedIds({ query }: FastifyRequest): string[] | undefined {
  const { sections } = query as { sections?: unknown };
  return typeof sections === 'string' ? sections.slice(0, 4000).split(',') : undefined;
}

interface PrintOptions {
  readonly selectedIds?: readonly string[] | undefined;
  readonly notFound?: DeclaredError;
}

async function readPrintableQuote(
  scope: TenantScope,
  id: string,
  { selectedIds, notFound = quoteNotFoundError }: PrintOptions = {},
): Promise<PrintableQuote> {
  const quote = await findQuote(scope, id);
  if (!quote) throw toFailure(notFound);
  const issuer = await readIssuer(scope);
  const content = buildQuoteContent(quote, issuer);
  const selection = selectedIds ?? getInitialSelection(content.sections);
  const document = buildQuoteDocument(content, selection);
  return { content: { document, accepted: null, warning: null }, logoUrl: issuer.logo_url, fileName: `Quote ${document.quote_number}` };
}

async function readPrintableAcceptance(scope: TenantScope, acceptance: StoredAcceptance | null): Promise<PrintableQuote> {
  if (!acceptance) throw toFailure(quoteNotFoundError);
  const { logo_url, timezone } = await readIssuer(scope);
  const accepted = `Accepted by ${acceptance.accepted_by} on ${formatCivilDate(toLocalDate(acceptance.accepted_at, timezone))}`;
  const { document } = requireAcceptedCopy(acceptance);
  const content = { document, accepted, warning: acceptance.is_intact ? null : ALTERED_COPY_WARNING };
  return { content, logoUrl: logo_url, fileName: `Accepted quote ${document.quote_number}` };
}
