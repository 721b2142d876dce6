import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { classes } from '../../ui/classes.ts';
import { onColor } from '../../ui/color-field.tsx';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { minutesText } from './calendar-clashes.ts';
import type { GridColumn } from './calendar-layout.ts';
import { weekdayOf } from './calendar-view.ts';
import { clockChangeOn } from './clock-change-band.ts';
import type { ColumnSummary } from './column-summary.ts';

interface ColumnHeadProps {
  column: GridColumn;
  /** The toolbar names the day. */
  isAlone: boolean;
  isToday: boolean;
  zone: string;
  summary: ColumnSummary;
  status: CalendarStatus | undefined;
  onOpenDay: (date: string) => void;
}

export function ColumnHead({ column: { date, staff }, isAlone, isToday, zone, summary, status, onOpenDay }: ColumnHeadProps) {
  if (isAlone && staff === undefined)
    return (
      <div className="flex flex-wrap justify-center gap-x-4 py-1 empty:hidden">
        <ClockNote date={date} zone={zone} />
        <ClashNote minutes={summary.clashMinutes} />
      </div>
    );
  if (staff === undefined) {
    return (
      <div className="@container flex min-w-0 flex-col items-center border-l px-0.5 py-1.5 first-of-type:border-l-0">
        <button
          type="button"
          className="flex min-h-9 items-center gap-1 rounded-control px-1 text-base text-ink-2 hover:bg-sunken"
          aria-current={isToday ? 'date' : undefined}
          onClick={() => onOpenDay(date)}
        >
          {weekdayOf(date)}
          <span
            className={classes(
              'inline-flex min-w-7 items-center justify-center rounded-full py-0.5 font-semibold tabular-nums',
              isToday ? 'bg-accent px-1.5 text-on-accent' : 'text-ink',
            )}
          >
            {Number(date.slice(-2))}
          </span>
        </button>
        <ClockNote date={date} zone={zone} />
        <ClashNote minutes={summary.clashMinutes} />
      </div>
    );
  }
  const color = staff?.hex_code ? onColor(staff.hex_code) : undefined;
  return (
    <div className="@container flex min-w-0 items-center border-l px-3 py-2">
      {staff && <Avatar name={staff.name} style={color} className="mr-2.5 size-8 text-sm @max-[9rem]:hidden" />}
      {/* Where there is little room the name needs it. */}
      {staff && (
        <span
          aria-hidden="true"
          className="-ml-1 mr-1.5 hidden h-8 w-1 shrink-0 rounded-full bg-line-strong @max-[9rem]:block"
          style={color}
        />
      )}
      <div className="min-w-0">
        <p className="truncate text-base font-medium" title={staff?.name}>
          {staff?.name ?? UNASSIGNED}
        </p>
        {summary.clashMinutes > 0 ? (
          <ClashNote minutes={summary.clashMinutes} />
        ) : (
          <p className="truncate text-xs text-ink-3 tabular-nums">{bookedText(summary, status ?? 'booked')}</p>
        )}
      </div>
    </div>
  );
}

/** In the grid events can lie over the hour that clocks skip or show twice. */
function ClockNote({ date, zone }: { date: string; zone: string }) {
  const change = useMemo(() => clockChangeOn(date, zone), [date, zone]);
  if (!change) return null;
  const text = change.kind === 'skipped' ? 'Clocks go forward' : 'Clocks go back';
  return (
    <p title={text} className="max-w-full truncate text-xs text-ink-2">
      {text}
    </p>
  );
}

function ClashNote({ minutes }: { minutes: number }) {
  if (minutes === 0) return null;
  return (
    <p
      title={`${minutesText(minutes)} clash`}
      className="flex max-w-full items-center gap-1 text-xs font-medium whitespace-nowrap text-danger @max-[5rem]:gap-0.5"
    >
      <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0 @max-[5rem]:size-3" />
      <span className="truncate">
        {minutesText(minutes)}
        <span className="@max-[6.5rem]:sr-only"> clash</span>
      </span>
    </p>
  );
}

/** '6.5 h booked', '2 h of tasks'; of one status '1 h pending', as nothing else is known. */
function bookedText({ bookedHours, taskHours }: ColumnSummary, word: string): string {
  const shown = (hours: number) => String(Math.round(hours * 100) / 100);
  if (bookedHours > 0) return `${shown(bookedHours)} h ${word}`;
  return taskHours > 0 ? `${shown(taskHours)} h of tasks` : `Nothing ${word}`;
}
