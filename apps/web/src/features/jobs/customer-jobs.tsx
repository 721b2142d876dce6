import { BriefcaseBusiness, Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { getSkeletonRowsProps } from '../customers/skeleton-rows.ts';
import { jobListFilter } from './job-list-filter.ts';

const DEFAULT_FILTER = jobListFilter.fromParams({});

/** The Jobs tab on a customer's page. The table's code loads when the tab first opens. */
export function CustomerJobs({ customerId }: { customerId: string }) {
  const module = useLazyModule(() => import('./jobs-table.tsx'), true);
  if (!module) return <SkeletonRows {...getSkeletonRowsProps(customerId)} />;
  return (
    <module.JobsTable
      filter={DEFAULT_FILTER}
      customerId={customerId}
      empty={
        <EmptyState
          icon={BriefcaseBusiness}
          message="No jobs found"
          action={
            <LinkButton to="/jobs/new" search={{ customer: customerId }}>
              <Plus aria-hidden="true" />
              New Job
            </LinkButton>
          }
        />
      }
    />
  );
}
