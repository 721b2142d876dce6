import { type InfiniteData, partialMatchKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';

interface Page<Row> {
  rows: readonly Row[];
}

/** Shared by all mutations that delete a record. Their input includes the record's `id`. */
export const DELETE_MUTATION_KEY = ['delete'];

/** Returns true if changes to the topic make the query stale, because the query's `meta` lists the topic. */
export const dependsOnTopic = ({ meta }: Query, topic: unknown): boolean => meta?.topics?.some((other) => other === topic) === true;

/** Returns a predicate that matches queries of records being deleted. Refetching such a query would only show "not found". */
export function createPendingDeletionPredicate(queryClient: QueryClient): (query: Query) => boolean {
  const deletions = queryClient
    .getMutationCache()
    .findAll({ mutationKey: DELETE_MUTATION_KEY, predicate: ({ state }) => state.status !== 'error' });
  const ids = new Set(deletions.map(({ state }) => (state.variables as { id: string }).id));
  return ({ queryKey }) => queryKey.some((part) => typeof part === 'string' && ids.has(part));
}

/** Invalidates the queries under these keys, and every query whose `meta.topics` includes the topic of one of the keys. */
export function invalidateKeys(queryClient: QueryClient, keys: readonly QueryKey[]): void {
  const isBeingDeleted = createPendingDeletionPredicate(queryClient);
  const isStale = (query: Query) => keys.some((key) => partialMatchKey(query.queryKey, key) || dependsOnTopic(query, key[0]));
  void queryClient.invalidateQueries({ predicate: (query) => isStale(query) && !isBeingDeleted(query) });
}

/** Flattens pages into rows without duplicates. A row that moved while the pages were being loaded can be on two pages. */
export function getUniqueRows<Row extends { id: string }>(pages: readonly Page<Row>[]): Row[] {
  const rows = new Map<string, Row>();
  for (const page of pages) for (const row of page.rows) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

/** Changes one row of a list, or removes it if `change` returns undefined. */
export function changeRow<Row extends { id: string }, List extends InfiniteData<Page<Row>>>(
  list: List,
  id: string,
  change: (row: Row) => Row | undefined,
): List {
  const changeRows = (rows: readonly Row[]) => rows.flatMap((row) => (row.id === id ? (change(row) ?? []) : [row]));
  return { ...list, pages: list.pages.map((page) => ({ ...page, rows: changeRows(page.rows) })) };
}

/** Updates a row in every cached list, or removes it if `saved` is undefined. An updated row keeps its position until a refetch. */
export function patchCachedRows<Row extends { id: string }>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  id: string,
  saved?: Partial<Row>,
): void {
  queryClient.setQueriesData<InfiniteData<Page<Row>>>(
    { queryKey },
    (list) => list && changeRow(list, id, (row: Row) => saved && { ...row, ...saved }),
  );
}
