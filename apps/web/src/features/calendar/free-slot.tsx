import { fieldTime } from '@callout/domain/time/wall-time';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { DAY_MINUTES, type GridColumn } from './calendar-layout.ts';
import { hoursHigh } from './event-box.tsx';
import { minutesAt } from './use-drop-surface.ts';

export interface Slot {
  /** Its key. */
  readonly column: string;
  /** Of the day. */
  readonly minutes: number;
}

/** What is pressed lies within half an hour, as the lines show it. */
const STEP_MINUTES = 30;
const SLOT_HOUR = 60;

/** The free time that was pressed last, until something else is. */
export function useFreeSlot(body: RefObject<HTMLElement | null>, columns: readonly GridColumn[], canAdd: boolean) {
  const [slot, setSlot] = useState<Slot>();
  useEffect(() => {
    const grid = body.current;
    if (!grid || !canAdd) return undefined;
    const stop = new AbortController();
    grid.addEventListener(
      'click',
      ({ target, clientY }) => {
        // What leads elsewhere stays until it has.
        if (!(target instanceof HTMLElement) || target.closest('a, button')) return;
        const { column } = target.dataset;
        const minutes = Math.floor(minutesAt(grid, clientY) / STEP_MINUTES) * STEP_MINUTES;
        setSlot((shown) => (shown || column === undefined ? undefined : { column, minutes: Math.min(minutes, DAY_MINUTES - SLOT_HOUR) }));
      },
      { signal: stop.signal },
    );
    return () => {
      stop.abort();
      setSlot(undefined);
    };
  }, [body, columns, canAdd]);
  return [slot, setSlot] as const;
}

interface FreeSlotProps {
  slot: Slot;
  column: GridColumn;
  onClose: () => void;
}

/** Offers a job there. Pressed once more, or with Escape, it goes. */
export function FreeSlot({ slot: { minutes }, column: { date, staff }, onClose }: FreeSlotProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus({ preventScroll: true }), []);
  const time = fieldTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  const shown = `${Math.floor(minutes / 60) % 12 || 12}:${time.slice(3)} ${minutes < DAY_MINUTES / 2 ? 'AM' : 'PM'}`;
  return (
    <li className="absolute inset-x-0.5 z-30" style={{ top: hoursHigh(minutes), height: hoursHigh(SLOT_HOUR) }}>
      <Link
        ref={link}
        to="/jobs/new"
        search={{ date, time, ...(staff && { staff: staff.id }) }}
        draggable={false}
        className="flex h-full flex-col overflow-clip rounded-md border-2 border-dashed border-accent bg-accent-soft px-2 py-1 text-xs text-accent-ink"
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        <span className="tabular-nums">{shown}</span>
        <span className="flex items-center gap-1 font-semibold">
          <Plus aria-hidden="true" className="size-3.5 shrink-0" />
          New Job
        </span>
      </Link>
    </li>
  );
}
