import type { CalendarJob } from '@callout/contract/calendar';
import { expect, it } from 'vitest';
import { calendarEvents, clashesOf } from './calendar-event.ts';
import { fillColumn, isSameBox } from './calendar-layout.ts';

const jobAt = (id: string, time: string): CalendarJob => ({
  id,
  job_number: id,
  title: id,
  status: 'booked',
  booking_date: `2026-11-17T${time}:00.000Z`,
  duration: '2',
  address: null,
  customer: null,
  staff: { id: 'sam', name: 'Sam Leota', hex_code: null },
  timer_status: null,
});

/** Which of the boxes are drawn again when the rows become others. */
function drawnAgain(before: readonly CalendarJob[], after: readonly CalendarJob[]): string[] {
  const [old, now] = [before, after].map((jobs) => {
    const events = calendarEvents({ jobs, tasks: [] });
    return fillColumn({ key: 'day', date: '2026-11-17' }, events, clashesOf(events), 'UTC').boxes;
  });
  const isKept = (id: string) => old?.some((box) => box.event.id === id && now?.some((other) => isSameBox(box, other)));
  return after.map(({ id }) => id).filter((id) => !isKept(id));
}

const [roof, drain] = [jobAt('roof', '08:00'), jobAt('drain', '12:00')];

it.each([
  ['nothing when nothing changed', [roof, drain], []],
  ['what is new', [roof, drain, jobAt('tap', '15:00')], ['tap']],
  ['what has changed', [roof, { ...drain, title: 'Blocked drain' }], ['drain']],
  ['what is moved, and what it clashes with', [jobAt('roof', '11:00'), drain], ['roof', 'drain']],
])('a refetch draws %s', (_, after, ids) => {
  expect(drawnAgain([roof, drain], after)).toEqual(ids);
});
