import { pluralize } from '@callout/domain/text/count-format';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, type RefObject, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { type CalendarEvent, type ClashMap, getEventHours } from './calendar-event.ts';
import { formatMinutes } from './calendar-format.ts';
import { DAY_MINUTES } from './calendar-layout.ts';
import { formatPeriod, formatWeekday } from './calendar-view.ts';
import { useDraggedAttribute } from './drag-ghost.tsx';
import { getEventClasses, getEventLink, getOutlineStyle, MoveEventButton } from './event-box.tsx';
import type { EventDragManager } from './event-drag-manager.ts';
import { type DayEvent, fitEntries, formatShortTime, getStartOnDay, groupEventsByDay } from './month-layout.ts';
import { EventList } from './overflow-events.tsx';

interface MonthViewProps {
  /** The selected day. Its month is displayed. */
  date: string;
  days: readonly string[];
  today: string;
  zone: string;
  /** True if the cells are wide enough for text; false on a phone. */
  isWide: boolean;
  events: readonly CalendarEvent[];
  clashes: ClashMap;
  canMove: boolean;
  drag: EventDragManager;
  onOpenDay: (date: string) => void;
  onSelectDay: (date: string) => void;
  onMoveClick: (event: CalendarEvent) => void;
}

const MAX_VISIBLE_EVENTS = 4;
const MAX_DOTS = 3;
const formatDayLabel = (day: string) => formatPeriod('day', day);

/** Shows six weeks with their events. A phone shows only dots, and lists the selected day's events below. */
export function MonthView(props: MonthViewProps) {
  const { days, zone, events, drag, isWide, date } = props;
  const body = useRef<HTMLOListElement>(null);
  const byDay = useMemo(() => groupEventsByDay(days, events, zone), [days, events, zone]);
  useMonthDropSurface(drag, body, zone);
  useDraggedAttribute(drag, body);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto rounded-card bg-surface shadow-card">
      <div aria-hidden="true" className="grid grid-cols-7 border-b text-center text-sm text-ink-2">
        {days.slice(0, 7).map((day) => (
          <span key={day} className="py-1">
            {isWide ? formatWeekday(day) : formatWeekday(day).slice(0, 1)}
          </span>
        ))}
      </div>
      <ol
        ref={body}
        aria-label={formatPeriod('month', date)}
        className={classNames('grid grid-cols-7', isWide ? 'flex-1 auto-rows-[minmax(7.25rem,1fr)]' : 'auto-rows-[3rem] border-b')}
      >
        {days.map((day) =>
          isWide ? (
            <DayCell key={day} {...props} day={day} entries={byDay.get(day) ?? []} />
          ) : (
            <CompactDayCell key={day} {...props} day={day} entries={byDay.get(day) ?? []} />
          ),
        )}
      </ol>
      {!isWide && <SelectedDayList {...props} entries={byDay.get(date) ?? []} />}
    </div>
  );
}

interface DayProps
  extends Pick<MonthViewProps, 'date' | 'today' | 'zone' | 'clashes' | 'canMove' | 'drag' | 'onOpenDay' | 'onSelectDay' | 'onMoveClick'> {
  day: string;
  entries: readonly DayEvent[];
}

const isOtherMonth = (day: string, date: string) => day.slice(0, 7) !== date.slice(0, 7);

function DayNumber({ day, today }: Pick<DayProps, 'day' | 'today'>) {
  return (
    <span
      className={classNames(
        'inline-flex min-w-6 items-center justify-center rounded-full px-1 text-sm tabular-nums',
        day === today && 'bg-accent font-semibold text-on-accent',
      )}
    >
      {Number(day.slice(-2))}
    </span>
  );
}

function DayCell({ day, entries, date, today, zone, canMove, drag, clashes, onOpenDay, onMoveClick }: DayProps) {
  const dropPreview = useSyncExternalStore(drag.subscribe, () => {
    const state = drag.getState();
    return state?.dropTarget?.column === day ? `${formatShortTime(state.dropTarget.start, zone)} ${state.event.title}` : undefined;
  });
  const { visible, hiddenCount } = fitEntries(entries, MAX_VISIBLE_EVENTS);
  return (
    <li
      data-day={day}
      className={classNames(
        'min-w-0 border-b border-l px-1 pt-px nth-[7n+1]:border-l-0',
        isOtherMonth(day, date) && 'bg-canvas text-ink-3',
        dropPreview !== undefined && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent outline-dashed',
      )}
    >
      <button
        type="button"
        aria-label={`${formatDayLabel(day)}, ${pluralize(entries.length, 'event')}`}
        aria-current={day === today ? 'date' : undefined}
        className="mb-0.5 flex min-h-6 w-full items-center rounded-control hover:bg-sunken"
        onClick={() => onOpenDay(day)}
      >
        <DayNumber day={day} today={today} />
      </button>
      {/* Rows are 24 px high, so that users don't hit the neighboring event by mistake. */}
      <ul className="flex flex-col gap-1">
        {visible.map(({ event, dayIndex }) => (
          <EventChip
            key={event.id}
            event={event}
            dayIndex={dayIndex}
            zone={zone}
            canMove={canMove}
            drag={drag}
            clashMinutes={dayIndex === 0 ? clashes.get(event.id)?.minutes : undefined}
            onMoveClick={onMoveClick}
          />
        ))}
        {dropPreview !== undefined && <li className="truncate px-1 text-xs font-semibold text-accent-ink">{dropPreview}</li>}
      </ul>
      {hiddenCount > 0 && (
        <button
          type="button"
          aria-label={`${hiddenCount} more on ${formatDayLabel(day)}`}
          className="mt-1 h-5 w-full rounded-control px-1 text-left text-xs font-medium text-ink-2 hover:bg-sunken"
          onClick={() => onOpenDay(day)}
        >
          +{hiddenCount} more
        </button>
      )}
    </li>
  );
}

