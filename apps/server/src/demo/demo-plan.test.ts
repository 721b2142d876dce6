import { clashesIn, eventEnd, takesTime } from '@callout/domain/calendar/calendar-event';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { expect, it } from 'vitest';
import { type Crew, plannedJobs, type Worker, workdayAfter } from './demo-plan.ts';

const ZONE = 'Pacific/Auckland';
const workerOf = (staffId: string): Worker => ({
  staffId,
  person: { kind: 'person', userId: staffId, email: `${staffId}@demo.example`, emailVerified: true, sessionId: '', member: null },
});
const CREW: Crew = { josh: workerOf('josh'), sam: workerOf('sam'), hemi: workerOf('hemi'), mia: workerOf('mia') };

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:10`);

/** Started at every hour of an ordinary day and of a Sunday. */
const PLANS = ['2026-11-17', '2026-11-22'].flatMap((day) =>
  [...HOURS, '23:59'].map((time) => {
    const now = zonedInstant(day, time, ZONE);
    return { day, time, now, jobs: plannedJobs(now, ZONE, CREW) };
  }),
);

it('at any time of day, one job is under way and the only clash is half an hour of it, today', () => {
  for (const { day, time, jobs } of PLANS) {
    const bookings = jobs.flatMap(({ start, hours, worker, status, work }) =>
      start !== null && takesTime(status) ? [{ id: work.title, staffId: worker.staffId, start, end: eventEnd(start, hours) }] : [],
    );
    const clashes = clashesIn(bookings);
    const only = { earlierId: 'Replace leaking hot water cylinder', laterId: 'Blocked drain, urgent', staffId: 'sam', minutes: 30 };
    expect([time, clashes]).toEqual([time, [only]]);
    const later = bookings.find(({ id }) => id === only.laterId);
    expect([time, localDate(later?.start ?? '', ZONE)]).toEqual([time, day]);
    expect(jobs.filter(({ isUnderWay }) => isUnderWay)).toHaveLength(1);
  }
});

it('from three in the morning on, two jobs of today are complete, and none before it has ended', () => {
  for (const { time, now, jobs } of PLANS) {
    const complete = jobs.filter(({ status }) => status === 'complete');
    for (const { start, hours } of complete) expect([time, eventEnd(start ?? '', hours) <= now]).toEqual([time, true]);
    expect([time, complete.length >= 2]).toEqual([time, time >= '03:00']);
  }
});

it('between ten and half past eleven the plan has its usual hours', () => {
  const starts = (time: string) => plannedJobs(zonedInstant('2026-11-17', time, ZONE), ZONE, CREW).map(({ start }) => start);
  expect(starts('10:00')[0]).toBe(zonedInstant('2026-11-17', '07:30', ZONE));
  expect(starts('11:30')).toEqual(starts('10:00'));
  expect(starts('12:00')[0]).toBe(zonedInstant('2026-11-17', '08:00', ZONE));
});

it('jobs are taken on before now', () => {
  for (const { time, now, jobs } of PLANS) expect([time, jobs.every(({ createdAt }) => createdAt < now)]).toEqual([time, true]);
});

it('the next workday after a Friday is a Monday', () => {
  expect([workdayAfter('2026-11-20', 1), workdayAfter('2026-11-17', 0)]).toEqual(['2026-11-23', '2026-11-17']);
});
