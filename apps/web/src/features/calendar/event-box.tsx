import { Link } from '@tanstack/react-router';
import { CalendarClock, TriangleAlert } from 'lucide-react';
import { type CSSProperties, memo, type PointerEvent as ReactPointerEvent } from 'react';
import { classes } from '../../ui/classes.ts';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { TASK_COLOR_CODES } from '../tasks/task-color.ts';
import { minutesText, partText } from './calendar-clashes.ts';
import type { CalendarEvent } from './calendar-event.ts';
import { type EventBox, isAlike, isSameBox } from './calendar-layout.ts';
import { insetRem } from './grid-size.ts';

/** The colors of the specification; what it does not name is gray. */
const STATUS_COLORS: Readonly<Record<string, string>> = {
  pending: 'bg-warn-soft text-warn-ink',
  contacted: 'bg-info-soft text-info-ink',
  booked: 'bg-violet-soft text-violet-ink',
  canceled: 'bg-danger-soft text-danger-ink',
  complete: 'bg-ok-soft text-ok-ink',
  paid: 'bg-[#14532d] text-[#dcf5e3]',
};

export const statusColor = (status: string) => STATUS_COLORS[status] ?? 'bg-neutral-soft text-neutral-ink';

/** In the color of a task. */
export const outlineOf = ({ color }: CalendarEvent) => (color ? { borderColor: TASK_COLOR_CODES[color] } : {});

const SHORT_MINUTES = 45;
/** The height of a line of text, in minutes of the grid. */
const LINE_MINUTES = 15;
/** Of what is as long as this, or goes on from another day, the words stay in view while the rest scrolls. */
const LONG_MINUTES = 240;
const isLong = ({ top, bottom, freeBottom, startsHere }: EventBox) =>
  !startsHere || (bottom - top >= LONG_MINUTES && freeBottom === bottom);
const FIRST_LAYER = 10;
export const hoursHigh = (minutes: number) => `calc(var(--hour-height) * ${minutes / 60})`;

/** What stands beside the button that a mouse sees: words end before it. */
const BESIDE_MOVE = '@min-[4.75rem]:group-focus-within:pr-6 @min-[4.75rem]:pointer-fine:group-hover:pr-6';

/** In the line above the title, or where that is too narrow for one, below. Fingers see it where it leaves room for the words; elsewhere it is there for screen readers. */
const MOVE_CORNER =
  'top-0.5 right-1.5 size-5 rounded-control @max-[4.75rem]:top-auto @max-[4.75rem]:bottom-0.5 pointer-coarse:size-7 pointer-coarse:opacity-100 pointer-coarse:@max-[10rem]:not-focus-visible:sr-only';

interface EventBoxProps {
  box: EventBox;
  zone: string;
  /** In the lane of a person their name is above; elsewhere it says whose it is. */
  isInLane: boolean;
  canMove: boolean;
  onPointerDown: (down: ReactPointerEvent<HTMLElement>, box: EventBox, action: 'move' | 'resize') => void;
  onMoveDialog: (event: CalendarEvent) => void;
}

/** Of a lane of the column, moved in by its depth: from the left edge to the right one. */
export function placeOf({ top, bottom, lane, lanes, depth }: Pick<EventBox, 'top' | 'bottom' | 'lane' | 'lanes' | 'depth'>): CSSProperties {
  const inset = insetOf(lanes, depth);
  return {
    top: hoursHigh(top),
    height: hoursHigh(bottom - top),
    width: `calc(${100 / lanes}% - ${inset})`,
    zIndex: FIRST_LAYER + depth,
    // A narrow one grows under the pointer, away from the nearer edge of its column.
    ...(lane * 2 < lanes ? { left: `calc(${(100 * lane) / lanes}% + ${inset})` } : { right: `${(100 * (lanes - lane - 1)) / lanes}%` }),
  };
}

const insetOf = (lanes: number, depth: number) => `${insetRem(lanes, depth)}rem`;

/** The time that two events of the same person share, on what can be seen of the earlier one. */
function SharedTime({ box: { clash, lane, lanes, depth, hatchDepth } }: { box: EventBox }) {
  if (!clash || hatchDepth === null) return null;
  return (
    <li
      aria-hidden="true"
      className="pointer-events-none absolute bg-[repeating-linear-gradient(135deg,var(--danger)_0_2px,transparent_2px_6px)] opacity-75"
      style={{
        top: hoursHigh(clash.top),
        height: hoursHigh(clash.bottom - clash.top),
        left: `calc(${(100 * lane) / lanes}% + ${insetOf(lanes, hatchDepth)})`,
        width: insetOf(lanes, 1),
        zIndex: FIRST_LAYER + depth,
      }}
    />
  );
}

