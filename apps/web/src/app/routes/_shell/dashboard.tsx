import type { SortOrder } from '@callout/contract/fields';
import type { RollingPeriod } from '@callout/domain/time/zoned-time';
import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '../../../features/dashboard/dashboard-page.tsx';
import type { RecentJobsPeriod } from '../../../features/dashboard/recent-jobs.tsx';
import { parseChoiceParam, toOptionalParams } from '../../search-params.ts';

const PERIODS: readonly RollingPeriod[] = ['day', 'week', 'month', 'lifetime'];
const RECENT_PERIODS: readonly RecentJobsPeriod[] = ['day', 'week', 'month'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/dashboard')({
  staticData: { title: 'Dashboard' },
  validateSearch: (search) =>
    toOptionalParams({
      categories: parseChoiceParam(search, 'categories', PERIODS),
      jobs: parseChoiceParam(search, 'jobs', RECENT_PERIODS),
      order: parseChoiceParam(search, 'order', ORDERS),
    }),
  component: DashboardRoute,
});

function DashboardRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const choose = (next: typeof search) => void navigate({ search: toOptionalParams({ ...next }), replace: true, resetScroll: false });
  return <DashboardPage search={search} onSearchChange={(next) => choose(toOptionalParams({ ...next }))} />;
}
