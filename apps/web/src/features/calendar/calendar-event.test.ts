import type { CalendarJob } from '@callout/contract/calendar';
import { expect, it } from 'vitest';
import { findEventClashes, toCalendarEvents } from './calendar-event.ts';
import { isSameBox, layOutColumn } from './calendar-layout.ts';

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

/** Returns the ids of the events whose boxes render again after a refetch. */
function listRerendered(before: readonly CalendarJob[], after: readonly CalendarJob[]): string[] {
  const [old, now] = [before, after].map((jobs) => {
    const events = toCalendarEvents({ jobs, tasks: [] });
    return layOutColumn({ key: 'day', date: '2026-11-17' }, events, findEventClashes(events), 'UTC').boxes;
  });
  const isUnchanged = (id: string) => old?.some((box) => box.event.id === id && now?.some((other) => isSameBox(box, other)));
  return after.map(({ id }) => id).filter((id) => !isUnchanged(id));
}

const [roof, drain] = [jobAt('roof', '08:00'), jobAt('drain', '12:00')];

it.each([
  ['nothing if nothing changed', [roof, drain], []],
  ['only a new event', [roof, drain, jobAt('tap', '15:00')], ['tap']],
  ['only the changed event', [roof, { ...drain, title: 'Blocked drain' }], ['drain']],
  ['only a moved event and the one it clashes with', [jobAt('roof', '11:00'), drain], ['roof', 'drain']],
])('a refetch rerenders %s', (_, after, ids) => {
  expect(listRerendered([roof, drain], after)).toEqual(ids);
});
