import type { PublicQuote } from '@callout/contract/public-quotes';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { hasQuoteItems } from '@callout/domain/quotes/quote';
import { buildQuoteDocument } from '@callout/domain/quotes/quote-document';
import { type ReactNode, useEffect, useMemo } from 'react';
import { NoticeBanner, type PageNotice } from '../../../public-pages/notice-banner.tsx';
import { NotFoundPage, PageFooter, PublicDocumentView } from '../../../public-pages/page-states.tsx';
import { getClosedQuoteMessage } from '../quote-status.ts';
import { AcceptedPanel, PublicQuoteAnswer } from './public-quote-answer.tsx';
import { PublicQuoteLayout } from './public-quote-layout.tsx';
import { usePublicQuote } from './use-public-quote.ts';
import { useQuoteChoice } from './use-quote-choice.ts';

const NOT_FOUND = { title: 'Quote Not Found', text: "The quote you're looking for doesn't exist or has been removed." };

export function PublicQuotePage({ token }: { token: string }) {
  const { page, ...answer } = usePublicQuote(token);
  return (
    <PublicDocumentView page={page} loadingText="Loading quote..." notFound={NOT_FOUND}>
      {(quote) => <LoadedPublicQuote token={token} quote={quote} notice={page.notice} {...answer} />}
    </PublicDocumentView>
  );
}

type QuoteAnswerState = Pick<ReturnType<typeof usePublicQuote>, 'failure' | 'setFailure' | 'pending' | 'accept' | 'reject'>;

interface LoadedPublicQuoteProps extends QuoteAnswerState {
  token: string;
  quote: PublicQuote;
  notice: PageNotice | null;
}

function LoadedPublicQuote({ token, quote, notice, ...answer }: LoadedPublicQuoteProps) {
  const { status, content, accepted } = quote;
  const { title = 'Quote', issuer } = accepted?.document ?? content ?? {};
  const companyName = issuer?.company_name ?? PRODUCT_NAME;
  useEffect(() => {
    document.title = `${title} · ${companyName}`;
  }, [title, companyName]);
  const noticeBanner = notice && <NoticeBanner key={notice.text} notice={notice} />;
  if (accepted) {
    return (
      <>
        <PublicQuoteLayout
          quote={quote}
          document={accepted.document}
          pdf={{ token, sectionIds: null }}
          notice={
            <>
              {noticeBanner}
              <AcceptedPanel acceptance={accepted} companyName={companyName} depositPath={quote.deposit_path} />
            </>
          }
        />
        <PageFooter text={getClosedQuoteMessage(status)} />
      </>
    );
  }
  // Unreachable, because the server returns either `accepted` or `content`.
  if (!content) return <NotFoundPage {...NOT_FOUND} />;
  return (
    <>
      <UnacceptedQuote token={token} quote={quote} content={content} noticeBanner={noticeBanner} {...answer} />
      <PageFooter text={quote.is_actionable ? null : getClosedQuoteMessage(status)} />
    </>
  );
}

interface UnacceptedQuoteProps extends QuoteAnswerState {
  token: string;
  quote: PublicQuote;
  content: NonNullable<PublicQuote['content']>;
  noticeBanner: ReactNode;
}

function UnacceptedQuote({ token, quote, content, noticeBanner, ...answer }: UnacceptedQuoteProps) {
  const { selectedIds, toggle, name, setName } = useQuoteChoice(token, content.sections);
  const { setFailure } = answer;
  const document = useMemo(() => buildQuoteDocument(content, selectedIds), [content, selectedIds]);
  const toggleSection = (id: string) => {
    setFailure(null);
    toggle(id);
  };
  return (
    <PublicQuoteLayout
      quote={quote}
      document={document}
      pdf={{ token, sectionIds: selectedIds }}
      notice={noticeBanner}
      onToggle={quote.is_actionable ? toggleSection : undefined}
      answer={
        quote.is_actionable &&
        (quote.member_path === null ? (
          hasQuoteItems(content.sections) ? (
            <PublicQuoteAnswer content={content} total={document.summary.total} choice={{ selectedIds, name, setName }} {...answer} />
          ) : (
            <p className={NOTE_CLASSES}>This quote has no items yet, so it can't be accepted.</p>
          )
        ) : (
          <MemberNote path={quote.member_path} companyName={content.issuer.company_name ?? PRODUCT_NAME} />
        ))
      }
    />
  );
}

const NOTE_CLASSES = 'mt-6 rounded-card bg-accent-soft px-[16px] py-4 text-base lg:mt-0 print:hidden';

/** Shows staff a link to the quote in the app, where their answer is recorded under their own name. */
function MemberNote({ path, companyName }: { path: string; companyName: string }) {
  return (
    <p className={NOTE_CLASSES}>
      You're signed in to {companyName}. Accept or reject this quote on the{' '}
      <a href={path} className="-my-2.5 inline-block py-2.5 font-medium text-accent-ink underline">
        quote page
      </a>
      .
    </p>
  );
}
