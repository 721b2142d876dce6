import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { CategoriesSettings } from '../../../features/categories/categories-settings.tsx';
import { MenuOrderSettings } from '../../../features/company/menu-order-settings.tsx';
import { SettingsPage, type SettingsTab } from '../../../features/company/settings-page.tsx';
import { categoryJobCountsQueryOptions } from '../../../features/dashboard/dashboard-categories.api.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useLazyModule, usePrefetch } from '../../../ui/use-lazy-module.ts';
import { MENU_ENTRIES, sortMenu, useMenu } from '../../menu.ts';
import { useNavigationStore } from '../../navigation-store.ts';
import { parseChoiceParam, toOptionalParams } from '../../search-params.ts';

const TABS: readonly SettingsTab[] = ['general', 'categories', 'menu-order', 'profile'];

export const Route = createFileRoute('/_shell/settings')({
  staticData: { title: 'Settings', sessionExpiredMessage: 'Session expired. Please sign in again.' },
  validateSearch: (search) => toOptionalParams({ tab: parseChoiceParam(search, 'tab', TABS) }),
  component: SettingsRoute,
});

function SettingsRoute() {
  const { tab } = Route.useSearch();
  const navigate = Route.useNavigate();
  usePrefetch(loadMyDetails);
  usePrefetch(loadLeaveCompany);
  return (
    <SettingsPage
      tab={tab}
      onTabChange={(next) => void navigate({ search: { tab: next }, replace: true })}
      categories={<CategoriesPanel />}
      menuOrder={<MyMenuOrder />}
      personalDetails={<MyDetailsPanel />}
      leaveCompany={<LeaveCompanyPanel />}
    />
  );
}

function CategoriesPanel() {
  const { data } = useQuery(categoryJobCountsQueryOptions);
  const jobCounts = useMemo(() => data && new Map(data.rows.map((row) => [row.id, row.jobs])), [data]);
  return <CategoriesSettings jobCounts={jobCounts} />;
}

function MyMenuOrder() {
  const order = useNavigationStore((store) => store.menuOrder);
  const visibleEntries = useMenu().filter((entry) => MENU_ENTRIES.includes(entry));
  return <MenuOrderSettings visibleItems={visibleEntries} allIds={sortMenu(order).map(({ id }) => id)} />;
}

const loadMyDetails = () => import('../../../features/staff/my-details.tsx');
const loadLeaveCompany = () => import('../../../features/staff/delete-staff-member.tsx');

function MyDetailsPanel() {
  const module = useLazyModule(loadMyDetails, true);
  return module ? <module.MyDetails /> : <SkeletonRows label="Loading..." count={3} className="h-14" />;
}

function LeaveCompanyPanel() {
  const module = useLazyModule(loadLeaveCompany, true);
  return module && <module.LeaveCompanySection />;
}
