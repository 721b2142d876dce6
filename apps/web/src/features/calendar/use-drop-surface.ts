import { type RefObject, useEffect } from 'react';
import { getEventHours } from './calendar-event.ts';
import { DAY_MINUTES, type GridColumn, type GridPoint, getDroppedStart, getResizedHours } from './calendar-layout.ts';
import type { DraggedEvent, DropTarget, EventDragManager } from './event-drag-manager.ts';

/** Converts a viewport y coordinate to minutes of the day, which may be fractional. */
export function getMinutesAt(body: HTMLElement | null, y: number): number {
  const { top = 0, height = 0 } = body?.getBoundingClientRect() ?? {};
  return height === 0 ? 0 : Math.min(Math.max(((y - top) / height) * DAY_MINUTES, 0), DAY_MINUTES);
}

export interface DropSurfaceOptions {
  drag: EventDragManager;
  columns: readonly GridColumn[];
  zone: string;
  scroller: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
}

/** A drop up to this far outside the grid still counts. A drop farther away changes nothing. */
const MARGIN_PX = 24;

export function useDropSurface({ drag, columns, zone, scroller, body }: DropSurfaceOptions): void {
  useEffect(() => {
    const [frame, inner] = [scroller.current, body.current];
    if (!frame || !inner) return undefined;
    const bounds = () => {
      const { top, bottom, left, right } = frame.getBoundingClientRect();
      const head = inner.previousElementSibling?.clientHeight ?? 0;
      return { top: top + head, bottom, left: left + getGutterWidth(inner), right };
    };
    const findDropTarget = (x: number, y: number, dragged: DraggedEvent): DropTarget | undefined => {
      const { top, bottom, left, right } = bounds();
      if (x < left - MARGIN_PX * 2 || x > right + MARGIN_PX || y < frame.getBoundingClientRect().top - MARGIN_PX) return undefined;
      const column = findColumnAt(inner, columns, Math.min(Math.max(x, left), right - 1));
      if (!column) return undefined;
      const minutes = getMinutesAt(inner, Math.min(Math.max(y, top), bottom));
      return getDropTarget(dragged, { column, minutes }, zone);
    };
    return drag.addSurface({ scroller: frame, bounds, findDropTarget });
  }, [drag, columns, zone, scroller, body]);
}

const getGutterWidth = (body: HTMLElement) => body.firstElementChild?.clientWidth ?? 0;

function findColumnAt(body: HTMLElement, columns: readonly GridColumn[], x: number): GridColumn | undefined {
  const index = columns.findIndex((_, position) => x < (body.children[position + 1]?.getBoundingClientRect().right ?? 0));
  return columns[index] ?? columns.at(-1);
}

function getDropTarget({ event, action, grab }: DraggedEvent, point: GridPoint, zone: string): DropTarget {
  const { key, staff } = point.column;
  if (action === 'resize' && event.start !== null) {
    const edge = { column: point.column, minutes: point.minutes - grab.minutes };
    return { column: '', start: event.start, hours: getResizedHours(event.start, edge, zone) };
  }
  return { column: key, start: getDroppedStart(point, grab, zone), hours: getEventHours(event), ...(staff !== undefined && { staff }) };
}
