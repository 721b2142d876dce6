import { BriefcaseBusiness, Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { loadingRows } from '../customers/loading-rows.ts';
import { jobFilter } from './job-filter.ts';

const NEWEST = jobFilter.read({});

/** What a customer's page shows of their jobs. The table is loaded when the tab is first opened. */
export function CustomerJobs({ customerId }: { customerId: string }) {
  const file = useLazyModule(() => import('./jobs-table.tsx'), true);
  if (!file) return <SkeletonRows {...loadingRows(customerId)} />;
  return (
    <file.JobsTable
      filter={NEWEST}
      customerId={customerId}
      empty={
        <EmptyState
          icon={BriefcaseBusiness}
          sentence="No jobs found"
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
