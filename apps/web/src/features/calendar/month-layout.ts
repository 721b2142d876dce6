import { DAY_MS } from '@callout/domain/time/time-units';
import { toEpochMs, toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { addDays, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import type { CalendarEvent, CalendarItem } from './calendar-event.ts';

/** An event as listed on one of the days it covers. */
export interface DayEvent {
  readonly event: CalendarEvent;
  /** Days since the event's first day, which is 0. */
  readonly dayIndex: number;
}

/** Groups events by day. Lists an event that continues past midnight on every day it covers, before that day's own events. */
export function groupEventsByDay(
  days: readonly string[],
  events: readonly CalendarEvent[],
  zone: string,
): ReadonlyMap<string, readonly DayEvent[]> {
  const byDay = new Map<string, DayEvent[]>(days.map((day) => [day, []]));
  for (const event of events) {
    const first = toLocalDate(event.start, zone);
    const last = toLocalDate(new Date(Math.max(toEpochMs(event.start), toEpochMs(event.end) - 1)).toISOString(), zone);
    // Days from the event's start to the first displayed day; negative if the event starts later.
    const offset = (Date.parse(days[0] ?? '') - Date.parse(first)) / DAY_MS;
    for (const [index, day] of days.entries()) if (day >= first && day <= last) byDay.get(day)?.push({ event, dayIndex: offset + index });
  }
  for (const entries of byDay.values()) entries.sort((one, other) => other.dayIndex - one.dayIndex);
  return byDay;
}

/** Returns the entries that fit into `capacity` rows. If some don't fit, leaves the last row free for "+3 more". */
export function fitEntries<Entry>(entries: readonly Entry[], capacity: number): { visible: readonly Entry[]; hiddenCount: number } {
  if (entries.length <= capacity) return { visible: entries, hiddenCount: 0 };
  const visible = entries.slice(0, capacity - 1);
  return { visible, hiddenCount: entries.length - visible.length };
}

const DEFAULT_START_TIME = '08:00';

/** Returns the start of an event dropped on `day`, with its time of day unchanged. `dayIndex` is the event's day that the user dragged. */
export function getStartOnDay(day: string, { start }: Pick<CalendarItem, 'start'>, dayIndex: number, zone: string): string {
  const time = start === null ? DEFAULT_START_TIME : toTimeInputValue(toWallTime(start, zone));
  return toInstant(addDays(day, -dayIndex), time, zone);
}

/** Formats '8am' or '1:15pm'. */
export function formatShortTime(instant: string, zone: string): string {
  const { hour, minute } = toWallTime(instant, zone);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 || 12}${minutes}${hour < 12 ? 'am' : 'pm'}`;
}
