import { describe, expect, it } from 'vitest';
import { ACTIVE_STATUSES, isActive, isTimed, JOB_STATUSES, jobNumber, statusOnceBooked } from './job.ts';

describe('job status', () => {
  it('is active until the work is done or called off', () => {
    expect(JOB_STATUSES.filter(isActive)).toEqual(['pending', 'contacted', 'booked']);
    expect(ACTIVE_STATUSES).toEqual(['pending', 'contacted', 'booked']);
  });

  it('becomes booked with a date, unless it is further on', () => {
    expect(JOB_STATUSES.map(statusOnceBooked)).toEqual(['booked', 'booked', 'booked', 'complete', 'invoiced', 'paid', 'canceled']);
  });
});

describe('job number', () => {
  it('is J, year, month and four digits', () => {
    expect(jobNumber('2025-01-05', 42)).toBe('J25010042');
    expect(jobNumber('2026-12-31', 9999)).toBe('J26129999');
  });

  it.each([-1, 1.5, 10_000])('refuses %s', (number) => {
    expect(() => jobNumber('2025-01-05', number)).toThrow(RangeError);
  });

  it('refuses what is no day', () => {
    expect(() => jobNumber('2025-01', 1)).toThrow(RangeError);
  });
});

describe('a timer', () => {
  it('belongs to hourly jobs that are not finished', () => {
    expect(JOB_STATUSES.filter((status) => isTimed({ job_type: 'hourly', status }))).toEqual(['pending', 'contacted', 'booked']);
    expect(JOB_STATUSES.filter((status) => isTimed({ job_type: 'fixed', status }))).toEqual([]);
  });
});
