import type { QueryClient, QueryKey } from '@tanstack/react-query';

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
