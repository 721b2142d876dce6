import { isActive, type JobStatus } from '../jobs/job.ts';
import { hoursLater } from '../time/hours-later.ts';
import { MINUTE_MS } from '../time/time-units.ts';
import { milliseconds } from '../time/wall-time.ts';

/** What the calendar can be limited to, beside all jobs. */
export const CALENDAR_STATUSES = ['pending', 'booked', 'complete'] as const satisfies readonly JobStatus[];
export type CalendarStatus = (typeof CALENDAR_STATUSES)[number];

/** Of a job or task without a duration. */
export const DEFAULT_EVENT_HOURS = '1';

/** When something that starts at an instant ends; `hours` is exact decimal text. */
export function eventEnd(start: string, hours: string | null): string {
  return hoursLater(start, hours ?? DEFAULT_EVENT_HOURS);
}

/** Somebody's time, from its start up to its end. */
export interface BookedTime {
  readonly id: string;
  readonly staffId: string | null;
  readonly start: string;
  readonly end: string;
}

/** Whole minutes in which both take place; 0 when one begins as the other ends. */
export function overlapMinutes(one: Pick<BookedTime, 'start' | 'end'>, other: Pick<BookedTime, 'start' | 'end'>): number {
  const from = Math.max(milliseconds(one.start), milliseconds(other.start));
  const to = Math.min(milliseconds(one.end), milliseconds(other.end));
  return Math.max(0, Math.floor((to - from) / MINUTE_MS));
}

/** Whether a job takes its person's time: one that is finished or canceled clashes with nothing. */
export function takesTime(status: JobStatus): boolean {
  return isActive(status);
}

/** Of a booking that overlaps with one of the same person that starts earlier: the one it shares most time with, and how much. */
export interface ClashPair {
  /** The one that starts first; of two that start together, the one whose id is smaller. */
  readonly earlierId: string;
  readonly laterId: string;
  readonly staffId: string;
  readonly minutes: number;
}

/** One for each booking that overlaps with an earlier one, not for every two: hundreds at the same time would be thousands of pairs. */
export function clashesIn(bookings: readonly BookedTime[]): ClashPair[] {
  const byStart = bookings
    .map((booking) => ({ booking, start: milliseconds(booking.start), end: milliseconds(booking.end) }))
    .toSorted((one, other) => one.start - other.start || (one.booking.id < other.booking.id ? -1 : 1));
  /** Of each person the one that goes on longest: nothing else that started before shares more with what follows. */
  const longest = new Map<string, (typeof byStart)[number]>();
  return byStart.flatMap((later) => {
    const { id: laterId, staffId } = later.booking;
    if (staffId === null) return [];
    const earlier = longest.get(staffId);
    if (!earlier || later.end > earlier.end) longest.set(staffId, later);
    const minutes = earlier ? overlapMinutes(earlier.booking, later.booking) : 0;
    return earlier && minutes > 0 ? [{ earlierId: earlier.booking.id, laterId, staffId, minutes }] : [];
  });
}
