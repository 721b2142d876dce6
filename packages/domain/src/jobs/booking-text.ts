import { decimal } from '../money/decimal.ts';
import { formatDate, formatDay, formatTime } from '../time/date-format.ts';
import { milliseconds } from '../time/wall-time.ts';
import { addDays, localDate } from '../time/zoned-time.ts';

export interface BookingText {
  /** 'Today', 'Tomorrow', 'Yesterday' or 'Fri, Nov 20'. */
  day: string;
  /** '9:00 AM – 12:00 PM'; an end on another day has its date, and without a duration there is none. */
  time: string;
  /** 'Nov 17, 2026' */
  date: string;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const HOUR_MS = '3600000';

/** When a job is, as the clocks of a zone show it. `hours` is exact decimal text, `today` is 'yyyy-MM-dd' in the same zone. */
export function bookingText(start: string, hours: string | null, today: string, zone: string): BookingText {
  const startDate = localDate(start, zone);
  return { day: dayText(start, startDate, today, zone), time: timeText(start, hours, startDate, zone), date: formatDate(start, zone) };
}

function dayText(start: string, startDate: string, today: string, zone: string): string {
  if (startDate === today) return 'Today';
  if (startDate === addDays(today, 1)) return 'Tomorrow';
  if (startDate === addDays(today, -1)) return 'Yesterday';
  return `${WEEKDAYS[new Date(`${startDate}T00:00:00Z`).getUTCDay()]}, ${formatDay(start, zone)}`;
}

function timeText(start: string, hours: string | null, startDate: string, zone: string): string {
  const from = formatTime(start, zone);
  if (hours === null) return from;
  const end = new Date(milliseconds(start) + Number(decimal(hours).times(HOUR_MS).toFixed(0))).toISOString();
  const to = formatTime(end, zone);
  return `${from} – ${localDate(end, zone) === startDate ? to : `${formatDay(end, zone)}, ${to}`}`;
}
