import { type RefObject, useEffect } from 'react';
import { hoursOf } from './calendar-event.ts';
import { DAY_MINUTES, droppedStart, type GridColumn, type GridPoint, resizedTo } from './calendar-layout.ts';
import type { Dragged, DropPlace, EventDrag } from './event-drag.ts';

/** Minutes of the day at a height of the window, with fractions. */
export function minutesAt(body: HTMLElement | null, y: number): number {
  const { top = 0, height = 0 } = body?.getBoundingClientRect() ?? {};
  return height === 0 ? 0 : Math.min(Math.max(((y - top) / height) * DAY_MINUTES, 0), DAY_MINUTES);
}

export interface SurfaceProps {
  drag: EventDrag;
  columns: readonly GridColumn[];
  zone: string;
  scroller: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
}

/** Beside the grid, or above its head, by more than this a drop changes nothing. */
const MARGIN = 24;

/** Lets events be dropped on the columns. */
export function useDropSurface({ drag, columns, zone, scroller, body }: SurfaceProps): void {
  useEffect(() => {
    const [frame, inner] = [scroller.current, body.current];
    if (!frame || !inner) return undefined;
    const bounds = () => {
      const { top, bottom, left, right } = frame.getBoundingClientRect();
      const head = inner.previousElementSibling?.clientHeight ?? 0;
      return { top: top + head, bottom, left: left + gutterOf(inner), right };
    };
    const findPlace = (x: number, y: number, dragged: Dragged): DropPlace | undefined => {
      const { top, bottom, left, right } = bounds();
      if (x < left - MARGIN * 2 || x > right + MARGIN || y < frame.getBoundingClientRect().top - MARGIN) return undefined;
      const column = columnAt(inner, columns, Math.min(Math.max(x, left), right - 1));
      if (!column) return undefined;
      const minutes = minutesAt(inner, Math.min(Math.max(y, top), bottom));
      return placeAt(dragged, { column, minutes }, zone);
    };
    return drag.addSurface({ scroller: frame, bounds, findPlace });
  }, [drag, columns, zone, scroller, body]);
}

const gutterOf = (body: HTMLElement) => body.firstElementChild?.clientWidth ?? 0;

function columnAt(body: HTMLElement, columns: readonly GridColumn[], x: number): GridColumn | undefined {
  const index = columns.findIndex((_, at) => x < (body.children[at + 1]?.getBoundingClientRect().right ?? 0));
  return columns[index] ?? columns.at(-1);
}

function placeAt({ event, action, grab }: Dragged, point: GridPoint, zone: string): DropPlace {
  const { key, staff } = point.column;
  if (action === 'resize' && event.start !== null) {
    const edge = { column: point.column, minutes: point.minutes - grab.minutes };
    return { column: '', start: event.start, hours: resizedTo(event.start, edge, zone) };
  }
  return { column: key, start: droppedStart(point, grab, zone), hours: hoursOf(event), ...(staff !== undefined && { staff }) };
}
