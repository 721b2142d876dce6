import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { CategoriesSettings } from '../../../features/categories/categories-settings.tsx';
import { MenuOrder } from '../../../features/company/menu-order.tsx';
import { SettingsPage, type SettingsTab } from '../../../features/company/settings-page.tsx';
import { categoryJobsQuery } from '../../../features/dashboard/dashboard-categories.api.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useLazyModule, usePrefetch } from '../../../ui/use-lazy-module.ts';
import { inOrder, MENU, useMenu } from '../../menu.ts';
import { useNavigation } from '../../navigation-store.ts';
import { choiceParam, present } from '../../search-params.ts';

const TABS: readonly SettingsTab[] = ['general', 'categories', 'menu-order', 'profile'];

export const Route = createFileRoute('/_shell/settings')({
  staticData: { title: 'Settings', sessionExpired: 'Session expired. Please sign in again.' },
  validateSearch: (search) => present({ tab: choiceParam(search, 'tab', TABS) }),
  component: SettingsRoute,
});

function SettingsRoute() {
  const { tab } = Route.useSearch();
  const navigate = Route.useNavigate();
  usePrefetch(loadDetails);
  usePrefetch(loadLeave);
  return (
    <SettingsPage
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next }, replace: true })}
      categories={<Categories />}
      menuOrder={<OwnMenuOrder />}
      details={<Details />}
      leave={<Leave />}
    />
  );
}

function Categories() {
  const { data } = useQuery(categoryJobsQuery);
  const jobs = useMemo(() => data && new Map(data.rows.map((row) => [row.id, row.jobs])), [data]);
  return <CategoriesSettings jobs={jobs} />;
}

function OwnMenuOrder() {
  const order = useNavigation((store) => store.menuOrder);
  const seen = useMenu().filter((entry) => MENU.includes(entry));
  return <MenuOrder entries={seen} all={inOrder(order).map(({ id }) => id)} />;
}

const loadDetails = () => import('../../../features/staff/my-details.tsx');
const loadLeave = () => import('../../../features/staff/delete-staff-member.tsx');

/** Loaded with the first look at the profile, like the rest of that tab. */
function Details() {
  const file = useLazyModule(loadDetails, true);
  return file ? <file.MyDetails /> : <SkeletonRows label="Loading..." count={3} className="h-14" />;
}

function Leave() {
  const file = useLazyModule(loadLeave, true);
  return file && <file.LeaveCompany />;
}
