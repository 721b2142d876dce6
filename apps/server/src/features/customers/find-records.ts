import { foldText } from '@callout/domain/search/search-text';
import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customerList } from './customers.sql.ts';

const MAX_FOUND = 6;

interface FoundRow {
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
}

interface RecordSearch<Row> {
  /** Those found by their own texts, by title. */
  readonly list: (search: string) => Promise<{ readonly rows: readonly (Row & { readonly matched: 'title' | 'other' | null })[] }>;
  readonly listOfCustomers: (customerIds: readonly string[], limit: number) => Promise<readonly Row[]>;
  readonly numberOf: (row: Row) => string;
}

/**
 * What the command palette shows while somebody types: the record of that number, those whose title matches, those of customers who match,
 * and last those that only mention it; each once. Unlike the list, which the specification keeps to the record's own texts, it looks at
 * customers, too.
 */
export async function findRecords<Row extends FoundRow>(scope: TenantScope, typed: string, records: RecordSearch<Row>) {
  // People write a number with the sign that stands before it on every page.
  const search = typed.replaceAll('#', ' ').trim();
  if (!search) return [];
  const { rows: own } = await records.list(search);
  const { rows: people } = await listRecords(scope, customerList, { search, sort: 'name', order: 'asc' });
  const customerIds = people.slice(0, MAX_FOUND).map(({ id }) => id);
  const ofPeople = customerIds.length > 0 ? await records.listOfCustomers(customerIds, MAX_FOUND) : [];
  const number = foldText(search);
  const ranked = [
    ...own.filter((row) => foldText(records.numberOf(row)).includes(number)),
    ...newestOfEach(own.filter(({ matched }) => matched === 'title')),
    ...ofPeople.map((row) => ({ ...row, matched: 'other' as const })),
    ...own,
  ];
  return [...new Map(ranked.map((row) => [row.id, row])).values()].slice(0, MAX_FOUND);
}

/** In their order by title, but of records with the same title, which come back every year, the newest first. */
function newestOfEach<Row extends FoundRow>(rows: readonly Row[]): Row[] {
  const place = new Map(rows.toReversed().map(({ title }, index) => [title, rows.length - index]));
  const placeOf = ({ title }: Row) => place.get(title) ?? 0;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other) || other.created_at.localeCompare(one.created_at));
}
