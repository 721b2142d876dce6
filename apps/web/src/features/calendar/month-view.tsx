import { localDate } from '@callout/domain/time/zoned-time';
import type { CalendarEvent } from './calendar-event.ts';
import type { EventDrag } from './event-drag.ts';

export interface MonthViewProps {
  /** Any date of the month. */
  date: string;
  /** Six weeks of dates. */
  days: readonly string[];
  today: string;
  zone: string;
  events: readonly CalendarEvent[];
  canMove: boolean;
  /** Gives `onPointerDown` to what can be dragged, and takes drop surfaces. */
  drag: EventDrag;
  onOpenDay: (date: string) => void;
  onMoveDialog: (event: CalendarEvent) => void;
}

/** Six weeks, each day with its events. */
export function MonthView({ days, zone, events, onOpenDay }: MonthViewProps) {
  return (
    <ol className="grid grid-cols-7 gap-px">
      {days.map((day) => (
        <li key={day} className="min-h-24 bg-surface p-1 text-xs">
          <button type="button" onClick={() => onOpenDay(day)}>
            {Number(day.slice(-2))}
          </button>
          {events
            .filter(({ start }) => localDate(start, zone) === day)
            .map(({ id, title }) => (
              <p key={id}>{title}</p>
            ))}
        </li>
      ))}
    </ol>
  );
}
