import type { TaskColor } from '@callout/domain/tasks/task';
import { Link } from '@tanstack/react-router';
import { CalendarClock, TriangleAlert } from 'lucide-react';
import { type CSSProperties, memo, type PointerEvent as ReactPointerEvent } from 'react';
import { classes } from '../../ui/classes.ts';
import { planned } from '../../ui/link-button.tsx';
import { minutesText, timesText } from './calendar-clashes.ts';
import type { CalendarEvent } from './calendar-event.ts';
import type { EventBox } from './calendar-layout.ts';

/** The colors of the specification; what it does not name is gray. */
const STATUS_COLORS: Readonly<Record<string, string>> = {
  pending: 'bg-warn-soft text-warn-ink',
  contacted: 'bg-info-soft text-info-ink',
  booked: 'bg-violet-soft text-violet-ink',
  canceled: 'bg-danger-soft text-danger-ink',
  complete: 'bg-ok-soft text-ok-ink',
  paid: 'bg-[#14532d] text-[#dcf5e3] dark:bg-[#0f6b3a] dark:text-[#eafff1]',
};

export const statusColor = (status: string) => STATUS_COLORS[status] ?? 'bg-neutral-soft text-neutral-ink';

/** The outline of a task. */
const TASK_OUTLINES: Record<TaskColor, string> = {
  yellow: '#ca8a04',
  blue: '#2563eb',
  purple: '#9333ea',
  green: '#16a34a',
  red: '#dc2626',
  pink: '#db2777',
  indigo: '#4f46e5',
  teal: '#0d9488',
};

const SHORT_MINUTES = 45;
/** The height of a line of text, in minutes of the grid. */
const LINE_MINUTES = 15;
const INSET_REM = 1.5;
export const hoursHigh = (minutes: number) => `calc(var(--hour-height) * ${minutes / 60})`;

interface EventBoxProps {
  box: EventBox;
  zone: string;
  /** In the lane of a person their name is above; elsewhere it says whose it is. */
  isInLane: boolean;
  canMove: boolean;
  onPointerDown: (down: ReactPointerEvent<HTMLElement>, box: EventBox, action: 'move' | 'resize') => void;
  onMoveDialog: (event: CalendarEvent) => void;
}

/** Where it stands in its column: one of several side by side, or moved in over an earlier one. */
function placeOf({ top, bottom, lane, lanes, depth }: EventBox): CSSProperties {
  const vertical = { top: hoursHigh(top), height: hoursHigh(bottom - top) };
  if (lanes === 1) return { ...vertical, left: `${depth * INSET_REM}rem`, width: `calc(100% - ${depth * INSET_REM}rem)` };
  // A narrow one grows under the pointer, away from the nearer edge of its column.
  const side = lane * 2 < lanes ? { left: `${(100 * lane) / lanes}%` } : { right: `${(100 * (lanes - lane - 1)) / lanes}%` };
  return { ...vertical, ...side, width: `${100 / lanes}%` };
}

/** A job or task in its column: press to open, drag to move, drag its lower edge to make it longer or shorter. */
export const EventBoxItem = memo(function EventBoxItem({ box, zone, isInLane, canMove, onPointerDown, onMoveDialog }: EventBoxProps) {
  const { event, top, bottom, lanes, depth, clash } = box;
  return (
    <>
      {clash && depth > 0 && (
        <li
          aria-hidden="true"
          className="pointer-events-none absolute z-20 w-6 bg-[repeating-linear-gradient(135deg,var(--danger)_0_2px,transparent_2px_6px)] opacity-75"
          style={{ top: hoursHigh(clash.top), height: hoursHigh(clash.bottom - clash.top), left: `${(depth - 1) * INSET_REM}rem` }}
        />
      )}
      <li
        data-event={event.id}
        className={classes(
          'group absolute pr-1 pb-0.5 pl-0.5 focus-within:z-30 hover:z-30 data-dragged:opacity-45',
          depth > 0 ? 'z-20' : 'z-10',
          lanes > 1 && 'focus-within:min-w-32 pointer-fine:hover:min-w-32',
        )}
        style={placeOf(box)}
      >
        <Link
          to={event.kind === 'job' ? `/jobs/${event.id}` : planned('/todo')}
          draggable={false}
          className={classes(
            'relative block h-full overflow-hidden rounded-md pr-1.5 pl-3 text-xs select-none [-webkit-touch-callout:none]',
            bottom - top < SHORT_MINUTES ? 'py-px leading-3.5' : 'py-1',
            canMove && 'cursor-grab',
            lookOf(event),
            clash && 'ring-2 ring-danger',
            !box.startsHere && 'rounded-t-none',
            !box.endsHere && 'rounded-b-none',
          )}
          style={event.color ? { borderColor: TASK_OUTLINES[event.color] } : {}}
          onPointerDown={(down) => canMove && onPointerDown(down, box, 'move')}
        >
          <span
            aria-hidden="true"
            className="absolute inset-y-1 left-1 w-1 rounded-full bg-line-strong"
            style={event.staff?.hex_code ? { backgroundColor: event.staff.hex_code } : {}}
          />
          <EventText box={box} zone={zone} isInLane={isInLane} />
        </Link>
        {canMove && <EventControls box={box} onPointerDown={onPointerDown} onMoveDialog={onMoveDialog} />}
      </li>
    </>
  );
});

