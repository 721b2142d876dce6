import type { JobRow } from '@callout/contract/jobs';
import { foldText } from '@callout/domain/search/search-text';
import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customerList } from '../customers/customers.sql.ts';
import { jobList, listJobsOfCustomers } from './jobs.sql.ts';

export const MAX_FOUND = 6;

/**
 * What the command palette shows while somebody types: the job of that number, those whose title matches, those of customers who match, and
 * last those that only mention it. Unlike the list, which the specification keeps to the job's own texts, it looks at customers, too.
 */
export async function findJobs(scope: TenantScope, typed: string): Promise<JobRow[]> {
  const search = withoutNumberSign(typed);
  if (!search) return [];
  const { rows: own } = await listRecords(scope, jobList, { search, sort: 'title', order: 'asc' });
  const { rows: people } = await listRecords(scope, customerList, { search, sort: 'name', order: 'asc' });
  const customerIds = people.slice(0, MAX_FOUND).map(({ id }) => id);
  const ofPeople = customerIds.length > 0 ? await listJobsOfCustomers(scope, customerIds, MAX_FOUND) : [];
  return rankFound({ search, own, ofPeople, numberOf: ({ job_number }) => job_number });
}

/** People write a number with the sign that stands before it on every page. */
export const withoutNumberSign = (typed: string) => typed.replaceAll('#', ' ').trim();

interface Found<Row> {
  readonly search: string;
  /** Found by their own texts. */
  readonly own: readonly (Row & { readonly matched: 'title' | 'other' | null })[];
  /** Of customers who were found. */
  readonly ofPeople: readonly Row[];
  readonly numberOf: (row: Row) => string;
}

/** The record of that number first, then by title, then those of customers, then what only mentions it; each once. */
export function rankFound<Row extends FoundRow>({ search, own, ofPeople, numberOf }: Found<Row>) {
  const number = foldText(search);
  const ranked = [
    ...own.filter((row) => foldText(numberOf(row)).includes(number)),
    ...newestOfEach(own.filter(({ matched }) => matched === 'title')),
    ...ofPeople.map((row) => ({ ...row, matched: 'other' as const })),
    ...own,
  ];
  return [...new Map(ranked.map((row) => [row.id, row])).values()].slice(0, MAX_FOUND);
}

interface FoundRow {
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
}

/** In their order by title, but of jobs with the same title, which come back every year, the newest first. */
function newestOfEach<Row extends { readonly title: string; readonly created_at: string }>(rows: readonly Row[]): Row[] {
  const place = new Map(rows.toReversed().map(({ title }, index) => [title, rows.length - index]));
  const placeOf = ({ title }: Row) => place.get(title) ?? 0;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other) || other.created_at.localeCompare(one.created_at));
}
