import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { formatDate } from '@callout/domain/time/date-format';
import { addDays, getStartOfDay } from '@callout/domain/time/zoned-time';
import { formatWeek, getWeekDates, getWeekStart } from '@callout/domain/timer/time-sheet';

export const CALENDAR_VIEWS = ['day', 'week', 'month'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** URL parameters. Without `view` or `date`, the calendar opens its default view or today. */
export interface CalendarSearch {
  view?: CalendarView;
  date?: string;
  status?: CalendarStatus;
  staff?: string;
}

/** The displayed view and filters. `date` is 'yyyy-MM-dd' in the displayed time zone. */
export interface CalendarSelection {
  view: CalendarView;
  date: string;
  status: CalendarStatus | undefined;
  staff: string | undefined;
}

const WEEKS_PER_MONTH_VIEW = 6;
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns the displayed dates. The month view has six weeks, each starting on Monday. */
export function getVisibleDates(view: CalendarView, date: string): string[] {
  if (view === 'day') return [date];
  if (view === 'week') return getWeekDates(getWeekStart(date));
  const first = getWeekStart(`${date.slice(0, 8)}01`);
  return Array.from({ length: WEEKS_PER_MONTH_VIEW * 7 }, (_, day) => addDays(first, day));
}

export function getVisibleRange(days: readonly string[], zone: string): { from: string; to: string } {
  const [first = '', last = first] = [days[0], days.at(-1)];
  return { from: getStartOfDay(first, zone), to: getStartOfDay(addDays(last, 1), zone) };
}

/** Bookings must be in this century. The month view also shows days of adjacent months, so the limits leave a margin. */
const [MIN_DATE, MAX_DATE] = ['2000-02-01', '2099-11-30'];

/** Clamps a date, so that no view displays dates outside this century. */
export function clampDate(date: string): string {
  if (date < MIN_DATE) return MIN_DATE;
  return date > MAX_DATE ? MAX_DATE : date;
}

/** Returns the date after `steps` presses of an arrow button. Month steps keep the day or use the last day of a shorter month. */
export function stepDate(view: CalendarView, date: string, steps: number): string {
  return clampDate(addSteps(view, date, steps));
}

function addSteps(view: CalendarView, date: string, steps: number): string {
  if (view !== 'month') return addDays(date, steps * (view === 'week' ? 7 : 1));
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const length = new Date(Date.UTC(year, month + steps, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + steps, Math.min(day, length))).toISOString().slice(0, 10);
}

const toNoonUtc = (date: string) => `${date}T12:00:00Z`;

/** Formats 'Tue' for '2026-11-17'. */
export const formatWeekday = (date: string): string => WEEKDAYS[new Date(toNoonUtc(date)).getUTCDay()] ?? '';

/** Formats 'Tue, Nov 17, 2026', 'Nov 16 – 22, 2026' or 'November 2026', depending on the view. */
export function formatPeriod(view: CalendarView, date: string): string {
  if (view === 'week') return formatWeek(getWeekStart(date));
  if (view === 'month') return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
  return `${formatWeekday(date)}, ${formatDate(toNoonUtc(date), 'UTC')}`;
}

/** Formats 'Tue, Nov 17', 'Nov 16 – 22' or 'Nov 2026', depending on the view. */
export function formatShortPeriod(view: CalendarView, date: string): string {
  if (view === 'month') return `${MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3)} ${date.slice(0, 4)}`;
  return formatPeriod(view, date).replaceAll(/, \d{4}/g, '');
}
