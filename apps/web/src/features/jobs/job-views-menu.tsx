import type { JobView, JobViewFilter } from '@callout/contract/job-views';
import { BUILT_IN_VIEWS } from '@callout/domain/jobs/job-view';
import { useQuery } from '@tanstack/react-query';
import { Bookmark, BookmarkPlus, Check, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useMe } from '../company/company.api.ts';
import { isSameJobFilter, type JobFilter, jobListFilter } from './job-list-filter.ts';
import { jobViewsQueryOptions } from './jobs-views.api.ts';

interface JobViewsMenuProps {
  filter: JobFilter;
  onFilter: (filter: JobFilter) => void;
}

/** Opens a saved view by setting its filters, and saves the current ones. The URL contains the filters, not the view. */
export function JobViewsMenu({ filter, onFilter }: JobViewsMenuProps) {
  const saved = useQuery(jobViewsQueryOptions).data ?? [];
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const closeDialog = () => setDialog(null);
  const dialogs = useLazyModule(() => import('./job-view-dialogs.tsx'), dialog !== null, closeDialog);
  const views = [...buildBuiltInViews(useMe().user.staff_id), ...saved];
  const current = toViewFilter(filter);
  const active = views.find((view) => isSameJobFilter(view.filter, current));
  const items: MenuItem[] = [
    ...views.map((view) => ({
      id: view.id,
      label: view.name,
      icon: view === active ? Check : Bookmark,
      onSelect: () => onFilter(jobListFilter.fromParams(view.filter)),
    })),
    {
      id: 'save',
      label: 'Save current filters…',
      icon: BookmarkPlus,
      onSelect: () => setDialog('save'),
      disabledReason: active && getSavedReason(active),
    },
    ...(saved.length > 0 ? [{ id: 'manage', label: 'Manage views…', icon: ListChecks, onSelect: () => setDialog('manage') }] : []),
  ];
  const shownName = active && active.id !== 'all' ? active.name : undefined;
  return (
    <>
      <Menu
        label={shownName === undefined ? 'Views' : `Views: ${shownName}`}
        items={items}
        trigger={
          <Button tone={shownName === undefined ? 'secondary' : 'tinted'} className="max-sm:px-3">
            <Bookmark aria-hidden="true" />
            <span className="max-w-48 truncate max-sm:hidden">{shownName ?? 'Views'}</span>
          </Button>
        }
      />
      {dialogs && (
        <>
          <dialogs.SaveViewDialog open={dialog === 'save'} onClose={closeDialog} filter={current} />
          <dialogs.ManageViewsDialog open={dialog === 'manage'} onClose={closeDialog} views={saved} filter={current} />
        </>
      )}
    </>
  );
}

type ListedView = Pick<JobView, 'id' | 'name' | 'filter'>;

/** A system administrator without a company has no `staffId`. */
const buildBuiltInViews = (staffId: string | null): ListedView[] => [
  { id: 'all', name: BUILT_IN_VIEWS.all, filter: {} },
  ...(staffId === null ? [] : [{ id: 'today', name: BUILT_IN_VIEWS.today, filter: buildTodayFilter(staffId) }]),
];

const buildTodayFilter = (staff_id: string): JobViewFilter => ({
  staff_id,
  group: 'not-canceled',
  booked: 'today',
  sort: 'booking_date',
  order: 'asc',
});

const getSavedReason = ({ id, name }: ListedView) =>
  id === 'all' ? 'Search, filter or sort the list first.' : `Already saved as “${name}”.`;

/** The route has validated the filter's values. */
const toViewFilter = (filter: JobFilter) => jobListFilter.toParams(filter) as JobViewFilter;
