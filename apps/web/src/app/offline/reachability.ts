import type { Query, QueryClient } from '@tanstack/react-query';
import { isRefused } from '../../lib/error-messages.ts';
import { useOfflineState } from './offline-state.ts';

/** Says that the server cannot be reached, and how old what is on screen is, until all of that has been read again. */
export function sayUnreachable(queryClient: QueryClient, isFromEarlier: (query: Query) => boolean): void {
  if (!useOfflineState.getState().isReachable) return;
  const lostAt = Date.now();
  const cache = queryClient.getQueryCache();
  const onScreen = () => cache.findAll({ type: 'active' });
  // Until the connection was lost, it kept up to date what this visit has read.
  const ageOf = (query: Query) => (isFromEarlier(query) && query.state.isInvalidated ? query.state.dataUpdatedAt : lostAt);
  const tell = () => useOfflineState.setState({ isReachable: false, readAt: Math.min(lostAt, ...onScreen().map(ageOf)) });
  let hasAnswered = false;
  const stop = cache.subscribe((event) => {
    if (event.type !== 'updated' && event.type !== 'observerAdded' && event.type !== 'observerRemoved') return;
    if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) hasAnswered = true;
    if (!hasAnswered || onScreen().some(isOutdated)) return tell();
    stop();
    useOfflineState.setState({ isReachable: true, readAt: undefined });
  });
  tell();
}

/** Still to be read again. What the server refuses, it has answered. */
function isOutdated({ state }: Query): boolean {
  return state.isInvalidated && (state.fetchStatus !== 'idle' || (state.error !== null && !isRefused(state.error)));
}
