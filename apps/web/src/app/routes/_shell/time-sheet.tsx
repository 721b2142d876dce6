import { addWeeks, getCurrentWeek, getWeekStart } from '@callout/domain/timer/time-sheet';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useCompanyTimeZone } from '../../../features/company/company.api.ts';
import { type TimeSheetFilter, TimeSheetPage } from '../../../features/timer/time-sheet-page.tsx';
import { usePageShortcuts } from '../../../ui/page-shortcuts.ts';
import { parseDateParam, parseIdParam, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/time-sheet')({
  staticData: { title: 'Time sheet', needs: 'jobs.work' },
  validateSearch: (search) => toOptionalParams({ week: parseDateParam(search, 'week'), staff: parseIdParam(search, 'staff') }),
  component: TimeSheetRoute,
});

function TimeSheetRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const zone = useCompanyTimeZone();
  const [openedAt] = useState(() => new Date().toISOString());
  const thisWeek = getCurrentWeek(openedAt, zone);
  const choice: TimeSheetFilter = { week: search.week ? getWeekStart(search.week) : thisWeek, staff: search.staff };
  const choose = ({ week, staff }: TimeSheetFilter) =>
    void navigate({ search: toOptionalParams({ week: week === thisWeek ? undefined : week, staff }), replace: true });
  usePageShortcuts({
    arrowleft: () => choose({ ...choice, week: addWeeks(choice.week, -1) }),
    arrowright: () => choose({ ...choice, week: addWeeks(choice.week, 1) }),
    w: () => choose({ ...choice, week: thisWeek }),
  });
  return <TimeSheetPage filter={choice} thisWeek={thisWeek} onFilterChange={choose} />;
}
