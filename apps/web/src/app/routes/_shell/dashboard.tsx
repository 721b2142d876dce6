import type { SortOrder } from '@callout/contract/fields';
import type { Period } from '@callout/domain/time/zoned-time';
import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '../../../features/dashboard/dashboard-page.tsx';
import type { RecentPeriod } from '../../../features/dashboard/recent-jobs.tsx';
import { choiceParam, present } from '../../search-params.ts';

const PERIODS: readonly Period[] = ['day', 'week', 'month', 'lifetime'];
const RECENT_PERIODS: readonly RecentPeriod[] = ['day', 'week', 'month'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: 'Dashboard' },
  validateSearch: (search) =>
    present({
      categories: choiceParam(search, 'categories', PERIODS),
      jobs: choiceParam(search, 'jobs', RECENT_PERIODS),
      order: choiceParam(search, 'order', ORDERS),
    }),
  component: DashboardRoute,
});

function DashboardRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const choose = (next: typeof search) => void navigate({ search: present({ ...next }), replace: true, resetScroll: false });
  return <DashboardPage search={search} onSearch={(next) => choose(present({ ...next }))} />;
}
