import { publicQuoteNotFound } from '@callout/contract/public-quotes';
import { quoteNotFound } from '@callout/contract/quotes';
import { initialSelection } from '@callout/domain/quotes/quote';
import { quoteDocument } from '@callout/domain/quotes/quote-document';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { type DeclaredError, failureOf } from '../../platform/errors/failures.ts';
import { sendPdf } from '../../platform/http/pdf-reply.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openRequestLink } from '../../platform/http/public-link.ts';
import { pathId, requireTenant } from '../../platform/http/request-actor.ts';
import { definePdf } from '../../platform/pdf/pdf-renderer.ts';
import { type Issuer, readIssuer } from '../company/company.sql.ts';
import { readLogo } from '../company/read-logo.ts';
import type { QuotePdfInput } from './quote.pdf.ts';
import { type Acceptance, findAcceptance, findAcceptanceOfJob } from './quote-acceptances.sql.ts';
import { quoteContent } from './quote-content.sql.ts';
import { findQuote } from './quotes.sql.ts';
import { publicNameOf, publicQuote, requireCopy } from './read-public-quote.ts';

/** What is printed, before the logo is read. */
type Printed = Omit<QuotePdfInput, 'logo'> & Pick<Issuer, 'logo_url'>;

const quotePdf = definePdf<QuotePdfInput>(new URL('./quote.pdf.ts', import.meta.url), 'renderQuotePdf');

/** Quotes as PDF: for members of the company, and for whoever has a quote's link. */
export function quotePdfRoutes(app: FastifyInstance, platform: Platform): void {
  const answer = async (reply: FastifyReply, tenant: Tenant, print: (scope: TenantScope) => Promise<Printed>) => {
    const { logo_url, ...printed } = await readAs(platform.pools.app, tenant, print);
    const logo = await readLogo(platform, tenant.companyId, logo_url);
    const bytes = await platform.pdf.render(quotePdf, tenant.companyId, { ...printed, logo });
    return sendPdf(reply, `${printed.accepted === null ? 'Quote' : 'Accepted quote'} ${printed.document.quote_number}`, bytes);
  };

  const forMembers =
    (print: (scope: TenantScope, id: string) => Promise<Printed>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const tenant = await requireTenant(request, platform, 'quotes.view');
      const id = pathId(request, quoteNotFound.NOT_FOUND.message);
      return answer(reply, tenant, (scope) => print(scope, id));
    };
  app.get(
    '/api/quotes/:id/pdf',
    forMembers((scope, id) => printQuote(scope, id)),
  );
  // What was accepted, also once the quote was deleted.
  app.get(
    '/api/quotes/:id/accepted.pdf',
    forMembers(async (scope, id) => printAccepted(scope, await findAcceptance(scope, id))),
  );
  app.get(
    '/api/jobs/:id/accepted-quote.pdf',
    forMembers(async (scope, id) => printAccepted(scope, await findAcceptanceOfJob(scope, id))),
  );

  app.get('/api/public/quotes/:token/pdf', async (request, reply) => {
    const link = await openRequestLink(request, platform, publicQuote, 'publicQuotes.pdf');
    return answer(reply, link.tenant, async (scope) => {
      const acceptance = await findAcceptance(scope, link.recordId);
      if (acceptance) return printAccepted(scope, { ...acceptance, accepted_by: publicNameOf(acceptance) });
      return printQuote(scope, link.recordId, { chosen: chosenIn(request), notFound: publicQuoteNotFound });
    });
  });
}

/** `?sections=id,id`: the options chosen on the page. Ids of other quotes choose nothing. */
function chosenIn({ query }: FastifyRequest): string[] | undefined {
  const { sections } = query as { sections?: unknown };
  return typeof sections === 'string' ? sections.slice(0, 4000).split(',') : undefined;
}

interface PrintTerms {
  readonly chosen?: readonly string[] | undefined;
  readonly notFound?: DeclaredError;
}

async function printQuote(scope: TenantScope, id: string, { chosen, notFound = quoteNotFound }: PrintTerms = {}): Promise<Printed> {
  const quote = await findQuote(scope, id);
  if (!quote) throw failureOf(notFound);
  const issuer = await readIssuer(scope);
  const content = quoteContent(quote, issuer);
  const usual = quote.status === 'accepted' ? quote.accepted_option_ids : initialSelection(content.sections);
  return { document: quoteDocument(content, chosen ?? usual), accepted: null, warning: null, logo_url: issuer.logo_url };
}

async function printAccepted(scope: TenantScope, acceptance: Acceptance | null): Promise<Printed> {
  if (!acceptance) throw failureOf(quoteNotFound);
  const { logo_url, timezone } = await readIssuer(scope);
  const accepted = `Accepted by ${acceptance.accepted_by} on ${formatCivilDate(localDate(acceptance.accepted_at, timezone))}`;
  const warning = acceptance.is_intact ? null : NOT_INTACT;
  return { document: requireCopy(acceptance).document, accepted, warning, logo_url };
}

const NOT_INTACT = 'This copy does not match the fingerprint it was saved with.';
