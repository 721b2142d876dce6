import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { getButtonClasses } from '../ui/button-classes.ts';

interface DocumentPageProps {
  /** Message about a change to the document, e.g. that it was accepted or paid. */
  notice: ReactNode;
  header: ReactNode;
  description: string | null;
  /** Shown beside the document on desktop and below it on phones. */
  aside: ReactNode;
  /** Attachments and the contact details of the sender and recipient. */
  footer?: ReactNode;
  children: ReactNode;
}

/** The document as customers see it, in a single column when printed. Gutters are in px, so that they don't grow with the text size. */
export function DocumentPage({ notice, header, description, aside, footer, children }: DocumentPageProps) {
  return (
    <main className="mx-auto flex max-w-xl flex-col px-[16px] pt-4 pb-4 wrap-break-word lg:max-w-5xl lg:px-8 lg:pt-8 print:max-w-none print:p-0">
      {notice}
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
        {footer !== undefined && <div className="mt-6 space-y-6 lg:mt-0 print:mt-6">{footer}</div>}
      </div>
    </main>
  );
}

interface DocumentHeaderProps {
  companyName: string | null;
  logoUrl: string | null;
  amountLabel: string;
  amount: string;
  title: string;
  /** Status, number and dates of the document. */
  children: ReactNode;
}

export function DocumentHeader({ companyName, logoUrl, amountLabel, amount, title, children }: DocumentHeaderProps) {
  return (
    <header>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <CompanyLogo companyName={companyName} logoUrl={logoUrl} />
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

interface CompanyLogoProps {
  companyName: string | null;
  logoUrl: string | null;
}

/** Shows the company's logo, or the company name if there is no logo. */
export function CompanyLogo({ companyName, logoUrl }: CompanyLogoProps) {
  if (logoUrl === null) return <p className="min-w-0 flex-1 basis-24 pt-1 text-lg font-semibold">{companyName}</p>;
  return <img src={logoUrl} alt={companyName ?? ''} className="max-h-[200px] w-[30%] object-contain object-left-top" />;
}

export function DownloadPdfLink({ url }: { url: string }) {
  return (
    <a href={url} className={`${getButtonClasses('secondary', true)} mt-3 lg:mt-0 print:hidden`}>
      <Download aria-hidden="true" />
      Download PDF
    </a>
  );
}
