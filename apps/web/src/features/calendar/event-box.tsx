import { Link } from '@tanstack/react-router';
import { CalendarClock, TriangleAlert } from 'lucide-react';
import { type CSSProperties, memo, type PointerEvent as ReactPointerEvent } from 'react';
import { UnsentMark } from '../../lib/commands/unsent-mark.tsx';
import { classNames } from '../../ui/class-names.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { getJobLane } from '../jobs/jobs.api.ts';
import { TASK_HEX_COLORS } from '../tasks/task-color.ts';
import { getTaskLane } from '../tasks/tasks.api.ts';
import type { CalendarEvent } from './calendar-event.ts';
import { formatMinutes, formatSegmentTimes } from './calendar-format.ts';
import { type EventBox, isSameBox, isShallowEqual } from './calendar-layout.ts';
import { getInsetRem } from './grid-size.ts';

/** Status colors from the specification. All other statuses are gray. */
const STATUS_CLASSES: Readonly<Record<string, string>> = {
  pending: 'bg-warn-soft text-warn-ink',
  contacted: 'bg-info-soft text-info-ink',
  booked: 'bg-violet-soft text-violet-ink',
  canceled: 'bg-danger-soft text-danger-ink',
  complete: 'bg-ok-soft text-ok-ink',
  paid: 'bg-[#14532d] text-[#dcf5e3]',
};

export const getStatusClasses = (status: string) => STATUS_CLASSES[status] ?? 'bg-neutral-soft text-neutral-ink';

export const getOutlineStyle = ({ color }: CalendarEvent) => (color ? { borderColor: TASK_HEX_COLORS[color] } : {});

const SHORT_EVENT_MINUTES = 45;
/** Height of one line of text, in minutes of the grid. */
const TEXT_LINE_MINUTES = 15;
/** From this duration, an event's text stays in view while the grid scrolls. So does the text of an event from a previous day. */
const LONG_EVENT_MINUTES = 240;
const hasStickyText = ({ top, bottom, freeBottom, startsHere }: EventBox) =>
  !startsHere || (bottom - top >= LONG_EVENT_MINUTES && freeBottom === bottom);
const BASE_Z_INDEX = 10;
export const toGridLength = (minutes: number) => `calc(var(--hour-height) * ${minutes / 60})`;

/** Keeps the text clear of the move button, which appears on hover and focus. */
const MOVE_BUTTON_PADDING = '@min-[4.75rem]:group-focus-within:pr-6 @min-[4.75rem]:pointer-fine:group-hover:pr-6';

/** Places the move button at the top right, or at the bottom of a narrow event. Touch screens hide it where it would cover the text. */
const MOVE_BUTTON_POSITION =
  'top-0.5 right-1.5 size-5 rounded-control @max-[4.75rem]:top-auto @max-[4.75rem]:bottom-0.5 pointer-coarse:size-7 pointer-coarse:opacity-100 pointer-coarse:@max-[10rem]:not-focus-visible:sr-only';

interface EventBoxItemProps {
  box: EventBox;
  zone: string;
  /** True in a person's lane, where the header already shows that person's name. */
  isInLane: boolean;
  canMove: boolean;
  onPointerDown: (down: ReactPointerEvent<HTMLElement>, box: EventBox, action: 'move' | 'resize') => void;
  onMoveClick: (event: CalendarEvent) => void;
}

export function getBoxStyle(box: Pick<EventBox, 'top' | 'bottom' | 'track' | 'trackCount' | 'depth'>): CSSProperties {
  const { top, bottom, track, trackCount, depth } = box;
  const inset = getInset(trackCount, depth);
  return {
    top: toGridLength(top),
    height: toGridLength(bottom - top),
    width: `calc(${100 / trackCount}% - ${inset})`,
    zIndex: BASE_Z_INDEX + depth,
    // A narrow box widens on hover. Anchored to the nearer edge, the box widens toward the middle of the column.
    ...(track * 2 < trackCount
      ? { left: `calc(${(100 * track) / trackCount}% + ${inset})` }
      : { right: `${(100 * (trackCount - track - 1)) / trackCount}%` }),
  };
}

const getInset = (trackCount: number, depth: number) => `${getInsetRem(trackCount, depth)}rem`;

/** Hatches the overlap of two clashing events, on the part of the earlier event that stays visible. */
function ClashHatching({ box: { clash, track, trackCount, depth, hatchDepth } }: { box: EventBox }) {
  if (!clash || hatchDepth === null) return null;
  return (
    <li
      aria-hidden="true"
      className="pointer-events-none absolute bg-[repeating-linear-gradient(135deg,var(--danger)_0_2px,transparent_2px_6px)] opacity-75"
      style={{
        top: toGridLength(clash.top),
        height: toGridLength(clash.bottom - clash.top),
        left: `calc(${(100 * track) / trackCount}% + ${getInset(trackCount, hatchDepth)})`,
        width: getInset(trackCount, 1),
        zIndex: BASE_Z_INDEX + depth,
      }}
    />
  );
}

