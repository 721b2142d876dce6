import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { useShownTimeZone } from '../../lib/time-zone.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useToday } from '../../lib/use-today.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { usePageKeys } from '../../ui/page-keys.ts';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan } from '../company/company.api.ts';
import { staffNamesQuery } from '../staff/staff.api.ts';
import { calendarEventsOptions, type EventsAnswer } from './calendar.api.ts';
import { type CalendarEvent, calendarEvents, clashesOf, type EventStaff, hoursOf, type Schedulable } from './calendar-event.ts';
import { dayColumns, laneColumns, snapMinutes, wallMinutes } from './calendar-layout.ts';
import { reportScheduleFailure, type ScheduleChange, useSchedule } from './calendar-schedule.api.ts';
import { CalendarToolbar, newJobSearch } from './calendar-toolbar.tsx';
import { type CalendarChoice, type CalendarSearch, shownDate, stepDate, visibleDays, visibleRange } from './calendar-view.ts';
import { createEventDrag, type Dragged, type DropPlace, type EventDrag } from './event-drag.ts';
import { type Slot, slotTime } from './free-slot.tsx';
import { MonthView } from './month-view.tsx';
import { MoveDialog, type SuggestedBooking } from './move-dialog.tsx';
import { useOwnEvents, WhoseSwitch } from './own-events.tsx';
import { TimeGrid } from './time-grid.tsx';
import { UnscheduledTray } from './unscheduled-tray.tsx';
import { useNewClashes } from './use-new-clashes.ts';
import { ZoneControl } from './zone-control.tsx';

interface CalendarPageProps {
  search: CalendarSearch;
  /** Without `replace` it is a step that Back takes back. */
  onSearch: (search: CalendarSearch, replace: boolean) => void;
}

export function CalendarPage({ search, onSearch }: CalendarPageProps) {
  useDocumentTitle('Calendar');
  const zone = useShownTimeZone();
  const isWide = useMediaQuery(TABLET_UP);
  const canMove = useCan('jobs.work');
  const today = useToday(zone);
  const people = useQuery(staffNamesQuery).data;
  const own = useOwnEvents(isWide, people?.length);
  const defaultView = isWide ? 'week' : 'day';
  const choice: CalendarChoice = {
    view: search.view ?? defaultView,
    date: shownDate(search.date ?? today),
    status: search.status,
    staff: search.staff ?? own.shown,
  };
  const choose = ({ view, date, status, staff }: CalendarChoice) => {
    if (staff !== choice.staff) own.keep(staff);
    const next = {
      ...(view !== defaultView && { view }),
      ...(date !== today && { date }),
      ...(status && { status }),
      ...(staff && staff !== own.id && { staff }),
    };
    onSearch(next, view === choice.view);
  };
  const step = (steps: number) => choose({ ...choice, date: stepDate(choice.view, choice.date, steps) });
  const [back, on] = [() => step(-1), () => step(1)];
  usePageKeys({
    arrowleft: back,
    k: back,
    arrowright: on,
    j: on,
    t: () => choose({ ...choice, date: today }),
    d: () => choose({ ...choice, view: 'day' }),
    w: () => choose({ ...choice, view: 'week' }),
    m: () => choose({ ...choice, view: 'month' }),
  });
  const days = useMemo(() => visibleDays(choice.view, choice.date), [choice.view, choice.date]);
  const options = calendarEventsOptions({ ...visibleRange(days, zone), status: choice.status, staff_id: choice.staff });
  const query = useQuery(options);
  const schedule = useSchedule(zone);
  const { drag, root } = useEventDrag(zone, schedule);
  const [inDialog, setInDialog] = useState<Schedulable>();
  const [slot, onSlot] = useState<Slot>();
  const book: typeof schedule = (change) => {
    onSlot(undefined);
    return schedule(change);
  };

  const view = { choice, days, today, zone, canMove, drag, slot, onSlot, onChoice: choose, onMoveDialog: setInDialog };
  return (
    // Where large text leaves little room for the calendar it gets most of the screen, and the page scrolls.
    <div className="@container">
      <div
        ref={root}
        className="-mb-4 flex h-[calc(100dvh-var(--header-height)-var(--bottom-bar-height)-2rem-env(safe-area-inset-bottom))] min-h-96 flex-col @max-[17.5rem]:h-auto lg:-mb-6 lg:h-[calc(100dvh-var(--header-height)-2.75rem)]"
      >
        <CalendarToolbar
          choice={choice}
          today={today}
          people={people ?? []}
          isWide={isWide}
          canAdd={canMove}
          ownId={own.id}
          onChoice={choose}
        />
        {own.id !== undefined && <WhoseSwitch ownId={own.id} choice={choice} onChoice={choose} />}
        <div className="flex min-h-0 flex-1 flex-col gap-2 @max-[17.5rem]:h-[80dvh] @max-[17.5rem]:flex-none xl:flex-row xl:gap-4">
          <QueryView query={query} inCard skeleton={<CalendarSkeleton />}>
            {(answer) => (
              <LoadedCalendar
                {...view}
                answer={answer}
                range={query.isPlaceholderData ? '' : JSON.stringify(options.queryKey)}
                isWide={isWide}
              />
            )}
          </QueryView>
          <div className="flex flex-wrap items-center gap-2 xl:contents">
            <UnscheduledTray canMove={canMove} drag={drag} onMoveDialog={setInDialog} />
            {!isWide && <ZoneControl className="mr-auto min-w-0" />}
            {!isWide && canMove && (
              <LinkButton to="/jobs/new" search={newJobSearch(choice.date, today)} tone="primary" aria-label="New Job" title="New Job">
                <Plus aria-hidden="true" />
              </LinkButton>
            )}
          </div>
        </div>
        <MoveDialog
          event={inDialog}
          suggested={suggestedBooking(choice, slot, people ?? [])}
          zone={zone}
          people={people ?? []}
          onMove={book}
          onClose={(event) => setInDialog((shown) => (shown === event ? undefined : shown))}
        />
      </div>
    </div>
  );
}

