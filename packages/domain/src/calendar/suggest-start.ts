import { toTimeInputValue, toWallTime } from '../time/wall-time.ts';
import { addDays, toLocalDate } from '../time/zoned-time.ts';

/** Hours in which new bookings are suggested. Any time can still be chosen. */
const WORKDAY_START_HOUR = 8;
const WORKDAY_END_HOUR = 17;
const SLOT_MINUTES = 15;

export interface SuggestedStart {
  /** 'yyyy-MM-dd' and 'HH:mm', both in the displayed time zone. */
  readonly date: string;
  readonly time: string;
}

/** Suggests when to book a job that is wanted on `date`: 8 AM or, once that has passed, the next quarter hour or the next morning. */
export function suggestStart(date: string, now: string, zone: string): SuggestedStart {
  const today = toLocalDate(now, zone);
  const morning = toTimeInputValue({ hour: WORKDAY_START_HOUR, minute: 0 });
  if (date > today) return { date, time: morning };
  const { hour, minute } = toWallTime(now, zone);
  const nextSlot = (Math.floor((hour * 60 + minute) / SLOT_MINUTES) + 1) * SLOT_MINUTES;
  if (nextSlot >= WORKDAY_END_HOUR * 60) return { date: addDays(today, 1), time: morning };
  const minutes = Math.max(nextSlot, WORKDAY_START_HOUR * 60);
  return { date: today, time: toTimeInputValue({ hour: Math.floor(minutes / 60), minute: minutes % 60 }) };
}
