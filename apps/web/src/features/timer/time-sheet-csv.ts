import type { SheetEntry } from '@callout/contract/timer';
import { formatTime } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { calculateSecondsPerDay, getDayBoundaries, getWeekDates } from '@callout/domain/timer/time-sheet';
import type { TimeSheetResponse } from './timer-sheet.api.ts';

const HEADER_ROW = ['Date', 'Staff', 'Job number', 'Job', 'Start', 'End', 'Original end', 'Time', 'Hours', 'Billing'];

/** Splits entries at midnight, one row per day, so that a day's times add up in a spreadsheet. Times are exact to the second. */
export function buildTimeSheetCsv({ entries, week, timezone }: TimeSheetResponse, now: string): string[][] {
  const bounds = getDayBoundaries(week, timezone);
  const dates = getWeekDates(week);
  const formatInstant = (instant: string | null, date: string) => {
    if (instant === null) return '';
    const day = toLocalDate(instant, timezone);
    return `${day === date ? '' : `${day} `}${formatTime(instant, timezone)}`;
  };
  const rows = entries.flatMap((entry) =>
    calculateSecondsPerDay(entry, bounds, now).flatMap((seconds, day) => {
      const date = dates[day];
      if (seconds === 0 || date === undefined) return [];
      const { staff_name, job_number, job_title, started_at, ended_at, original_ended_at } = entry;
      const [start, end, original] = [started_at, ended_at, original_ended_at].map((instant) => formatInstant(instant, date));
      return [
        [
          date,
          staff_name,
          job_number,
          job_title,
          start ?? '',
          end || 'Running',
          original ?? '',
          formatExactTime(seconds),
          (seconds / 3600).toFixed(4),
          formatBillingStatus(entry),
        ],
      ];
    }),
  );
  return [HEADER_ROW, ...rows];
}

export function formatBillingStatus({ is_allocated, hourly_rate, job_id }: SheetEntry): string {
  if (is_allocated) return 'Allocated';
  if (job_id === null) return 'Deleted job';
  return hourly_rate === null ? 'Fixed price' : 'Unbilled';
}

/** Formats seconds as 'h:mm:ss'. */
function formatExactTime(seconds: number): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`;
}
