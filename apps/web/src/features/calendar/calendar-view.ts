import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { formatDate } from '@callout/domain/time/date-format';
import { addDays, startOfDay } from '@callout/domain/time/zoned-time';
import { daysOfWeek, weekOf, weekText } from '@callout/domain/timer/time-sheet';

/** The order of the switch. */
export const CALENDAR_VIEWS = ['day', 'week', 'month'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** What the URL says; a view or date that is absent is the default one. */
export interface CalendarSearch {
  view?: CalendarView;
  date?: string;
  status?: CalendarStatus;
  staff?: string;
}

/** What is shown. Dates are 'yyyy-MM-dd' in the shown zone. */
export interface CalendarChoice {
  view: CalendarView;
  date: string;
  status: CalendarStatus | undefined;
  staff: string | undefined;
}

const WEEKS_OF_MONTH = 6;
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The dates on screen: a month has six weeks, each from its Monday. */
export function visibleDays(view: CalendarView, date: string): string[] {
  if (view === 'day') return [date];
  if (view === 'week') return daysOfWeek(weekOf(date));
  const first = weekOf(`${date.slice(0, 8)}01`);
  return Array.from({ length: WEEKS_OF_MONTH * 7 }, (_, day) => addDays(first, day));
}

/** The instants at which the first of these dates begins and the last one ends. */
export function visibleRange(days: readonly string[], zone: string): { from: string; to: string } {
  const [first = '', last = first] = [days[0], days.at(-1)];
  return { from: startOfDay(first, zone), to: startOfDay(addDays(last, 1), zone) };
}

/** Bookings are of this century; a month on screen begins up to six days before its first. */
const [FIRST_DATE, LAST_DATE] = ['2000-02-01', '2099-11-30'];

/** The nearest date that every view can show. */
export function shownDate(date: string): string {
  if (date < FIRST_DATE) return FIRST_DATE;
  return date > LAST_DATE ? LAST_DATE : date;
}

/** The date that the arrows lead to: a month on keeps the day, or takes the last one of a shorter month. */
export function stepDate(view: CalendarView, date: string, steps: number): string {
  return shownDate(steppedDate(view, date, steps));
}

function steppedDate(view: CalendarView, date: string, steps: number): string {
  if (view !== 'month') return addDays(date, steps * (view === 'week' ? 7 : 1));
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const length = new Date(Date.UTC(year, month + steps, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + steps, Math.min(day, length))).toISOString().slice(0, 10);
}

const noonOf = (date: string) => `${date}T12:00:00Z`;

/** 'Tue' of '2026-11-17'. */
export const weekdayOf = (date: string): string => WEEKDAYS[new Date(noonOf(date)).getUTCDay()] ?? '';

/** 'Tue, Nov 17, 2026', 'Nov 16 – 22, 2026', 'November 2026'. */
export function viewTitle(view: CalendarView, date: string): string {
  if (view === 'week') return weekText(weekOf(date));
  if (view === 'month') return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
  return `${weekdayOf(date)}, ${formatDate(noonOf(date), 'UTC')}`;
}

/** 'Tue, Nov 17', 'Nov 16 – 22', 'Nov 2026': where there is little room. */
export function shortTitle(view: CalendarView, date: string): string {
  if (view === 'month') return `${MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3)} ${date.slice(0, 4)}`;
  return viewTitle(view, date).replaceAll(/, \d{4}/g, '');
}
