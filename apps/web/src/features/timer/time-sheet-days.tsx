import { localDate } from '@callout/domain/time/zoned-time';
import { daysOfWeek, dayText, hoursText } from '@callout/domain/timer/time-sheet';
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { DayEntries, type SheetView } from './time-sheet-entries.tsx';
import { WEEKDAYS } from './time-sheet-table.tsx';

/** On phones: one day at a time, chosen from the seven, with everybody's entries. */
export function TimeSheetDays({ sheet, week, zone, now }: SheetView) {
  const dates = daysOfWeek(week);
  const [chosen, setChosen] = useState<number>();
  const day = chosen ?? firstDay(dates.indexOf(localDate(now, zone)), sheet.days);
  const people = sheet.people.filter(({ entries }) => (entries[day]?.length ?? 0) > 0);
  return (
    <>
      <Card className="mb-4 grid grid-cols-7 p-1">
        {dates.map((date, index) => {
          const seconds = sheet.days[index] ?? 0;
          const unbilled = (sheet.unbilled.days[index] ?? 0) > 0;
          return (
            <button
              key={date}
              type="button"
              aria-pressed={index === day}
              onClick={() => setChosen(index)}
              className={classes(
                'flex min-h-15 flex-col items-center justify-center rounded-control text-sm tabular-nums',
                index === day ? 'bg-accent-soft text-accent-ink' : 'text-ink-2',
              )}
            >
              <span className="text-[min(0.75rem,3.5vw)]">{WEEKDAYS[index]}</span>{' '}
              <span className="font-semibold">{Number(date.slice(8))}</span>{' '}
              <span className={classes('text-[min(0.75rem,3.5vw)]', unbilled && 'border-b-2 border-warn-ink')}>
                {seconds > 0 ? hoursText(seconds) : '–'}
              </span>
              {unbilled && <span className="sr-only">not all allocated</span>}
            </button>
          );
        })}
      </Card>
      {people.length === 0 && <p className="py-6 text-center text-base text-ink-2">No time on {dayText(dates[day] ?? week)}</p>}
      {people.map((person) => (
        <section key={person.key} aria-label={person.staff_name} className="mb-3 overflow-clip rounded-card bg-surface shadow-card">
          <h2 className="flex justify-between gap-3 border-b px-4 py-3 text-lg font-semibold">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {person.staff_name}
              {person.staff_id === null && <span className="font-normal text-ink-3"> (deleted)</span>}
            </span>
            <span className="tabular-nums">{hoursText(person.days[day] ?? 0)}</span>
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
                <dd className="font-medium">{hoursText(total)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

/** Today, else the first day with time. */
function firstDay(today: number, days: readonly number[]): number {
  if (today >= 0) return today;
  return Math.max(
    0,
    days.findIndex((seconds) => seconds > 0),
  );
}
