import { classes } from './classes.ts';

/** Stands where content will be, in its final size, so that nothing jumps when it arrives. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-pulse rounded bg-sunken dark:bg-raised', className)} />;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `row-${index}`);

/** A list on its way. `className` is the height of a row; `label` is read aloud. */
export function SkeletonRows({ label, count, className }: { label: string; count: number; className: string }) {
  return (
    <div role="status" className="divide-y">
      <span className="sr-only">{label}</span>
      {names(count).map((row) => (
        <div key={row} className={classes('flex items-center px-4 lg:px-5', className)}>
          <Skeleton className="h-4 w-2/5 lg:w-1/4" />
        </div>
      ))}
    </div>
  );
}

/** A record on its way: its title, then its fields in a card. */
export function SkeletonRecord({ label, fields }: { label: string; fields: number }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:mb-5">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-11 w-40 lg:h-9" />
      </div>
      <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card sm:grid-cols-2 lg:gap-5 lg:p-5">
        {names(fields).map((field) => (
          <div key={field}>
            <Skeleton className="mt-0.5 mb-2 h-4 w-20" />
            <Skeleton className="h-11 lg:h-9" />
          </div>
        ))}
      </div>
    </div>
  );
}
