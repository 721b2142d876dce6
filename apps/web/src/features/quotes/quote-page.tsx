import type { Quote, QuoteRow } from '@callout/contract/quotes';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { MailFailedBadge } from '../../lib/mail-failed-badge.tsx';
import { QueryView, RecordDetailsPlaceholder } from '../../lib/query-view.tsx';
import { RecordHistory } from '../../lib/record-history.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { NextStepButtons, type QuoteDialogName, QuoteManagementActions, QuoteShareButtons } from './quote-actions.tsx';
import { QuoteActivity } from './quote-activity.tsx';
import { QuoteAttachments } from './quote-attachments.tsx';
import { formatQuoteEvent } from './quote-event-format.ts';
import { CachedQuoteFacts, QuoteFacts } from './quote-facts.tsx';
import { QuoteNotFound, QuoteStatusPill } from './quote-labels.tsx';
import { EstimatedProfitCard, QuoteSections } from './quote-sections.tsx';
import {
  dismissMarkedAsSentToast,
  findCachedQuote,
  hasFailedQuoteMail,
  quoteHistoryQueryOptions,
  quoteQueryOptions,
  useDeleteQuote,
} from './quotes.api.ts';

export function QuotePage({ id }: { id: string }) {
  const query = useQuery(quoteQueryOptions(id));
  const row = findCachedQuote(useQueryClient(), id);
  return (
    <QueryView
      query={query}
      isInCard
      skeleton={<RecordSkeleton label="Loading quote details..." fields={6} />}
      cached={row && <CachedQuote quote={row} rest={<RecordDetailsPlaceholder query={query} label="Loading quote details..." />} />}
      notFound={<QuoteNotFound />}
    >
      {(quote) => <LoadedQuote quote={quote} isMissing={hasErrorCode(query.error, 'NOT_FOUND')} />}
    </QueryView>
  );
}

function CachedQuote({ quote, rest }: { quote: QuoteRow; rest: ReactNode }) {
  useDocumentTitle(quote.title);
  return (
    <>
      <QuoteHeader quote={quote} />
      <CachedQuoteFacts quote={quote} />
      {rest}
    </>
  );
}

function QuoteHeader({ quote, actions }: { quote: QuoteRow | Quote; actions?: ReactNode }) {
  return (
    <PageHeader
      title={quote.title}
      note={<TimeZoneNote />}
      isAsideBelow
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-2">
          <QuoteStatusPill status={quote.shown_status} />
          <span className="tabular-nums">{quote.quote_number}</span>
          {hasFailedMail(quote) && <MailFailedBadge />}
        </span>
      }
      actions={actions}
    />
  );
}

/** Returns true if the header should warn about a failed email. On phones, the activity list is too far down to be noticed. */
const hasFailedMail = (quote: QuoteRow | Quote) => ('mails' in quote ? hasFailedQuoteMail(quote.mails) : quote.is_mail_failed);

function LoadedQuote({ quote, isMissing }: { quote: Quote; isMissing: boolean }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const remove = useDeleteQuote();
  const [dialog, setDialog] = useState<QuoteDialogName>(null);
  useDocumentTitle(quote.title);
  useEffect(() => {
    if (quote.status !== 'sent') dismissMarkedAsSentToast(quote.id);
  }, [quote.id, quote.status]);
  /** True if the quote was deleted in another tab or by someone else while this page was open. */
  const isDeleted = isMissing && remove.isIdle;
  const next = !isDeleted && <NextStepButtons quote={quote} fullWidth={!isDesktop} onOpen={setDialog} />;
  return (
    <>
      <QuoteHeader
        quote={quote}
        actions={
          !isDeleted && (
            <>
              {isDesktop && next}
              <QuoteManagementActions quote={quote} remove={remove} onOpen={setDialog} />
            </>
          )
        }
      />
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This quote has been deleted. This is the last saved version.
        </Banner>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="contents xl:block xl:space-y-4">
          <QuoteFacts quote={quote} />
          {!isDesktop && next}
          {!isDesktop && !isDeleted && <QuoteShareButtons quote={quote} />}
          <QuoteSections quote={quote} />
          <QuoteAttachments quote={quote} />
          <QuoteHistory quote={quote} />
        </div>
        <div className="space-y-4 xl:sticky xl:top-[calc(var(--header-height)+1rem)]">
          {isDesktop && !isDeleted && <QuoteShareButtons quote={quote} />}
          <QuoteActivity quote={quote} />
          <EstimatedProfitCard quote={quote} />
        </div>
      </div>
      <QuoteDialogs quote={quote} dialog={dialog} onChange={setDialog} />
    </>
  );
}

function QuoteHistory({ quote: { id, currency } }: { quote: Quote }) {
  const query = useInfiniteQuery(quoteHistoryQueryOptions(id));
  return <RecordHistory query={query} formatEvent={(event) => formatQuoteEvent(event, currency)} className="max-xl:order-last" />;
}

interface QuoteDialogsProps {
  quote: Quote;
  dialog: QuoteDialogName;
  onChange: (dialog: QuoteDialogName) => void;
}

/** Loads each dialog on first use and keeps it mounted after it closes, so that reopening the dialog restores unsaved input. */
function QuoteDialogs({ quote, dialog, onChange }: QuoteDialogsProps) {
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
          onFinished={() => setMailCount(mailCount + 1)}
        />
      )}
    </>
  );
}
