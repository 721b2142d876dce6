import { normalizeForSearch } from '@callout/domain/search/search-text';
import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customerList } from './customers.sql.ts';

const MAX_SEARCH_RESULTS = 6;

interface SearchableRow {
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
}

interface RecordSearchOptions<Row> {
  /** Lists records that contain the search text, sorted by title. Doesn't search the records' customers. */
  readonly listMatches: (search: string) => Promise<{ readonly rows: readonly (Row & { readonly matched: 'title' | 'other' | null })[] }>;
  readonly listByCustomerIds: (customerIds: readonly string[], limit: number) => Promise<readonly Row[]>;
  readonly getNumber: (row: Row) => string;
}

/**
 * Searches customers' records, such as their jobs, for the command palette. Matches by number come first, then matches by title, customer, and any other text. The
 * specification limits lists to the record's own text, but the palette also searches customers.
 */
export async function searchCustomerRecords<Row extends SearchableRow>(
  scope: TenantScope,
  searchText: string,
  records: RecordSearchOptions<Row>,
) {
  // The app displays numbers with a leading #, so people often type the # in searches.
  const search = searchText.replaceAll('#', ' ').trim();
  if (!search) return [];
  const { rows: textMatches } = await records.listMatches(search);
  const { rows: matchingCustomers } = await listRecords(scope, customerList, { search, sort: 'name', order: 'asc' });
  const customerIds = matchingCustomers.slice(0, MAX_SEARCH_RESULTS).map(({ id }) => id);
  const customerMatches = customerIds.length > 0 ? await records.listByCustomerIds(customerIds, MAX_SEARCH_RESULTS) : [];
  const number = normalizeForSearch(search);
  const ranked = [
    ...textMatches.filter((row) => normalizeForSearch(records.getNumber(row)).includes(number)),
    ...sortTiesNewestFirst(textMatches.filter(({ matched }) => matched === 'title')),
    ...customerMatches.map((row) => ({ ...row, matched: 'other' as const })),
    ...textMatches,
  ];
  return [...new Map(ranked.map((row) => [row.id, row])).values()].slice(0, MAX_SEARCH_RESULTS);
}

/** Keeps the order by title, but puts the newest first among records with equal titles, such as a yearly service. */
function sortTiesNewestFirst<Row extends SearchableRow>(rows: readonly Row[]): Row[] {
  const positions = new Map(rows.toReversed().map(({ title }, index) => [title, rows.length - index]));
  const getPosition = ({ title }: Row) => positions.get(title) ?? 0;
  return rows.toSorted((one, other) => getPosition(one) - getPosition(other) || other.created_at.localeCompare(one.created_at));
}
