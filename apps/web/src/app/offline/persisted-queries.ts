import { DAY_MS } from '@callout/domain/time/time-units';
import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, setMany } from 'idb-keyval';
import { meQueryOptions } from '../../features/company/company.api.ts';
import { isClientError, isServerBusy, isServerUnreachable } from '../../lib/error-messages.ts';
import { isSessionEnding } from '../session.ts';
import { claimCache, findCacheOwner } from './cache-owner.ts';
import { useOfflineState } from './offline-state.ts';
import { reportUnreachable } from './reachability.ts';

const MAX_AGE_MS = 7 * DAY_MS;
const MAX_PERSISTED_QUERIES = 200;
const MAX_QUERY_LENGTH = 200_000;
const SAVE_DELAY_MS = 2_000;
/** A full day, because restored data must still be in memory when a page is opened offline hours later. */
const HYDRATED_GC_TIME_MS = DAY_MS;

/** First parts of query keys that are never stored, because the data is useless offline or grants access, such as an invitation. */
const NEVER_PERSISTED: ReadonlySet<unknown> = new Set(['devices', 'reset-link', 'invitation', 'my-invitations', 'calendar feed', 'admin']);

export interface PersistedQuery {
  readonly key: QueryKey;
  readonly data: unknown;
  readonly read_at: number;
  readonly person: string;
  /** Id of the build that stored the data. Other builds don't restore the data, because they may expect a different shape. */
  readonly build: string;
}

const database = createStore('callout-offline', 'queries');

/** URL of the entry script. It contains a hash of everything the script loads, so it is different for every build. */
const BUILD_ID = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';

/** Stores query results in IndexedDB for offline starts, whenever the page is idle or hidden. */
export function persistQueries(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache();
  const changedHashes = new Set(cache.getAll().map(({ queryHash }) => queryHash));
  const refusedHashes = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const person = queryClient.getQueryData(meQueryOptions.queryKey)?.user.id;
    if (person === undefined || isSessionEnding()) return;
    const persisted = [...changedHashes].flatMap((hash) => toPersistedEntries(cache.get(hash), person));
    const deleted = [...refusedHashes];
    changedHashes.clear();
    refusedHashes.clear();
    if (persisted.length > 0 && !tryClaimCache(person)) return;
    // Errors are ignored: if the storage is full, the entries stored earlier remain.
    Promise.all([setMany(persisted, database), delMany(deleted, database)]).catch(() => undefined);
  };
  const flush = () => timer !== undefined && save();
  const scheduleSave = () => {
    timer ??= setTimeout(() => runWhenIdle(save), SAVE_DELAY_MS);
  };

  cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    const { query, action } = event;
    if (action.type === 'success') changedHashes.add(query.queryHash);
    else if (action.type === 'error' && isClientError(action.error)) refusedHashes.add(query.queryHash);
    else return;
    scheduleSave();
  });
  window.addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', () => document.hidden && flush());
  // Restore the pages viewed on earlier visits, which may not be in memory. Newer data in memory is not replaced.
  window.addEventListener('offline', () => void restoreQueries(queryClient, findSignedInCacheOwner(queryClient)).catch(() => undefined));
  useOfflineState.setState({ onLiveConnectionLost: () => void checkServerReachable(queryClient) });
  scheduleSave();
  void prunePersistedQueries(queryClient).catch(() => undefined);
}

/** Returns false if the storage is full. In that case nothing may be stored, because the data would have no owner. */
export function tryClaimCache(personId: string): boolean {
  try {
    claimCache(personId);
    return true;
  } catch {
    return false;
  }
}

/** Calls `run` when the browser is idle, or immediately in Safari, which has no `requestIdleCallback`. */
function runWhenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: SAVE_DELAY_MS });
  else run();
}

