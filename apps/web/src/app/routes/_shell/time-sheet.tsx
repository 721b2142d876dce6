import { addWeeks, currentWeek, weekOf } from '@callout/domain/timer/time-sheet';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useCompanyTimeZone } from '../../../features/company/company.api.ts';
import { type SheetChoice, TimeSheetPage } from '../../../features/timer/time-sheet-page.tsx';
import { usePageKeys } from '../../../ui/page-keys.ts';
import { dateParam, idParam, present } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/time-sheet')({
  staticData: { title: 'Time sheet', needs: 'jobs.work' },
  validateSearch: (search) => present({ week: dateParam(search, 'week'), staff: idParam(search, 'staff') }),
  component: TimeSheetRoute,
});

function TimeSheetRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const zone = useCompanyTimeZone();
  const [openedAt] = useState(() => new Date().toISOString());
  const thisWeek = currentWeek(openedAt, zone);
  const choice: SheetChoice = { week: search.week ? weekOf(search.week) : thisWeek, staff: search.staff };
  const choose = ({ week, staff }: SheetChoice) =>
    void navigate({ search: present({ week: week === thisWeek ? undefined : week, staff }), replace: true });
  usePageKeys({
    arrowleft: () => choose({ ...choice, week: addWeeks(choice.week, -1) }),
    arrowright: () => choose({ ...choice, week: addWeeks(choice.week, 1) }),
    w: () => choose({ ...choice, week: thisWeek }),
  });
  return <TimeSheetPage choice={choice} thisWeek={thisWeek} onChoice={choose} />;
}
