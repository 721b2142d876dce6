import { Skeleton } from '../../ui/skeleton.tsx';

/** Stands in while a page's code is on its way. */
export function PagePending() {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      <Skeleton className="mb-5 h-8 w-44" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}
