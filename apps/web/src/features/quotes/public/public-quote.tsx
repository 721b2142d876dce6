import type { PublicQuote } from '@callout/contract/public-quotes';
import { PRODUCT_NAME, PRODUCT_URL } from '@callout/domain/product/product';
import { quoteDocument } from '@callout/domain/quotes/quote-document';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { closedText } from '../quote-status.ts';
import { AcceptedPanel, PublicQuoteAnswer, QuoteNoticeBanner } from './public-quote-answer.tsx';
import { PublicQuoteLayout } from './public-quote-layout.tsx';
import { type QuoteNotice, usePublicQuote } from './use-public-quote.ts';
import { useQuoteChoice } from './use-quote-choice.ts';
import { useRecordedOpening } from './use-recorded-opening.ts';

/** What a customer sees at the link of a quote: no shell, no sign-in. */
export function PublicQuotePage({ token }: { token: string }) {
  const { view, notice, reload, ...answer } = usePublicQuote(token);
  useRecordedOpening(token, view.state === 'shown');
  switch (view.state) {
    case 'loading':
      return <LoadingQuote />;
    case 'missing':
      return <MissingQuote />;
    case 'failed':
      return (
        <MissingQuote>
          <p className="mt-3 text-base text-ink-2">{view.reason}</p>
          <Button tone="primary" className="mt-5" onClick={reload}>
            Try again
          </Button>
        </MissingQuote>
      );
    case 'shown':
      return <ShownQuote token={token} quote={view.quote} notice={notice} {...answer} />;
  }
}

type Answer = Pick<ReturnType<typeof usePublicQuote>, 'failure' | 'setFailure' | 'pending' | 'accept' | 'reject'>;

interface ShownQuoteProps extends Answer {
  token: string;
  quote: PublicQuote;
  notice: QuoteNotice | null;
}

function ShownQuote({ token, quote, notice, ...answer }: ShownQuoteProps) {
  const { status, content, accepted } = quote;
  const { title = 'Quote', issuer } = accepted?.document ?? content ?? {};
  const companyName = issuer?.company_name ?? PRODUCT_NAME;
  useEffect(() => {
    document.title = `${title} · ${companyName}`;
  }, [title, companyName]);
  const banner = notice && <QuoteNoticeBanner key={notice.text} notice={notice} />;
  if (accepted) {
    return (
      <>
        <PublicQuoteLayout
          quote={quote}
          document={accepted.document}
          pdf={{ token, sectionIds: null }}
          top={
            <>
              {banner}
              <AcceptedPanel acceptance={accepted} companyName={companyName} depositPath={quote.deposit_path} />
            </>
          }
        />
        <PageEnd status={status} isActionable={false} />
      </>
    );
  }
  // The contract gives one of the two.
  if (!content) return <MissingQuote />;
  return (
    <>
      <OpenQuote token={token} quote={quote} content={content} banner={banner} {...answer} />
      <PageEnd status={status} isActionable={quote.is_actionable} />
    </>
  );
}

interface OpenQuoteProps extends Answer {
  token: string;
  quote: PublicQuote;
  content: NonNullable<PublicQuote['content']>;
  banner: ReactNode;
}

function OpenQuote({ token, quote, content, banner, ...answer }: OpenQuoteProps) {
  const { selectedIds, toggle, name, setName } = useQuoteChoice(token, content.sections);
  const { setFailure } = answer;
  const document = useMemo(() => quoteDocument(content, selectedIds), [content, selectedIds]);
  const toggleSection = (id: string) => {
    setFailure(null);
    toggle(id);
  };
  return (
    <PublicQuoteLayout
      quote={quote}
      document={document}
      pdf={{ token, sectionIds: selectedIds }}
      top={banner}
      onToggle={toggleSection}
      answer={
        quote.is_actionable && (
          <PublicQuoteAnswer content={content} total={document.summary.total} choice={{ selectedIds, name, setName }} {...answer} />
        )
      }
    />
  );
}

function LoadingQuote() {
  return (
    <main className="mx-auto max-w-xl px-4 pt-5 lg:max-w-5xl lg:px-8 lg:pt-10">
      <p role="status" className="text-lg text-ink-2">
        Loading quote...
      </p>
      <Skeleton className="mt-6 h-8 w-3/4" />
      <Skeleton className="mt-3 h-6 w-1/2" />
      <Skeleton className="mt-8 h-32 rounded-card" />
      <Skeleton className="mt-3 h-32 rounded-card" />
    </main>
  );
}

function MissingQuote({ children }: { children?: ReactNode }) {
  useEffect(() => {
    document.title = 'Quote Not Found';
  }, []);
  return (
    <main className="mx-auto flex min-h-[80dvh] max-w-lg flex-col items-center justify-center px-6 text-center">
      <div role="alert">
        <h1 className="text-2xl font-semibold">Quote Not Found</h1>
        <p className="mt-2 text-lg text-ink-2">The quote you're looking for doesn't exist or has been removed.</p>
        {children}
      </div>
      <PoweredBy />
    </main>
  );
}

function PageEnd({ status, isActionable }: { status: string; isActionable: boolean }) {
  return (
    <footer className="mx-auto max-w-xl px-4 pb-8 text-center lg:max-w-5xl lg:px-8 print:pb-0">
      {!isActionable && <p className="mt-4 text-lg font-medium text-ink-2">{closedText(status)}</p>}
      <PoweredBy />
    </footer>
  );
}

function PoweredBy() {
  return (
    <p className="mt-6 text-sm text-ink-3">
      Powered by{' '}
      <a href={PRODUCT_URL} target="_blank" rel="noreferrer" className="-my-3 inline-block py-3 font-medium text-ink-2 underline">
        {PRODUCT_NAME}
      </a>
    </p>
  );
}
