import { classNames } from './class-names.ts';

/** Placeholder with the final size of the content, so that nothing jumps when the content loads. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames('block animate-pulse rounded bg-sunken dark:bg-raised', className)} />;
}

const createRowKeys = (count: number) => Array.from({ length: count }, (_, index) => `row-${index}`);

/** Placeholder for a list. `className` sets the row height, and screen readers announce `label`. */
export function SkeletonRows({ label, count, className }: { label: string; count: number; className: string }) {
  return (
    <div role="status" className="divide-y">
      <span className="sr-only">{label}</span>
      {createRowKeys(count).map((row) => (
        <div key={row} className={classNames('flex items-center px-4 lg:px-5', className)}>
          <Skeleton className="h-4 w-2/5 lg:w-1/4" />
        </div>
      ))}
    </div>
  );
}

/** Loading placeholder for a record page: a title and a card with `fields` rows. */
export function RecordSkeleton({ label, fields }: { label: string; fields: number }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:mb-5">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-11 w-40 lg:h-9" />
      </div>
      <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card sm:grid-cols-2 lg:gap-5 lg:p-5">
        {createRowKeys(fields).map((field) => (
          <div key={field}>
            <Skeleton className="mt-0.5 mb-2 h-4 w-20" />
            <Skeleton className="h-11 lg:h-9" />
          </div>
        ))}
      </div>
    </div>
  );
}