/** A task's own dialog is a part of the To Do page. */
export const linkTo = ({ kind, id }: CalendarEvent) =>
  kind === 'job' ? ({ to: '/jobs/$id', params: { id } } as const) : ({ to: '/todo', search: { task: id } } as const);

/** Browsers leave what the keyboard reaches as it is when a part of it can be seen, beside the hours or at the edge of the screen. */
const showWhole = (element: HTMLElement) => element.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** A job or task in its column: press to open, drag to move, drag its lower edge to make it longer or shorter. */
export const EventBoxItem = memo(function EventBoxItem({ box, zone, isInLane, canMove, onPointerDown, onMoveDialog }: EventBoxProps) {
  const { event, top, bottom, lanes, depth, clash } = box;
  return (
    <>
      <SharedTime box={box} />
      <li
        data-event={event.id}
        data-keeps-arrows=""
        className={classes(
          'group @container absolute pr-1 pb-0.5 pl-0.5 data-dragged:opacity-50 data-dragged:[&>a]:outline-2 data-dragged:[&>a]:-outline-offset-2 data-dragged:[&>a]:outline-accent data-dragged:[&>a]:outline-dashed',
          // What the keyboard reaches comes out from under the others; under the pointer it would cover what is to be pressed.
          box.isClear ? 'focus-within:z-30! hover:z-30!' : 'has-focus-visible:z-30!',
          box.isClear && lanes > 1 && 'focus-within:min-w-32 pointer-fine:hover:min-w-32',
        )}
        style={placeOf(box)}
      >
        <Link
          {...linkTo(event)}
          draggable={false}
          className={classes(
            'relative block h-full overflow-clip rounded-md text-xs select-none [-webkit-touch-callout:none]',
            lanes > 2 ? 'pr-0.5 pl-2.5' : 'pr-1 pl-3',
            canMove && 'pointer-coarse:@min-[10rem]:pr-9',
            bottom - top < SHORT_MINUTES ? 'py-px leading-3.5' : 'py-1',
            canMove && 'cursor-grab',
            lookOf(event),
            clash ? 'ring-2 ring-danger' : depth > 0 && 'ring-1 ring-surface',
            !box.startsHere && 'rounded-t-none',
            !box.endsHere && 'rounded-b-none',
          )}
          style={outlineOf(event)}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && showWhole(currentTarget)}
          onPointerDown={(down) => canMove && onPointerDown(down, box, 'move')}
        >
          <span
            aria-hidden="true"
            className="absolute inset-y-1 left-1 w-1 rounded-full bg-line-strong"
            style={event.staff?.hex_code ? { backgroundColor: event.staff.hex_code } : {}}
          />
          <span className="block" style={isLong(box) ? { height: `calc(${hoursHigh(box.freeBottom - top)} - 0.5rem)` } : {}}>
            <span className={classes('block', isLong(box) && 'sticky top-[calc(var(--head-height)+0.25rem)]')}>
              <EventText box={box} zone={zone} isInLane={isInLane} canMove={canMove} />
            </span>
          </span>
          {canMove && box.endsHere && <LowerEdge onPointerDown={(down) => onPointerDown(down, box, 'resize')} />}
        </Link>
        {canMove && <MoveButton event={event} onMoveDialog={onMoveDialog} className={MOVE_CORNER} />}
      </li>
    </>
  );
}, isSameItem);

function isSameItem({ box: one, ...props }: EventBoxProps, { box: other, ...others }: EventBoxProps): boolean {
  return isSameBox(one, other) && isAlike(props, others);
}

export function lookOf({ kind, status }: CalendarEvent): string {
  if (kind === 'job') return statusColor(status);
  return classes('border bg-surface', status === 'completed' ? 'border-dashed text-ink-3' : 'text-ink-2');
}

interface EventTextProps {
  box: EventBox;
  zone: string;
  isInLane: boolean;
  canMove: boolean;
}

