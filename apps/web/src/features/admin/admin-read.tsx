import type { ComponentProps, ReactNode } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useOnline } from '../../ui/use-browser-state.ts';
import { adminMessage } from './admin-message.ts';

interface AdminReadProps<Data> {
  query: ComponentProps<typeof QueryView<Data>>['query'];
  /** What is read, for people who listen. */
  what: string;
  children: (data: Data) => ReactNode;
}

/** What was read, or why it could not be; old data stays on screen under the reason. */
export function AdminRead<Data>({ query, what, children }: AdminReadProps<Data>) {
  const online = useOnline();
  const message = (error: unknown) => adminMessage(error, online);
  return (
    <QueryView query={query} skeleton={<SkeletonRows label={`Loading ${what}`} count={5} className="h-14" />} message={message}>
      {(data) => (
        <>
          {query.error && (
            <Banner
              tone="danger"
              className="m-3"
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

interface LoadMoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

export function LoadMore({ list }: LoadMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <div className="border-t p-3 text-center">
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage ? 'Loading…' : 'Load more'}
      </Button>
    </div>
  );
}
