import type { SortOrder } from '@callout/contract/fields';
import type { JobGroup, JobSort } from '@callout/contract/jobs';
import { JOB_STATUSES } from '@callout/domain/jobs/job';
import type { Period } from '@callout/domain/time/zoned-time';
import { createFileRoute } from '@tanstack/react-router';
import { JobsListPage } from '../../../features/jobs/jobs-list-page.tsx';
import { choiceParam, idParam, present, textParam } from '../../search-params.ts';

const SORTS: readonly JobSort[] = ['created_at', 'title', 'customer', 'staff', 'category', 'status'];
const GROUPS: readonly JobGroup[] = ['active', 'not-canceled', 'uninvoiced'];
const CREATED: readonly Exclude<Period, 'lifetime'>[] = ['day', 'week', 'month'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/jobs/')({
  staticData: { title: 'Jobs', keepsScroll: true },
  validateSearch: (search) =>
    present({
      search: textParam(search, 'search'),
      status: choiceParam(search, 'status', JOB_STATUSES),
      group: choiceParam(search, 'group', GROUPS),
      created: choiceParam(search, 'created', CREATED),
      staff_id: idParam(search, 'staff_id'),
      category_id: idParam(search, 'category_id'),
      sort: choiceParam(search, 'sort', SORTS),
      order: choiceParam(search, 'order', ORDERS),
    }),
  component: JobsRoute,
});

function JobsRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <JobsListPage search={search} onSearch={(next) => void navigate({ search: present({ ...next }), replace: true })} />;
}
