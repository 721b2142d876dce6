import type { PublicQuote } from '@callout/contract/public-quotes';
import { fileSizeText } from '@callout/domain/files/file-size';
import type { QuoteDocument } from '@callout/domain/quotes/quote-document';
import Download from 'lucide-react/icons/download';
import ExternalLink from 'lucide-react/icons/external-link';
import FileText from 'lucide-react/icons/file-text';
import Image from 'lucide-react/icons/image';
import type { ReactNode } from 'react';
import { emailLink, phoneLink } from '../../../lib/contact-urls.ts';
import { buttonStyle } from '../../../ui/button-style.ts';
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
  /** Absent for what was accepted. */
  onToggle?: (id: string) => void;
  answer?: ReactNode;
}

/** One section is no choice: it is selected from the start. */
const isPlain = ({ sections }: QuoteDocument) => sections.length === 1 && sections[0]?.choice !== 'not-selected';

/**
 * A quote as customers see it, open or accepted: every figure is the document's. On desks the summary stays beside the options, on paper it
 * follows them whatever the width. Gutters are in px, so that larger text has the whole width.
 */
export function PublicQuoteLayout({ quote, document, pdf, top, onToggle, answer }: LayoutProps) {
  const { status, attachments, logo_url } = quote;
  const { issuer, customer, description } = document;
  return (
    <main className="mx-auto flex max-w-xl flex-col px-[16px] pt-4 pb-4 wrap-break-word lg:max-w-5xl lg:px-8 lg:pt-8 print:max-w-none print:p-0">
      {top}
      <QuoteHeader document={document} status={status} logoUrl={logo_url} />
      {description !== null && description !== '' && (
        <section aria-label="Description" className="mt-4 max-w-3xl text-lg whitespace-pre-line text-ink-2">
          {description}
        </section>
      )}
      <div className="contents lg:mt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-6 print:contents">
        <div className="mt-5 lg:mt-0 print:mt-5">
          {isPlain(document) ? <QuoteItems document={document} /> : <QuoteOptions document={document} onToggle={onToggle} />}
        </div>
        <div className="contents lg:sticky lg:top-6 lg:row-span-2 lg:flex lg:max-h-[calc(100dvh-3rem)] lg:flex-col lg:gap-4 lg:overflow-y-auto lg:p-px print:contents">
          {!isPlain(document) && <QuoteTotals document={document} isAccepted={quote.accepted !== null} />}
          {answer}
          <a href={pdfUrl(pdf.token, pdf.sectionIds)} className={`${buttonStyle('secondary', true)} mt-3 lg:mt-0 print:hidden`}>
            <Download aria-hidden="true" />
            Download PDF
          </a>
        </div>
        <div className="mt-6 space-y-6 lg:mt-0 print:mt-6">
          {attachments.length > 0 && <QuoteAttachments attachments={attachments} />}
          <div className="grid grid-cols-1 gap-6 sm:grid-cols-2">
            <Issuer issuer={issuer} />
            {customer && (
              <section aria-labelledby="prepared-for">
                <h2 id="prepared-for" className="text-sm font-medium text-ink-3">
                  Prepared for
                </h2>
                <p className="mt-1 text-lg font-medium">{customer.name}</p>
                {customer.company_name !== null && <p className="text-base text-ink-2">{customer.company_name}</p>}
              </section>
            )}
          </div>
        </div>
      </div>
    </main>
  );
}

function QuoteHeader({ document, status, logoUrl }: { document: QuoteDocument; status: string; logoUrl: string | null }) {
  const { issuer, title, quote_number, created, valid_until, summary } = document;
  return (
    <header>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        {logoUrl === null ? (
          <p className="min-w-0 flex-1 basis-24 pt-1 text-lg font-semibold">{issuer.company_name}</p>
        ) : (
          <img src={logoUrl} alt={issuer.company_name ?? ''} className="max-h-[200px] w-[30%] object-contain object-left-top" />
        )}
        <p className="ml-auto text-right">
          <span className="block text-base text-ink-2">Total inc GST</span>
          <span aria-live="polite" className="block text-2xl font-semibold tabular-nums">
            {summary.total}
          </span>
        </p>
      </div>
      <h1 className="mt-4 text-xl [overflow-wrap:anywhere] font-semibold text-balance lg:text-2xl">{title}</h1>
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
    </header>
  );
}

function Issuer({ issuer: { company_name, address, phone, email } }: Pick<QuoteDocument, 'issuer'>) {
  return (
    <section aria-labelledby="from">
      <h2 id="from" className="text-sm font-medium text-ink-3">
        From
      </h2>
      {company_name !== null && <p className="mt-1 text-lg font-medium">{company_name}</p>}
      {address !== null && <p className="text-base whitespace-pre-line text-ink-2">{address}</p>}
      {phone !== null && <ContactLine text={phone} href={phoneLink(phone)} />}
      {email !== null && <ContactLine text={email} href={emailLink(email)} />}
    </section>
  );
}

function ContactLine({ text, href }: { text: string; href: string | null }) {
  if (href === null) return <p className="text-base text-ink-2">{text}</p>;
  return (
    <p>
      <a href={href} className="inline-block py-2.5 text-base font-medium text-accent-ink tabular-nums hover:underline lg:py-1 print:py-0">
        {text}
      </a>
    </p>
  );
}

function QuoteAttachments({ attachments }: Pick<PublicQuote, 'attachments'>) {
  return (
    <section aria-labelledby="attachments">
      <h2 id="attachments" className="text-lg font-semibold">
        Quote Attachments
      </h2>
      <ul className="mt-2 divide-y overflow-clip rounded-card bg-surface shadow-card">
        {attachments.map(({ id, file_name, file_size, file_type, url, thumbnail_url }) => (
          <li key={id}>
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="flex min-h-16 flex-wrap items-center gap-3 px-[16px] py-2 -outline-offset-2 hover:bg-sunken"
            >
              <span className="flex size-12 shrink-0 items-center justify-center overflow-clip rounded bg-sunken text-ink-3">
                {thumbnail_url === null ? (
                  <TypeIcon type={file_type} />
                ) : (
                  <img src={thumbnail_url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
                )}
              </span>
              <span className="min-w-0 flex-1 basis-36 [overflow-wrap:anywhere]">
                <span className="block text-base font-medium">{file_name}</span>
                <span className="block text-sm text-ink-3 tabular-nums">{fileSizeText(file_size)}</span>
              </span>
              <ExternalLink aria-hidden="true" className="size-4.5 shrink-0 text-ink-3 print:hidden" />
              <span className="sr-only">opens in a new tab</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TypeIcon({ type }: { type: string }) {
  const isPicture = type.startsWith('image/');
  const Icon = isPicture ? Image : FileText;
  return <Icon aria-hidden="true" data-icon={isPicture ? 'image' : 'document'} className="size-6" />;
}
