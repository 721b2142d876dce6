import type { SortOrder } from '@callout/contract/fields';
import type { JobGroup, JobSort } from '@callout/contract/jobs';
import { BOOKING_FILTERS } from '@callout/domain/jobs/booking-filter';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { createFileRoute } from '@tanstack/react-router';
import { JobsListPage } from '../../../features/jobs/jobs-list-page.tsx';
import { parseChoiceParam, parseDateParam, parseIdParam, parseSearchTerm, toOptionalParams } from '../../search-params.ts';

const GROUPS: readonly JobGroup[] = ['active', 'not-canceled', 'uninvoiced'];
const PERIODS = ['day', 'week', 'month'] as const;
const SORTS: readonly JobSort[] = ['created_at', 'booking_date', 'title', 'customer', 'staff', 'category', 'status'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

const parseJobsSearch = (search: Record<string, unknown>) =>
  toOptionalParams({
    search: parseSearchTerm(search),
    status: parseChoiceParam(search, 'status', JOB_STATUSES),
    staff_id: parseIdParam(search, 'staff_id'),
    category_id: parseIdParam(search, 'category_id'),
    group: parseChoiceParam(search, 'group', GROUPS),
    created: parseChoiceParam(search, 'created', PERIODS),
    booked: parseChoiceParam(search, 'booked', BOOKING_FILTERS),
    from: parseDateParam(search, 'from'),
    to: parseDateParam(search, 'to'),
    sort: parseChoiceParam(search, 'sort', SORTS),
    order: parseChoiceParam(search, 'order', ORDERS),
  });

export const Route = createFileRoute('/_shell/jobs/')({
  staticData: { title: 'Jobs', restoresScroll: true },
  validateSearch: parseJobsSearch,
  component: JobsRoute,
});

function JobsRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <JobsListPage search={search} onSearch={(next) => void navigate({ search: parseJobsSearch(next), replace: true })} />;
}
