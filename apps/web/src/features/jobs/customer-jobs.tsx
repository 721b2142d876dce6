import { BriefcaseBusiness, Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { jobFilter } from './job-filter.ts';
import { JobsTable } from './jobs-table.tsx';

const NEWEST = jobFilter.read({});

/** What a customer's page shows of their jobs. */
export function CustomerJobs({ customerId }: { customerId: string }) {
  return (
    <JobsTable
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
