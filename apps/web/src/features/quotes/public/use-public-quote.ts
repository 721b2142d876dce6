import type { PublicQuote } from '@callout/contract/public-quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { useCallback, useEffect, useRef, useState } from 'react';
import { formatPublicRequestError, hasPublicErrorCode, type PublicRequestError } from '../../../lib/request.ts';
import type { PageNotice } from '../../../public-pages/notice-banner.tsx';
import { useRefreshOnReturn } from '../../../public-pages/use-refresh-on-return.ts';
import { acceptQuote, readPublicQuote, rejectQuote } from './quotes-public.api.ts';

export type PublicQuoteState =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'loaded'; readonly quote: PublicQuote };

/** Loads the quote behind a public link and sends the customer's answer. */
export function usePublicQuote(token: string) {
  const [view, setView] = useState<PublicQuoteState>({ state: 'loading' });
  const [notice, setNotice] = useState<PageNotice | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState<'accept' | 'reject' | null>(null);

  const showQuote = useCallback((quote: PublicQuote, text?: string, tone: PageNotice['tone'] = 'ok') => {
    setView({ state: 'loaded', quote });
    if (text !== undefined) setNotice({ tone, text });
  }, []);

  const load = useCallback(() => {
    readPublicQuote(token).then(
      (quote) => showQuote(quote),
      (error: unknown) => {
        // A token that is too long fails validation, so treat INVALID_INPUT as not found too.
        const isMissing = hasPublicErrorCode(error, 'NOT_FOUND') || hasPublicErrorCode(error, 'INVALID_INPUT');
        setView(isMissing ? { state: 'missing' } : { state: 'failed', reason: formatPublicRequestError(error) });
      },
    );
  }, [token, showQuote]);

  useEffect(load, [load]);

  /** Incremented before and after each answer is sent, so that a slow read never overwrites the answer's result. */
  const answerCount = useRef(0);
  const current = view.state === 'loaded' ? view.quote : null;
  const refresh = useCallback(async () => {
    if (!current || current.accepted) return;
    const answersBefore = answerCount.current;
    try {
      const quote = await readPublicQuote(token);
      if (answerCount.current !== answersBefore) return;
      if (JSON.stringify(quote) !== JSON.stringify(current)) showQuote(quote, formatChangeNotice(current, quote), 'info');
    } catch (error) {
      // If the connection is lost, keep the displayed quote, because the server checks it again when the customer answers.
      if (hasPublicErrorCode(error, 'NOT_FOUND')) setView({ state: 'missing' });
    }
  }, [current, token, showQuote]);

  useRefreshOnReturn(refresh);

  /** Replaces an outdated quote with the current one and displays the server's reason for refusing the answer. */
  const showCurrentQuote = async (refusal: PublicRequestError, message: string) => {
    try {
      const quote = await readPublicQuote(token);
      showQuote(quote, refusal.message, 'info');
    } catch (error) {
      if (hasPublicErrorCode(error, 'NOT_FOUND')) setView({ state: 'missing' });
      else setFailure(message);
    }
  };

  const answer = async (kind: 'accept' | 'reject', send: () => Promise<void>) => {
    answerCount.current += 1;
    setPending(kind);
    setFailure(null);
    setNotice(null);
    try {
      await send();
    } catch (error) {
      const message = `Failed to ${kind} quote: ${formatPublicRequestError(error)}`;
      if (hasPublicErrorCode(error, 'NOT_FOUND')) setView({ state: 'missing' });
      else if (hasPublicErrorCode(error, 'QUOTE_CLOSED') || hasPublicErrorCode(error, 'QUOTE_CHANGED'))
        await showCurrentQuote(error, message);
      else {
        setFailure(message);
        // A selected section may have been removed from the quote, so reload the quote.
        if (hasPublicErrorCode(error, 'INVALID_INPUT')) await refresh();
      }
    } finally {
      // A read that started during the request may return the quote without this answer, so its response must be ignored.
      answerCount.current += 1;
      setPending(null);
    }
  };

  const accept = (selected_option_ids: string[], accepted_by: string) =>
    answer('accept', async () => {
      const content_hash = current?.content_hash ?? '';
      const { quote, job_number } = await acceptQuote(token, { selected_option_ids, accepted_by, content_hash });
      showQuote(quote, job_number === null ? 'Quote accepted successfully!' : `Quote accepted! New job #${job_number} has been created.`);
    });

  const reject = () =>
    answer('reject', async () => {
      const { quote } = await rejectQuote(token);
      showQuote(quote, 'Quote has been rejected.', 'info');
    });

  const reload = () => {
    setView({ state: 'loading' });
    load();
  };

  return { view, notice, failure, setFailure, pending, accept, reject, reload };
}

function formatChangeNotice(before: PublicQuote, now: PublicQuote): string | undefined {
  if (before.is_actionable && !now.is_actionable) return formatClosedNotice(now.status);
  // Changes outside the content, such as a new logo, need no notice.
  return before.content_hash === now.content_hash ? undefined : 'This quote has been updated. Please check it before you accept.';
}

function formatClosedNotice(status: QuoteStatus): string {
  if (status === 'accepted') return 'This quote has been accepted.';
  return status === 'rejected' ? 'This quote has been rejected.' : 'This quote has expired. It can no longer be accepted.';
}
