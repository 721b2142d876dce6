import type { CalendarJob, CalendarTask, UnscheduledJob } from '@callout/contract/calendar';
import { afterEach, beforeEach, vi } from 'vitest';
import { type Answers, openPage } from './open-page.tsx';
import { CUSTOMER, JOB, MIA, OWNER, SAM } from './people.ts';

const customer = { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null, phone: CUSTOMER.phone };
const eventId = (number: number) => `018f0000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`;

/** On Tuesday, November 17, in Auckland, 13 hours ahead of UTC: 20:00 UTC of the day before is 9 in the morning. */
export const calendarJob = (number: number, time: string, more: Partial<CalendarJob> = {}): CalendarJob => ({
  id: eventId(number),
  job_number: `J261100${number}`,
  title: `Job ${number}`,
  status: 'booked',
  booking_date: `2026-11-${time}:00.000Z`,
  duration: '1',
  address: '12 Rata Street, Birkenhead',
  customer,
  staff: SAM,
  timer_status: null,
  ...more,
});

export const unscheduledJob = (number: number, more: Partial<UnscheduledJob> = {}): UnscheduledJob => ({
  id: eventId(number),
  job_number: `J261100${number}`,
  title: `Tap ${number}`,
  status: 'pending',
  duration: '1.5',
  address: '12 Rata Street, Birkenhead',
  customer,
  staff: null,
  created_at: JOB.created_at,
  ...more,
});

export const WEEK = 'GET /calendar?from=2026-11-15T11%3A00%3A00.000Z&to=2026-11-22T11%3A00%3A00.000Z';

interface Contents {
  jobs?: CalendarJob[];
  tasks?: CalendarTask[];
  unscheduled?: UnscheduledJob[];
}

/** It is 11 in the morning of Tuesday, November 17, 2026, in Auckland. */
export function fakeTuesday(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-16T22:00:00Z'), toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());
}

export function openCalendar(path: string, { jobs = [], tasks = [], unscheduled = [] }: Contents = {}, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => OWNER,
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /calendar?*': () => ({ jobs, tasks, is_cut: false }),
    'GET /calendar/unscheduled': () => ({ rows: unscheduled, next_cursor: null, total: unscheduled.length }),
    ...more,
  });
}

export const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 900 });
