import { calculateEventEnd, detectClashes, isBusyStatus } from '@callout/domain/calendar/calendar-event';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { expect, it } from 'vitest';
import { addWorkdays, buildPlannedJobs, type Crew, type Worker } from './demo-plan.ts';

const TIME_ZONE = 'Pacific/Auckland';
const buildWorker = (staffId: string): Worker => ({
  staffId,
  person: { kind: 'person', userId: staffId, email: `${staffId}@demo.example`, emailVerified: true, sessionId: '', member: null },
});
const CREW: Crew = { josh: buildWorker('josh'), sam: buildWorker('sam'), hemi: buildWorker('hemi'), mia: buildWorker('mia') };

const TIMES = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:10`);

/** The plans for a demo that starts on a Tuesday or a Sunday, at every hour of the day. */
const PLANS = ['2026-11-17', '2026-11-22'].flatMap((day) =>
  [...TIMES, '23:59'].map((time) => {
    const now = toInstant(day, time, TIME_ZONE);
    return { day, time, now, jobs: buildPlannedJobs(now, TIME_ZONE, CREW) };
  }),
);

it('always has one job in progress, which overlaps the worker’s next job today by half an hour', () => {
  for (const { day, time, jobs } of PLANS) {
    const bookings = jobs.flatMap(({ start, hours, worker, status, work }) =>
      start !== null && isBusyStatus(status)
        ? [{ id: work.title, staffId: worker.staffId, start, end: calculateEventEnd(start, hours) }]
        : [],
    );
    const clashes = detectClashes(bookings);
    const onlyClash = { earlierId: 'Replace leaking hot water cylinder', laterId: 'Blocked drain, urgent', staffId: 'sam', minutes: 30 };
    expect([time, clashes]).toEqual([time, [onlyClash]]);
    const laterBooking = bookings.find(({ id }) => id === onlyClash.laterId);
    expect([time, toLocalDate(laterBooking?.start ?? '', TIME_ZONE)]).toEqual([time, day]);
    expect(jobs.filter(({ isInProgress }) => isInProgress)).toHaveLength(1);
  }
});

it('completes no job before it ends, and at least two of today’s jobs after 3 am', () => {
  for (const { time, now, jobs } of PLANS) {
    const complete = jobs.filter(({ status }) => status === 'complete');
    for (const { start, hours } of complete) expect([time, calculateEventEnd(start ?? '', hours) <= now]).toEqual([time, true]);
    expect([time, complete.length >= 2]).toEqual([time, time >= '03:00']);
  }
});

it('does not shift the plan between 10:00 and 11:30', () => {
  const listStarts = (time: string) =>
    buildPlannedJobs(toInstant('2026-11-17', time, TIME_ZONE), TIME_ZONE, CREW).map(({ start }) => start);
  expect(listStarts('10:00')[0]).toBe(toInstant('2026-11-17', '07:30', TIME_ZONE));
  expect(listStarts('11:30')).toEqual(listStarts('10:00'));
  expect(listStarts('12:00')[0]).toBe(toInstant('2026-11-17', '08:00', TIME_ZONE));
});

it('creates every job before the current time', () => {
  for (const { time, now, jobs } of PLANS) expect([time, jobs.every(({ createdAt }) => createdAt < now)]).toEqual([time, true]);
});

it('addWorkdays skips the weekend', () => {
  expect([addWorkdays('2026-11-20', 1), addWorkdays('2026-11-17', 0)]).toEqual(['2026-11-23', '2026-11-17']);
});
