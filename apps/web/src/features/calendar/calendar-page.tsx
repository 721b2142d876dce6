import { suggestStart } from '@callout/domain/calendar/suggest-start';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useToday } from '../../lib/use-today.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { usePageShortcuts } from '../../ui/page-shortcuts.ts';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan } from '../company/company.api.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import { type CalendarEventsResponse, useCalendarEvents } from './calendar.api.ts';
import {
  type CalendarEvent,
  type CalendarItem,
  type EventStaff,
  findEventClashes,
  getEventHours,
  toCalendarEvents,
} from './calendar-event.ts';
import { createDayColumns, createLaneColumns, snapToSlot, toWallMinutes } from './calendar-layout.ts';
import { reportScheduleFailure, type ScheduleChange, useScheduleMutation } from './calendar-schedule.api.ts';
import { CalendarToolbar, toNewJobSearch } from './calendar-toolbar.tsx';
import { type CalendarSearch, type CalendarSelection, clampDate, getVisibleDates, getVisibleRange, stepDate } from './calendar-view.ts';
import { createEventDragManager, type DraggedEvent, type DropTarget, type EventDragManager } from './event-drag-manager.ts';
import { formatSlotTime, type GridSlot } from './free-slot.tsx';
import { HiddenJobBanner, useLastMovedJob } from './hidden-job-banner.tsx';
import { MonthView } from './month-view.tsx';
import { MoveEventDialog, type SuggestedBooking } from './move-event-dialog.tsx';
import { MyEventsSwitch, useMyEventsFilter } from './my-events.tsx';
import { TimeGrid } from './time-grid.tsx';
import { TimeZoneSelect } from './time-zone-select.tsx';
import { UnscheduledTray } from './unscheduled-tray.tsx';
import { useNewClashToasts } from './use-new-clash-toasts.ts';

interface CalendarPageProps {
  search: CalendarSearch;
  /** Updates the URL, with a new history entry unless `replace` is true. */
  onSearchChange: (search: CalendarSearch, replace: boolean) => void;
}

