import type { PublicQuote } from '@callout/contract/public-quotes';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { hasItems } from '@callout/domain/quotes/quote';
import { quoteDocument } from '@callout/domain/quotes/quote-document';
import { type ReactNode, useEffect, useMemo } from 'react';
import { NoticeBanner, type PageNotice } from '../../../public-pages/notice-banner.tsx';
import { LoadingPage, MissingPage, PageEnd } from '../../../public-pages/page-states.tsx';
import { useRecordedOpening } from '../../../public-pages/use-recorded-opening.ts';
import { Button } from '../../../ui/button.tsx';
import { closedText } from '../quote-status.ts';
import { AcceptedPanel, PublicQuoteAnswer } from './public-quote-answer.tsx';
import { PublicQuoteLayout } from './public-quote-layout.tsx';
import { recordOpening } from './quotes-public.api.ts';
import { usePublicQuote } from './use-public-quote.ts';
import { useQuoteChoice } from './use-quote-choice.ts';

/** What a customer sees at the link of a quote: no shell, no sign-in. */
export function PublicQuotePage({ token }: { token: string }) {
  const { view, notice, reload, ...answer } = usePublicQuote(token);
  useRecordedOpening(recordOpening, token, view.state === 'shown');
  switch (view.state) {
    case 'loading':
      return <LoadingPage text="Loading quote..." />;
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
  notice: PageNotice | null;
}

function ShownQuote({ token, quote, notice, ...answer }: ShownQuoteProps) {
  const { status, content, accepted } = quote;
  const { title = 'Quote', issuer } = accepted?.document ?? content ?? {};
  const companyName = issuer?.company_name ?? PRODUCT_NAME;
  useEffect(() => {
    document.title = `${title} · ${companyName}`;
  }, [title, companyName]);
  const banner = notice && <NoticeBanner key={notice.text} notice={notice} />;
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
        <PageEnd text={closedText(status)} />
      </>
    );
  }
  // The contract gives one of the two.
  if (!content) return <MissingQuote />;
  return (
    <>
      <OpenQuote token={token} quote={quote} content={content} banner={banner} {...answer} />
      <PageEnd text={quote.is_actionable ? null : closedText(status)} />
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
      onToggle={quote.is_actionable ? toggleSection : undefined}
      answer={
        quote.is_actionable &&
        (quote.member_path === null ? (
          hasItems(content.sections) ? (
            <PublicQuoteAnswer content={content} total={document.summary.total} choice={{ selectedIds, name, setName }} {...answer} />
          ) : (
            <p className={NOTE}>This quote has no items yet, so it cannot be accepted.</p>
          )
        ) : (
          <MemberNote path={quote.member_path} companyName={content.issuer.company_name ?? PRODUCT_NAME} />
        ))
      }
    />
  );
}

const NOTE = 'mt-6 rounded-card bg-accent-soft px-[16px] py-4 text-base lg:mt-0 print:hidden';

/** Their answer belongs to the quote page, where it is recorded as theirs. */
function MemberNote({ path, companyName }: { path: string; companyName: string }) {
  return (
    <p className={NOTE}>
      You are signed in to {companyName}. Accept or reject it from the{' '}
      <a href={path} className="-my-2.5 inline-block py-2.5 font-medium text-accent-ink underline">
        quote page
      </a>
      .
    </p>
  );
}

function MissingQuote({ children }: { children?: ReactNode }) {
  return (
    <MissingPage title="Quote Not Found" text="The quote you're looking for doesn't exist or has been removed.">
      {children}
    </MissingPage>
  );
}
