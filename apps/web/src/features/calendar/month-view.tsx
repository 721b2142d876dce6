import { countText } from '@callout/domain/text/count-text';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, type RefObject, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { minutesText } from './calendar-clashes.ts';
import { type CalendarEvent, type Clashes, hoursOf } from './calendar-event.ts';
import { DAY_MINUTES } from './calendar-layout.ts';
import { viewTitle, weekdayOf } from './calendar-view.ts';
import { useMarkDragged } from './drag-ghost.tsx';
import { linkTo, lookOf, MoveButton, outlineOf } from './event-box.tsx';
import type { EventDrag } from './event-drag.ts';
import { type DayEvent, eventsByDay, fitting, shortTime, startOnDay } from './month-layout.ts';
import { EventList } from './more-events.tsx';

interface MonthViewProps {
  /** The chosen day; its month is shown. */
  date: string;
  /** Six weeks of dates. */
  days: readonly string[];
  today: string;
  zone: string;
  /** Cells are wide enough for words. */
  isWide: boolean;
  events: readonly CalendarEvent[];
  clashes: Clashes;
  canMove: boolean;
  drag: EventDrag;
  onOpenDay: (date: string) => void;
  onChooseDay: (date: string) => void;
  onMoveDialog: (event: CalendarEvent) => void;
}

const ROOM = 4;
const DOTS = 3;
const daysLabel = (day: string) => viewTitle('day', day);

/** Six weeks, each day with its events. A phone shows how many, and the chosen day's list below. */
export function MonthView(props: MonthViewProps) {
  const { days, zone, events, drag, isWide, date } = props;
  const body = useRef<HTMLOListElement>(null);
  const byDay = useMemo(() => eventsByDay(days, events, zone), [days, events, zone]);
  useMonthSurface(drag, body, zone);
  useMarkDragged(drag, body);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto rounded-card bg-surface shadow-card">
      <div aria-hidden="true" className="grid grid-cols-7 border-b text-center text-sm text-ink-2">
        {days.slice(0, 7).map((day) => (
          <span key={day} className="py-1">
            {isWide ? weekdayOf(day) : weekdayOf(day).slice(0, 1)}
          </span>
        ))}
      </div>
      <ol
        ref={body}
        aria-label={viewTitle('month', date)}
        className={classes('grid grid-cols-7', isWide ? 'flex-1 auto-rows-[minmax(7.25rem,1fr)]' : 'auto-rows-[3rem] border-b')}
      >
        {days.map((day) =>
          isWide ? (
            <DayCell key={day} {...props} day={day} entries={byDay.get(day) ?? []} />
          ) : (
            <SmallDay key={day} {...props} day={day} entries={byDay.get(day) ?? []} />
          ),
        )}
      </ol>
      {!isWide && <DayList {...props} entries={byDay.get(date) ?? []} />}
    </div>
  );
}

interface DayProps
  extends Pick<MonthViewProps, 'date' | 'today' | 'zone' | 'clashes' | 'canMove' | 'drag' | 'onOpenDay' | 'onChooseDay' | 'onMoveDialog'> {
  day: string;
  entries: readonly DayEvent[];
}

const isOtherMonth = (day: string, date: string) => day.slice(0, 7) !== date.slice(0, 7);

function DayNumber({ day, today }: Pick<DayProps, 'day' | 'today'>) {
  return (
    <span
      className={classes(
        'inline-flex min-w-6 items-center justify-center rounded-full px-1 text-sm tabular-nums',
        day === today && 'bg-accent font-semibold text-on-accent',
      )}
    >
      {Number(day.slice(-2))}
    </span>
  );
}

function DayCell({ day, entries, date, today, zone, canMove, drag, clashes, onOpenDay, onMoveDialog }: DayProps) {
  const dropped = useSyncExternalStore(drag.subscribe, () => {
    const state = drag.getState();
    return state?.place?.column === day ? `${shortTime(state.place.start, zone)} ${state.event.title}` : undefined;
  });
  const { shown, left } = fitting(entries, ROOM);
  return (
    <li
      data-day={day}
      className={classes(
        'min-w-0 border-b border-l px-1 pt-px nth-[7n+1]:border-l-0',
        isOtherMonth(day, date) && 'bg-canvas text-ink-3',
        dropped !== undefined && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent outline-dashed',
      )}
    >
      <button
        type="button"
        aria-label={`${daysLabel(day)}, ${countText(entries.length, 'event')}`}
        aria-current={day === today ? 'date' : undefined}
        className="mb-0.5 flex min-h-6 w-full items-center rounded-control hover:bg-sunken"
        onClick={() => onOpenDay(day)}
      >
        <DayNumber day={day} today={today} />
      </button>
      {/* A line every 24 px, so that neither mouse nor pen hits its neighbor. */}
      <ul className="flex flex-col gap-1">
        {shown.map(({ event, dayIndex }) => (
          <EventChip
            key={event.id}
            event={event}
            dayIndex={dayIndex}
            zone={zone}
            canMove={canMove}
            drag={drag}
            clash={dayIndex === 0 ? clashes.get(event.id)?.minutes : undefined}
            onMoveDialog={onMoveDialog}
          />
        ))}
        {dropped !== undefined && <li className="truncate px-1 text-xs font-semibold text-accent-ink">{dropped}</li>}
      </ul>
      {left > 0 && (
        <button
          type="button"
          aria-label={`${left} more on ${daysLabel(day)}`}
          className="mt-1 h-5 w-full rounded-control px-1 text-left text-xs font-medium text-ink-2 hover:bg-sunken"
          onClick={() => onOpenDay(day)}
        >
          +{left} more
        </button>
      )}
    </li>
  );
}

