import { DAY_MS } from '@callout/domain/time/time-units';
import type { SeededCompany } from './seed-database.ts';

const WEEK_COUNT = 50;

const toIsoString = (ms: number) => new Date(ms).toISOString();

/** Builds calendar requests for weeks spread evenly over the period that has jobs. */
export function buildCalendarPaths({ jobs }: Pick<SeededCompany, 'jobs'>): string[] {
  const [first, last] = [Date.parse(jobs[0]?.created_at ?? ''), Date.parse(jobs.at(-1)?.created_at ?? '')];
  return Array.from({ length: WEEK_COUNT }, (_, index) => {
    const from = first + Math.floor(((last - first) * index) / WEEK_COUNT / DAY_MS) * DAY_MS;
    return `/api/calendar?${new URLSearchParams({ from: toIsoString(from), to: toIsoString(from + 7 * DAY_MS) })}`;
  });
}

/** Builds all requests that opening the dashboard sends, as if the newest job had just been created. */
export function buildDashboardPaths({ jobs, staffId }: Pick<SeededCompany, 'jobs' | 'staffId'>): string[] {
  const now = Date.parse(jobs.at(-1)?.created_at ?? '');
  const month = new URLSearchParams({ created_from: toIsoString(now - 28 * DAY_MS), created_to: toIsoString(now) });
  const today = new URLSearchParams({ from: toIsoString(now), to: toIsoString(now + DAY_MS), staff_id: staffId });
  return [
    '/api/dashboard/counts',
    `/api/dashboard/categories?${month}`,
    `/api/dashboard/jobs?${month}`,
    '/api/dashboard/money',
    `/api/calendar?${today}`,
  ];
}
