import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { centralMessage, hasCode, isUnreachable } from './error-messages.ts';
import { uniqueRows } from './query-cache.ts';
import { NO_CONNECTION, TOOK_TOO_LONG } from './request.ts';

/** Longer than this nobody should look at a skeleton, although the request may still be under way. */
const SLOW_MS = 10_000;
const HOLD_BACK_MS = 1_000;

interface ViewedQuery<Data> {
  data: Data | undefined;
  error: Error | null;
  isFetching: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  /** The data answers the search before this one. */
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
  /** Something above it that would push it down is still under way: it comes with that, or without it after a second. */
  holdBack?: boolean;
  /** Everything but the data stands in a card. */
  inCard?: boolean;
  children: (data: Data) => ReactNode;
}

/** What was read, or the one state that holds instead: loading, failed, taking too long, not found, empty. */
export function QueryView<Data>({ query, ...view }: QueryViewProps<Data>) {
  const { data, error, isPlaceholderData = false } = query;
  const { isEmpty, empty, known, notFound, skeleton, message = centralMessage, inCard = false, holdBack = false } = view;
  const isBlank = data !== undefined && (isEmpty?.(data) ?? false);
  const isHeldBack = useHoldBack(data !== undefined, holdBack);
  // What comes first is rendered in slices, which leave room for a tap; what changes later shows at once.
  const hasArrived = useDeferredValue(data !== undefined && !isHeldBack);
  const isArriving = data === undefined || !hasArrived;
  // An earlier search that found nothing says nothing about this one.
  const isWaiting = (isArriving || (isBlank && isPlaceholderData)) && !error;
  const { isSlow, restart } = useSlow(isWaiting && query.fetchStatus !== 'paused');
  const { retried, remember } = useRetried(isWaiting || query.isFetching);
  const framed = (content: ReactNode) => (inCard ? <Card>{content}</Card> : content);
  /** While it tries again, the button stays where the focus is. */
  const failed = (text: string, retrying: boolean) => {
    const retry = () => {
      restart();
      remember(text);
      void query.refetch({ cancelRefetch: true });
    };
    return framed(<ErrorState message={text} onRetry={retry} retrying={retrying} />);
  };
  const withKnown = (below: ReactNode) => (
    <>
      {known}
      {below && <div className="mt-4">{below}</div>}
    </>
  );

  if (isWaiting) {
    if (known !== undefined) return withKnown(retried === undefined ? null : failed(retried, true));
    if (query.fetchStatus === 'paused') return failed(NO_CONNECTION, false);
    if (isSlow) return failed(TOOK_TOO_LONG, false);
    return retried === undefined ? skeleton : failed(retried, true);
  }
  if (data === undefined) {
    const isMissing = hasCode(error, 'NOT_FOUND') || hasCode(error, 'INVALID_INPUT');
    if (isMissing && notFound !== undefined) return framed(notFound);
    const failure = failed(message(error), query.isFetching);
    return known !== undefined && isUnreachable(error) ? withKnown(failure) : failure;
  }
  return isBlank ? framed(empty) : view.children(data);
}

/** Below what another screen knows of a record: the rest is under way, or waits for the connection. */
export function RestOfRecord({ query, label }: { query: Pick<ViewedQuery<unknown>, 'fetchStatus' | 'error'>; label: string }) {
  if (query.fetchStatus === 'paused' || query.error) {
    return <p className="mt-4 text-base text-ink-2">The rest shows when you're online again.</p>;
  }
  return (
    <Card className="mt-4">
      <SkeletonRows label={label} count={3} className="h-14" />
    </Card>
  );
}

interface ListViewProps<Row extends { id: string }> {
  list: ViewedQuery<{ pages: readonly { rows: readonly Row[] }[] }>;
  loading: Parameters<typeof SkeletonRows>[0];
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** The same for a list that is read page by page. */
export function ListView<Row extends { id: string }>({ list, loading, empty, children }: ListViewProps<Row>) {
  return (
    <QueryView
      query={list}
      inCard
      skeleton={
        <Card className="overflow-clip">
          <SkeletonRows {...loading} />
        </Card>
      }
      isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
      empty={empty}
    >
      {({ pages }) => children(uniqueRows(pages))}
    </QueryView>
  );
}

/** What was wrong when somebody pressed Retry, until that attempt has ended. Then the focus must not be lost with the button. */
function useRetried(isTrying: boolean): { retried: string | undefined; remember: (text: string) => void } {
  const [retried, setRetried] = useState<string>();
  const hasStarted = useRef(false);
  const around = useRef<HTMLElement>(null);
  useEffect(() => {
    if (retried === undefined) return;
    if (isTrying) hasStarted.current = true;
    else if (hasStarted.current) {
      setRetried(undefined);
      if (document.activeElement === document.body) around.current?.focus({ preventScroll: true });
    }
  }, [retried, isTrying]);
  const remember = (text: string) => {
    setRetried(text);
    hasStarted.current = false;
    around.current = document.activeElement?.closest<HTMLElement>('[tabindex="-1"]') ?? null;
  };
  return { retried, remember };
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

/** At most for a second, and only before it has shown: a form that somebody types in must not disappear. */
function useHoldBack(hasData: boolean, holdBack: boolean): boolean {
  const [isOver, setOver] = useState(false);
  if (hasData && !holdBack && !isOver) setOver(true);
  const isHeldBack = hasData && !isOver;
  useEffect(() => {
    if (!isHeldBack) return undefined;
    const timer = setTimeout(() => setOver(true), HOLD_BACK_MS);
    return () => clearTimeout(timer);
  }, [isHeldBack]);
  return isHeldBack;
}
