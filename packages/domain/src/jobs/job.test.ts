import { describe, expect, it } from 'vitest';
import {
  ACTIVE_JOB_STATUSES,
  canAddTime,
  formatJobNumber,
  getStatusAfterBooking,
  hasBillingTimer,
  isActiveStatus,
  JOB_STATUSES,
  JOB_TYPES,
} from './job.ts';
import { isBuiltInViewName } from './job-view.ts';

describe('job status', () => {
  it('is active until the work is done or canceled', () => {
    expect(JOB_STATUSES.filter(isActiveStatus)).toEqual(['pending', 'contacted', 'booked']);
    expect(ACTIVE_JOB_STATUSES).toEqual(['pending', 'contacted', 'booked']);
  });

  it('becomes booked when a date is set, unless the work is done or canceled', () => {
    expect(JOB_STATUSES.map(getStatusAfterBooking)).toEqual(['booked', 'booked', 'booked', 'complete', 'invoiced', 'paid', 'canceled']);
  });
});

it('a saved view cannot have the name of a built-in one, in any letter case', () => {
  expect(['all JOBS', 'My jobs today', 'My jobs'].map(isBuiltInViewName)).toEqual([true, true, false]);
});

describe('job number', () => {
  it('consists of J, year, month and four digits', () => {
    expect(formatJobNumber('2025-01-05', 42)).toBe('J25010042');
    expect(formatJobNumber('2026-12-31', 9999)).toBe('J26129999');
    expect(formatJobNumber('2026-12-31', 0)).toBe('J26120000');
  });

  it.each([-1, 1.5, 10_000])('rejects the number %s', (number) => {
    expect(() => formatJobNumber('2025-01-05', number)).toThrow(RangeError);
  });

  it('rejects a date without a day', () => {
    expect(() => formatJobNumber('2025-01', 1)).toThrow(RangeError);
  });
});

describe('job timer', () => {
  it('bills the time of unfinished hourly jobs', () => {
    expect(JOB_STATUSES.filter((status) => hasBillingTimer({ job_type: 'hourly', status }))).toEqual(['pending', 'contacted', 'booked']);
    expect(JOB_STATUSES.filter((status) => hasBillingTimer({ job_type: 'fixed', status }))).toEqual([]);
  });

  it('lets people add time by hand until the job is billed or canceled', () => {
    expect(JOB_STATUSES.filter(canAddTime)).toEqual(['pending', 'contacted', 'booked', 'complete']);
  });
});

it('keeps the values that the database and saved requests contain', () => {
  expect(JOB_STATUSES).toEqual(['pending', 'contacted', 'booked', 'complete', 'invoiced', 'paid', 'canceled']);
  expect(JOB_TYPES).toEqual(['fixed', 'hourly']);
});
