import { publicQuoteNotFoundError } from '@callout/contract/public-quotes';
import { quoteNotFoundError } from '@callout/contract/quotes';
import { getInitialSelection } from '@callout/domain/quotes/quote';
import { buildQuoteDocument } from '@callout/domain/quotes/quote-document';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runTenantSnapshot, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DeclaredError, toFailure } from '../../platform/errors/failures.ts';
import { sendPdf } from '../../platform/http/pdf-response.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openLinkForRequest } from '../../platform/http/public-link.ts';
import { requirePathId, requireTenant } from '../../platform/http/request-session.ts';
import { definePdf } from '../../platform/pdf/pdf-renderer.ts';
import { type Issuer, readIssuer } from '../company/company.sql.ts';
import { readLogo } from '../company/read-logo.ts';
import type { QuotePdfInput } from './quote.pdf.ts';
import { findAcceptance, findJobAcceptance, type StoredAcceptance } from './quote-acceptances.sql.ts';
import { buildQuoteContent } from './quote-content.sql.ts';
import { findQuote } from './quotes.sql.ts';
import { getPublicAcceptedBy, PUBLIC_QUOTE_LINK, requireAcceptedCopy } from './read-public-quote.ts';

/** Everything to print except the logo, which is read from storage after the database query. */
type PrintableQuote = Omit<QuotePdfInput, 'logo'> & Pick<Issuer, 'logo_url'>;

const quotePdfDefinition = definePdf<QuotePdfInput>(new URL('./quote.pdf.ts', import.meta.url), 'renderQuotePdf');

export function registerQuotePdfRoutes(app: FastifyInstance, platform: Platform): void {
  const sendQuotePdf = async (reply: FastifyReply, tenant: Tenant, read: (scope: TenantScope) => Promise<PrintableQuote>) => {
    const { logo_url, ...printed } = await runTenantSnapshot(platform.pools.app, tenant, read);
    const logo = await readLogo(platform, tenant.companyId, logo_url);
    const bytes = await platform.pdfRenderer.render(quotePdfDefinition, tenant.companyId, { ...printed, logo });
    return sendPdf(reply, `${printed.accepted === null ? 'Quote' : 'Accepted quote'} ${printed.document.quote_number}`, bytes);
  };

  const createMemberHandler =
    (read: (scope: TenantScope, id: string) => Promise<PrintableQuote>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const tenant = await requireTenant(request, platform, 'quotes.view');
      const id = requirePathId(request, quoteNotFoundError.NOT_FOUND.message);
      return sendQuotePdf(reply, tenant, (scope) => read(scope, id));
    };
  app.get(
    '/api/quotes/:id/pdf',
    createMemberHandler(async (scope, id) => {
      const quote = await readPrintableQuote(scope, id);
      const acceptance = await findAcceptance(scope, id);
      return acceptance ? readPrintableAcceptance(scope, acceptance) : quote;
    }),
  );
  // Prints the accepted copy, so this route also works after the quote has been deleted.
  app.get(
    '/api/quotes/:id/accepted.pdf',
    createMemberHandler(async (scope, id) => readPrintableAcceptance(scope, await findAcceptance(scope, id))),
  );
  app.get(
    '/api/jobs/:id/accepted-quote.pdf',
    createMemberHandler(async (scope, id) => readPrintableAcceptance(scope, await findJobAcceptance(scope, id))),
  );

  app.get('/api/public/quotes/:token/pdf', async (request, reply) => {
    const link = await openLinkForRequest(request, platform, PUBLIC_QUOTE_LINK, 'publicQuotes.pdf');
    return sendQuotePdf(reply, link.tenant, async (scope) => {
      const acceptance = await findAcceptance(scope, link.recordId);
      if (acceptance) return readPrintableAcceptance(scope, { ...acceptance, accepted_by: getPublicAcceptedBy(acceptance) });
      return readPrintableQuote(scope, link.recordId, { selectedIds: parseSelectedIds(request), notFound: publicQuoteNotFoundError });
    });
  });
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
  return { document: buildQuoteDocument(content, selection), accepted: null, warning: null, logo_url: issuer.logo_url };
}

async function readPrintableAcceptance(scope: TenantScope, acceptance: StoredAcceptance | null): Promise<PrintableQuote> {
  if (!acceptance) throw toFailure(quoteNotFoundError);
  const { logo_url, timezone } = await readIssuer(scope);
  const accepted = `Accepted by ${acceptance.accepted_by} on ${formatCivilDate(toLocalDate(acceptance.accepted_at, timezone))}`;
  const warning = acceptance.is_intact ? null : NOT_INTACT_WARNING;
  return { document: requireAcceptedCopy(acceptance).document, accepted, warning, logo_url };
}

const NOT_INTACT_WARNING = 'This copy may have been altered since it was saved.';
