import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';

/** Shown while a page's code is loading. */
export function PagePending() {
  return (
    <div role="status">
      <VisuallyHidden>Loading...</VisuallyHidden>
      <Skeleton className="mb-5 h-8 w-44" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

/** Shown until the signed-in user is known. */
export function Loading() {
  return <p className="p-6 text-base text-ink-2">Loading...</p>;
}
