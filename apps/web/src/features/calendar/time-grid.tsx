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
import { classes } from '../../ui/classes.ts';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import type { CalendarEvent, Clashes } from './calendar-event.ts';
import {
  type ColumnContents,
  DAY_MINUTES,
  type EventBox,
  fillColumn,
  type GridColumn,
  SLOT_MINUTES,
  wallMinutes,
} from './calendar-layout.ts';
import { weekdayOf } from './calendar-view.ts';
import { clockChangeOn } from './clock-change-band.ts';
import { ColumnHead } from './column-head.tsx';
import { type ColumnSummary, summaryOf } from './column-summary.ts';
import { DragGhost, useMarkDragged } from './drag-ghost.tsx';
import { EventBoxItem, hoursHigh, NARROW_INSET_REM } from './event-box.tsx';
import type { EventDrag } from './event-drag.ts';
import { FreeSlot, type Slot, useFreeSlot } from './free-slot.tsx';
import { MoreEvents, MoreItem } from './more-events.tsx';
import { HourLabels, NowLine } from './now-line.tsx';
import { PeopleOutOfView } from './people-out-of-view.tsx';
import { minutesAt, type SurfaceProps, useDropSurface } from './use-drop-surface.ts';

const WORK_STARTS = 7 * 60;
const BEFORE_NOW = 2 * 60;
/** What is earlier is done at night, and not where a day begins. */
const EARLIEST_START = 5 * 60;
/** Seven of them fit beside the menu of a small desk. */
const MIN_COLUMN_REM = 4.5;
/** Where they would not, they scroll sideways, and days with much at the same time get room for it. */
const SIDE_BY_SIDE = '[--side-by-side:4.75rem] @min-[35rem]:[--side-by-side:0rem]';
/** Of events side by side with what is between them, so that none is narrower than 24 px, which a finger or a shaky hand still hits. */
const MIN_BOX_REM = 2;
const MIN_LANE_REM = 8;
const GUTTER = '3.5rem';

export interface TimeGridProps {
  columns: readonly GridColumn[];
  today: string;
  zone: string;
  events: readonly CalendarEvent[];
  clashes: Clashes;
  /** The only one of jobs that are shown. */
  status: CalendarStatus | undefined;
  canMove: boolean;
  drag: EventDrag;
  /** The free time that was pressed. */
  slot: Slot | undefined;
  onSlot: Dispatch<SetStateAction<Slot | undefined>>;
  onOpenDay: (date: string) => void;
  onMoveDialog: (event: CalendarEvent) => void;
}