/** Links a job to its own page, and a task to its dialog on the To Do page. */
export const getEventLink = ({ kind, id }: CalendarEvent) =>
  kind === 'job' ? ({ to: '/jobs/$id', params: { id } } as const) : ({ to: '/todo', search: { task: id } } as const);

const getEventLane = ({ kind, id }: CalendarEvent) => (kind === 'job' ? getJobLane(id) : getTaskLane(id));

/** Scrolls the whole element into view on focus. Browsers don't scroll if part of the element is already visible. */
const scrollFullyIntoView = (element: HTMLElement) => element.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** Shows a job or task in its column. The user can click to open it, drag to move it, or drag the lower edge to resize it. */
export const EventBoxItem = memo(function EventBoxItem({ box, zone, isInLane, canMove, onPointerDown, onMoveClick }: EventBoxItemProps) {
  const { event, top, bottom, trackCount, depth, clash } = box;
  return (
    <>
      <ClashHatching box={box} />
      <li
        data-event={event.id}
        data-keeps-arrows=""
        className={classNames(
          'group @container absolute pr-1 pb-0.5 pl-0.5 data-dragged:opacity-50 data-dragged:[&>a]:outline-2 data-dragged:[&>a]:-outline-offset-2 data-dragged:[&>a]:outline-accent data-dragged:[&>a]:outline-dashed',
          // Keyboard focus always raises the event. Hover raises it only if it wouldn't cover another event.
          box.canExpand ? 'focus-within:z-30! hover:z-30!' : 'has-focus-visible:z-30!',
          box.canExpand && trackCount > 1 && 'focus-within:min-w-32 pointer-fine:hover:min-w-32',
        )}
        style={getBoxStyle(box)}
      >
        <Link
          {...getEventLink(event)}
          draggable={false}
          className={classNames(
            'relative block h-full overflow-clip rounded-md text-xs select-none [-webkit-touch-callout:none]',
            trackCount > 2 ? 'pr-0.5 pl-2.5' : 'pr-1 pl-3',
            canMove && 'pointer-coarse:@min-[10rem]:pr-9',
            bottom - top < SHORT_EVENT_MINUTES ? 'py-px leading-3.5' : 'py-1',
            canMove && 'cursor-grab',
            getEventClasses(event),
            clash ? 'ring-2 ring-danger' : depth > 0 && 'ring-1 ring-surface',
            !box.startsHere && 'rounded-t-none',
            !box.endsHere && 'rounded-b-none',
          )}
          style={getOutlineStyle(event)}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && scrollFullyIntoView(currentTarget)}
          onPointerDown={(down) => canMove && onPointerDown(down, box, 'move')}
        >
          <span
            aria-hidden="true"
            className="absolute inset-y-1 left-1 w-1 rounded-full bg-line-strong"
            style={event.staff?.hex_code ? { backgroundColor: event.staff.hex_code } : {}}
          />
          <span className="block" style={hasStickyText(box) ? { height: `calc(${toGridLength(box.freeBottom - top)} - 0.5rem)` } : {}}>
            <span className={classNames('block', hasStickyText(box) && 'sticky top-[calc(var(--head-height)+0.25rem)]')}>
              <EventText box={box} zone={zone} isInLane={isInLane} canMove={canMove} />
            </span>
          </span>
          {canMove && box.endsHere && <ResizeHandle onPointerDown={(down) => onPointerDown(down, box, 'resize')} />}
        </Link>
        {canMove && <MoveEventButton event={event} onMoveClick={onMoveClick} className={MOVE_BUTTON_POSITION} />}
        <UnsentMark lane={getEventLane(event)} className="pointer-events-none absolute right-1.5 bottom-1" />
      </li>
    </>
  );
}, hasSameProps);

function hasSameProps({ box: one, ...props }: EventBoxItemProps, { box: other, ...others }: EventBoxItemProps): boolean {
  return isSameBox(one, other) && isShallowEqual(props, others);
}

export function getEventClasses({ kind, status }: CalendarEvent): string {
  if (kind === 'job') return getStatusClasses(status);
  return classNames('border bg-surface', status === 'completed' ? 'border-dashed text-ink-3' : 'text-ink-2');
}

interface EventTextProps {
  box: EventBox;
  zone: string;
  isInLane: boolean;
  canMove: boolean;
}

