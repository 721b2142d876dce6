import { type InfiniteData, partialMatchKey, type Query, type QueryClient, type QueryFilters, type QueryKey } from '@tanstack/react-query';

interface Page<Row> {
  rows: readonly Row[];
}

/** The key of mutations that delete the record with the `id` they are given. */
export const DELETING = ['delete'];

/** Whether a query shows records of a topic that is not its own: its `meta` says so, in one place for commands and for colleagues' changes. */
export const showsTopic = ({ meta }: Query, topic: unknown): boolean => meta?.topics?.some((other) => other === topic) === true;

/** Records whose page is about to be left: read again, they would only be missing. */
export function isBeingDeleted(queryClient: QueryClient): (query: Query) => boolean {
  const deletions = queryClient.getMutationCache().findAll({ mutationKey: DELETING, predicate: ({ state }) => state.status !== 'error' });
  const ids = new Set(deletions.map(({ state }) => (state.variables as { id: string }).id));
  return ({ queryKey }) => queryKey.some((part) => typeof part === 'string' && ids.has(part));
}

/** Reads again what a command has changed: the queries below these keys, and all that show records of the same topics elsewhere. */
export function refresh(queryClient: QueryClient, keys: readonly QueryKey[]): void {
  const isGone = isBeingDeleted(queryClient);
  const isOutdated = (query: Query) => keys.some((key) => partialMatchKey(query.queryKey, key) || showsTopic(query, key[0]));
  void queryClient.invalidateQueries({ predicate: (query) => isOutdated(query) && !isGone(query) && !refetchesLater(query) });
}

/** A row saved between two page reads can stand in both pages; it is shown once. */
export function uniqueRows<Row extends { id: string }>(pages: readonly Page<Row>[]): Row[] {
  const rows = new Map<string, Row>();
  for (const page of pages) for (const row of page.rows) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

/** Shows a saved row in every cached list until the lists are read again, which moves it to its place; without `saved` it is taken out. */
export function patchRows<Row extends { id: string }>(
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

/** Changes that are shown before the server has answered. */
interface OpenChanges {
  /** What the server said last. */
  base: unknown;
  changes: readonly Change[];
  /** `base` with the changes; other data in its place came from the server, and stays. */
  shown: unknown;
  /** Whether the data is read again when the last change has ended: one has failed, or a colleague has changed it, too. */
  isOutdated: boolean;
}
type Change = (data: never) => unknown;

const openChanges = new WeakMap<Query, OpenChanges>();

/** Whether a query shows a change that is on its way: read now, its data would lack it, so it is read again once that has ended. */
export function refetchesLater(query: Query): boolean {
  const open = openChanges.get(query);
  if (open) openChanges.set(query, { ...open, isOutdated: true });
  return open !== undefined;
}

const withChanges = (base: unknown, changes: readonly Change[]) => changes.reduce((data, change) => change(data as never), base);

/**
 * Shows a change in cached data before the server has answered. Call the returned function once it has: after an error this change
 * is taken back, and others that are still under way stay. When the last of them has ended, the data is refetched. Only for lists that
 * are on screen: elsewhere the answer is there soon enough.
 */
export async function updateOptimistically<Data>(
  queryClient: QueryClient,
  filters: QueryFilters,
  change: (data: Data) => Data,
  refetches: 'always' | 'after a failure' = 'after a failure',
): Promise<(error: unknown) => void> {
  const cache = queryClient.getQueryCache();
  const hasData = ({ state }: Query) => state.data !== undefined;
  const beingRead = new Set(cache.findAll({ ...filters, predicate: ({ state }) => state.fetchStatus !== 'idle' }));
  // A first read goes on. Like one that is cancelled here it is read again when the change has ended: its answer may lack it.
  await queryClient.cancelQueries({ ...filters, predicate: hasData });
  const queries = cache.findAll({ ...filters, predicate: hasData });
  const firstReads = [...beingRead].filter((query) => !queries.includes(query));
  const show = (query: Query, open: Omit<OpenChanges, 'shown'>, shown = withChanges(open.base, open.changes)) => {
    queryClient.setQueryData(query.queryKey, shown);
    openChanges.set(query, { ...open, shown: query.state.data });
  };
  // All of them before the first is shown: a change that throws would leave those before it open for ever.
  const changed = queries.map((query) => {
    const open = openChanges.get(query);
    const { data } = query.state;
    const { base, changes } = open?.shown === data && open ? open : { base: data, changes: [] };
    const next = { base, changes: [...changes, change], isOutdated: beingRead.has(query) || (open?.isOutdated ?? false) };
    return { query, next, shown: withChanges(base, next.changes) };
  });
  for (const { query, next, shown } of changed) show(query, next, shown);
  const readAgain = ({ queryKey }: Query) => void queryClient.invalidateQueries({ queryKey, exact: true });
  /** Asked to read again while it is under way, the library would wait for the same answer. */
  const readAfterFirst = async (query: Query) => {
    await query.promise?.catch(() => undefined);
    if (!refetchesLater(query)) readAgain(query);
  };
  return (error) => {
    for (const query of firstReads) void readAfterFirst(query);
    for (const query of queries) {
      const open = openChanges.get(query);
      // Its session may have ended meanwhile: then nothing of it comes back.
      const isGone = cache.get(query.queryHash) !== query;
      if (!open || isGone) continue;
      const changes = open.changes.filter((other) => other !== change);
      const isOutdated = open.isOutdated || error !== null;
      const next = { base: error === null ? change(open.base as Data) : open.base, changes, isOutdated };
      if (error !== null && query.state.data === open.shown) show(query, next);
      else openChanges.set(query, { ...next, shown: open.shown });
      if (changes.length > 0) continue;
      openChanges.delete(query);
      if (isOutdated || refetches === 'always') readAgain(query);
    }
  };
}
