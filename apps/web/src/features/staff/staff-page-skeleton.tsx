import { Skeleton } from '../../ui/skeleton.tsx';

const FIELDS = ['name', 'email', 'phone', 'rate'];

export function StaffPageSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading staff member</span>
      <div className="mb-4 flex items-center justify-between gap-4 lg:mb-5">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-11 w-24 lg:h-9" />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-5">
        <Skeleton className="h-28 rounded-card lg:h-52" />
        <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card sm:grid-cols-2 md:p-5 lg:gap-5">
          {FIELDS.map((field) => (
            <div key={field}>
              <Skeleton className="mt-0.5 mb-2 h-4 w-20" />
              <Skeleton className="h-11 lg:h-9" />
            </div>
          ))}
          <Skeleton className="h-48 sm:col-span-2" />
        </div>
      </div>
    </div>
  );
}