/** Builds the entries to store. Returns an empty list for queries that must not or cannot be stored. */
export function toPersistedEntries(query: Query | undefined, person: string): [string, PersistedQuery][] {
  if (!query) return [];
  const { queryHash, queryKey, state } = query;
  if (state.status !== 'success' || state.data === undefined || NEVER_PERSISTED.has(queryKey[0])) return [];
  const data = withFirstPageOnly(state.data);
  if (JSON.stringify(data).length > MAX_QUERY_LENGTH) return [];
  return [[queryHash, { key: queryKey, data, read_at: state.dataUpdatedAt, person, build: BUILD_ID }]];
}

function withFirstPageOnly(data: unknown): unknown {
  const isList = typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
  if (!isList) return data;
  const { pages, pageParams } = data as InfiniteData<unknown>;
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

/** Returns the entries that this person and this build stored within the last week, newest first, up to `MAX_PERSISTED_QUERIES`. */
export function filterRestorable(persisted: readonly [string, PersistedQuery][], person: string | undefined): [string, PersistedQuery][] {
  const oldestAllowed = Date.now() - MAX_AGE_MS;
  return persisted
    .filter(([, query]) => query.person === person && query.build === BUILD_ID && query.read_at >= oldestAllowed)
    .toSorted(([, one], [, other]) => other.read_at - one.read_at)
    .slice(0, MAX_PERSISTED_QUERIES);
}

async function prunePersistedQueries(queryClient: QueryClient): Promise<void> {
  const stored = await entries<string, PersistedQuery>(database);
  const person = queryClient.getQueryData(meQueryOptions.queryKey)?.user.id ?? findCacheOwner();
  const restorable = new Set(filterRestorable(stored, person).map(([hash]) => hash));
  await delMany(
    stored.map(([hash]) => hash).filter((hash) => !restorable.has(hash)),
    database,
  );
}

/** Adds stored data to the in-memory cache, marked as stale so that it is refetched as soon as the server responds. */
export async function restoreQueries(queryClient: QueryClient, person: string | undefined): Promise<void> {
  hydrateQueries(queryClient, filterRestorable(await entries<string, PersistedQuery>(database), person));
}

/** Returns the cache owner if that person is signed in. Undefined on the sign-in page, where someone else may sign in next. */
export function findSignedInCacheOwner(queryClient: QueryClient): string | undefined {
  const person = queryClient.getQueryData(meQueryOptions.queryKey)?.user.id;
  return person === findCacheOwner() ? person : undefined;
}

const hydratedQueries = new WeakSet<Query>();
const isHydrated = (query: Query) => hydratedQueries.has(query);

export function hydrateQueries(queryClient: QueryClient, persisted: readonly [string, PersistedQuery][]): void {
  const cache = queryClient.getQueryCache();
  for (const [hash, { key, data, read_at: updatedAt }] of persisted) {
    if (cache.get(hash)?.state.data !== undefined) continue;
    const query = cache.build(queryClient, { queryKey: key, gcTime: HYDRATED_GC_TIME_MS });
    query.setData(data, { updatedAt, manual: true });
    query.invalidate();
    hydratedQueries.add(query);
  }
}

/** Restores the cache owner's data. Call if the server can't be reached at startup. */
export async function startOffline(queryClient: QueryClient): Promise<void> {
  await restoreQueries(queryClient, findCacheOwner());
  if (queryClient.getQueryData(meQueryOptions.queryKey) !== undefined) reportUnreachable(queryClient, isHydrated);
}

/** Checks the server after the live connection has dropped. If the server is unreachable, restores data from earlier visits. */
export async function checkServerReachable(queryClient: QueryClient): Promise<void> {
  try {
    await queryClient.query({ ...meQueryOptions, staleTime: 0, retry: false, networkMode: 'always' });
  } catch (error) {
    if (!isServerUnreachable(error) || isServerBusy(error)) return;
    await restoreQueries(queryClient, findSignedInCacheOwner(queryClient)).catch(() => undefined);
    reportUnreachable(queryClient, isHydrated);
  }
}

export const deletePersistedQueries = () => clear(database);
