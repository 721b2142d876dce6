import type { CalendarJob, CalendarTask, UnscheduledJob } from '@callout/contract/calendar';
import { afterEach, beforeEach, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER, JOB, MIA, SAM } from './fixtures.ts';
import { type MockApi, openPage } from './open-page.tsx';

const CUSTOMER_BRIEF = { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null, phone: CUSTOMER.phone };
const buildEventId = (number: number) => `018f0000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`;

/** Builds a job for a day and time in UTC. Auckland is 13 hours ahead, so '16T20:00' is 9 AM on Tuesday, November 17. */
export const buildCalendarJob = (number: number, time: string, overrides: Partial<CalendarJob> = {}): CalendarJob => ({
  id: buildEventId(number),
  job_number: `J261100${number}`,
  title: `Job ${number}`,
  status: 'booked',
  booking_date: `2026-11-${time}:00.000Z`,
  duration: '1',
  address: '12 Rata Street, Birkenhead',
  customer: CUSTOMER_BRIEF,
  staff: SAM,
  timer_status: null,
  ...overrides,
});

export const buildUnscheduledJob = (number: number, overrides: Partial<UnscheduledJob> = {}): UnscheduledJob => ({
  id: buildEventId(number),
  job_number: `J261100${number}`,
  title: `Tap ${number}`,
  status: 'pending',
  duration: '1.5',
  address: '12 Rata Street, Birkenhead',
  customer: CUSTOMER_BRIEF,
  staff: null,
  created_at: JOB.created_at,
  ...overrides,
});

export const WEEK_CALL = 'GET /calendar?from=2026-11-15T11%3A00%3A00.000Z&to=2026-11-22T11%3A00%3A00.000Z';

interface CalendarContents {
  jobs?: CalendarJob[];
  tasks?: CalendarTask[];
  unscheduled?: UnscheduledJob[];
}

/** Sets the clock to 11 AM in Auckland on Tuesday, November 17, 2026. */
export function fakeTodayAsTuesday(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-16T22:00:00Z'), toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());
}

export function openCalendar(path: string, { jobs = [], tasks = [], unscheduled = [] }: CalendarContents = {}, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /calendar?*': () => ({ jobs, tasks, is_cut: false }),
    'GET /calendar/unscheduled': () => ({ rows: unscheduled, next_cursor: null, total: unscheduled.length }),
    ...responses,
  });
}

export const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 900 });
