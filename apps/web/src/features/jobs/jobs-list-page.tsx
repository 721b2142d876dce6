import { useQuery } from '@tanstack/react-query';
import { BriefcaseBusiness, CalendarClock, Plus, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { getExactCount, getMatchingCount, ListCount } from '../../lib/list-count.tsx';
import { isFiltered } from '../../lib/list-filter.ts';
import { ListToolbar, NoMatches } from '../../lib/list-toolbar.tsx';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { useToday } from '../../lib/use-today.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { buildChoices } from '../../ui/select-field.tsx';
import { categoriesQueryOptions, DELETED_CATEGORY_LABEL } from '../categories/categories.api.ts';
import { useCan } from '../company/company.api.ts';
import { FORMER_STAFF_LABEL, staffNamesQueryOptions } from '../staff/staff.api.ts';
import { BOOKING_CHOICES, type JobFilter, type JobSearchParams, jobListFilter, toJobCriteria } from './job-list-filter.ts';
import { JobViewsMenu } from './job-views-menu.tsx';
import { jobCountQueryOptions } from './jobs.api.ts';
import { JobsTable } from './jobs-table.tsx';

interface JobsListPageProps {
  search: JobSearchParams;
  onSearch: (search: JobSearchParams) => void;
}

/** Hides the icons on phones, so that the three buttons fit in one row. */
const HIDE_ICON_ON_PHONE = 'max-sm:[&_svg]:hidden';

export function JobsListPage({ search, onSearch }: JobsListPageProps) {
  const canManagePayments = useCan('payments.manage');
  const filter = jobListFilter.fromParams(search);
  const onFilter = (changed: JobFilter) => onSearch(jobListFilter.toParams(changed));
  const total = useQuery(jobCountQueryOptions()).data?.total;
  const zone = useDisplayTimeZone();
  const criteria = toJobCriteria(jobListFilter.withoutSort(filter), useToday(zone), zone);
  const matching = getMatchingCount(useQuery(jobCountQueryOptions(criteria)));
  const [hasOpenedFilters, setOpenedFilters] = useState(jobListFilter.isPanelOpenAtStart(filter));
  const staff = useQuery({ ...staffNamesQueryOptions, enabled: hasOpenedFilters }).data;
  const categories = useQuery({ ...categoriesQueryOptions, enabled: hasOpenedFilters }).data;
  return (
    <>
      <PageHeader
        title="Jobs"
        note={<TimeZoneNote />}
        aside={<ListCount singular="job" plural="jobs" total={total} matching={isFiltered(filter) ? matching : undefined} />}
        actions={
          <>
            <LinkButton to="/time-sheet" className={HIDE_ICON_ON_PHONE}>
              <CalendarClock aria-hidden="true" />
              Time sheet
            </LinkButton>
            {canManagePayments && (
              <LinkButton to="/invoices" className={HIDE_ICON_ON_PHONE}>
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
        definition={jobListFilter}
        filter={filter}
        onFilter={onFilter}
        onOpen={() => setOpenedFilters(true)}
        choices={{
          staff_id: buildChoices(staff, filter.staff_id, FORMER_STAFF_LABEL),
          category_id: buildChoices(categories, filter.category_id, DELETED_CATEGORY_LABEL),
          booked: BOOKING_CHOICES,
        }}
        actions={<JobViewsMenu filter={filter} onFilter={onFilter} />}
      />
      <JobsTable
        filter={filter}
        sorting={{ ...filter, onSort: (sort) => onFilter(jobListFilter.withSort(filter, sort)) }}
        total={getExactCount(matching)}
        empty={<NoJobs filter={filter} onFilter={onFilter} />}
        stickyTopClass="top-[calc(var(--header-height)+3.25rem)]"
      />
    </>
  );
}

function NoJobs({ filter, onFilter }: { filter: JobFilter; onFilter: (filter: JobFilter) => void }) {
  const filtered = isFiltered(filter);
  const message = 'No jobs found';
  const add = (
    <LinkButton to="/jobs/new" tone={filtered ? 'secondary' : 'primary'}>
      <Plus aria-hidden="true" />
      Add New Job
    </LinkButton>
  );
  if (filtered) return <NoMatches definition={jobListFilter} filter={filter} onFilter={onFilter} sentence={message} addAction={add} />;
  return <EmptyState icon={BriefcaseBusiness} message={message} hint="Add your first job to plan and bill the work." action={add} />;
}
