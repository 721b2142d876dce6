import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { buttonStyle } from '../ui/button-style.ts';

interface DocumentPageProps {
  /** What has happened to the document. */
  top: ReactNode;
  header: ReactNode;
  description: string | null;
  /** Stays beside the document on desks, below it on phones. */
  aside: ReactNode;
  /** Attachments, and who the document is from and for. */
  end?: ReactNode;
  children: ReactNode;
}

/** A document as customers see it; on paper all parts follow each other, whatever its width. Gutters are in px, so that larger text has the whole width. */
export function DocumentPage({ top, header, description, aside, end, children }: DocumentPageProps) {
  return (
    <main className="mx-auto flex max-w-xl flex-col px-[16px] pt-4 pb-4 wrap-break-word lg:max-w-5xl lg:px-8 lg:pt-8 print:max-w-none print:p-0">
      {top}
      {header}
      {description !== null && description !== '' && (
        <section aria-label="Description" className="mt-4 max-w-3xl text-lg whitespace-pre-line text-ink-2">
          {description}
        </section>
      )}
      <div className="contents lg:mt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-6 print:contents">
        <div className="mt-5 lg:mt-0 print:mt-5">{children}</div>
        <div className="contents lg:sticky lg:top-6 lg:row-span-2 lg:flex lg:max-h-[calc(100dvh-3rem)] lg:flex-col lg:gap-4 lg:overflow-y-auto lg:p-px print:contents">
          {aside}
        </div>
        {end !== undefined && <div className="mt-6 space-y-6 lg:mt-0 print:mt-6">{end}</div>}
      </div>
    </main>
  );
}

interface DocumentHeaderProps {
  companyName: string | null;
  logoUrl: string | null;
  /** Above the amount that matters most. */
  amountLabel: string;
  amount: string;
  title: string;
  /** Status, number and dates. */
  children: ReactNode;
}

export function DocumentHeader({ companyName, logoUrl, amountLabel, amount, title, children }: DocumentHeaderProps) {
  return (
    <header>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <CompanyMark companyName={companyName} logoUrl={logoUrl} />
        <p className="ml-auto text-right">
          <span className="block text-base text-ink-2">{amountLabel}</span>
          <span aria-live="polite" className="block text-2xl font-semibold tabular-nums">
            {amount}
          </span>
        </p>
      </div>
      <h1 className="mt-4 text-xl [overflow-wrap:anywhere] font-semibold text-balance lg:text-2xl">{title}</h1>
      {children}
    </header>
  );
}

interface CompanyMarkProps {
  companyName: string | null;
  logoUrl: string | null;
}

/** The logo, or the name while there is none. */
export function CompanyMark({ companyName, logoUrl }: CompanyMarkProps) {
  if (logoUrl === null) return <p className="min-w-0 flex-1 basis-24 pt-1 text-lg font-semibold">{companyName}</p>;
  return <img src={logoUrl} alt={companyName ?? ''} className="max-h-[200px] w-[30%] object-contain object-left-top" />;
}

export function DownloadPdf({ url }: { url: string }) {
  return (
    <a href={url} className={`${buttonStyle('secondary', true)} mt-3 lg:mt-0 print:hidden`}>
      <Download aria-hidden="true" />
      Download PDF
    </a>
  );
}
