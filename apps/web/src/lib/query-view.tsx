import { type ReactNode, useEffect, useState } from 'react';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { centralMessage, hasCode, NO_CONNECTION, TOOK_TOO_LONG } from './error-messages.ts';

/** Longer than this nobody should look at a skeleton, although the request may still be under way. */
const SLOW_MS = 10_000;

interface ViewedQuery<Data> {
  data: Data | undefined;
  error: Error | null;
  isFetching: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  /** The data is an earlier question's. */
  isPlaceholderData?: boolean;
  refetch: (options?: { cancelRefetch?: boolean }) => Promise<unknown>;
}

interface QueryViewProps<Data> {
  query: ViewedQuery<Data>;
  skeleton: ReactNode;
  /** What another screen already knows: it shows instead of the skeleton, and stays while the connection is gone. */
  known?: ReactNode;
  notFound?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  /** The words for a failure, where the screen has its own. */
  message?: (error: unknown) => string;
  /** Everything but the data stands in a card. */
  inCard?: boolean;
  children: (data: Data) => ReactNode;
}

/** What was read, or the one state that holds instead: loading, failed, taking too long, not found, empty. */
export function QueryView<Data>({ query, ...view }: QueryViewProps<Data>) {
  const { data, error, isPlaceholderData = false } = query;
  const { isEmpty, empty, known, notFound, skeleton, message = centralMessage, inCard = false } = view;
  const isBlank = data !== undefined && (isEmpty?.(data) ?? false);
  // An earlier search that found nothing says nothing about this one.
  const isWaiting = (data === undefined || (isBlank && isPlaceholderData)) && !error;
  const { isSlow, restart } = useSlow(isWaiting && query.fetchStatus !== 'paused');
  const framed = (content: ReactNode) => (inCard ? <Card>{content}</Card> : content);
  const retry = () => {
    restart();
    void query.refetch({ cancelRefetch: true });
  };

  if (isWaiting) {
    if (known !== undefined) return known;
    if (query.fetchStatus === 'paused') return framed(<ErrorState message={NO_CONNECTION} onRetry={retry} />);
    return isSlow ? framed(<ErrorState message={TOOK_TOO_LONG} onRetry={retry} />) : skeleton;
  }
  if (data === undefined) {
    const isMissing = hasCode(error, 'NOT_FOUND') || hasCode(error, 'INVALID_INPUT');
    if (isMissing && notFound !== undefined) return framed(notFound);
    return framed(<ErrorState message={message(error)} onRetry={retry} retrying={query.isFetching} />);
  }
  return isBlank ? framed(empty) : view.children(data);
}

function useSlow(isWaiting: boolean): { isSlow: boolean; restart: () => void } {
  const [isSlow, setSlow] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isWaiting, attempt]);
  return { isSlow: isSlow && isWaiting, restart: () => setAttempt((count) => count + 1) };
}