function lookOf({ kind, status }: CalendarEvent): string {
  if (kind === 'job') return statusColor(status);
  return classes('border bg-surface', status === 'completed' ? 'border-dashed text-ink-3' : 'text-ink-2');
}

interface EventTextProps {
  box: EventBox;
  zone: string;
  isInLane: boolean;
}

/** As much as fits: the title gets the lines that time, clash and status leave it. */
function EventText({ box: { event, top, bottom, lanes, clash }, zone, isInLane }: EventTextProps) {
  const isShort = bottom - top < SHORT_MINUTES;
  const isNarrow = lanes > 2;
  const place = event.job?.address ? suburbOf(event.job.address) : null;
  const staff = event.staff?.name ?? 'Unassigned';
  const times = <span className="tabular-nums">{timesText(event.start, event.end, zone)}</span>;
  const titleLines = Math.max(1, Math.floor((bottom - top - 8) / LINE_MINUTES) - (clash ? 3 : 2));
  return (
    <>
      {!isShort && <span className={isNarrow ? 'sr-only' : 'block truncate'}>{times}</span>}
      <span
        className={classes('font-semibold', isShort ? 'block truncate' : 'line-clamp-1 hyphens-auto [overflow-wrap:break-word]')}
        style={isShort ? {} : { WebkitLineClamp: titleLines + (isNarrow ? 1 : 0) }}
      >
        {event.isTimerRunning && <RunningTimer />}
        {event.title}
      </span>
      {clash && (
        <span className={classes('font-semibold text-danger-ink', isShort ? 'mr-1 inline' : 'flex items-center gap-1')}>
          <TriangleAlert aria-hidden="true" className={classes('size-3 shrink-0', isShort && 'mr-0.5 inline')} />
          Overlaps by {minutesText(clash.minutes)}
        </span>
      )}
      <span className={isShort ? 'inline' : 'block'}>
        {isShort || isNarrow ? event.word : [isInLane ? place : staff, event.word].filter(Boolean).join(' · ')}
        {isShort && <> · {times}</>}
      </span>
      {(isInLane || isShort || isNarrow) && <span className="sr-only">{staff}</span>}
    </>
  );
}

function RunningTimer() {
  return (
    <>
      <span aria-hidden="true" className="mr-1.5 inline-block size-2 animate-pulse rounded-full bg-info align-middle" />
      <span className="sr-only">Timer running: </span>
    </>
  );
}

/** 'Birkenhead' of '12 Rata Street, Birkenhead, Auckland'. */
const suburbOf = (address: string) => {
  const [street = '', suburb] = address.split(/[,\n]/).map((part) => part.trim());
  return suburb || street;
};

function EventControls({ box, onPointerDown, onMoveDialog }: Pick<EventBoxProps, 'box' | 'onPointerDown' | 'onMoveDialog'>) {
  return (
    <>
      <button
        type="button"
        title="Move to…"
        aria-label={`Move ${box.event.title} to…`}
        className="absolute top-0.5 right-1.5 hidden size-6 items-center justify-center rounded-control bg-raised text-ink-2 opacity-0 shadow-card group-hover:opacity-100 focus-visible:opacity-100 pointer-fine:flex"
        onClick={() => onMoveDialog(box.event)}
      >
        <CalendarClock aria-hidden="true" className="size-3.5" />
      </button>
      {box.endsHere && (
        <span
          data-resize=""
          aria-hidden="true"
          className="absolute inset-x-1 bottom-0 h-2 cursor-ns-resize pointer-coarse:h-4"
          onPointerDown={(down) => onPointerDown(down, box, 'resize')}
        />
      )}
    </>
  );
}
