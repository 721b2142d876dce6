import type { CalendarJob, CalendarTask, Clash } from '@callout/contract/calendar';
import { zonedInstant } from '@callout/domain/time/zoned-time';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type Answers, openPage } from './open-page.tsx';
import { CUSTOMER, JOB, MIA, OWNER, SAM } from './people.ts';

const ZONE = 'Pacific/Auckland';
export const HOUR = 64;
const DAY = 24 * HOUR;
export const SAM_BRIEF = { id: SAM.id, name: SAM.name, hex_code: SAM.hex_code };
const MIA_BRIEF = { id: MIA.id, name: MIA.name, hex_code: MIA.hex_code };
export const at = (time: string, date = '2026-11-16') => zonedInstant(date, time, ZONE);

export const ROOF: CalendarJob = {
  id: JOB.id,
  job_number: JOB.job_number,
  title: 'Roof repair',
  status: 'booked',
  duration: '2.00',
  booking_date: at('09:00'),
  address: '1 High Street, Birkenhead',
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null, phone: CUSTOMER.phone },
  staff: SAM_BRIEF,
  timer_status: null,
};
export const DRAIN: CalendarJob = {
  ...ROOF,
  id: '018f0000-0000-7000-8000-000000000012',
  title: 'Blocked drain',
  booking_date: at('10:30'),
  duration: null,
};
export const TASK: CalendarTask = {
  id: '018f0000-0000-7000-8000-000000000013',
  title: 'Order pipes',
  color: 'teal',
  status: 'active',
  calendar_date: at('14:00'),
  calendar_duration: null,
  staff: MIA_BRIEF,
};

interface Opened {
  jobs?: readonly CalendarJob[];
  tasks?: readonly CalendarTask[];
  more?: Answers;
  /** Of one day, whose first column is Sam's. */
  path?: string;
}

export const DAY_PATH = '/calendar?view=day&date=2026-11-16';
export const rangeOf = (from: string, to: string) =>
  `GET /calendar?from=${encodeURIComponent(at('00:00', from))}&to=${encodeURIComponent(at('00:00', to))}`;
export const ONE_DAY = rangeOf('2026-11-16', '2026-11-17');

export function openDay({ jobs = [ROOF], tasks = [], more = {}, path = DAY_PATH }: Opened = {}) {
  const answer = () => ({ jobs, tasks, is_cut: false });
  return openPage(path, {
    'GET /me': () => OWNER,
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /calendar/unscheduled': () => ({ rows: [], next_cursor: null, total: 0 }),
    [ONE_DAY]: answer,
    [rangeOf('2026-11-16', '2026-11-23')]: answer,
    ...more,
  });
}

/** Without a layout every element fills the grid, and the pointer is always in its first column. */
export function fakeLayout(): void {
  beforeEach(() => {
    const box = { x: 0, y: 0, top: 0, left: 0, right: 700, bottom: DAY, width: 700, height: DAY, toJSON: () => '' };
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(box);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    window.happyDOM.setViewport({ width: 1024, height: 768 });
  });
}

export const findEvent = (name: RegExp | string) => screen.findByRole('link', { name });
export const pixels = (time: string) => (Number(time.slice(0, 2)) + Number(time.slice(3)) / 60) * HOUR;
export const mouse = (y: number) => ({ clientX: 100, clientY: y, button: 0, isPrimary: true, pointerId: 1, pointerType: 'mouse' });

/** By mouse, in the grid's own times. */
export function dragTo(element: Element, from: string, to: string, end: 'drop' | 'hold' = 'drop'): void {
  fireEvent.pointerDown(element, mouse(pixels(from)));
  fireEvent.pointerMove(window, mouse(pixels(from) + 5));
  fireEvent.pointerMove(window, mouse(pixels(to)));
  if (end === 'drop') fireEvent.pointerUp(window, mouse(pixels(to)));
}

export const edgeOf = (event: HTMLElement) => event.parentElement?.querySelector('[data-resize]') ?? expect.fail('no edge');

export const scheduled = (job: Partial<CalendarJob>, clashes: readonly Clash[] = []) => ({ job: { ...ROOF, ...job }, clashes });
export const SCHEDULE = 'PUT /calendar/jobs/{id}';
