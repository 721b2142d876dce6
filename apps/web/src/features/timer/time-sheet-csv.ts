import type { SheetEntry } from '@callout/contract/timer';
import { formatTime } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import { dayLimits, daysOfWeek, secondsPerDay } from '@callout/domain/timer/time-sheet';
import type { SheetAnswer } from './timer-sheet.api.ts';

const HEAD = ['Date', 'Staff', 'Job number', 'Job', 'Start', 'End', 'Original end', 'Time', 'Hours', 'Billing'];

/** One line per entry and day, so that the times of a day add up in the spreadsheet, too. Times are exact to the second. */
export function timeSheetCsv({ entries, week, timezone }: SheetAnswer, now: string): string[][] {
  const limits = dayLimits(week, timezone);
  const dates = daysOfWeek(week);
  const moment = (instant: string | null, date: string) => {
    if (instant === null) return '';
    const day = localDate(instant, timezone);
    return `${day === date ? '' : `${day} `}${formatTime(instant, timezone)}`;
  };
  const lines = entries.flatMap((entry) =>
    secondsPerDay(entry, limits, now).flatMap((seconds, day) => {
      const date = dates[day];
      if (seconds === 0 || date === undefined) return [];
      const { staff_name, job_number, job_title, started_at, ended_at, original_ended_at } = entry;
      const [start, end, original] = [started_at, ended_at, original_ended_at].map((instant) => moment(instant, date));
      return [
        [
          date,
          staff_name,
          job_number,
          job_title,
          start ?? '',
          end || 'Running',
          original ?? '',
          exactTime(seconds),
          (seconds / 3600).toFixed(4),
          billingText(entry),
        ],
      ];
    }),
  );
  return [HEAD, ...lines];
}

export function billingText({ is_allocated, hourly_rate, job_id }: SheetEntry): string {
  if (is_allocated) return 'Allocated';
  if (job_id === null) return 'Deleted job';
  return hourly_rate === null ? 'Fixed price' : 'Not allocated';
}

/** 'h:mm:ss'. */
function exactTime(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
}