/** Days or people side by side, each with the 24 hours that clocks show. */
export function TimeGrid(props: TimeGridProps) {
  const { columns, today, zone, events, clashes, status, canMove, drag, slot, onSlot, onOpenDay, onMoveDialog } = props;
  const scroller = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const isLanes = columns.some(({ staff }) => staff !== undefined);
  const filled = useMemo(
    () =>
      columns.map((column): FilledColumn => {
        const contents = fillColumn(column, events, clashes, zone);
        return { column, ...contents, summary: summaryOf(column, contents, zone) };
      }),
    [columns, events, clashes, zone],
  );
  useDropSurface({ drag, columns, zone, scroller, body });
  useMarkDragged(drag, body);
  useFirstScroll({ scroller, body, filled, today, zone });

  useFreeSlot({ body, columns, canAdd: canMove, onSlot });
  const pick = useCallback(
    (down: ReactPointerEvent<HTMLElement>, box: EventBox, action: 'move' | 'resize') => {
      const { event, day, wallStart, startsHere, bottom } = box;
      const at = minutesAt(body.current, down.clientY);
      const minutes = action === 'move' ? day + at - wallStart : at - bottom;
      drag.start(down.nativeEvent, event, { action, grab: { minutes, continues: !startsHere } });
    },
    [drag],
  );

  const [inList, setInList] = useState<{ day: string; events: readonly CalendarEvent[]; open: boolean }>({
    day: '',
    events: [],
    open: false,
  });
  const { minWidth, template } = gridSize(filled, isLanes);
  return (
    <div className="@container relative isolate flex min-h-0 min-w-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label="Time grid"
        data-calendar=""
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-auto overscroll-contain rounded-card bg-surface [overflow-anchor:none] scroll-pt-[calc(var(--head-height)+0.5rem)] scroll-pl-14 shadow-card [--head-height:4rem] [--hour-height:4rem]"
      >
        <div className={classes('w-full', SIDE_BY_SIDE)} style={{ minWidth }}>
          <div className="sticky top-0 z-40 grid border-b bg-surface" style={{ gridTemplateColumns: template }}>
            <div className="sticky left-0 z-10 border-r bg-surface" />
            {filled.map(({ column, summary }) => (
              <ColumnHead
                key={column.key}
                column={column}
                isAlone={columns.length === 1}
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
              <HourLabels zone={zone} showsNow={columns.some(({ date }) => date === today)} />
            </div>
            {filled.map(({ column, boxes, more }, index) => (
              <ColumnBody key={column.key} column={column} index={index} isToday={column.date === today} zone={zone}>
                {boxes.map((box) => (
                  <EventBoxItem
                    key={box.event.id}
                    box={box}
                    zone={zone}
                    isInLane={column.staff !== undefined}
                    canMove={canMove}
                    onPointerDown={pick}
                    onMoveDialog={onMoveDialog}
                  />
                ))}
                {slot?.column.key === column.key && <FreeSlot slot={slot} onClose={() => onSlot(undefined)} />}
                {more.map((each) => (
                  <MoreItem
                    key={each.top}
                    more={each}
                    onOpen={() => setInList({ day: column.date, events: each.hidden.map(({ event }) => event), open: true })}
                  />
                ))}
              </ColumnBody>
            ))}
            <DragGhost drag={drag} columns={columns} zone={zone} />
          </div>
        </div>
        <MoreEvents
          {...inList}
          zone={zone}
          clashes={clashes}
          canMove={canMove}
          onMoveDialog={onMoveDialog}
          onClose={() => setInList({ ...inList, open: false })}
        />
      </section>
      {isLanes && <PeopleOutOfView scroller={scroller} columns={columns} />}
    </div>
  );
}

interface FilledColumn extends ColumnContents {
  readonly column: GridColumn;
  readonly summary: ColumnSummary;
}

/** Lanes share the width as long as their words fit, and then scroll sideways. A day with much at the same time takes room from the others. */
function gridSize(filled: readonly FilledColumn[], isLanes: boolean): { minWidth: string; template: string } {
  const count = filled.length;
  if (count === 1) return { minWidth: '100%', template: `${GUTTER} minmax(0, 1fr)` };
  if (isLanes) return { minWidth: `calc(${GUTTER} + ${count * MIN_LANE_REM}rem)`, template: `${GUTTER} repeat(${count}, minmax(0, 1fr))` };
  const shares = filled.map(({ boxes }) => Math.max(1, ...boxes.map(({ lanes, depth }) => lanes + depth / 4)));
  const widths = filled.map(({ boxes }, index) => {
    const rems = boxes.map(({ lanes, depth }) => (lanes > 1 ? lanes * (MIN_BOX_REM + depth * NARROW_INSET_REM) : 0));
    return `max(${Math.max(MIN_COLUMN_REM, ...rems)}rem, ${shares[index]} * var(--side-by-side))`;
  });
  return {
    minWidth: `calc(${[GUTTER, ...widths].join(' + ')})`,
    template: [GUTTER, ...shares.map((share, index) => `minmax(${widths[index]}, ${share}fr)`)].join(' '),
  };
}

interface ColumnBodyProps {
  column: GridColumn;
  index: number;
  isToday: boolean;
  zone: string;
  children: ReactNode;
}

/** Lines at the hours, dotted ones at the half. */
const LINES =
  'bg-[repeating-linear-gradient(to_bottom,var(--line)_0_1px,transparent_1px_calc(var(--hour-height)/2),var(--line-faint)_calc(var(--hour-height)/2)_calc(var(--hour-height)/2+1px),transparent_calc(var(--hour-height)/2+1px)_var(--hour-height))]';

function ColumnBody({ column: { key, date, staff }, index, isToday, zone, children }: ColumnBodyProps) {
  const change = useMemo(() => clockChangeOn(date, zone), [date, zone]);
  const name = staff === undefined ? `${weekdayOf(date)} ${Number(date.slice(-2))}` : (staff?.name ?? UNASSIGNED);
  return (
    // In its own cell of the one row, as the ghost is in the same: else they would push each other to the next.
    <div
      className={classes('relative row-start-1 border-l [--line-faint:color-mix(in_srgb,var(--line)_45%,transparent)]', LINES)}
      style={{ gridColumnStart: index + 2 }}
    >
      {change && (
        <div
          className={classes(
            'absolute inset-x-0 flex justify-center text-center text-xs text-ink-3',
            change.kind === 'skipped' ? 'items-center bg-neutral-soft' : 'items-start border-y border-dashed border-line-strong pt-0.5',
          )}
          style={{ top: hoursHigh(change.top), height: hoursHigh(change.bottom - change.top) }}
        >
          {change.kind === 'skipped' ? 'Clocks go forward' : 'Clocks go back: twice'}
        </div>
      )}
      {isToday && <NowLine zone={zone} />}
      <ul aria-label={name} data-column={key} className="absolute inset-0">
        {children}
      </ul>
    </div>
  );
}

interface FirstScrollProps extends Pick<SurfaceProps, 'scroller' | 'body' | 'zone'> {
  filled: readonly FilledColumn[];
  today: string;
}

/** Once: shortly before now, or to where work begins. */
function useFirstScroll({ scroller, body, filled, today, zone }: FirstScrollProps): void {
  const hasScrolled = useRef(false);
  useLayoutEffect(() => {
    if (!scroller.current || !body.current || hasScrolled.current) return;
    hasScrolled.current = true;
    const now = wallMinutes(new Date().toISOString(), zone) % DAY_MINUTES;
    const tops = filled.flatMap(({ boxes }) => boxes.map(({ top }) => top)).filter((top) => top >= EARLIEST_START);
    const showsNow = filled.some(({ column }) => column.date === today) && now > WORK_STARTS;
    const from = showsNow ? now - BEFORE_NOW : Math.min(WORK_STARTS, ...tops);
    scroller.current.scrollTo({ top: (Math.max(0, from - SLOT_MINUTES) / DAY_MINUTES) * body.current.clientHeight });
  });
}