const getStripeStyle = ({ staff }: CalendarEvent) => (staff?.hex_code ? { backgroundColor: staff.hex_code } : {});

interface EventChipProps extends Pick<DayProps, 'zone' | 'canMove' | 'drag' | 'onMoveClick'>, DayEvent {
  clashMinutes: number | undefined;
}

/** Shows an event's time and title on one line in the status color, with a stripe in the assignee's color. */
function EventChip({ event, dayIndex, zone, canMove, drag, clashMinutes, onMoveClick }: EventChipProps) {
  return (
    <li data-event={event.id} data-keeps-arrows="" className="group relative data-dragged:opacity-45">
      <EventLink
        event={event}
        className={classNames(
          'relative flex h-5 items-center gap-1 overflow-hidden rounded pr-1 pl-2.5 text-xs select-none',
          canMove && 'cursor-grab group-focus-within:pr-7 pointer-fine:group-hover:pr-7',
          getEventClasses(event),
          clashMinutes !== undefined && 'ring-1 ring-danger',
        )}
        onPointerDown={(down) =>
          canMove && drag.start(down.nativeEvent, event, { grab: { minutes: dayIndex * DAY_MINUTES, startsEarlier: dayIndex > 0 } })
        }
      >
        <span aria-hidden="true" className="absolute inset-y-0.5 left-0.5 w-1 rounded-full bg-line-strong" style={getStripeStyle(event)} />
        {clashMinutes !== undefined && (
          <>
            <TriangleAlert aria-hidden="true" className="size-3 shrink-0 text-danger" />
            <span className="sr-only">Overlaps by {formatMinutes(clashMinutes)}, </span>
          </>
        )}
        <span className="shrink-0 tabular-nums">{dayIndex === 0 ? formatShortTime(event.start, zone) : '…'}</span>
        <span className="truncate font-medium">{event.title}</span>
        <span className="sr-only">
          , {event.statusLabel}, {event.staff?.name ?? UNASSIGNED_LABEL}
        </span>
      </EventLink>
      {canMove && (
        <MoveEventButton
          event={event}
          onMoveClick={onMoveClick}
          className="inset-y-0 right-0 w-6 rounded pointer-coarse:not-focus-visible:sr-only"
        />
      )}
    </li>
  );
}

function EventLink({
  event,
  ...rest
}: { event: CalendarEvent } & Pick<ComponentProps<'a'>, 'className' | 'children' | 'onPointerDown' | 'title'>) {
  return <Link {...rest} {...getEventLink(event)} draggable={false} style={getOutlineStyle(event)} />;
}

/** Shows a phone's day cell: one dot per event, in the assignee's color. */
function CompactDayCell({ day, entries, date, today, onSelectDay }: Pick<DayProps, 'day' | 'entries' | 'date' | 'today' | 'onSelectDay'>) {
  return (
    <li className="@container min-w-0">
      <button
        type="button"
        aria-current={day === today ? 'date' : undefined}
        aria-pressed={day === date}
        className={classNames(
          'flex size-full flex-col items-center gap-1 rounded-control pt-1',
          day === date && 'bg-accent-soft',
          isOtherMonth(day, date) && 'text-ink-3',
        )}
        onClick={() => onSelectDay(day)}
      >
        <span className="sr-only">{`${formatDayLabel(day)}, ${pluralize(entries.length, 'event')}`}</span>
        <span aria-hidden="true" className="contents">
          <DayNumber day={day} today={today} />
          <span className="flex h-3 items-center gap-0.5 text-xs leading-3 text-ink-3 tabular-nums">
            {entries.slice(0, MAX_DOTS).map(({ event }) => (
              <span key={event.id} className="size-1.5 rounded-full bg-line-strong @max-[2.75rem]:hidden" style={getStripeStyle(event)} />
            ))}
            {entries.length > 0 && (
              <span className={entries.length > MAX_DOTS ? 'ml-0.5' : 'hidden @max-[2.75rem]:inline'}>{entries.length}</span>
            )}
          </span>
        </span>
      </button>
    </li>
  );
}

function SelectedDayList({ date, entries, zone, canMove, clashes, onOpenDay, onMoveClick }: Omit<DayProps, 'day'>) {
  return (
    <section aria-label={formatDayLabel(date)} className="p-3">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{formatDayLabel(date)}</h2>
        <Button className="px-3" onClick={() => onOpenDay(date)}>
          Open day
        </Button>
      </div>
      {entries.length === 0 && <p className="py-3 text-base text-ink-2">No events on this day.</p>}
      <EventList
        key={date}
        day={date}
        events={entries.map(({ event }) => event)}
        zone={zone}
        clashes={clashes}
        canMove={canMove}
        onMoveClick={onMoveClick}
      />
    </section>
  );
}

/** Lets users drop events on days. A dropped event keeps its time of day. */
function useMonthDropSurface(drag: EventDragManager, body: RefObject<HTMLElement | null>, zone: string): void {
  useEffect(() => {
    const [inner, scroller] = [body.current, body.current?.parentElement];
    if (!inner || !scroller) return undefined;
    return drag.addSurface({
      scroller,
      bounds: () => scroller.getBoundingClientRect(),
      findDropTarget: (x, y, { event, action, grab }) => {
        const day = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-day]')?.dataset['day'];
        if (day === undefined || action !== 'move') return undefined;
        return { column: day, start: getStartOnDay(day, event, grab.minutes / DAY_MINUTES, zone), hours: getEventHours(event) };
      },
    });
  }, [drag, body, zone]);
}
