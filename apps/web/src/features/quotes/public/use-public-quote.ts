import { useState } from 'react';
import { formatPublicRequestError, hasPublicErrorCode, type PublicRequestError } from '../../../lib/request.ts';
import { readPublicDocument, usePublicDocument } from '../../../public-pages/public-document.ts';
import { acceptQuote, PUBLIC_QUOTE, rejectQuote } from './quotes-public.api.ts';

/** Loads the quote behind a public link and sends the customer's answer. */
export function usePublicQuote(token: string) {
  const page = usePublicDocument(PUBLIC_QUOTE, token);
  const { current, show, showMissing, setNotice, refresh, discardRefreshes } = page;
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState<'accept' | 'reject' | null>(null);

  /** Replaces an outdated quote with the current one and displays the server's reason for refusing the answer. */
  const showCurrentQuote = async (refusal: PublicRequestError, message: string) => {
    try {
      show(await readPublicDocument(PUBLIC_QUOTE, token), { tone: 'info', text: refusal.message });
    } catch (error) {
      if (hasPublicErrorCode(error, 'NOT_FOUND')) showMissing();
      else setFailure(message);
    }
  };

  const answer = async (kind: 'accept' | 'reject', send: () => Promise<void>) => {
    discardRefreshes();
    setPending(kind);
    setFailure(null);
    setNotice(null);
    try {
      await send();
    } catch (error) {
      const message = `Failed to ${kind} quote: ${formatPublicRequestError(error)}`;
      if (hasPublicErrorCode(error, 'NOT_FOUND')) showMissing();
      else if (hasPublicErrorCode(error, 'QUOTE_CLOSED') || hasPublicErrorCode(error, 'QUOTE_CHANGED'))
        await showCurrentQuote(error, message);
      else {
        setFailure(message);
        // A selected section may have been removed from the quote, so reload the quote.
        if (hasPublicErrorCode(error, 'INVALID_INPUT')) await refresh();
      }
    } finally {
      discardRefreshes();
      setPending(null);
    }
  };

  const accept = (selected_option_ids: string[], accepted_by: string) =>
    answer('accept', async () => {
      const content_hash = current?.content_hash ?? '';
      const { quote, job_number } = await acceptQuote(token, { selected_option_ids, accepted_by, content_hash });
      const text = job_number === null ? 'Quote accepted successfully!' : `Quote accepted! New job #${job_number} has been created.`;
      show(quote, { tone: 'ok', text });
    });

  const reject = () =>
    answer('reject', async () => show((await rejectQuote(token)).quote, { tone: 'info', text: 'Quote has been rejected.' }));

  return { page, failure, setFailure, pending, accept, reject };
}