const stripe = ({ staff }: CalendarEvent) => (staff?.hex_code ? { backgroundColor: staff.hex_code } : {});

interface EventChipProps extends Pick<DayProps, 'zone' | 'canMove' | 'drag' | 'onMoveDialog'>, DayEvent {
  clash: number | undefined;
}

/** One line: time and title on the color of its status, with the stripe of its person. */
function EventChip({ event, dayIndex, zone, canMove, drag, clash, onMoveDialog }: EventChipProps) {
  return (
    <li data-event={event.id} data-keeps-arrows="" className="group relative data-dragged:opacity-45">
      <EventLink
        event={event}
        className={classes(
          'relative flex h-5 items-center gap-1 overflow-hidden rounded pr-1 pl-2.5 text-xs select-none',
          canMove && 'cursor-grab group-focus-within:pr-7 pointer-fine:group-hover:pr-7',
          lookOf(event),
          clash !== undefined && 'ring-1 ring-danger',
        )}
        onPointerDown={(down) =>
          canMove && drag.start(down.nativeEvent, event, { grab: { minutes: dayIndex * DAY_MINUTES, continues: dayIndex > 0 } })
        }
      >
        <span aria-hidden="true" className="absolute inset-y-0.5 left-0.5 w-1 rounded-full bg-line-strong" style={stripe(event)} />
        {clash !== undefined && (
          <>
            <TriangleAlert aria-hidden="true" className="size-3 shrink-0 text-danger" />
            <span className="sr-only">Overlaps by {minutesText(clash)}, </span>
          </>
        )}
        <span className="shrink-0 tabular-nums">{dayIndex === 0 ? shortTime(event.start, zone) : '…'}</span>
        <span className="truncate font-medium">{event.title}</span>
        <span className="sr-only">
          , {event.word}, {event.staff?.name ?? UNASSIGNED}
        </span>
      </EventLink>
      {canMove && (
        <MoveButton
          event={event}
          onMoveDialog={onMoveDialog}
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
  return <Link {...rest} {...linkTo(event)} draggable={false} style={outlineOf(event)} />;
}

/** A day of a phone: how much there is, by dots in the colors of the people. */
function SmallDay({ day, entries, date, today, onChooseDay }: Pick<DayProps, 'day' | 'entries' | 'date' | 'today' | 'onChooseDay'>) {
  return (
    <li className="@container min-w-0">
      <button
        type="button"
        aria-current={day === today ? 'date' : undefined}
        aria-pressed={day === date}
        className={classes(
          'flex size-full flex-col items-center gap-1 rounded-control pt-1',
          day === date && 'bg-accent-soft',
          isOtherMonth(day, date) && 'text-ink-3',
        )}
        onClick={() => onChooseDay(day)}
      >
        <span className="sr-only">{`${daysLabel(day)}, ${countText(entries.length, 'event')}`}</span>
        <span aria-hidden="true" className="contents">
          <DayNumber day={day} today={today} />
          <span className="flex h-3 items-center gap-0.5 text-xs leading-3 text-ink-3 tabular-nums">
            {entries.slice(0, DOTS).map(({ event }) => (
              <span key={event.id} className="size-1.5 rounded-full bg-line-strong @max-[2.75rem]:hidden" style={stripe(event)} />
            ))}
            {entries.length > 0 && (
              <span className={entries.length > DOTS ? 'ml-0.5' : 'hidden @max-[2.75rem]:inline'}>{entries.length}</span>
            )}
          </span>
        </span>
      </button>
    </li>
  );
}

/** The chosen day of a phone, to read and to tap. */
function DayList({ date, entries, zone, canMove, clashes, onOpenDay, onMoveDialog }: Omit<DayProps, 'day'>) {
  return (
    <section aria-label={daysLabel(date)} className="p-3">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{daysLabel(date)}</h2>
        <Button className="px-3" onClick={() => onOpenDay(date)}>
          Open day
        </Button>
      </div>
      {entries.length === 0 && <p className="py-3 text-base text-ink-2">Nothing on this day.</p>}
      <EventList
        key={date}
        day={date}
        events={entries.map(({ event }) => event)}
        zone={zone}
        clashes={clashes}
        canMove={canMove}
        onMoveDialog={onMoveDialog}
      />
    </section>
  );
}

/** Lets events be dropped on days, where they keep their time. */
function useMonthSurface(drag: EventDrag, body: RefObject<HTMLElement | null>, zone: string): void {
  useEffect(() => {
    const [inner, scroller] = [body.current, body.current?.parentElement];
    if (!inner || !scroller) return undefined;
    return drag.addSurface({
      scroller,
      bounds: () => scroller.getBoundingClientRect(),
      findPlace: (x, y, { event, action, grab }) => {
        const day = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-day]')?.dataset['day'];
        if (day === undefined || action !== 'move') return undefined;
        return { column: day, start: startOnDay(day, event, grab.minutes / DAY_MINUTES, zone), hours: hoursOf(event) };
      },
    });
  }, [drag, body, zone]);
}