/** Shows as much text as fits. The title gets the lines left over by time, clash and status. Names are hidden before the status. */
function EventText({ box, zone, isInLane, canMove }: EventTextProps) {
  const { event, top, bottom, freeBottom, trackCount, clash } = box;
  if (bottom - top < SHORT_EVENT_MINUTES) return <ShortEventText box={box} zone={zone} canMove={canMove} />;
  const [from, to] = formatSegmentTimes(box, zone).split(' – ');
  const staff = event.staff?.name ?? UNASSIGNED_LABEL;
  const subtitle = isInLane ? event.job?.address && getSuburb(event.job.address) : trackCount > 1 ? getFirstName(staff) : staff;
  const lines = Math.floor((freeBottom - top - 4) / TEXT_LINE_MINUTES);
  const isSingleTime = to === undefined;
  const clashLines = clash ? (trackCount > 1 && lines > 4 ? 2 : 1) : 0;
  return (
    <>
      <span
        className={classNames(
          'block truncate tabular-nums',
          canMove && MOVE_BUTTON_PADDING,
          lines > 4 ? '@max-[5.75rem]:whitespace-normal @max-[3.5rem]:sr-only' : '@max-[4.75rem]:sr-only',
        )}
      >
        {from}
        {to !== undefined && <span className="@max-[8rem]:sr-only"> – {to}</span>}
      </span>
      {/* A long word ends with an ellipsis, and a very narrow box has one line: more would show only the first letters of words. */}
      <span
        className="line-clamp-1 font-semibold text-ellipsis hyphens-auto @max-[3.25rem]:line-clamp-1!"
        style={{ WebkitLineClamp: Math.max(1, lines - (lines > 4 && isSingleTime ? 3 : 2) - clashLines) }}
      >
        {event.isTimerRunning && <RunningTimerDot />}
        {event.title}
      </span>
      {clash && <OverlapWarning minutes={clash.minutes} isOneLine={clashLines === 1} />}
      <span className={clash && lines < 4 ? 'sr-only' : 'flex'}>
        {subtitle && <span className="truncate @max-[7rem]:sr-only">{subtitle}</span>}
        {subtitle && <span className="whitespace-pre @max-[7rem]:sr-only"> · </span>}
        <span className="shrink-0 @max-[4rem]:sr-only">{event.statusLabel}</span>
      </span>
      {isInLane && <span className="sr-only">{staff}</span>}
    </>
  );
}

/** Shows two lines of text, because a half-hour event has no room for more. */
function ShortEventText({ box, zone, canMove }: Omit<EventTextProps, 'isInLane'>) {
  const { event, clash } = box;
  return (
    <>
      <span className={classNames('block truncate font-semibold', canMove && MOVE_BUTTON_PADDING)}>
        {event.isTimerRunning && <RunningTimerDot />}
        {event.title}
      </span>
      <span className="block truncate">
        {clash && <OverlapWarning minutes={clash.minutes} isInline />}
        {event.statusLabel} · {formatSegmentTimes(box, zone)}
      </span>
      <span className="sr-only">{event.staff?.name ?? UNASSIGNED_LABEL}</span>
    </>
  );
}

interface OverlapWarningProps {
  minutes: number;
  /** True if other text follows the warning on the same line. */
  isInline?: boolean;
  /** True if only one line is free. A narrow box then shows only the icon and the minutes. */
  isOneLine?: boolean;
}

function OverlapWarning({ minutes, isInline = false, isOneLine = false }: OverlapWarningProps) {
  return (
    <span className={classNames('font-semibold text-danger-ink', isInline ? 'mr-1' : 'block', isOneLine && 'truncate')}>
      <TriangleAlert aria-hidden="true" className="mr-1 inline size-3 align-[-0.125em]" />
      <span className={isOneLine ? '@max-[9rem]:sr-only' : '@max-[5.5rem]:sr-only'}>Overlaps by </span>
      {formatMinutes(minutes)}
    </span>
  );
}

function RunningTimerDot() {
  return (
    <>
      <span aria-hidden="true" className="mr-1.5 inline-block size-2 animate-pulse rounded-full bg-info align-middle" />
      <span className="sr-only">Timer running: </span>
    </>
  );
}

const getFirstName = (name: string) => name.split(' ', 1).join('');

/** Extracts the suburb: 'Birkenhead' from '12 Rata Street, Birkenhead, Auckland'. */
export const getSuburb = (address: string) => {
  const [street = '', suburb] = address.split(/[,\n]/).map((part) => part.trim());
  return suburb || street;
};

/** Resizes the event. Rendered inside the link, so that a click on the handle opens the event like a click on the rest of the box. */
function ResizeHandle({ onPointerDown }: { onPointerDown: (down: ReactPointerEvent<HTMLElement>) => void }) {
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
  onMoveClick: (event: CalendarEvent) => void;
  className: string;
}

/** Opens the move dialog, as an alternative to dragging. Its parent must be a `group`, because the button appears on hover. */
export function MoveEventButton({ event, onMoveClick, className }: MoveButtonProps) {
  return (
    <button
      type="button"
      title="Move to…"
      aria-label={`Move ${event.title} to…`}
      className={classNames(
        'absolute flex items-center justify-center bg-raised text-ink-2 opacity-0 shadow-card group-hover:opacity-100 focus-visible:opacity-100',
        className,
      )}
      onClick={() => onMoveClick(event)}
    >
      <CalendarClock aria-hidden="true" className="size-3.5" />
    </button>
  );
}
