import { eventEnd } from '@callout/domain/calendar/calendar-event';
import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import { timesText } from './calendar-clashes.ts';
import type { CalendarEvent } from './calendar-event.ts';
import { type GridColumn, spanIn } from './calendar-layout.ts';
import { hoursHigh } from './event-box.tsx';
import type { DragState, EventDrag } from './event-drag.ts';

export const useDragState = (drag: EventDrag): DragState | undefined => useSyncExternalStore(drag.subscribe, drag.getState);

/** The event as it would be after the drop. */
function droppedEvent({ event, place }: DragState): Pick<CalendarEvent, 'start' | 'end' | 'staff'> | undefined {
  if (!place) return undefined;
  return { start: place.start, end: eventEnd(place.start, place.hours), staff: place.staff === undefined ? event.staff : place.staff };
}

interface DragGhostProps {
  drag: EventDrag;
  columns: readonly GridColumn[];
  zone: string;
}

/** Where a dragged event would land, with its new times. */
export function DragGhost({ drag, columns, zone }: DragGhostProps) {
  const state = useDragState(drag);
  const dropped = state && droppedEvent(state);
  if (!dropped) return null;
  const times = timesText(dropped.start, dropped.end, zone);
  return columns.map((column, index) => {
    const span = spanIn(column, dropped, zone);
    if (!span) return null;
    return (
      <div key={column.key} data-ghost="" className="pointer-events-none relative z-50 row-start-1" style={{ gridColumnStart: index + 2 }}>
        <div
          className="absolute right-1 left-0.5 overflow-hidden rounded-md border-2 border-dashed border-accent bg-accent-soft/90 py-0.5 pr-1 pl-2.5 text-xs text-accent-ink"
          style={{ top: hoursHigh(span.top), height: hoursHigh(span.bottom - span.top) }}
        >
          <span className="block font-semibold tabular-nums">{times}</span>
          <span className="block truncate">{state.event.title}</span>
        </div>
      </div>
    );
  });
}

/** Dims what is being dragged where it was taken, without rendering it again. */
export function useMarkDragged(drag: EventDrag, body: RefObject<HTMLElement | null>): void {
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
