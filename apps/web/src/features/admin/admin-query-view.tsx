import type { ComponentProps } from 'react';
import { CallError, centralMessage, isNetworkFailure } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useOnline } from '../../ui/use-browser-state.ts';

export const NO_INTERNET = 'No internet connection available. Please check your connection and try again.';
export const SERVER_DOWN = 'Unable to connect to the server. Please try again later.';

/** The specification has its own texts here for being offline and for a server that is down. */
export function adminMessage(error: unknown, online: boolean): string {
  if (!online) return NO_INTERNET;
  const isProxyError = error instanceof CallError && error.code === 'UNREADABLE_ANSWER' && error.status >= 500;
  return isNetworkFailure(error) || isProxyError ? SERVER_DOWN : centralMessage(error);
}

type ViewProps<Data> = ComponentProps<typeof QueryView<Data>>;

interface AdminQueryViewProps<Data> extends Pick<ViewProps<Data>, 'query' | 'isEmpty' | 'empty' | 'inCard' | 'children'> {
  /** What is being loaded, for screen readers. */
  what: string;
}

/** Stale data stays on screen when a refresh fails, below the error. */
export function AdminQueryView<Data>({ query, what, inCard, children, ...view }: AdminQueryViewProps<Data>) {
  const online = useOnline();
  const message = (error: unknown) => adminMessage(error, online);
  const rows = <SkeletonRows label={`Loading ${what}`} count={5} className="h-14" />;
  return (
    <QueryView
      {...view}
      query={query}
      inCard={inCard ?? false}
      skeleton={inCard ? <Card className="overflow-clip">{rows}</Card> : rows}
      message={message}
    >
      {(data) => (
        <>
          {query.error && (
            <Banner
              tone="danger"
              className={inCard ? 'mb-3' : 'm-3'}
              actions={
                <Button busy={query.isFetching} onClick={() => void query.refetch()}>
                  Retry
                </Button>
              }
            >
              {message(query.error)}
            </Banner>
          )}
          {children(data)}
        </>
      )}
    </QueryView>
  );
}