function CalendarSkeleton() {
  return (
    <div
      role="status"
      className="flex min-h-0 flex-1 animate-pulse items-center justify-center rounded-card bg-sunken text-base text-ink-2 dark:bg-raised"
    >
      Loading timezone data...
    </div>
  );
}

/** For a job of the tray: the free time that was pressed, and the person whose events are shown. */
function suggestedBooking({ date, staff }: CalendarChoice, slot: Slot | undefined, people: readonly EventStaff[]): SuggestedBooking {
  const assignable = (wanted: string | undefined) => people.find(({ id }) => id === wanted)?.id;
  const shown = { date, shownStaff: assignable(staff) };
  return slot ? { ...shown, date: slot.column.date, time: slotTime(slot), pressedStaff: assignable(slot.column.staff?.id) } : shown;
}

interface LoadedCalendarProps {
  answer: EventsAnswer;
  /** Which the answer is of: while another one loads, the last one stays. */
  range: string;
  choice: CalendarChoice;
  days: readonly string[];
  today: string;
  zone: string;
  isWide: boolean;
  canMove: boolean;
  drag: EventDrag;
  slot: Slot | undefined;
  onSlot: Dispatch<SetStateAction<Slot | undefined>>;
  onChoice: (choice: CalendarChoice) => void;
  onMoveDialog: (event: CalendarEvent) => void;
}

function LoadedCalendar({ answer, range, choice, days, isWide, onChoice, ...rest }: LoadedCalendarProps) {
  const events = useMemo(() => calendarEvents(answer), [answer]);
  const clashes = useMemo(() => clashesOf(events), [events]);
  useNewClashes({ clashes, events, zone: rest.zone, range });
  const columns = useColumns({ choice, days, isWide, events });
  const onOpenDay = (date: string) => onChoice({ ...choice, view: 'day', date });
  const shown = { ...rest, events, clashes, onOpenDay };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      {answer.is_cut && <Banner tone="warn">There are more events than can be shown. Choose a status or a person to see the rest.</Banner>}
      {choice.view === 'month' ? (
        <MonthView {...shown} date={choice.date} days={days} isWide={isWide} onChooseDay={(date) => onChoice({ ...choice, date })} />
      ) : (
        <TimeGrid {...shown} key={choice.view} columns={columns} status={choice.status} />
      )}
    </div>
  );
}

/** The days of a week, one day on a phone, the people of a day elsewhere. */
function useColumns({
  choice,
  days,
  isWide,
  events,
}: Pick<LoadedCalendarProps, 'choice' | 'days' | 'isWide'> & { events: readonly CalendarEvent[] }) {
  const { view, date, staff } = choice;
  const people = useQuery({ ...staffNamesQuery, enabled: view === 'day' && isWide }).data;
  return useMemo(() => {
    if (view !== 'day' || !isWide) return dayColumns(days);
    return laneColumns(
      date,
      (people ?? []).filter(({ id }) => staff === undefined || id === staff),
      events,
    );
  }, [view, date, staff, days, isWide, people, events]);
}

/** Drags for the whole page; `root` is what lies around everything that can be dragged. */
function useEventDrag(zone: string, schedule: ReturnType<typeof useSchedule>) {
  const root = useRef<HTMLDivElement>(null);
  const [drag] = useState(createEventDrag);
  useEffect(
    () =>
      drag.onDrop((dragged, place) => {
        const change = changeOf(dragged, place, zone);
        if (change) schedule(change).catch((error: unknown) => reportScheduleFailure(error, change));
      }),
    [drag, zone, schedule],
  );
  useEffect(() => (root.current ? drag.attach(root.current) : undefined), [drag]);
  return { drag, root };
}

/** What a drop changes; nothing when it is dropped where it was, also when that is not on a quarter of an hour. */
export function changeOf({ event, action }: Dragged, place: DropPlace, zone: string): ScheduleChange | undefined {
  if (action === 'resize')
    return Number(place.hours) === Number(hoursOf(event)) ? undefined : { action, event, to: { start: place.start, hours: place.hours } };
  const isOtherPerson = place.staff !== undefined && (place.staff?.id ?? null) !== (event.staff?.id ?? null);
  const isSameTime = event.start !== null && snapMinutes(wallMinutes(event.start, zone)) === snapMinutes(wallMinutes(place.start, zone));
  if (isSameTime && !isOtherPerson) return undefined;
  return {
    action,
    event,
    to: { start: isSameTime && event.start !== null ? event.start : place.start, ...(isOtherPerson && { staff: place.staff }) },
  };
}
