import { type InfiniteData, partialMatchKey, type Query, type QueryClient, type QueryFilters, type QueryKey } from '@tanstack/react-query';

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
  void queryClient.invalidateQueries({ predicate: (query) => isStale(query) && !isBeingDeleted(query) && !deferRefetch(query) });
}

/** Flattens pages into rows without duplicates. A row that moved while the pages were being loaded can be on two pages. */
export function getUniqueRows<Row extends { id: string }>(pages: readonly Page<Row>[]): Row[] {
  const rows = new Map<string, Row>();
  for (const page of pages) for (const row of page.rows) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

/** Updates a row in every cached list, or removes it if `saved` is undefined. An updated row keeps its position until a refetch. */
export function patchCachedRows<Row extends { id: string }>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  id: string,
  saved?: Partial<Row>,
): void {
  const patch = (rows: readonly Row[]) =>
    saved ? rows.map((row) => (row.id === id ? { ...row, ...saved } : row)) : rows.filter((row) => row.id !== id);
  queryClient.setQueriesData<InfiniteData<Page<Row>>>(
    { queryKey },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: patch(page.rows) })) },
  );
}

/** Optimistic changes to one query that the server has not confirmed yet. */
interface PendingChanges {
  /** The latest data from the server. */
  base: unknown;
  changes: readonly DataUpdater[];
  /** `base` with all changes applied. If the cache holds any other data, that data came from the server and must not be overwritten. */
  displayed: unknown;
  /** True if the query must be refetched after the last change settles, because a change failed or a colleague changed the data. */
  needsRefetch: boolean;
}
type DataUpdater = (data: never) => unknown;

const pendingChanges = new WeakMap<Query, PendingChanges>();

/** Returns true if the query has pending changes, which a response would lack now. Schedules a refetch for when they have settled. */
export function deferRefetch(query: Query): boolean {
  const pending = pendingChanges.get(query);
  if (pending) pendingChanges.set(query, { ...pending, needsRefetch: true });
  return pending !== undefined;
}

const applyChanges = (base: unknown, changes: readonly DataUpdater[]) => changes.reduce((data, change) => change(data as never), base);

/**
 * Optimistic update: changes cached data before the server responds. Call the returned function with null or the error when the request
 * ends. An error rolls back this change, keeps the other pending changes, and refetches the query after the last one settles. Use it only
 * for lists on screen; other data can wait for the response.
 */
export async function updateOptimistically<Data>(
  queryClient: QueryClient,
  filters: QueryFilters,
  change: (data: Data) => Data,
  refetchWhen: 'always' | 'on-error' = 'on-error',
): Promise<(error: unknown) => void> {
  const cache = queryClient.getQueryCache();
  const hasData = ({ state }: Query) => state.data !== undefined;
  const fetching = new Set(cache.findAll({ ...filters, predicate: ({ state }) => state.fetchStatus !== 'idle' }));
  // Cancel refetches, but let first fetches finish. Any response may lack this change, so refetch the queries once the change settles.
  await queryClient.cancelQueries({ ...filters, predicate: hasData });
  const queries = cache.findAll({ ...filters, predicate: hasData });
  const firstFetches = [...fetching].filter((query) => !queries.includes(query));
  const display = (query: Query, pending: Omit<PendingChanges, 'displayed'>, displayed = applyChanges(pending.base, pending.changes)) => {
    queryClient.setQueryData(query.queryKey, displayed);
    pendingChanges.set(query, { ...pending, displayed: query.state.data });
  };
  // Computes every result before displaying any, so that an updater that throws leaves no query with a change that never settles.
  const changed = queries.map((query) => {
    const pending = pendingChanges.get(query);
    const { data } = query.state;
    const { base, changes } = pending?.displayed === data && pending ? pending : { base: data, changes: [] };
    const next = { base, changes: [...changes, change], needsRefetch: fetching.has(query) || (pending?.needsRefetch ?? false) };
    return { query, next, displayed: applyChanges(base, next.changes) };
  });
  for (const { query, next, displayed } of changed) display(query, next, displayed);
  const refetch = ({ queryKey }: Query) => void queryClient.invalidateQueries({ queryKey, exact: true });
  /** Waits for the query's first fetch, because React Query would join that fetch instead of starting another. */
  const refetchAfterFirst = async (query: Query) => {
    await query.promise?.catch(() => undefined);
    if (!deferRefetch(query)) refetch(query);
  };
  return (error) => {
    for (const query of firstFetches) void refetchAfterFirst(query);
    for (const query of queries) {
      const pending = pendingChanges.get(query);
      // The cache is cleared when the session ends. After that, a rollback must not bring back the old data.
      const isEvicted = cache.get(query.queryHash) !== query;
      if (!pending || isEvicted) continue;
      const changes = pending.changes.filter((other) => other !== change);
      const needsRefetch = pending.needsRefetch || error !== null;
      const next = { base: error === null ? change(pending.base as Data) : pending.base, changes, needsRefetch };
      if (error !== null && query.state.data === pending.displayed) display(query, next);
      else pendingChanges.set(query, { ...next, displayed: pending.displayed });
      if (changes.length > 0) continue;
      pendingChanges.delete(query);
      if (needsRefetch || refetchWhen === 'always') refetch(query);
    }
  };
}
