import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { vi } from 'vitest';
import { JOB, SAM } from './fixtures.ts';

/** Noon in Auckland, years ahead of the machine's clock. Tests fail if a page uses the machine's clock instead of the server's. */
export const SERVER_NOW = Date.parse('2031-05-05T00:00:00.000Z');

/** Freezes the server's clock and every timer on the page. They move on only when a test calls `advanceClock`. */
export function freezeClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
}
export const advanceClock = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
export const getServerTime = () => new Date(SERVER_NOW + performance.now()).toISOString();
export const secondsAgo = (seconds: number) => new Date(SERVER_NOW - seconds * 1000).toISOString();

export const buildRunningEntry = (age: number) => ({ id: 'entry-1', staff_id: 'staff-1', staff_name: 'Mia', started_at: secondsAgo(age) });
export const buildSamRunningEntry = (age: number) => ({
  id: 'entry-2',
  staff_id: SAM.id,
  staff_name: SAM.name,
  started_at: secondsAgo(age),
});

export const buildJobTimer = (change: Partial<JobTimer> = {}): JobTimer => ({ ...JOB.timer, server_time: getServerTime(), ...change });

/** Builds a job billed by the hour: two planned hours at 85.00 an hour. */
export const buildHourlyJob = (timer: Partial<JobTimer> = {}, change: Partial<Job> = {}): Job => ({
  ...JOB,
  job_type: 'hourly',
  fixed_amount: null,
  timer: buildJobTimer(timer),
  ...change,
});

/** Builds the signed-in user's timer for a job. It is running if the user has a running entry, otherwise paused. */
export function buildActiveTimer(job: Job, pausedSecondsAgo = 60): ActiveTimer {
  const { id: job_id, job_number, title, job_type, currency, duration, timer } = job;
  const myEntry = timer.running.find(({ staff_id }) => staff_id === 'staff-1');
  return {
    ...timer,
    job_id,
    job_number,
    title,
    job_type,
    currency,
    duration,
    timer_status: myEntry ? 'started' : 'paused',
    entry: myEntry
      ? { id: myEntry.id, started_at: myEntry.started_at, ended_at: null, version: 1 }
      : { id: 'entry-0', started_at: secondsAgo(pausedSecondsAgo + 600), ended_at: secondsAgo(pausedSecondsAgo), version: 2 },
  };
}
