import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Banner } from '../ui/banner.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { getReadErrorMessage, hasErrorCode, isServerUnreachable } from './error-messages.ts';
import { getUniqueRows } from './query-cache.ts';
import { NO_CONNECTION_MESSAGE, TIMEOUT_MESSAGE } from './request.ts';

/** After this timeout an error replaces the skeleton, even if the request is still running. */
const SLOW_TIMEOUT_MS = 10_000;
const MAX_DISPLAY_DELAY_MS = 1_000;

interface QueryState<Data> {
  data: Data | undefined;
  error: Error | null;
  isFetching: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  /** True if the data belongs to the previous search. */
  isPlaceholderData?: boolean;
  refetch: (options?: { cancelRefetch?: boolean }) => Promise<unknown>;
}

interface QueryViewProps<Data> {
  query: QueryState<Data>;
  skeleton: ReactNode;
  /** Cached data from another screen, shown instead of the skeleton and while offline. */
  cached?: ReactNode;
  notFound?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  /** Formats the error message. Defaults to the general messages for failed reads. */
  formatError?: (error: unknown) => string;
  /** True while content above is still loading and would push this view down. Delays the data by at most a second. */
  delayDisplay?: boolean;
  /** True if every state except the data is wrapped in a card. */
  isInCard?: boolean;
  children: (data: Data) => ReactNode;
}

/** Shows the data, or the state that applies instead: loading, slow, failed, not found or empty. */
export function QueryView<Data>({ query, ...view }: QueryViewProps<Data>) {
  const { data, error, isPlaceholderData = false } = query;
  const { isEmpty, empty, cached, notFound, skeleton, formatError = getReadErrorMessage, isInCard = false, delayDisplay = false } = view;
  const isBlank = data !== undefined && (isEmpty?.(data) ?? false);
  const isDelayed = useDisplayDelay(data !== undefined, delayDisplay);
  // The first data renders at low priority to keep the page responsive. Later changes render immediately.
  const hasArrived = useDeferredValue(data !== undefined && !isDelayed);
  const isArriving = data === undefined || !hasArrived;
  // An empty result for the previous search doesn't mean that this search has no results.
  const isWaiting = (isArriving || (isBlank && isPlaceholderData)) && !error;
  const { isSlow, restart } = useSlowTimer(isWaiting && query.fetchStatus !== 'paused');
  const { retriedError, startRetry } = useRetryState(isWaiting || query.isFetching);
  const wrapInCard = (content: ReactNode) => (isInCard ? <Card>{content}</Card> : content);
  /** The Retry button stays mounted during a retry, so that it keeps the focus. */
  const renderFailure = (text: string, retrying: boolean) => {
    const retry = () => {
      restart();
      startRetry(text);
      void query.refetch({ cancelRefetch: true });
    };
    return wrapInCard(<ErrorState message={text} onRetry={retry} retrying={retrying} />);
  };
  const renderCached = (below: ReactNode) => (
    <>
      {cached}
      {below && <div className="mt-4">{below}</div>}
    </>
  );

  if (isWaiting) {
    if (cached !== undefined) return renderCached(retriedError === undefined ? null : renderFailure(retriedError, true));
    if (query.fetchStatus === 'paused') return renderFailure(NO_CONNECTION_MESSAGE, false);
    if (isSlow) return renderFailure(TIMEOUT_MESSAGE, false);
    return retriedError === undefined ? skeleton : renderFailure(retriedError, true);
  }
  if (data === undefined) {
    const isMissing = hasErrorCode(error, 'NOT_FOUND') || hasErrorCode(error, 'INVALID_INPUT');
    if (isMissing && notFound !== undefined) return wrapInCard(notFound);
    const failure = renderFailure(formatError(error), query.isFetching);
    return cached !== undefined && isServerUnreachable(error) ? renderCached(failure) : failure;
  }
  return isBlank ? wrapInCard(empty) : view.children(data);
}

/** Shown below a record's cached data while the rest loads or waits for the connection. */
export function RecordDetailsPlaceholder({ query, label }: { query: Pick<QueryState<unknown>, 'fetchStatus' | 'error'>; label: string }) {
  if (query.fetchStatus === 'paused' || query.error) {
    return <p className="mt-4 text-base text-ink-2">The rest will load when you're back online.</p>;
  }
  return (
    <Card className="mt-4">
      <SkeletonRows label={label} count={3} className="h-14" />
    </Card>
  );
}

interface OfflineSearchNoteProps {
  query: Pick<QueryState<unknown>, 'isPlaceholderData' | 'fetchStatus'>;
  className?: string;
}

/** Explains why the rows of the previous search stay on screen while offline. */
export function OfflineSearchNote({ query, className = 'mb-3' }: OfflineSearchNoteProps) {
  if (!query.isPlaceholderData || query.fetchStatus !== 'paused') return null;
  return <Banner className={className}>Searching and filtering need a connection. This is what was loaded before.</Banner>;
}

interface ListViewProps<Row extends { id: string }> {
  list: QueryState<{ pages: readonly { rows: readonly Row[] }[] }>;
  loading: Parameters<typeof SkeletonRows>[0];
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** Shows a list that loads page by page. */
export function ListView<Row extends { id: string }>({ list, loading, empty, children }: ListViewProps<Row>) {
  return (
    <QueryView
      query={list}
      isInCard
      skeleton={
        <Card className="overflow-clip">
          <SkeletonRows {...loading} />
        </Card>
      }
      isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
      empty={empty}
    >
      {({ pages }) => (
        <>
          <OfflineSearchNote query={list} />
          {children(getUniqueRows(pages))}
        </>
      )}
    </QueryView>
  );
}

/** Keeps showing the error text while a retry runs, then restores the focus if the Retry button has disappeared. */
function useRetryState(isTrying: boolean): { retriedError: string | undefined; startRetry: (text: string) => void } {
  const [retriedError, setRetriedError] = useState<string>();
  const hasStarted = useRef(false);
  const fallbackFocus = useRef<HTMLElement>(null);
  useEffect(() => {
    if (retriedError === undefined) return;
    if (isTrying) hasStarted.current = true;
    else if (hasStarted.current) {
      setRetriedError(undefined);
      if (document.activeElement === document.body) fallbackFocus.current?.focus({ preventScroll: true });
    }
  }, [retriedError, isTrying]);
  const startRetry = (text: string) => {
    setRetriedError(text);
    hasStarted.current = false;
    fallbackFocus.current = document.activeElement?.closest<HTMLElement>('[tabindex="-1"]') ?? null;
  };
  return { retriedError, startRetry };
}

function useSlowTimer(isWaiting: boolean): { isSlow: boolean; restart: () => void } {
  const [isSlow, setSlow] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_TIMEOUT_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isWaiting, attempt]);
  return { isSlow: isSlow && isWaiting, restart: () => setAttempt((count) => count + 1) };
}

/** Delays only the first display, so that a form never disappears while the user types in it. */
function useDisplayDelay(hasData: boolean, delayDisplay: boolean): boolean {
  const [isOver, setOver] = useState(false);
  if (hasData && !delayDisplay && !isOver) setOver(true);
  const isDelayed = hasData && !isOver;
  useEffect(() => {
    if (!isDelayed) return undefined;
    const timer = setTimeout(() => setOver(true), MAX_DISPLAY_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isDelayed]);
  return isDelayed;
}
