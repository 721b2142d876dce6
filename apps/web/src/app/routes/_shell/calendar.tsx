import { CALENDAR_STATUSES } from '@callout/domain/calendar/calendar-event';
import { createFileRoute } from '@tanstack/react-router';
import { CalendarPage } from '../../../features/calendar/calendar-page.tsx';
import { CALENDAR_VIEWS } from '../../../features/calendar/calendar-view.ts';
import { choiceParam, dateParam, idParam, present } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/calendar')({
  staticData: { title: 'Calendar' },
  validateSearch: (search) =>
    present({
      view: choiceParam(search, 'view', CALENDAR_VIEWS),
      date: dateParam(search, 'date'),
      status: choiceParam(search, 'status', CALENDAR_STATUSES),
      staff: idParam(search, 'staff'),
    }),
  component: CalendarRoute,
});

function CalendarRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <CalendarPage search={search} onSearch={(next) => void navigate({ search: present({ ...next }), replace: true })} />;
}
