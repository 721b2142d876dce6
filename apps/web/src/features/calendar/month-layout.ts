import { DAY_MS } from '@callout/domain/time/time-units';
import { fieldTime, milliseconds, wallTime } from '@callout/domain/time/wall-time';
import { addDays, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import type { CalendarEvent, Schedulable } from './calendar-event.ts';

/** An event on one of its days. */
export interface DayEvent {
  readonly event: CalendarEvent;
  /** How many days it has been going on: 0 on the day it starts. */
  readonly dayIndex: number;
}

/** What takes place on each day, in order. An event that goes on after midnight is on each of its days. */
export function eventsByDay(
  days: readonly string[],
  events: readonly CalendarEvent[],
  zone: string,
): ReadonlyMap<string, readonly DayEvent[]> {
  const byDay = new Map<string, DayEvent[]>(days.map((day) => [day, []]));
  for (const event of events) {
    const first = localDate(event.start, zone);
    const last = localDate(new Date(Math.max(milliseconds(event.start), milliseconds(event.end) - 1)).toISOString(), zone);
    // Negative when it starts after the first of these days.
    const before = (Date.parse(days[0] ?? '') - Date.parse(first)) / DAY_MS;
    for (const [index, day] of days.entries()) if (day >= first && day <= last) byDay.get(day)?.push({ event, dayIndex: before + index });
  }
  for (const entries of byDay.values()) entries.sort((one, other) => other.dayIndex - one.dayIndex);
  return byDay;
}

/** As many as a day has room for, and how many are left out: one line says so. */
export function fitting<Entry>(entries: readonly Entry[], room: number): { readonly shown: readonly Entry[]; readonly left: number } {
  if (entries.length <= room) return { shown: entries, left: 0 };
  const shown = entries.slice(0, room - 1);
  return { shown, left: entries.length - shown.length };
}

const DAY_STARTS = '08:00';

/** When an event starts that is dropped on a day: at the wall time it had. `dayIndex`: which of its days was taken. */
export function startOnDay(day: string, { start }: Pick<Schedulable, 'start'>, dayIndex: number, zone: string): string {
  const time = start === null ? DAY_STARTS : fieldTime(wallTime(start, zone));
  return zonedInstant(addDays(day, -dayIndex), time, zone);
}

/** '8am', '1:15pm'. */
export function shortTime(instant: string, zone: string): string {
  const { hour, minute } = wallTime(instant, zone);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 || 12}${minutes}${hour < 12 ? 'am' : 'pm'}`;
}
