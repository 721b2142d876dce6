import type { Query, QueryClient } from '@tanstack/react-query';
import { meQueryOptions } from '../../features/company/company.api.ts';
import { isClientError } from '../../lib/error-messages.ts';
import { useOfflineState } from '../../lib/offline-state.ts';

/** Marks the server as unreachable until all data on screen has been refetched. Also publishes how old that data is. */
export function reportUnreachable(queryClient: QueryClient, isRestored: (query: Query) => boolean): void {
  if (!useOfflineState.getState().isReachable) return;
  const cache = queryClient.getQueryCache();
  const me = cache.find({ queryKey: meQueryOptions.queryKey });
  // A page that has started from stored data hasn't heard from the server yet.
  const lostAt = me && isRestored(me) && me.state.isInvalidated ? me.state.dataUpdatedAt : Date.now();
  const listOnScreen = () => cache.findAll({ type: 'active' });
  // Live updates kept this visit's data current until `lostAt`, so only restored data can be older.
  const getReadAt = (query: Query) => (isRestored(query) && query.state.isInvalidated ? query.state.dataUpdatedAt : lostAt);
  const publish = () =>
    useOfflineState.setState({ isReachable: false, lostAt, oldestReadAt: Math.min(lostAt, ...listOnScreen().map(getReadAt)) });
  let hasResponded = false;
  const stop = cache.subscribe((event) => {
    if (event.type !== 'updated' && event.type !== 'observerAdded' && event.type !== 'observerRemoved') return;
    if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) hasResponded = true;
    if (!hasResponded || listOnScreen().some(isAwaitingRefetch)) return publish();
    stop();
    useOfflineState.setState({ isReachable: true, lostAt: undefined, oldestReadAt: undefined });
  });
  publish();
}

/** Returns true if the query still shows old data. A client error doesn't count, because even a rejection is a response. */
function isAwaitingRefetch({ state }: Query): boolean {
  return state.isInvalidated && (state.fetchStatus !== 'idle' || (state.error !== null && !isClientError(state.error)));
}
