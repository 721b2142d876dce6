import type { SortOrder } from '@callout/contract/fields';
import type { JobGroup, JobSort } from '@callout/contract/jobs';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { createFileRoute } from '@tanstack/react-router';
import { JobsListPage } from '../../../features/jobs/jobs-list-page.tsx';
import { choiceParam, idParam, present, searchParam } from '../../search-params.ts';

const GROUPS: readonly JobGroup[] = ['active', 'not-canceled', 'uninvoiced'];
const PERIODS = ['day', 'week', 'month'] as const;
const SORTS: readonly JobSort[] = ['created_at', 'title', 'customer', 'staff', 'category', 'status'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

const readSearch = (search: Record<string, unknown>) =>
  present({
    search: searchParam(search),
    status: choiceParam(search, 'status', JOB_STATUSES),
    staff_id: idParam(search, 'staff_id'),
    category_id: idParam(search, 'category_id'),
    group: choiceParam(search, 'group', GROUPS),
    created: choiceParam(search, 'created', PERIODS),
    sort: choiceParam(search, 'sort', SORTS),
    order: choiceParam(search, 'order', ORDERS),
  });

export const Route = createFileRoute('/_shell/jobs/')({
  staticData: { title: 'Jobs', keepsScroll: true },
  validateSearch: readSearch,
  component: JobsRoute,
});

function JobsRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <JobsListPage search={search} onSearch={(next) => void navigate({ search: readSearch(next), replace: true })} />;
}
