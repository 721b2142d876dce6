import type { PublicQuote } from '@callout/contract/public-quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isRefusedWith, type RefusedRequest, requestFailureText } from '../../../lib/request.ts';
import type { PageNotice } from '../../../public-pages/notice-banner.tsx';
import { useRefreshOnReturn } from '../../../public-pages/use-refresh-on-return.ts';
import { acceptQuote, readQuote, rejectQuote } from './quotes-public.api.ts';

export type QuoteView =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'shown'; readonly quote: PublicQuote };

/** The quote behind a token, and the customer's answer to it. */
export function usePublicQuote(token: string) {
  const [view, setView] = useState<QuoteView>({ state: 'loading' });
  const [notice, setNotice] = useState<PageNotice | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState<'accept' | 'reject' | null>(null);

  const show = useCallback((quote: PublicQuote, text?: string, tone: PageNotice['tone'] = 'ok') => {
    setView({ state: 'shown', quote });
    if (text !== undefined) setNotice({ tone, text });
  }, []);

  const load = useCallback(() => {
    readQuote(token).then(
      (quote) => show(quote),
      (error: unknown) => {
        // What is too long for a token is refused as input.
        const isMissing = isRefusedWith(error, 'NOT_FOUND') || isRefusedWith(error, 'INVALID_INPUT');
        setView(isMissing ? { state: 'missing' } : { state: 'failed', reason: requestFailureText(error) });
      },
    );
  }, [token, show]);

  useEffect(load, [load]);

  /** Counts answers, so that a slow read never replaces what an answer has shown. */
  const answers = useRef(0);
  const shown = view.state === 'shown' ? view.quote : null;
  const refresh = useCallback(async () => {
    if (!shown || shown.accepted) return;
    const answersBefore = answers.current;
    try {
      const quote = await readQuote(token);
      if (answers.current !== answersBefore) return;
      if (JSON.stringify(quote) !== JSON.stringify(shown)) show(quote, changeSentence(shown, quote), 'info');
    } catch (error) {
      // Without a connection what is shown stays: the server decides when it is answered.
      if (isRefusedWith(error, 'NOT_FOUND')) setView({ state: 'missing' });
    }
  }, [shown, token, show]);

  useRefreshOnReturn(refresh);

  /** An old tab: shows what the quote has become, in one state; the server says what happened. */
  const showCurrent = async (refusal: RefusedRequest, failed: string) => {
    try {
      const quote = await readQuote(token);
      show(quote, refusal.message, 'info');
    } catch (error) {
      if (isRefusedWith(error, 'NOT_FOUND')) setView({ state: 'missing' });
      else setFailure(failed);
    }
  };

  const answer = async (kind: 'accept' | 'reject', send: () => Promise<void>) => {
    answers.current += 1;
    setPending(kind);
    setFailure(null);
    setNotice(null);
    try {
      await send();
    } catch (error) {
      const failed = `Failed to ${kind} quote: ${requestFailureText(error)}`;
      if (isRefusedWith(error, 'NOT_FOUND')) setView({ state: 'missing' });
      else if (isRefusedWith(error, 'QUOTE_CLOSED') || isRefusedWith(error, 'QUOTE_CHANGED')) await showCurrent(error, failed);
      else {
        setFailure(failed);
        // The quote may lack a section that was chosen.
        if (isRefusedWith(error, 'INVALID_INPUT')) await refresh();
      }
    } finally {
      // A read that was sent while the answer was under way may not know of it.
      answers.current += 1;
      setPending(null);
    }
  };

  const accept = (selected_option_ids: string[], accepted_by: string) =>
    answer('accept', async () => {
      const seen = shown?.content_hash ? { content_hash: shown.content_hash } : {};
      const { quote, job_number } = await acceptQuote(token, { selected_option_ids, accepted_by, ...seen });
      show(quote, job_number === null ? 'Quote accepted successfully!' : `Quote accepted! New job #${job_number} has been created.`);
    });

  const reject = () =>
    answer('reject', async () => {
      const { quote } = await rejectQuote(token);
      show(quote, 'Quote has been rejected.', 'info');
    });

  const reload = () => {
    setView({ state: 'loading' });
    load();
  };

  return { view, notice, failure, setFailure, pending, accept, reject, reload };
}

function changeSentence(before: PublicQuote, now: PublicQuote): string | undefined {
  if (before.is_actionable && !now.is_actionable) return closedSentence(now.status);
  // Of another logo nothing is said.
  return before.content_hash === now.content_hash ? undefined : 'This quote has been updated. Please check it before you accept.';
}

function closedSentence(status: QuoteStatus): string {
  if (status === 'accepted') return 'This quote has been accepted.';
  return status === 'rejected' ? 'This quote has been rejected.' : 'This quote has expired. It can no longer be accepted.';
}
