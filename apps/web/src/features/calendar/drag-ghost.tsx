import { calculateEventEnd } from '@callout/domain/calendar/calendar-event';
import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import type { CalendarEvent } from './calendar-event.ts';
import { formatTimeRange } from './calendar-format.ts';
import { findEventSpan, type GridColumn } from './calendar-layout.ts';
import { toGridLength } from './event-box.tsx';
import type { DragState, EventDragManager } from './event-drag-manager.ts';

export const useDragState = (drag: EventDragManager): DragState | undefined => useSyncExternalStore(drag.subscribe, drag.getState);

function getDroppedEvent({ event, dropTarget: drop }: DragState): Pick<CalendarEvent, 'start' | 'end' | 'staff'> | undefined {
  if (!drop) return undefined;
  return { start: drop.start, end: calculateEventEnd(drop.start, drop.hours), staff: drop.staff === undefined ? event.staff : drop.staff };
}

interface DragGhostProps {
  drag: EventDragManager;
  columns: readonly GridColumn[];
  zone: string;
}

export function DragGhost({ drag, columns, zone }: DragGhostProps) {
  const state = useDragState(drag);
  const dropped = state && getDroppedEvent(state);
  if (!dropped) return null;
  const times = formatTimeRange(dropped.start, dropped.end, zone);
  return columns.map((column, index) => {
    const span = findEventSpan(column, dropped, zone);
    if (!span) return null;
    return (
      <div key={column.key} data-ghost="" className="pointer-events-none relative z-50 row-start-1" style={{ gridColumnStart: index + 2 }}>
        <div
          className="absolute right-1 left-0.5 overflow-hidden rounded-md border-2 border-dashed border-accent bg-accent-soft/90 py-0.5 pr-1 pl-2.5 text-xs text-accent-ink"
          style={{ top: toGridLength(span.top), height: toGridLength(span.bottom - span.top) }}
        >
          <span className="block font-semibold tabular-nums">{times}</span>
          <span className="block truncate">{state.event.title}</span>
        </div>
      </div>
    );
  });
}

/** Sets `data-dragged` on the boxes of the dragged event directly in the DOM, which avoids rendering every box. */
export function useDraggedAttribute(drag: EventDragManager, body: RefObject<HTMLElement | null>): void {
  const id = useSyncExternalStore(drag.subscribe, () => drag.getState()?.event.id);
  useEffect(() => {
    if (id === undefined) return undefined;
    const boxes = [...(body.current?.querySelectorAll(`[data-event="${id}"]`) ?? [])];
    for (const box of boxes) box.setAttribute('data-dragged', '');
    return () => {
      for (const box of boxes) box.removeAttribute('data-dragged');
    };
  }, [id, body]);
}
