import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import {
  type Dispatch,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type SetStateAction,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from '../../ui/class-names.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import type { CalendarEvent, ClashMap } from './calendar-event.ts';
import {
  type ColumnContents,
  DAY_MINUTES,
  type EventBox,
  type GridColumn,
  layOutColumn,
  SLOT_MINUTES,
  toWallMinutes,
} from './calendar-layout.ts';
import { formatWeekday } from './calendar-view.ts';
import { findClockChangeBand } from './clock-change-band.ts';
import { ColumnHeader } from './column-header.tsx';
import { type ColumnSummary, summarizeColumn } from './column-summary.ts';
import { DragGhost, useDraggedAttribute } from './drag-ghost.tsx';
import { EventBoxItem, toGridLength } from './event-box.tsx';
import type { EventDragManager } from './event-drag-manager.ts';
import { FreeSlotLink, type GridSlot, useFreeSlotClicks } from './free-slot.tsx';
import { calculateGridSize, SIDE_BY_SIDE_CLASSES } from './grid-size.ts';
import { HiddenLanesButton } from './hidden-lanes-button.tsx';
import { HourLabels, NowLine } from './now-line.tsx';
import { OverflowButton, OverflowSheet } from './overflow-events.tsx';
import { type DropSurfaceOptions, getMinutesAt, useDropSurface } from './use-drop-surface.ts';

const WORKDAY_START_MINUTES = 7 * 60;
const MINUTES_ABOVE_NOW = 2 * 60;
/** Events before this time count as night work, so the initial scroll position ignores them. */
const EARLIEST_SCROLL_MINUTES = 5 * 60;

export interface TimeGridProps {
  columns: readonly GridColumn[];
  today: string;
  zone: string;
  events: readonly CalendarEvent[];
  clashes: ClashMap;
  /** Status to which the jobs are filtered; undefined for all jobs. */
  status: CalendarStatus | undefined;
  canMove: boolean;
  drag: EventDragManager;
  slot: GridSlot | undefined;
  onSlotChange: Dispatch<SetStateAction<GridSlot | undefined>>;
  onOpenDay: (date: string) => void;
  onMoveClick: (event: CalendarEvent) => void;
}

/** Shows days, or people's lanes, side by side. Each column has 24 hours of wall time. */
export function TimeGrid(props: TimeGridProps) {
  const { columns, today, zone, events, clashes, status, canMove, drag, slot, onSlotChange, onOpenDay, onMoveClick } = props;
  const scroller = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const hasLanes = columns.some(({ staff }) => staff !== undefined);
  const laidOut = useMemo(
    () =>
      columns.map((column): LaidOutColumn => {
        const contents = layOutColumn(column, events, clashes, zone);
        return { column, ...contents, summary: summarizeColumn(column, contents, zone) };
      }),
    [columns, events, clashes, zone],
  );
  useDropSurface({ drag, columns, zone, scroller, body });
  useDraggedAttribute(drag, body);
  useInitialScroll({ scroller, body, laidOut, today, zone });

  useFreeSlotClicks({ body, columns, canAdd: canMove, onSlotChange });
  const startDrag = useCallback(
    (down: ReactPointerEvent<HTMLElement>, box: EventBox, action: 'move' | 'resize') => {
      const { event, wallDayStart, wallStart, startsHere, bottom } = box;
      const pointerMinutes = getMinutesAt(body.current, down.clientY);
      const minutes = action === 'move' ? wallDayStart + pointerMinutes - wallStart : pointerMinutes - bottom;
      drag.start(down.nativeEvent, event, { action, grab: { minutes, startsEarlier: !startsHere } });
    },
    [drag],
  );

  const [overflowList, setOverflowList] = useState<{ day: string; events: readonly CalendarEvent[]; open: boolean }>({
    day: '',
    events: [],
    open: false,
  });
  const { minWidth, template } = calculateGridSize(
    laidOut.map(({ boxes }) => boxes),
    hasLanes,
  );
  return (
    <div className="@container relative isolate flex min-h-0 min-w-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label="Time grid"
        data-calendar=""
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrollable area must be reachable by keyboard.
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-auto overscroll-contain rounded-card bg-surface [overflow-anchor:none] scroll-pt-[calc(var(--head-height)+0.5rem)] scroll-pl-14 shadow-card [--head-height:4rem] [--hour-height:4rem]"
      >
        <div className={classNames('w-full', SIDE_BY_SIDE_CLASSES)} style={{ minWidth }}>
          <div className="sticky top-0 z-40 grid border-b bg-surface" style={{ gridTemplateColumns: template }}>
            <div className="sticky left-0 z-10 border-r bg-surface" />
            {laidOut.map(({ column, summary }) => (
              <ColumnHeader
                key={column.key}
                column={column}
                isOnlyColumn={columns.length === 1}
                isToday={column.date === today}
                zone={zone}
                summary={summary}
                status={status}
                onOpenDay={onOpenDay}
              />
            ))}
          </div>
          <div ref={body} className="relative grid" style={{ gridTemplateColumns: template }}>
            <div className="sticky left-0 z-35 col-start-1 row-start-1 h-[calc(var(--hour-height)*24)] border-r bg-surface text-xs text-ink-3 tabular-nums">
              <HourLabels zone={zone} hasNowLabel={columns.some(({ date }) => date === today)} />
            </div>
            {laidOut.map(({ column, boxes, overflow }, index) => (
              <ColumnBody key={column.key} column={column} index={index} isToday={column.date === today} zone={zone}>
                {boxes.map((box) => (
                  <EventBoxItem
                    key={box.event.id}
                    box={box}
                    zone={zone}
                    isInLane={column.staff !== undefined}
                    canMove={canMove}
                    onPointerDown={startDrag}
                    onMoveClick={onMoveClick}
                  />
                ))}
                {slot?.column.key === column.key && <FreeSlotLink slot={slot} onClose={() => onSlotChange(undefined)} />}
                {overflow.map((box) => (
                  <OverflowButton
                    key={box.top}
                    box={box}
                    onOpen={() => setOverflowList({ day: column.date, events: box.hidden.map(({ event }) => event), open: true })}
                  />
                ))}
              </ColumnBody>
            ))}
            <DragGhost drag={drag} columns={columns} zone={zone} />
          </div>
        </div>
        <OverflowSheet
          {...overflowList}
          zone={zone}
          clashes={clashes}
          canMove={canMove}
          onMoveClick={onMoveClick}
          onClose={() => setOverflowList({ ...overflowList, open: false })}
        />
      </section>
      {hasLanes && <HiddenLanesButton scroller={scroller} columns={columns} />}
    </div>
  );
}

interface LaidOutColumn extends ColumnContents {
  readonly column: GridColumn;
  readonly summary: ColumnSummary;
}

interface ColumnBodyProps {
  column: GridColumn;
  index: number;
  isToday: boolean;
  zone: string;
  children: ReactNode;
}

const HOUR_LINES =
  'bg-[repeating-linear-gradient(to_bottom,var(--line)_0_1px,transparent_1px_calc(var(--hour-height)/2),var(--line-faint)_calc(var(--hour-height)/2)_calc(var(--hour-height)/2+1px),transparent_calc(var(--hour-height)/2+1px)_var(--hour-height))]';

function ColumnBody({ column: { key, date, staff }, index, isToday, zone, children }: ColumnBodyProps) {
  const change = useMemo(() => findClockChangeBand(date, zone), [date, zone]);
  const name = staff === undefined ? `${formatWeekday(date)} ${Number(date.slice(-2))}` : (staff?.name ?? UNASSIGNED_LABEL);
  return (
    // Placed explicitly, because the drag ghost uses the same grid cell. Auto-placement would move one of the two to a new row.
    <div
      className={classNames('relative row-start-1 border-l [--line-faint:color-mix(in_srgb,var(--line)_45%,transparent)]', HOUR_LINES)}
      style={{ gridColumnStart: index + 2 }}
    >
      {change && (
        <div
          className={classNames(
            'absolute inset-x-0 flex justify-center text-center text-xs text-ink-3',
            change.kind === 'skipped' ? 'items-center bg-neutral-soft' : 'items-start border-y border-dashed border-line-strong pt-0.5',
          )}
          style={{ top: toGridLength(change.top), height: toGridLength(change.bottom - change.top) }}
        >
          {change.kind === 'skipped' ? 'Clocks go forward' : 'Clocks go back: time repeats'}
        </div>
      )}
      <ul aria-label={name} data-column={key} className="absolute inset-0">
        {children}
      </ul>
      {isToday && <NowLine zone={zone} />}
    </div>
  );
}

interface InitialScrollOptions extends Pick<DropSurfaceOptions, 'scroller' | 'body' | 'zone'> {
  laidOut: readonly LaidOutColumn[];
  today: string;
}

/** Scrolls once: to two hours before now if today's workday has begun, otherwise to the start of the workday or an earlier event. */
function useInitialScroll({ scroller, body, laidOut, today, zone }: InitialScrollOptions): void {
  const hasScrolled = useRef(false);
  useLayoutEffect(() => {
    if (!scroller.current || !body.current || hasScrolled.current) return;
    hasScrolled.current = true;
    const now = toWallMinutes(new Date().toISOString(), zone) % DAY_MINUTES;
    const tops = laidOut.flatMap(({ boxes }) => boxes.map(({ top }) => top)).filter((top) => top >= EARLIEST_SCROLL_MINUTES);
    const showsNow = laidOut.some(({ column }) => column.date === today) && now > WORKDAY_START_MINUTES;
    const from = showsNow ? now - MINUTES_ABOVE_NOW : Math.min(WORKDAY_START_MINUTES, ...tops);
    scroller.current.scrollTo({ top: (Math.max(0, from - SLOT_MINUTES) / DAY_MINUTES) * body.current.clientHeight });
  });
}
