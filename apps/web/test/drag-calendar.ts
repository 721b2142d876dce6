import type { CalendarJob, CalendarTask, Clash } from '@callout/contract/calendar';
import { toInstant } from '@callout/domain/time/zoned-time';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER, JOB, MIA, SAM } from './fixtures.ts';
import { type MockApi, openPage } from './open-page.tsx';

const TIME_ZONE = 'Pacific/Auckland';
export const HOUR_HEIGHT = 64;
const DAY_HEIGHT = 24 * HOUR_HEIGHT;
export const SAM_SUMMARY = { id: SAM.id, name: SAM.name, hex_code: SAM.hex_code };
const MIA_SUMMARY = { id: MIA.id, name: MIA.name, hex_code: MIA.hex_code };
export const atTime = (time: string, date = '2026-11-16') => toInstant(date, time, TIME_ZONE);

export const ROOF_JOB: CalendarJob = {
  id: JOB.id,
  job_number: JOB.job_number,
  title: 'Roof repair',
  status: 'booked',
  duration: '2.00',
  booking_date: atTime('09:00'),
  address: '1 High Street, Birkenhead',
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null, phone: CUSTOMER.phone },
  staff: SAM_SUMMARY,
  timer_status: null,
};
export const DRAIN_JOB: CalendarJob = {
  ...ROOF_JOB,
  id: '018f0000-0000-7000-8000-000000000012',
  title: 'Blocked drain',
  booking_date: atTime('10:30'),
  duration: null,
};
export const PIPES_TASK: CalendarTask = {
  id: '018f0000-0000-7000-8000-000000000013',
  title: 'Order pipes',
  color: 'teal',
  status: 'active',
  calendar_date: atTime('14:00'),
  calendar_duration: null,
  staff: MIA_SUMMARY,
};

interface OpenDayOptions {
  jobs?: readonly CalendarJob[];
  tasks?: readonly CalendarTask[];
  responses?: MockApi;
  /** Defaults to a day view, where Sam's column comes first. */
  path?: string;
}

export const DAY_PATH = '/calendar?view=day&date=2026-11-16';
export const buildRangeCall = (from: string, to: string) =>
  `GET /calendar?from=${encodeURIComponent(atTime('00:00', from))}&to=${encodeURIComponent(atTime('00:00', to))}`;
export const ONE_DAY_CALL = buildRangeCall('2026-11-16', '2026-11-17');

export function openDayCalendar({ jobs = [ROOF_JOB], tasks = [], responses = {}, path = DAY_PATH }: OpenDayOptions = {}) {
  const response = () => ({ jobs, tasks, is_cut: false });
  return openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /calendar/unscheduled': () => ({ rows: [], next_cursor: null, total: 0 }),
    [ONE_DAY_CALL]: response,
    [buildRangeCall('2026-11-16', '2026-11-23')]: response,
    ...responses,
  });
}

/** Gives every element the bounds of the whole grid, because happy-dom has no layout. The pointer is then always in the first column. */
export function fakeLayout(): void {
  beforeEach(() => {
    const box = { x: 0, y: 0, top: 0, left: 0, right: 700, bottom: DAY_HEIGHT, width: 700, height: DAY_HEIGHT, toJSON: () => '' };
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(box);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    window.happyDOM.setViewport({ width: 1024, height: 768 });
  });
}

export const findCalendarEvent = (name: RegExp | string) => screen.findByRole('link', { name });
export const toPixels = (time: string) => (Number(time.slice(0, 2)) + Number(time.slice(3)) / 60) * HOUR_HEIGHT;
export const buildMouseEvent = (y: number) => ({
  clientX: 100,
  clientY: y,
  button: 0,
  buttons: 1,
  isPrimary: true,
  pointerId: 1,
  pointerType: 'mouse',
});

/** Drags with the mouse from one time of day to another. 'hold' leaves the mouse button pressed. */
export function dragToTime(element: Element, from: string, to: string, end: 'drop' | 'hold' = 'drop'): void {
  fireEvent.pointerDown(element, buildMouseEvent(toPixels(from)));
  fireEvent.pointerMove(window, buildMouseEvent(toPixels(from) + 5));
  fireEvent.pointerMove(window, buildMouseEvent(toPixels(to)));
  if (end === 'drop') fireEvent.pointerUp(window, buildMouseEvent(toPixels(to)));
}

export const getResizeHandle = (event: HTMLElement) =>
  event.parentElement?.querySelector('[data-resize]') ?? expect.fail('no resize handle');

export const buildScheduleOutput = (job: Partial<CalendarJob>, clashes: readonly Clash[] = []) => ({
  job: { ...ROOF_JOB, ...job },
  clashes,
});
export const SCHEDULE_JOB_CALL = 'PUT /calendar/jobs/{id}';
