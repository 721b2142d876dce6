import type { CustomerPage } from '@callout/contract/customers';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { GeneratedJob } from './jobs.ts';
import type { SeededCompany } from './seed-database.ts';
import type { RecordRequest } from './sql-recorder.ts';

export const RECORD_SAMPLE_SIZE = 200;
const MAX_RARE_WORDS = 20;
const MAX_PAGES = 20;
const WEEK_COUNT = 50;
const JOB_SEARCHES = ['cylinder', 'radiator upstairs', 'macerator flat', 'J2404', 'gas hob'];

/** Picks `count` values, evenly spaced over the list. */
export function sampleEvenly<Value>(values: readonly Value[], count: number): Value[] {
  const step = Math.max(1, Math.floor(values.length / count));
  return values.filter((_, index) => index % step === 0).slice(0, count);
}

export function sampleRecordPaths(records: 'customers' | 'jobs' | 'quotes') {
  return (company: SeededCompany) =>
    sampleEvenly<{ id: string }>(company[records], RECORD_SAMPLE_SIZE).map(({ id }) => `/api/${records}/${id}`);
}

export function buildListPath(filter: { search?: string; cursor?: string }): string {
  return `/api/customers?${new URLSearchParams({ sort: 'name', order: 'asc', ...filter })}`;
}

/** Returns the paths of the second and later pages, which a user loads by scrolling down. */
export async function listLaterPagePaths(record: RecordRequest): Promise<string[]> {
  const paths: string[] = [];
  let path = buildListPath({});
  while (paths.length < MAX_PAGES) {
    const { body } = await record({ method: 'GET', path });
    const { next_cursor: cursor } = body as CustomerPage;
    if (cursor === null) break;
    path = buildListPath({ cursor });
    paths.push(path);
  }
  return paths;
}

/** Builds searches for surnames that no more than three customers share. */
export function buildRareSearchPaths({ customers }: SeededCompany): string[] {
  const customersBySurname = Map.groupBy(customers, ({ name }) => name.split(' ').at(-1) ?? '');
  const rare = [...customersBySurname].filter(([surname, { length }]) => length <= 3 && surname.length > 8).map(([surname]) => surname);
  return rare
    .toSorted()
    .slice(0, MAX_RARE_WORDS)
    .map((search) => buildListPath({ search }));
}

export const buildJobSearchPaths = () => JOB_SEARCHES.map((search) => `/api/jobs?${new URLSearchParams({ search })}`);

const hasComment = ({ job_number }: GeneratedJob) => /[02468]$/.test(job_number);
const hasFile = ({ job_number }: GeneratedJob) => job_number.endsWith('0');

export function buildAttachmentPaths({ jobs }: SeededCompany): string[] {
  return sampleEvenly(jobs.filter(hasFile), RECORD_SAMPLE_SIZE).map(({ customer_id }) => `/api/customers/${customer_id}/attachments`);
}

export function buildCommentPaths({ jobs }: SeededCompany): string[] {
  return sampleEvenly(jobs.filter(hasComment), RECORD_SAMPLE_SIZE).map(({ id }) => `/api/comments?job_id=${id}`);
}

export const buildPriceListPaths = ({ priceList }: SeededCompany) => priceList.suppliers.map(({ id }) => `/api/items?supplier_id=${id}`);

const toIsoString = (ms: number) => new Date(ms).toISOString();

/** Returns the start of weeks that are spread evenly over the period that has jobs. */
function listWeeks({ jobs }: SeededCompany): number[] {
  const [first, last] = [Date.parse(jobs[0]?.created_at ?? ''), Date.parse(jobs.at(-1)?.created_at ?? '')];
  return Array.from({ length: WEEK_COUNT }, (_, index) => first + Math.floor(((last - first) * index) / WEEK_COUNT / DAY_MS) * DAY_MS);
}

export function buildCalendarPaths(company: SeededCompany): string[] {
  return listWeeks(company).map(
    (from) => `/api/calendar?${new URLSearchParams({ from: toIsoString(from), to: toIsoString(from + 7 * DAY_MS) })}`,
  );
}

export function buildTimeSheetPaths(company: SeededCompany): string[] {
  return listWeeks(company).map((from) => `/api/time-sheet?week=${toIsoString(from).slice(0, 10)}`);
}

/** Builds the dashboard's requests for a period, as if the newest job had just been created. */
export function buildDashboardMonthPaths({ jobs, staffId }: SeededCompany): string[] {
  const now = Date.parse(jobs.at(-1)?.created_at ?? '');
  const month = new URLSearchParams({ created_from: toIsoString(now - 28 * DAY_MS), created_to: toIsoString(now) });
  const today = new URLSearchParams({ from: toIsoString(now), to: toIsoString(now + DAY_MS), staff_id: staffId });
  return [`/api/dashboard/categories?${month}`, `/api/dashboard/jobs?${month}`, `/api/calendar?${today}`];
}