export function CalendarPage({ search, onSearchChange }: CalendarPageProps) {
  useDocumentTitle('Calendar');
  const zone = useDisplayTimeZone();
  const isWide = useMediaQuery(TABLET_UP);
  const canMove = useCan('jobs.work');
  const today = useToday(zone);
  const people = useQuery(staffNamesQueryOptions).data;
  const myEvents = useMyEventsFilter(isWide, people?.length);
  const defaultView = isWide ? 'week' : 'day';
  const selection: CalendarSelection = {
    view: search.view ?? defaultView,
    date: clampDate(search.date ?? today),
    status: search.status,
    staff: search.staff ?? myEvents.defaultStaffId,
  };
  const select = ({ view, date, status, staff }: CalendarSelection) => {
    if (staff !== selection.staff) myEvents.saveChoice(staff);
    const next = {
      ...(view !== defaultView && { view }),
      ...(date !== today && { date }),
      ...(status && { status }),
      ...(staff && staff !== myEvents.myId && { staff }),
    };
    onSearchChange(next, view === selection.view);
  };
  const step = (steps: number) => select({ ...selection, date: stepDate(selection.view, selection.date, steps) });
  const [goBack, goForward] = [() => step(-1), () => step(1)];
  usePageShortcuts({
    arrowleft: goBack,
    k: goBack,
    arrowright: goForward,
    j: goForward,
    t: () => select({ ...selection, date: today }),
    d: () => select({ ...selection, view: 'day' }),
    w: () => select({ ...selection, view: 'week' }),
    m: () => select({ ...selection, view: 'month' }),
  });
  const days = useMemo(() => getVisibleDates(selection.view, selection.date), [selection.view, selection.date]);
  const { query, queryKey } = useCalendarEvents({ ...getVisibleRange(days, zone), status: selection.status, staff_id: selection.staff });
  const { schedule, movedJob } = useLastMovedJob(useScheduleMutation(zone));
  const { drag, root } = useEventDragManager(zone, schedule);
  const [dialogItem, setDialogItem] = useState<CalendarItem>();
  const [slot, onSlotChange] = useState<GridSlot>();
  const book: typeof schedule = (change) => {
    onSlotChange(undefined);
    return schedule(change);
  };

  const view = { selection, days, today, zone, canMove, drag, slot, onSlotChange, onSelect: select, onMoveClick: setDialogItem };
  return (
    // With large text, the toolbar and the calendar don't fit on the screen together, so the page scrolls.
    <div className="@container">
      <div
        ref={root}
        className="-mb-4 flex h-[calc(100dvh-var(--header-height)-var(--bottom-bar-height)-2rem-env(safe-area-inset-bottom))] min-h-96 flex-col @max-[17.5rem]:h-auto lg:-mb-6 lg:h-[calc(100dvh-var(--header-height)-2.75rem)]"
      >
        <CalendarToolbar
          selection={selection}
          today={today}
          people={people}
          isWide={isWide}
          canAdd={canMove}
          myId={myEvents.myId}
          onSelect={select}
        />
        {myEvents.myId !== undefined && <MyEventsSwitch myId={myEvents.myId} selection={selection} onSelect={select} />}
        <HiddenJobBanner
          movedJob={movedJob}
          filter={selection.status}
          response={query.data}
          onClearFilter={() => select({ ...selection, status: undefined })}
        />
        <div className="flex min-h-0 flex-1 flex-col gap-2 @max-[17.5rem]:h-[80dvh] @max-[17.5rem]:flex-none xl:flex-row xl:gap-4">
          <QueryView query={query} isInCard skeleton={<CalendarSkeleton />}>
            {(response) => (
              <LoadedCalendar
                {...view}
                response={response}
                range={query.isPlaceholderData ? '' : JSON.stringify(queryKey)}
                isWide={isWide}
              />
            )}
          </QueryView>
          <div className="flex flex-wrap items-center gap-2 xl:contents">
            <UnscheduledTray canMove={canMove} drag={drag} onMoveClick={setDialogItem} />
            {!isWide && <TimeZoneSelect className="mr-auto min-w-0" />}
            {!isWide && canMove && (
              <LinkButton to="/jobs/new" search={toNewJobSearch(selection.date, today)} tone="primary" aria-label="New Job" title="New Job">
                <Plus aria-hidden="true" />
              </LinkButton>
            )}
          </div>
        </div>
        <MoveEventDialog
          event={dialogItem}
          suggested={suggestBooking(selection, { slot, people: people ?? [], zone })}
          zone={zone}
          people={people ?? []}
          onMove={book}
          onClose={(event) => setDialogItem((current) => (current === event ? undefined : current))}
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

/** Suggests a booking for a job from the tray, based on the selected free slot and the person the calendar is filtered by. */
function suggestBooking(
  { date, staff }: CalendarSelection,
  { slot, people, zone }: { slot: GridSlot | undefined; people: readonly EventStaff[]; zone: string },
): SuggestedBooking {
  const findStaffId = (staffId: string | undefined) => people.find(({ id }) => id === staffId)?.id;
  const filteredStaffId = findStaffId(staff);
  if (!slot) return { ...suggestStart(date, new Date().toISOString(), zone), filteredStaffId };
  return { date: slot.column.date, time: formatSlotTime(slot), slotStaffId: findStaffId(slot.column.staff?.id), filteredStaffId };
}

interface LoadedCalendarProps {
  response: CalendarEventsResponse;
  /** Identifies the dates of `response`; empty while `response` is the previous range's, shown as a placeholder. */
  range: string;
  selection: CalendarSelection;
  days: readonly string[];
  today: string;
  zone: string;
  isWide: boolean;
  canMove: boolean;
  drag: EventDragManager;
  slot: GridSlot | undefined;
  onSlotChange: Dispatch<SetStateAction<GridSlot | undefined>>;
  onSelect: (selection: CalendarSelection) => void;
  onMoveClick: (event: CalendarEvent) => void;
}

function LoadedCalendar({ response, range, selection, days, isWide, onSelect, ...rest }: LoadedCalendarProps) {
  const events = useMemo(() => toCalendarEvents(response), [response]);
  const clashes = useMemo(() => findEventClashes(events), [events]);
  useNewClashToasts({ clashes, events, zone: rest.zone, range });
  const columns = useColumns({ selection, days, isWide, events });
  const onOpenDay = (date: string) => onSelect({ ...selection, view: 'day', date });
  const props = { ...rest, events, clashes, onOpenDay };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      {response.is_cut && <Banner tone="warn">Too many events to show. Filter by status or person to see the rest.</Banner>}
      {selection.view === 'month' ? (
        <MonthView {...props} date={selection.date} days={days} isWide={isWide} onSelectDay={(date) => onSelect({ ...selection, date })} />
      ) : (
        <TimeGrid {...props} key={selection.view} columns={columns} status={selection.status} />
      )}
    </div>
  );
}

/** Returns one column per day. The day view has one lane per person, or a single column on a phone. */
function useColumns({
  selection,
  days,
  isWide,
  events,
}: Pick<LoadedCalendarProps, 'selection' | 'days' | 'isWide'> & { events: readonly CalendarEvent[] }) {
  const { view, date, staff } = selection;
  const people = useQuery({ ...staffNamesQueryOptions, enabled: view === 'day' && isWide }).data;
  return useMemo(() => {
    if (view !== 'day' || !isWide) return createDayColumns(days);
    return createLaneColumns(
      date,
      (people ?? []).filter(({ id }) => staff === undefined || id === staff),
      events,
    );
  }, [view, date, staff, days, isWide, people, events]);
}

/** Handles drags on the whole page. Attach `root` to an element that contains everything draggable. */
function useEventDragManager(zone: string, schedule: ReturnType<typeof useScheduleMutation>) {
  const root = useRef<HTMLDivElement>(null);
  const [drag] = useState(createEventDragManager);
  useEffect(
    () =>
      drag.onDrop((dragged, dropTarget) => {
        const change = findDropChange(dragged, dropTarget, zone);
        if (change) schedule(change).catch((error: unknown) => reportScheduleFailure(error, change));
      }),
    [drag, zone, schedule],
  );
  useEffect(() => (root.current ? drag.attach(root.current) : undefined), [drag]);
  return { drag, root };
}

/** Returns undefined if the event was dropped where the drag began, even if its start isn't on a quarter hour. */
export function findDropChange({ event, action }: DraggedEvent, drop: DropTarget, zone: string): ScheduleChange | undefined {
  if (action === 'resize')
    return Number(drop.hours) === Number(getEventHours(event))
      ? undefined
      : { action, event, to: { start: drop.start, hours: drop.hours } };
  const isOtherPerson = drop.staff !== undefined && (drop.staff?.id ?? null) !== (event.staff?.id ?? null);
  const isSameTime = event.start !== null && snapToSlot(toWallMinutes(event.start, zone)) === snapToSlot(toWallMinutes(drop.start, zone));
  if (isSameTime && !isOtherPerson) return undefined;
  return {
    action,
    event,
    to: { start: isSameTime && event.start !== null ? event.start : drop.start, ...(isOtherPerson && { staff: drop.staff }) },
  };
}
