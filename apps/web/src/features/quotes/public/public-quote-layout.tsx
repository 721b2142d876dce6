import type { PublicQuote } from '@callout/contract/public-quotes';
import type { QuoteDocument } from '@callout/domain/quotes/quote-document';
import type { ReactNode } from 'react';
import { DocumentAttachments } from '../../../public-pages/document-attachments.tsx';
import { DocumentHeader, DocumentPage, DownloadPdf } from '../../../public-pages/document-page.tsx';
import { DocumentParties } from '../../../public-pages/document-parties.tsx';
import { StatusPill } from '../../../ui/status-pill.tsx';
import { statusTone, statusWord } from '../quote-status.ts';
import { QuoteItems, QuoteOptions } from './public-quote-sections.tsx';
import { QuoteTotals } from './public-quote-totals.tsx';
import { pdfUrl } from './quotes-public.api.ts';

interface LayoutProps {
  quote: PublicQuote;
  document: QuoteDocument;
  pdf: { token: string; sectionIds: readonly string[] | null };
  /** What has happened to the quote. */
  top: ReactNode;
  /** Absent once nothing can be chosen any more. */
  onToggle?: ((id: string) => void) | undefined;
  answer?: ReactNode;
}

/** One section is no choice: it is selected from the start. */
const isPlain = ({ sections }: QuoteDocument) => sections.length === 1 && sections[0]?.choice !== 'not-selected';

/** A quote as customers see it, open or accepted: every figure is the document's. On desks the summary stays beside the options. */
export function PublicQuoteLayout({ quote, document, pdf, top, onToggle, answer }: LayoutProps) {
  const { status, attachments, logo_url } = quote;
  return (
    <DocumentPage
      top={top}
      header={<QuoteHeader document={document} status={status} logoUrl={logo_url} />}
      description={document.description}
      aside={
        <>
          {!isPlain(document) && <QuoteTotals document={document} isAccepted={quote.accepted !== null} />}
          {answer}
          <DownloadPdf url={pdfUrl(pdf.token, pdf.sectionIds)} />
        </>
      }
      end={
        <>
          {attachments.length > 0 && <DocumentAttachments title="Quote Attachments" attachments={attachments} />}
          <DocumentParties issuer={document.issuer} customerLabel="Prepared for" customer={document.customer} />
        </>
      }
    >
      {isPlain(document) ? (
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
        <StatusPill tone={statusTone(status)} text={statusWord(status)} />
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
