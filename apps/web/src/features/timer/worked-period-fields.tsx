import { formatTimeZone } from '@callout/domain/time/time-zones';
import { toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { addDays, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { calculateElapsedSeconds, formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { formatClockChangeNotice } from '../../lib/clock-change.ts';
import { TextField } from '../../ui/text-field.tsx';
import { getServerInstant } from './server-clock.ts';

/** A period of work as typed: a date and two wall times. */
export interface PeriodText {
  date: string;
  start: string;
  end: string;
}

interface PeriodFieldsProps {
  fields: PeriodText;
  period: WorkedPeriod | null;
  zone: string;
  errors: Readonly<Record<string, string>>;
  onChange: (changes: Partial<PeriodText>) => void;
}

/** The fields of a form with two columns that describe a period of work. Shows its length. */
export function PeriodFields({ fields, period, zone, errors, onChange }: PeriodFieldsProps) {
  return (
    <>
      <TextField
        label="Date"
        type="date"
        value={fields.date}
        hint={`Times are in ${formatTimeZone(zone)}`}
        className="col-span-2"
        onChange={({ target }) => onChange({ date: target.value })}
      />
      <TextField
        label="Start"
        type="time"
        value={fields.start}
        error={errors['started_at']}
        onChange={({ target }) => onChange({ start: target.value })}
      />
      <TextField
        label="End"
        type="time"
        value={fields.end}
        error={errors['ended_at']}
        onChange={({ target }) => onChange({ end: target.value })}
      />
      <p role="status" className="col-span-2 text-base font-medium tabular-nums empty:hidden">
        {period && formatLength(period)}
      </p>
      <p role="status" className="col-span-2 text-sm text-warn-ink empty:hidden">
        {period && formatStartNotice(fields, period, zone)}
      </p>
      <p role="status" className="col-span-2 text-sm text-warn-ink empty:hidden">
        {period && formatEndNotice(fields, period, zone)}
      </p>
    </>
  );
}

export function toPeriodText(startedAt: string, endedAt: string, zone: string): PeriodText {
  const formatInput = (instant: string) => toTimeInputValue(toWallTime(instant, zone));
  return { date: toLocalDate(startedAt, zone), start: formatInput(startedAt), end: formatInput(endedAt) };
}

export interface WorkedPeriod {
  started_at: string;
  ended_at: string;
  isOvernight: boolean;
}

/** Returns null unless all fields are filled in. An end at or before the start is on the next day. */
export function parsePeriod({ date, start, end }: PeriodText, zone: string): WorkedPeriod | null {
  const isOvernight = end <= start;
  try {
    const ended_at = toInstant(isOvernight ? addDays(date, 1) : date, end.slice(0, 5), zone);
    return { started_at: toInstant(date, start.slice(0, 5), zone), ended_at, isOvernight };
  } catch {
    return null;
  }
}

const formatStartNotice = ({ date, start }: PeriodText, { started_at }: WorkedPeriod, zone: string) =>
  formatNotice([date, start, zone], started_at, 'The time starts at');

const formatEndNotice = ({ date, end }: PeriodText, { ended_at, isOvernight }: WorkedPeriod, zone: string) =>
  formatNotice([isOvernight ? addDays(date, 1) : date, end, zone], ended_at, 'The time ends at');

/** Returns undefined for a stored instant that wasn't edited and is kept, such as the second occurrence of a repeated time. */
function formatNotice([date, time, zone]: [string, string, string], instant: string, prefix: string): string | undefined {
  return toInstant(date, time.slice(0, 5), zone) === instant ? formatClockChangeNotice(date, time, zone, prefix) : undefined;
}

/** Uses the same wording as the server, which validates the period again. */
export function findPeriodError(period: WorkedPeriod | null): Readonly<Record<string, string>> {
  if (!period) return { started_at: 'Please enter a date and both times' };
  return Date.parse(period.ended_at) > Date.parse(getServerInstant()) ? { ended_at: 'The end must not be in the future' } : {};
}

function formatLength({ isOvernight, ...period }: WorkedPeriod): string {
  const length = formatElapsedTime(calculateElapsedSeconds([period], period.ended_at));
  return isOvernight ? `${length}, ending the next day` : length;
}
