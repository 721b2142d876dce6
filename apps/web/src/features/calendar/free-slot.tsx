import { toTimeInputValue } from '@callout/domain/time/wall-time';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useEffectEvent, useRef } from 'react';
import { DAY_MINUTES, type GridColumn } from './calendar-layout.ts';
import { toGridLength } from './event-box.tsx';
import { getMinutesAt } from './use-drop-surface.ts';

export interface GridSlot {
  readonly column: GridColumn;
  /** Minutes from the start of the day. */
  readonly minutes: number;
}

/** Formats the start of the slot as 'HH:mm'. */
export const formatSlotTime = ({ minutes }: GridSlot) => toTimeInputValue({ hour: Math.floor(minutes / 60), minute: minutes % 60 });

/** Clicks select a slot that starts at a half-hour line of the grid. */
const SLOT_STEP_MINUTES = 30;
const SLOT_LENGTH_MINUTES = 60;

interface FreeSlotClicksOptions {
  body: RefObject<HTMLElement | null>;
  columns: readonly GridColumn[];
  canAdd: boolean;
  onSlotChange: Dispatch<SetStateAction<GridSlot | undefined>>;
}

/** Selects the free slot that the user clicks. The next click, or a change of the displayed dates, clears the selection. */
export function useFreeSlotClicks({ body, columns, canAdd, onSlotChange }: FreeSlotClicksOptions): void {
  // Compares dates instead of columns, because a colleague's change recreates all columns and would clear the selection.
  const dates = [...new Set(columns.map(({ date }) => date))].join(' ');
  const findSlotAt = useEffectEvent((key: string | undefined, clientY: number): GridSlot | undefined => {
    const column = columns.find((each) => each.key === key);
    const minutes = Math.floor(getMinutesAt(body.current, clientY) / SLOT_STEP_MINUTES) * SLOT_STEP_MINUTES;
    return column && { column, minutes: Math.min(minutes, DAY_MINUTES - SLOT_LENGTH_MINUTES) };
  });
  useEffect(() => {
    const grid = body.current;
    if (!grid || !canAdd) return undefined;
    const controller = new AbortController();
    grid.addEventListener(
      'click',
      ({ target, clientY }) => {
        // Clicks on links and buttons have their own effect and don't change the selection.
        if (!(target instanceof HTMLElement) || target.closest('a, button')) return;
        const clicked = findSlotAt(target.dataset['column'], clientY);
        onSlotChange((current) => (current ? undefined : clicked));
      },
      { signal: controller.signal },
    );
    return () => {
      controller.abort();
      onSlotChange(undefined);
    };
  }, [body, dates, canAdd, onSlotChange]);
}

interface FreeSlotLinkProps {
  slot: GridSlot;
  onClose: () => void;
}

/** Links to the form for a new job in the free slot. Escape closes the link. */
export function FreeSlotLink({ slot, onClose }: FreeSlotLinkProps) {
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
    // If the focus fell back to the body, the next Tab would start at the top of the page, so focus the grid instead.
    const next = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : grid;
    next?.focus({ preventScroll: true });
  };
  const time = formatSlotTime(slot);
  const label = `${Math.floor(minutes / 60) % 12 || 12}:${time.slice(3)} ${minutes < DAY_MINUTES / 2 ? 'AM' : 'PM'}`;
  return (
    <li className="absolute inset-x-0.5 z-30" style={{ top: toGridLength(minutes), height: toGridLength(SLOT_LENGTH_MINUTES) }}>
      <Link
        ref={link}
        to="/jobs/new"
        search={{ date, time, ...(staff && { staff: staff.id }) }}
        draggable={false}
        className="flex h-full flex-col overflow-clip rounded-md border-2 border-dashed border-accent bg-accent-soft px-2 py-1 text-xs text-accent-ink"
        onKeyDown={({ key }) => key === 'Escape' && close()}
      >
        <span className="tabular-nums">{label}</span>
        <span className="flex items-center gap-1 font-semibold">
          <Plus aria-hidden="true" className="size-3.5 shrink-0" />
          New Job
        </span>
      </Link>
    </li>
  );
}
