import { useQuery } from '@tanstack/react-query';
import { BriefcaseBusiness, CalendarClock, Plus, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { ListCount } from '../../lib/list-count.tsx';
import { isFiltered } from '../../lib/list-filter.ts';
import { ListToolbar, NoMatches } from '../../lib/list-toolbar.tsx';
import { useShownTimeZone } from '../../lib/time-zone.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { categoriesQuery } from '../categories/categories.api.ts';
import { useCan } from '../company/company.api.ts';
import { staffNamesQuery } from '../staff/staff.api.ts';
import { type JobFilter, type JobsSearch, jobCriteria, jobFilter } from './job-filter.ts';
import { jobsCountOptions } from './jobs.api.ts';
import { JobsTable } from './jobs-table.tsx';

interface JobsListPageProps {
  search: JobsSearch;
  onSearch: (search: JobsSearch) => void;
}

/** On a phone all of them stand in one row. */
const WORDS_ONLY = 'max-sm:[&_svg]:hidden';

const toChoice = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

export function JobsListPage({ search, onSearch }: JobsListPageProps) {
  const mayBill = useCan('payments.manage');
  const filter = jobFilter.read(search);
  const onFilter = (changed: JobFilter) => onSearch(jobFilter.write(changed));
  const all = useQuery(jobsCountOptions()).data?.total;
  const asked = jobCriteria(jobFilter.criteria(filter), useShownTimeZone());
  const found = useQuery(jobsCountOptions(asked)).data?.total;
  const [isOpened, setOpened] = useState(jobFilter.countChanged(filter) > 0);
  const staff = useQuery({ ...staffNamesQuery, enabled: isOpened }).data ?? [];
  const categories = useQuery({ ...categoriesQuery, enabled: isOpened }).data ?? [];
  return (
    <>
      <PageHeader
        title="Jobs"
        aside={<ListCount one="job" many="jobs" all={all} found={isFiltered(filter) ? found : undefined} />}
        actions={
          <>
            <LinkButton to="/time-sheet" className={WORDS_ONLY}>
              <CalendarClock aria-hidden="true" />
              Time sheet
            </LinkButton>
            {mayBill && (
              <LinkButton to="/invoices" className={WORDS_ONLY}>
                <ReceiptText aria-hidden="true" />
                Invoices
              </LinkButton>
            )}
            <LinkButton to="/jobs/new" tone="primary">
              <Plus aria-hidden="true" />
              New Job
            </LinkButton>
          </>
        }
      />
      <ListToolbar
        definition={jobFilter}
        filter={filter}
        onFilter={onFilter}
        onOpen={() => setOpened(true)}
        choices={{ staff_id: staff.map(toChoice), category_id: categories.map(toChoice) }}
      />
      <JobsTable
        filter={filter}
        sorting={{ ...filter, onSort: (sort) => onFilter(jobFilter.sortBy(filter, sort)) }}
        total={found}
        empty={<NoJobs filter={filter} onFilter={onFilter} />}
        headTop="top-[calc(var(--header-height)+3.25rem)]"
      />
    </>
  );
}

function NoJobs({ filter, onFilter }: { filter: JobFilter; onFilter: (filter: JobFilter) => void }) {
  const filtered = isFiltered(filter);
  const sentence = 'No jobs found';
  const add = (
    <LinkButton to="/jobs/new" tone={filtered ? 'secondary' : 'primary'}>
      <Plus aria-hidden="true" />
      Add New Job
    </LinkButton>
  );
  if (filtered) return <NoMatches definition={jobFilter} filter={filter} onFilter={onFilter} sentence={sentence} add={add} />;
  return <EmptyState icon={BriefcaseBusiness} sentence={sentence} hint="Add your first job to plan and bill the work." action={add} />;
}
