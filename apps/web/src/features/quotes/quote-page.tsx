import type { Quote, QuoteRow } from '@callout/contract/quotes';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { MailFailedMark } from '../../lib/mail-failed-mark.tsx';
import { QueryView, RestOfRecord } from '../../lib/query-view.tsx';
import { RecordHistory } from '../../lib/record-history.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useProfile } from '../company/company.api.ts';
import { ManageQuote, NextStep, type QuoteDialog, QuoteLinks } from './quote-actions.tsx';
import { QuoteAttachments } from './quote-attachments.tsx';
import { QuoteEvents } from './quote-events.tsx';
import { KnownQuoteFacts, QuoteFacts } from './quote-facts.tsx';
import { quoteEventText } from './quote-history-text.ts';
import { QuoteNotFound, QuoteStatusPill } from './quote-labels.tsx';
import { EstimatedProfit, QuoteSections } from './quote-sections.tsx';
import { isQuoteMailFailed, knownQuote, quoteHistoryOptions, quoteOptions, useDeleteQuote } from './quotes.api.ts';

export function QuotePage({ id }: { id: string }) {
  const query = useQuery(quoteOptions(id));
  const known = knownQuote(useQueryClient(), id);
  return (
    <QueryView
      query={query}
      inCard
      skeleton={<SkeletonRecord label="Loading quote details..." fields={6} />}
      known={known && <KnownQuote quote={known} rest={<RestOfRecord query={query} label="Loading quote details..." />} />}
      notFound={<QuoteNotFound />}
    >
      {(quote) => <LoadedQuote quote={quote} isMissing={hasCode(query.error, 'NOT_FOUND')} />}
    </QueryView>
  );
}

function KnownQuote({ quote, rest }: { quote: QuoteRow; rest: ReactNode }) {
  useDocumentTitle(quote.title);
  return (
    <>
      <QuoteHeader quote={quote} />
      <KnownQuoteFacts quote={quote} />
      {rest}
    </>
  );
}

function QuoteHeader({ quote, actions }: { quote: QuoteRow | Quote; actions?: ReactNode }) {
  return (
    <PageHeader
      title={quote.title}
      isAsideBelow
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-2">
          <QuoteStatusPill status={quote.shown_status} />
          <span className="tabular-nums">{quote.quote_number}</span>
          {isMailFailed(quote) && <MailFailedMark />}
        </span>
      }
      actions={actions}
    />
  );
}

/** What happened to the newest mail stands far below on a phone. */
const isMailFailed = (quote: QuoteRow | Quote) => ('mails' in quote ? isQuoteMailFailed(quote.mails) : quote.is_mail_failed);

function LoadedQuote({ quote, isMissing }: { quote: Quote; isMissing: boolean }) {
  const isDesk = useMediaQuery(DESK_UP);
  const remove = useDeleteQuote();
  const [dialog, setDialog] = useState<QuoteDialog>(null);
  useDocumentTitle(quote.title);
  /** Deleted elsewhere while it is open here. */
  const gone = isMissing && remove.isIdle;
  const next = !gone && <NextStep quote={quote} wide={!isDesk} onOpen={setDialog} />;
  return (
    <>
      <QuoteHeader
        quote={quote}
        actions={
          !gone && (
            <>
              {isDesk && next}
              <ManageQuote quote={quote} remove={remove} onOpen={setDialog} />
            </>
          )
        }
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This quote has been deleted. This is its last version.
        </Banner>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="contents xl:block xl:space-y-4">
          <QuoteFacts quote={quote} />
          {!isDesk && next}
          {!isDesk && !gone && <QuoteLinks quote={quote} />}
          <QuoteSections quote={quote} />
          <QuoteAttachments quote={quote} />
          <QuoteHistory quote={quote} />
        </div>
        <div className="space-y-4 xl:sticky xl:top-[calc(var(--header-height)+1rem)]">
          {isDesk && !gone && <QuoteLinks quote={quote} />}
          <QuoteEvents quote={quote} />
          <EstimatedProfit quote={quote} />
        </div>
      </div>
      <Dialogs quote={quote} dialog={dialog} onChange={setDialog} />
    </>
  );
}

function QuoteHistory({ quote: { id } }: { quote: Quote }) {
  const currency = useProfile()?.currency;
  const query = useInfiniteQuery(quoteHistoryOptions(id));
  return <RecordHistory query={query} textOf={(event) => quoteEventText(event, currency)} className="max-xl:order-last" />;
}

interface DialogsProps {
  quote: Quote;
  dialog: QuoteDialog;
  onChange: (dialog: QuoteDialog) => void;
}

/** Their code comes when they first open. They stay afterwards: what was typed into one is there when it is opened again. */
function Dialogs({ quote, dialog, onChange }: DialogsProps) {
  const [mailCount, setMailCount] = useState(0);
  const close = () => onChange(null);
  const onOpenChange = (open: boolean) => open || close();
  const accept = useLazyModule(() => import('./accept-quote-dialog.tsx'), dialog === 'accept', close);
  const send = useLazyModule(() => import('./send-quote-dialog.tsx'), dialog === 'send', close);
  return (
    <>
      {accept && <accept.AcceptQuoteDialog quote={quote} open={dialog === 'accept'} onOpenChange={onOpenChange} />}
      {send && (
        <send.SendQuoteDialog
          key={mailCount}
          quote={quote}
          open={dialog === 'send'}
          onOpenChange={onOpenChange}
          onEnd={() => setMailCount(mailCount + 1)}
        />
      )}
    </>
  );
}