/** As much as fits: the title gets the lines that time, clash and status leave it, and names give way before the status does. */
function EventText({ box, zone, isInLane, canMove }: EventTextProps) {
  const { event, top, bottom, freeBottom, lanes, clash } = box;
  if (bottom - top < SHORT_MINUTES) return <ShortText box={box} zone={zone} canMove={canMove} />;
  const [from, to] = partText(box, zone).split(' – ');
  const staff = event.staff?.name ?? UNASSIGNED;
  const whose = isInLane ? event.job?.address && suburbOf(event.job.address) : lanes > 1 ? firstNameOf(staff) : staff;
  const lines = Math.floor((freeBottom - top - 4) / LINE_MINUTES);
  const isPart = to === undefined;
  const clashLines = clash ? (lanes > 1 && lines > 4 ? 2 : 1) : 0;
  return (
    <>
      <span
        className={classes(
          'block truncate tabular-nums',
          canMove && BESIDE_MOVE,
          // Where it is too narrow for one line it takes two.
          lines > 4 ? '@max-[5.75rem]:whitespace-normal @max-[3.5rem]:sr-only' : '@max-[4.75rem]:sr-only',
        )}
      >
        {from}
        {to !== undefined && <span className="@max-[8rem]:sr-only"> – {to}</span>}
      </span>
      {/* A word that is too long ends at the edge: broken into pieces it could not be read. */}
      <span
        className="line-clamp-1 font-semibold hyphens-auto"
        style={{ WebkitLineClamp: Math.max(1, lines - (lines > 4 && isPart ? 3 : 2) - clashLines) }}
      >
        {event.isTimerRunning && <RunningTimer />}
        {event.title}
      </span>
      {clash && <Overlap minutes={clash.minutes} isOneLine={clashLines === 1} />}
      <span className={clash && lines < 4 ? 'sr-only' : 'flex'}>
        {whose && <span className="truncate @max-[7rem]:sr-only">{whose}</span>}
        {whose && <span className="whitespace-pre @max-[7rem]:sr-only"> · </span>}
        <span className="shrink-0 @max-[4rem]:sr-only">{event.word}</span>
      </span>
      {isInLane && <span className="sr-only">{staff}</span>}
    </>
  );
}

/** Half an hour has room for two lines. */
function ShortText({ box, zone, canMove }: Omit<EventTextProps, 'isInLane'>) {
  const { event, clash } = box;
  return (
    <>
      <span className={classes('block truncate font-semibold', canMove && BESIDE_MOVE)}>
        {event.isTimerRunning && <RunningTimer />}
        {event.title}
      </span>
      <span className="block truncate">
        {clash && <Overlap minutes={clash.minutes} isShort />}
        {event.word} · {partText(box, zone)}
      </span>
      <span className="sr-only">{event.staff?.name ?? UNASSIGNED}</span>
    </>
  );
}

interface OverlapProps {
  minutes: number;
  /** Before other words. */
  isShort?: boolean;
  /** Where only one line is left, the sign and the time say it. */
  isOneLine?: boolean;
}

function Overlap({ minutes, isShort = false, isOneLine = false }: OverlapProps) {
  return (
    <span className={classes('font-semibold text-danger-ink', isShort ? 'mr-1' : 'block', isOneLine && 'truncate')}>
      <TriangleAlert aria-hidden="true" className="mr-1 inline size-3 align-[-0.125em]" />
      <span className={isOneLine ? '@max-[9rem]:sr-only' : '@max-[5.5rem]:sr-only'}>Overlaps by </span>
      {minutesText(minutes)}
    </span>
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

const firstNameOf = (name: string) => name.split(' ', 1).join('');

/** 'Birkenhead' of '12 Rata Street, Birkenhead, Auckland'. */
export const suburbOf = (address: string) => {
  const [street = '', suburb] = address.split(/[,\n]/).map((part) => part.trim());
  return suburb || street;
};

/** In the link, so that pressing it opens the event as the rest does. */
function LowerEdge({ onPointerDown }: { onPointerDown: (down: ReactPointerEvent<HTMLElement>) => void }) {
  return (
    <span
      data-resize=""
      aria-hidden="true"
      className="absolute inset-x-0 bottom-0 h-2 cursor-ns-resize pointer-coarse:h-4"
      onPointerDown={(down) => {
        down.stopPropagation();
        onPointerDown(down);
      }}
    />
  );
}

interface MoveButtonProps {
  event: CalendarEvent;
  onMoveDialog: (event: CalendarEvent) => void;
  className: string;
}

/** For the keyboard, screen readers and fingers; a mouse sees it on the event it points at. Around it is a `group`. */
export function MoveButton({ event, onMoveDialog, className }: MoveButtonProps) {
  return (
    <button
      type="button"
      title="Move to…"
      aria-label={`Move ${event.title} to…`}
      className={classes(
        'absolute flex items-center justify-center bg-raised text-ink-2 opacity-0 shadow-card group-hover:opacity-100 focus-visible:opacity-100',
        className,
      )}
      onClick={() => onMoveDialog(event)}
    >
      <CalendarClock aria-hidden="true" className="size-3.5" />
    </button>
  );
}
