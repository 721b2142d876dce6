import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { createFileRoute } from '@tanstack/react-router';
import { CalendarPage } from '../../../features/calendar/calendar-page.tsx';
import type { CalendarView } from '../../../features/calendar/calendar-view.ts';
import { parseChoiceParam, parseDateParam, parseIdParam, toOptionalParams } from '../../search-params.ts';

/** Copies of the calendar's constants. Importing the originals would add their modules to the entry chunk. */
const VIEWS: readonly CalendarView[] = ['day', 'week', 'month'];
const STATUSES: readonly CalendarStatus[] = ['pending', 'booked', 'complete'];

export const Route = createFileRoute('/_shell/calendar')({
  staticData: { title: 'Calendar' },
  validateSearch: (search) =>
    toOptionalParams({
      view: parseChoiceParam(search, 'view', VIEWS),
      date: parseDateParam(search, 'date'),
      status: parseChoiceParam(search, 'status', STATUSES),
      staff: parseIdParam(search, 'staff'),
    }),
  component: CalendarRoute,
});

function CalendarRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <CalendarPage search={search} onSearchChange={(next, replace) => void navigate({ search: toOptionalParams({ ...next }), replace })} />
  );
}
