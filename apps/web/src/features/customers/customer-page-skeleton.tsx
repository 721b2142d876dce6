import { Skeleton } from '../../ui/skeleton.tsx';

const FIELDS = ['type', 'status', 'name', 'phone', 'email', 'address'];

/** The head and the first fields in their final places. */
export function CustomerPageSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading customer</span>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3 lg:mb-5">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-11 w-48 lg:h-9" />
      </div>
      <Skeleton className="mb-4 h-11 w-full sm:w-80 lg:h-9" />
      <Skeleton className="mb-5 h-11 max-md:hidden" />
      <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card sm:grid-cols-2 lg:gap-5 lg:p-5">
        {FIELDS.map((field) => (
          <div key={field}>
            <Skeleton className="mb-2 h-4 w-20" />
            <Skeleton className="h-11 lg:h-9" />
          </div>
        ))}
      </div>
    </div>
  );
}
