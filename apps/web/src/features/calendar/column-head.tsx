import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { TriangleAlert } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { classes } from '../../ui/classes.ts';
import { onColor } from '../../ui/color-field.tsx';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { minutesText } from './calendar-clashes.ts';
import type { GridColumn } from './calendar-layout.ts';
import { weekdayOf } from './calendar-view.ts';
import type { ColumnSummary } from './column-summary.ts';

interface ColumnHeadProps {
  column: GridColumn;
  /** The toolbar names the day. */
  isAlone: boolean;
  isToday: boolean;
  summary: ColumnSummary;
  status: CalendarStatus | undefined;
  onOpenDay: (date: string) => void;
}

export function ColumnHead({ column: { date, staff }, isAlone, isToday, summary, status, onOpenDay }: ColumnHeadProps) {
  if (isAlone && staff === undefined)
    return (
      <div className="flex justify-center py-1 empty:hidden">
        <ClashNote minutes={summary.clashMinutes} />
      </div>
    );
  if (staff === undefined) {
    return (
      <div className="flex min-w-0 flex-col items-center border-l px-0.5 py-1.5 first-of-type:border-l-0">
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
        <ClashNote minutes={summary.clashMinutes} />
      </div>
    );
  }
  return (
    <div className="flex min-w-0 items-center gap-2.5 border-l px-3 py-2">
      {staff && <Avatar name={staff.name} style={staff.hex_code ? onColor(staff.hex_code) : undefined} className="size-8 text-sm" />}
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

function ClashNote({ minutes }: { minutes: number }) {
  if (minutes === 0) return null;
  return (
    <p className="flex items-center gap-1 text-xs font-medium text-danger">
      <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
      {minutesText(minutes)} clash
    </p>
  );
}

/** '6.5 h booked', '2 h of tasks'; of one status '1 h pending', as nothing else is known. */
function bookedText({ bookedHours, taskHours }: ColumnSummary, word: string): string {
  const shown = (hours: number) => String(Math.round(hours * 100) / 100);
  if (bookedHours > 0) return `${shown(bookedHours)} h ${word}`;
  return taskHours > 0 ? `${shown(taskHours)} h of tasks` : `Nothing ${word}`;
}
