import { toLocalDate } from '@callout/domain/time/zoned-time';
import { formatCivilDay, formatHoursAndMinutes, getWeekDates } from '@callout/domain/timer/time-sheet';
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DayEntries, type TimeSheetViewProps } from './time-sheet-entries.tsx';
import { WEEKDAYS } from './time-sheet-table.tsx';

/** Phone view: one day of the week at a time, with everyone's entries. */
export function TimeSheetDayView({ sheet, week, zone, now }: TimeSheetViewProps) {
  const dates = getWeekDates(week);
  const [selectedDay, setSelectedDay] = useState<number>();
  const day = selectedDay ?? getInitialDay(dates.indexOf(toLocalDate(now, zone)), sheet.days);
  const people = sheet.people.filter(({ entries }) => (entries[day]?.length ?? 0) > 0);
  return (
    <>
      <Card className="mb-4 grid grid-cols-7 p-1">
        {dates.map((date, index) => {
          const seconds = sheet.days[index] ?? 0;
          const hasUnbilled = (sheet.unbilled.days[index] ?? 0) > 0;
          return (
            <button
              key={date}
              type="button"
              aria-pressed={index === day}
              onClick={() => setSelectedDay(index)}
              className={classNames(
                'flex min-h-15 flex-col items-center justify-center rounded-control text-sm tabular-nums',
                index === day ? 'bg-accent-soft text-accent-ink' : 'text-ink-2',
              )}
            >
              <span className="text-[min(0.75rem,3.5vw)]">{WEEKDAYS[index]}</span>{' '}
              <span className="font-semibold">{Number(date.slice(8))}</span>{' '}
              <span className={classNames('text-[min(0.75rem,3.5vw)]', hasUnbilled && 'border-b-2 border-warn-ink')}>
                {seconds > 0 ? formatHoursAndMinutes(seconds) : '–'}
              </span>
              {hasUnbilled && <span className="sr-only">includes unbilled time</span>}
            </button>
          );
        })}
      </Card>
      {people.length === 0 && (
        <p className="py-6 text-center text-base text-ink-2">No time recorded on {formatCivilDay(dates[day] ?? week)}</p>
      )}
      {people.map((person) => (
        <section key={person.key} aria-label={person.staff_name} className="mb-3 overflow-clip rounded-card bg-surface shadow-card">
          <h2 className="flex justify-between gap-3 border-b px-4 py-3 text-lg font-semibold">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {person.staff_name}
              {person.staff_id === null && <span className="font-normal text-ink-3"> (deleted)</span>}
            </span>
            <span className="tabular-nums">{formatHoursAndMinutes(person.days[day] ?? 0)}</span>
          </h2>
          <DayEntries entries={person.entries[day] ?? []} day={day} week={week} zone={zone} now={now} />
        </section>
      ))}
      {sheet.people.length > 1 && (
        <section aria-label="Week" className="overflow-clip rounded-card bg-surface shadow-card">
          <h2 className="border-b px-4 py-3 text-lg font-semibold">Week</h2>
          <dl className="divide-y px-4 text-base tabular-nums">
            {sheet.people.map(({ key, staff_name, total }) => (
              <div key={key} className="flex justify-between gap-3 py-2.5">
                <dt className="min-w-0 [overflow-wrap:anywhere]">{staff_name}</dt>
                <dd className="font-medium">{formatHoursAndMinutes(total)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

/** Returns today if it is in the week, otherwise the first day with recorded time. */
function getInitialDay(today: number, days: readonly number[]): number {
  if (today >= 0) return today;
  return Math.max(
    0,
    days.findIndex((seconds) => seconds > 0),
  );
}
