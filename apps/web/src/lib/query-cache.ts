import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

interface Page<Row> {
  rows: readonly Row[];
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

/**
 * Shows a change in cached data before the server has answered; the returned function takes it back. Only for lists that are on screen:
 * elsewhere the answer is there soon enough.
 */
export async function updateOptimistically<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  change: (data: Data) => Data,
): Promise<() => void> {
  await queryClient.cancelQueries({ queryKey });
  const before = queryClient.getQueriesData<Data>({ queryKey });
  queryClient.setQueriesData<Data>({ queryKey }, (data) => data && change(data));
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data);
  };
}
