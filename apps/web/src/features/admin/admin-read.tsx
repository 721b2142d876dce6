import type { ReactNode } from 'react';
import { useOnline } from '../../lib/use-online.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { adminMessage } from './admin-message.ts';

interface AdminReadProps<Data> {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> };
  /** What is read, for people who listen. */
  what: string;
  children: (data: Data) => ReactNode;
}

/** What was read, or why it could not be; old data stays on screen under the reason. */
export function AdminRead<Data>({ query: { data, error, isFetching, refetch }, what, children }: AdminReadProps<Data>) {
  const online = useOnline();
  if (data === undefined && !error) return <ReadSkeleton what={what} />;
  const retry = () => void refetch();
  if (data === undefined) return <ErrorState message={adminMessage(error, online)} onRetry={retry} retrying={isFetching} />;
  return (
    <>
      {error && (
        <Banner
          tone="danger"
          className="m-3"
          actions={
            <Button busy={isFetching} onClick={retry}>
              Retry
            </Button>
          }
        >
          {adminMessage(error, online)}
        </Banner>
      )}
      {children(data)}
    </>
  );
}

const PLACEHOLDERS = ['one', 'two', 'three', 'four', 'five'];

function ReadSkeleton({ what }: { what: string }) {
  return (
    <div role="status" className="divide-y">
      <span className="sr-only">Loading {what}</span>
      {PLACEHOLDERS.map((row) => (
        <div key={row} className="flex h-14 items-center gap-4 px-4 lg:px-5">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="ml-auto h-4 w-24" />
        </div>
      ))}
    </div>
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
