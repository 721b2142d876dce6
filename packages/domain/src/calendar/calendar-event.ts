import { isActiveStatus, type JobStatus } from '../jobs/job.ts';
import { addHours } from '../time/add-hours.ts';
import { MINUTE_MS } from '../time/time-units.ts';
import { toEpochMs } from '../time/wall-time.ts';

/** Statuses that the calendar can be filtered by. Without a filter, it shows all jobs. */
export const CALENDAR_STATUSES = ['pending', 'booked', 'complete'] as const satisfies readonly JobStatus[];
export type CalendarStatus = (typeof CALENDAR_STATUSES)[number];

/** Hours that a job or task takes up if it has no duration. */
export const DEFAULT_EVENT_HOURS = '1';

/** Adds `hours`, a decimal string, to the start; null means `DEFAULT_EVENT_HOURS`. */
export function calculateEventEnd(start: string, hours: string | null): string {
  return addHours(start, hours ?? DEFAULT_EVENT_HOURS);
}

/** A staff member's booked time, from `start` (inclusive) to `end` (exclusive). */
export interface BookedSlot {
  readonly id: string;
  readonly staffId: string | null;
  readonly start: string;
  readonly end: string;
}

/** Returns the overlap of two slots in whole minutes; 0 if one begins when the other ends. */
export function calculateOverlapMinutes(one: Pick<BookedSlot, 'start' | 'end'>, other: Pick<BookedSlot, 'start' | 'end'>): number {
  const from = Math.max(toEpochMs(one.start), toEpochMs(other.start));
  const to = Math.min(toEpochMs(one.end), toEpochMs(other.end));
  return Math.max(0, Math.floor((to - from) / MINUTE_MS));
}

/** Returns true if a job with this status takes up its staff member's time. Finished and canceled jobs never clash. */
export function isBusyStatus(status: JobStatus): boolean {
  return isActiveStatus(status);
}

/** A booking and the earlier booking of the same person that it overlaps the most. */
export interface ClashPair {
  /** The booking that starts first. If both start at the same time, the one with the smaller id. */
  readonly earlierId: string;
  readonly laterId: string;
  readonly staffId: string;
  readonly minutes: number;
}

/** Returns one clash per overlapping booking instead of every pair, because hundreds of simultaneous bookings form thousands of pairs. */
export function detectClashes(bookings: readonly BookedSlot[]): ClashPair[] {
  const byStart = bookings
    .map((booking) => ({ booking, start: toEpochMs(booking.start), end: toEpochMs(booking.end) }))
    .toSorted((one, other) => one.start - other.start || (one.booking.id < other.booking.id ? -1 : 1));
  /** Maps each person to the booking that ends last so far. Of all earlier bookings, a later booking overlaps this one the most. */
  const latestEnding = new Map<string, (typeof byStart)[number]>();
  return byStart.flatMap((later) => {
    const { id: laterId, staffId } = later.booking;
    if (staffId === null) return [];
    const earlier = latestEnding.get(staffId);
    if (!earlier || later.end > earlier.end) latestEnding.set(staffId, later);
    const minutes = earlier ? calculateOverlapMinutes(earlier.booking, later.booking) : 0;
    return earlier && minutes > 0 ? [{ earlierId: earlier.booking.id, laterId, staffId, minutes }] : [];
  });
}
