import type { Job, JobTimer } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { vi } from 'vitest';
import { JOB, SAM } from './people.ts';

/** Noon in Auckland, years ahead of the clock of the machine: pages go by the server's. */
export const SERVER_NOW = Date.parse('2031-05-05T00:00:00.000Z');

/** The server's clock stands still, and with it every timer of the page, until `passSeconds`. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
}
export const passSeconds = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
export const serverTime = () => new Date(SERVER_NOW + performance.now()).toISOString();
export const ago = (seconds: number) => new Date(SERVER_NOW - seconds * 1000).toISOString();

export const runningEntry = (seconds: number) => ({ id: 'entry-1', staff_id: 'staff-1', staff_name: 'Mia', started_at: ago(seconds) });
export const runningSam = (seconds: number) => ({ id: 'entry-2', staff_id: SAM.id, staff_name: SAM.name, started_at: ago(seconds) });

export const timerOf = (change: Partial<JobTimer> = {}): JobTimer => ({ ...JOB.timer, server_time: serverTime(), ...change });

/** Two hours are planned, at 85 an hour. */
export const hourlyJob = (timer: Partial<JobTimer> = {}, change: Partial<Job> = {}): Job => ({
  ...JOB,
  job_type: 'hourly',
  fixed_amount: null,
  timer: timerOf(timer),
  ...change,
});

/** The person's own timer on a job: running since its first running entry, or paused. */
export function activeOn(job: Job, pausedSecondsAgo = 60): ActiveTimer {
  const { id: job_id, job_number, title, duration, timer } = job;
  const own = timer.running.find(({ staff_id }) => staff_id === 'staff-1');
  return {
    ...timer,
    job_id,
    job_number,
    title,
    duration,
    timer_status: own ? 'started' : 'paused',
    entry: own
      ? { id: own.id, started_at: own.started_at, ended_at: null, version: 1 }
      : { id: 'entry-0', started_at: ago(pausedSecondsAgo + 600), ended_at: ago(pausedSecondsAgo), version: 2 },
  };
}
