import type { ComponentProps } from 'react';
import { CallError, getReadErrorMessage, isNetworkFailure } from '../../lib/error-messages.ts';
import { OfflineSearchNote, QueryView } from '../../lib/query-view.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useOnlineStatus } from '../../ui/use-browser-state.ts';

export const OFFLINE_MESSAGE = 'No internet connection available. Please check your connection and try again.';
export const SERVER_DOWN_MESSAGE = 'Unable to connect to the server. Please try again later.';

/** Formats a load error, with the specification's messages for being offline and for an unreachable server. */
export function formatAdminError(error: unknown, isOnline: boolean): string {
  if (!isOnline) return OFFLINE_MESSAGE;
  const isProxyError = error instanceof CallError && error.code === 'UNREADABLE_RESPONSE' && error.status >= 500;
  return isNetworkFailure(error) || isProxyError ? SERVER_DOWN_MESSAGE : getReadErrorMessage(error);
}

type ViewProps<Data> = ComponentProps<typeof QueryView<Data>>;

interface AdminQueryViewProps<Data> extends Pick<ViewProps<Data>, 'query' | 'isEmpty' | 'empty' | 'isInCard' | 'children'> {
  /** Plural noun for the data, announced to screen readers as "Loading …". */
  resourceLabel: string;
}

/** Shows the query's data. If a refresh fails, the error appears above the old data. */
export function AdminQueryView<Data>({ query, resourceLabel, isInCard, children, ...view }: AdminQueryViewProps<Data>) {
  const isOnline = useOnlineStatus();
  const formatError = (error: unknown) => formatAdminError(error, isOnline);
  const rows = <SkeletonRows label={`Loading ${resourceLabel}`} count={5} className="h-14" />;
  return (
    <QueryView
      {...view}
      query={query}
      isInCard={isInCard ?? false}
      skeleton={isInCard ? <Card className="overflow-clip">{rows}</Card> : rows}
      formatError={formatError}
    >
      {(data) => (
        <>
          {query.error && (
            <Banner
              tone="danger"
              className={isInCard ? 'mb-3' : 'm-3'}
              actions={
                <Button busy={query.isFetching} onClick={() => void query.refetch()}>
                  Retry
                </Button>
              }
            >
              {formatError(query.error)}
            </Banner>
          )}
          <OfflineSearchNote query={query} />
          {children(data)}
        </>
      )}
    </QueryView>
  );
}
