import { formatDate, formatDay, formatTime } from '../time/date-format.ts';
import { hoursLater } from '../time/hours-later.ts';
import { addDays, localDate } from '../time/zoned-time.ts';

export interface BookingText {
  /** 'Today', 'Tomorrow', 'Yesterday' or 'Fri, Nov 20'. */
  day: string;
  /** '9:00 AM – 12:00 PM'; an end on another day has its date, and without a duration there is none. */
  time: string;
  /** 'Nov 17, 2026' */
  date: string;
  /** 'Today, Nov 17, 2026' or 'Fri, Nov 20, 2026'. */
  fullDay: string;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const NEAR_DAYS = [
  { days: 0, name: 'Today' },
  { days: 1, name: 'Tomorrow' },
  { days: -1, name: 'Yesterday' },
];

/** When a job is, as the clocks of a zone show it. `hours` is exact decimal text, `today` is 'yyyy-MM-dd' in the same zone. */
export function bookingText(start: string, hours: string | null, today: string, zone: string): BookingText {
  const startDate = localDate(start, zone);
  const date = formatDate(start, zone);
  const near = NEAR_DAYS.find(({ days }) => startDate === addDays(today, days))?.name;
  const weekday = WEEKDAYS[new Date(`${startDate}T00:00:00Z`).getUTCDay()];
  return {
    day: near ?? `${weekday}, ${formatDay(start, zone)}`,
    time: timeText(start, hours, startDate, zone),
    date,
    fullDay: `${near ?? weekday}, ${date}`,
  };
}

function timeText(start: string, hours: string | null, startDate: string, zone: string): string {
  const from = formatTime(start, zone);
  if (hours === null) return from;
  const end = hoursLater(start, hours);
  const to = formatTime(end, zone);
  return `${from} – ${localDate(end, zone) === startDate ? to : `${formatDay(end, zone)}, ${to}`}`;
}
