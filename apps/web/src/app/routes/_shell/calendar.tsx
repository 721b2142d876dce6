import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { createFileRoute } from '@tanstack/react-router';
import { CalendarPage } from '../../../features/calendar/calendar-page.tsx';
import type { CalendarView } from '../../../features/calendar/calendar-view.ts';
import { choiceParam, dateParam, idParam, present } from '../../search-params.ts';

/** Written out: their own files would come with every page. */
const VIEWS: readonly CalendarView[] = ['day', 'week', 'month'];
const STATUSES: readonly CalendarStatus[] = ['pending', 'booked', 'complete'];

export const Route = createFileRoute('/_shell/calendar')({
  staticData: { title: 'Calendar' },
  validateSearch: (search) =>
    present({
      view: choiceParam(search, 'view', VIEWS),
      date: dateParam(search, 'date'),
      status: choiceParam(search, 'status', STATUSES),
      staff: idParam(search, 'staff'),
    }),
  component: CalendarRoute,
});

function CalendarRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <CalendarPage search={search} onSearch={(next, replace) => void navigate({ search: present({ ...next }), replace })} />;
}
