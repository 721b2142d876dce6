import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { formatMinutes } from './calendar-format.ts';
import type { GridColumn } from './calendar-layout.ts';
import { formatWeekday } from './calendar-view.ts';
import { findClockChangeBand } from './clock-change-band.ts';
import type { ColumnSummary } from './column-summary.ts';

interface ColumnHeaderProps {
  column: GridColumn;
  /** True if the grid has one column. Its header omits the date, because the toolbar already shows it. */
  isOnlyColumn: boolean;
  isToday: boolean;
  zone: string;
  summary: ColumnSummary;
  status: CalendarStatus | undefined;
  onOpenDay: (date: string) => void;
}

export function ColumnHeader({ column: { date, staff }, isOnlyColumn, isToday, zone, summary, status, onOpenDay }: ColumnHeaderProps) {
  if (isOnlyColumn && staff === undefined)
    return (
      <div className="flex flex-wrap justify-center gap-x-4 py-1 empty:hidden">
        <ClockChangeNote date={date} zone={zone} />
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
          {formatWeekday(date)}
          <span
            className={classNames(
              'inline-flex min-w-7 items-center justify-center rounded-full py-0.5 font-semibold tabular-nums',
              isToday ? 'bg-accent px-1.5 text-on-accent' : 'text-ink',
            )}
          >
            {Number(date.slice(-2))}
          </span>
        </button>
        <ClockChangeNote date={date} zone={zone} />
        <ClashNote minutes={summary.clashMinutes} />
      </div>
    );
  }
  return (
    <div className="@container flex min-w-0 items-center border-l px-3 py-2">
      {staff && <Avatar name={staff.name} color={staff.hex_code} className="mr-2.5 size-8 text-sm @max-[9rem]:hidden" />}
      {/* In a narrow column, a color bar replaces the avatar to make room for the name. */}
      {staff && (
        <span
          aria-hidden="true"
          className="-ml-1 mr-1.5 hidden h-8 w-1 shrink-0 rounded-full bg-line-strong @max-[9rem]:block"
          style={staff.hex_code ? { backgroundColor: staff.hex_code } : {}}
        />
      )}
      <div className="min-w-0">
        <p className="truncate text-base font-medium" title={staff?.name}>
          {staff?.name ?? UNASSIGNED_LABEL}
        </p>
        {summary.clashMinutes > 0 ? (
          <ClashNote minutes={summary.clashMinutes} />
        ) : (
          <p className="truncate text-xs text-ink-3 tabular-nums">{formatBookedHours(summary, status ?? 'booked')}</p>
        )}
      </div>
    </div>
  );
}

/** Repeats the grid's clock change note in the header, because events can cover the note in the grid. */
function ClockChangeNote({ date, zone }: { date: string; zone: string }) {
  const change = useMemo(() => findClockChangeBand(date, zone), [date, zone]);
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
      title={`${formatMinutes(minutes)} clash`}
      className="flex max-w-full items-center gap-1 text-xs font-medium whitespace-nowrap text-danger @max-[5rem]:gap-0.5"
    >
      <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0 @max-[5rem]:size-3" />
      <span className="truncate">
        {formatMinutes(minutes)}
        <span className="@max-[6.5rem]:sr-only"> clash</span>
      </span>
    </p>
  );
}

/** Formats '6.5 h booked' or '2 h of tasks'. With a status filter, formats '1 h pending', because only jobs with that status are loaded. */
function formatBookedHours({ bookedHours, taskHours }: ColumnSummary, statusLabel: string): string {
  const format = (hours: number) => String(Math.round(hours * 100) / 100);
  if (bookedHours > 0) return `${format(bookedHours)} h ${statusLabel}`;
  return taskHours > 0 ? `${format(taskHours)} h of tasks` : `Nothing ${statusLabel}`;
}
