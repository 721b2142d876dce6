import type { PublicQuote } from '@callout/contract/public-quotes';
import type { QuoteDocument } from '@callout/domain/quotes/quote-document';
import type { ReactNode } from 'react';
import { DocumentAttachments } from '../../../public-pages/document-attachments.tsx';
import { DocumentHeader, DocumentPage, DownloadPdfLink } from '../../../public-pages/document-page.tsx';
import { DocumentParties } from '../../../public-pages/document-parties.tsx';
import { StatusPill } from '../../../ui/status-pill.tsx';
import { formatQuoteStatus, getQuoteStatusTone } from '../quote-status.ts';
import { QuoteItems, QuoteOptions } from './public-quote-sections.tsx';
import { QuoteTotals } from './public-quote-totals.tsx';
import { buildPublicPdfUrl } from './quotes-public.api.ts';

interface PublicQuoteLayoutProps {
  quote: PublicQuote;
  document: QuoteDocument;
  pdf: { token: string; sectionIds: readonly string[] | null };
  notice: ReactNode;
  /** Undefined once the customer can no longer select sections. */
  onToggle?: ((id: string) => void) | undefined;
  answer?: ReactNode;
}

/** Returns true if the quote's only section is already selected, so there is nothing to choose. */
const hasSingleSection = ({ sections }: QuoteDocument) => sections.length === 1 && sections[0]?.choice !== 'not-selected';

export function PublicQuoteLayout({ quote, document, pdf, notice, onToggle, answer }: PublicQuoteLayoutProps) {
  const { status, attachments, logo_url } = quote;
  return (
    <DocumentPage
      notice={notice}
      header={<QuoteHeader document={document} status={status} logoUrl={logo_url} />}
      description={document.description}
      aside={
        <>
          {!hasSingleSection(document) && <QuoteTotals document={document} isAccepted={quote.accepted !== null} />}
          {answer}
          <DownloadPdfLink url={buildPublicPdfUrl(pdf.token, pdf.sectionIds)} />
        </>
      }
      footer={
        <>
          {attachments.length > 0 && <DocumentAttachments title="Quote Attachments" attachments={attachments} />}
          <DocumentParties issuer={document.issuer} customerLabel="Prepared for" customer={document.customer} />
        </>
      }
    >
      {hasSingleSection(document) ? (
        <QuoteItems document={document} />
      ) : (
        <QuoteOptions document={document} isAccepted={quote.accepted !== null} onToggle={onToggle} />
      )}
    </DocumentPage>
  );
}

function QuoteHeader({ document, status, logoUrl }: { document: QuoteDocument; status: string; logoUrl: string | null }) {
  const { issuer, title, quote_number, created, valid_until, summary } = document;
  return (
    <DocumentHeader companyName={issuer.company_name} logoUrl={logoUrl} amountLabel="Total inc GST" amount={summary.total} title={title}>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-2 tabular-nums">
        <StatusPill tone={getQuoteStatusTone(status)} text={formatQuoteStatus(status)} />
        <span>
          {quote_number} · {created}
        </span>
      </p>
      {valid_until !== null && (
        <p className="mt-1.5 text-base text-ink-2">
          Valid until {valid_until}
          {status === 'expired' && ' (Expired)'}
        </p>
      )}
    </DocumentHeader>
  );
}
