import { DAY_MS } from '@callout/domain/time/time-units';
import type { FilledCompany } from './fill-database.ts';

const MAX_WEEKS = 50;

const instant = (ms: number) => new Date(ms).toISOString();

/** Weeks of the calendar, evenly spread over the years in which there are jobs. */
export function calendarPaths({ jobs }: Pick<FilledCompany, 'jobs'>): string[] {
  const [first, last] = [Date.parse(jobs[0]?.created_at ?? ''), Date.parse(jobs.at(-1)?.created_at ?? '')];
  return Array.from({ length: MAX_WEEKS }, (_, index) => {
    const from = first + Math.floor(((last - first) * index) / MAX_WEEKS / DAY_MS) * DAY_MS;
    return `/api/calendar?${new URLSearchParams({ from: instant(from), to: instant(from + 7 * DAY_MS) })}`;
  });
}

/** The calls of one visit, at the time of the newest job: numbers, categories and jobs of a month, money, and what one person does today. */
export function dashboardPaths({ jobs, staffId }: Pick<FilledCompany, 'jobs' | 'staffId'>): string[] {
  const now = Date.parse(jobs.at(-1)?.created_at ?? '');
  const month = new URLSearchParams({ created_from: instant(now - 28 * DAY_MS), created_to: instant(now) });
  const today = new URLSearchParams({ from: instant(now), to: instant(now + DAY_MS), staff_id: staffId });
  return [
    '/api/dashboard/counts',
    `/api/dashboard/categories?${month}`,
    `/api/dashboard/jobs?${month}`,
    '/api/dashboard/money',
    `/api/calendar?${today}`,
  ];
}
