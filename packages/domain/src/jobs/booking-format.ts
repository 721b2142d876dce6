import { addHours } from '../time/add-hours.ts';
import { formatDate, formatDay, formatTime } from '../time/date-format.ts';
import { addDays, toLocalDate } from '../time/zoned-time.ts';

export interface FormattedBooking {
  /** 'Today', 'Tomorrow', 'Yesterday' or 'Fri, Nov 20'. */
  day: string;
  /** '9:00 AM – 12:00 PM'. The end includes a date if it is on another day, and is omitted without a duration. */
  time: string;
  /** Start date: 'Nov 17, 2026'. */
  date: string;
  /** 'Today, Nov 17, 2026' or 'Fri, Nov 20, 2026'. */
  fullDay: string;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const RELATIVE_DAYS = [
  { days: 0, name: 'Today' },
  { days: 1, name: 'Tomorrow' },
  { days: -1, name: 'Yesterday' },
];

/** Formats a booking in a time zone. `hours` is a decimal string; `today` is 'yyyy-MM-dd' in the same zone. */
export function formatBooking(start: string, hours: string | null, today: string, zone: string): FormattedBooking {
  const startDate = toLocalDate(start, zone);
  const date = formatDate(start, zone);
  const relativeDay = RELATIVE_DAYS.find(({ days }) => startDate === addDays(today, days))?.name;
  const weekday = WEEKDAYS[new Date(`${startDate}T00:00:00Z`).getUTCDay()];
  return {
    day: relativeDay ?? `${weekday}, ${formatDay(start, zone)}`,
    time: formatTimeRange(start, hours, startDate, zone),
    date,
    fullDay: `${relativeDay ?? weekday}, ${date}`,
  };
}

function formatTimeRange(start: string, hours: string | null, startDate: string, zone: string): string {
  const from = formatTime(start, zone);
  if (hours === null) return from;
  const end = addHours(start, hours);
  const to = formatTime(end, zone);
  return `${from} – ${toLocalDate(end, zone) === startDate ? to : `${formatDay(end, zone)}, ${to}`}`;
}
