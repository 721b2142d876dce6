import { fieldTime } from '@callout/domain/time/wall-time';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useEffectEvent, useRef } from 'react';
import { DAY_MINUTES, type GridColumn } from './calendar-layout.ts';
import { hoursHigh } from './event-box.tsx';
import { minutesAt } from './use-drop-surface.ts';

export interface Slot {
  readonly column: GridColumn;
  /** Of the day. */
  readonly minutes: number;
}

/** 'HH:mm' on the column's day. */
export const slotTime = ({ minutes }: Slot) => fieldTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 });

/** What is pressed lies within half an hour, as the lines show it. */
const STEP_MINUTES = 30;
const SLOT_HOUR = 60;

interface FreeSlotOptions {
  body: RefObject<HTMLElement | null>;
  columns: readonly GridColumn[];
  canAdd: boolean;
  onSlot: Dispatch<SetStateAction<Slot | undefined>>;
}

/** The free time that was pressed last, until something else is, or other days are shown. */
export function useFreeSlot({ body, columns, canAdd, onSlot }: FreeSlotOptions): void {
  // Columns are made anew with whatever a colleague saves.
  const dates = [...new Set(columns.map(({ date }) => date))].join(' ');
  const slotAt = useEffectEvent((key: string | undefined, clientY: number): Slot | undefined => {
    const column = columns.find((each) => each.key === key);
    const minutes = Math.floor(minutesAt(body.current, clientY) / STEP_MINUTES) * STEP_MINUTES;
    return column && { column, minutes: Math.min(minutes, DAY_MINUTES - SLOT_HOUR) };
  });
  useEffect(() => {
    const grid = body.current;
    if (!grid || !canAdd) return undefined;
    const stop = new AbortController();
    grid.addEventListener(
      'click',
      ({ target, clientY }) => {
        // What leads elsewhere stays until it has.
        if (!(target instanceof HTMLElement) || target.closest('a, button')) return;
        const pressed = slotAt(target.dataset['column'], clientY);
        onSlot((shown) => (shown ? undefined : pressed));
      },
      { signal: stop.signal },
    );
    return () => {
      stop.abort();
      onSlot(undefined);
    };
  }, [body, dates, canAdd, onSlot]);
}

interface FreeSlotProps {
  slot: Slot;
  onClose: () => void;
}

/** Offers a job there. Pressed once more, or with Escape, it goes. */
export function FreeSlot({ slot, onClose }: FreeSlotProps) {
  const { minutes, column } = slot;
  const { date, staff } = column;
  const link = useRef<HTMLAnchorElement>(null);
  const focusedBefore = useRef<Element>(null);
  useEffect(() => {
    focusedBefore.current = document.activeElement;
    link.current?.focus({ preventScroll: true });
  }, []);
  const close = () => {
    const grid = link.current?.closest<HTMLElement>('[data-calendar]');
    const { current: before } = focusedBefore;
    onClose();
    // On the page itself a keyboard would begin at its top.
    const next = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : grid;
    next?.focus({ preventScroll: true });
  };
  const time = slotTime(slot);
  const shown = `${Math.floor(minutes / 60) % 12 || 12}:${time.slice(3)} ${minutes < DAY_MINUTES / 2 ? 'AM' : 'PM'}`;
  return (
    <li className="absolute inset-x-0.5 z-30" style={{ top: hoursHigh(minutes), height: hoursHigh(SLOT_HOUR) }}>
      <Link
        ref={link}
        to="/jobs/new"
        search={{ date, time, ...(staff && { staff: staff.id }) }}
        draggable={false}
        className="flex h-full flex-col overflow-clip rounded-md border-2 border-dashed border-accent bg-accent-soft px-2 py-1 text-xs text-accent-ink"
        onKeyDown={({ key }) => key === 'Escape' && close()}
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
