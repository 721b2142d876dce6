import type { Me } from '@callout/contract/company';
import { DAY_MS } from '@callout/domain/time/time-units';
import { hashKey, type Query, type QueryClient } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, setMany } from 'idb-keyval';
import { meQueryOptions } from '../../features/company/company.api.ts';
import { deletePriceList } from '../../features/suppliers/suppliers-price-list.api.ts';
import { isClientError, isServerBusy, isServerUnreachable } from '../../lib/error-messages.ts';
import { useOfflineState } from '../../lib/offline-state.ts';
import { isSessionEnding } from '../session.ts';
import { claimCache, findCacheOwner } from './cache-owner.ts';
import { reportUnreachable } from './reachability.ts';
import { findReader, getReader, type Reader, type StoredEntry, selectUsable, toStoredEntries } from './stored-query.ts';
import { deleteThumbnails } from './thumbnail-cache.ts';

const SAVE_DELAY_MS = 2_000;
/** A full day, because restored data must still be in memory when a page is opened offline hours later. */
const HYDRATED_GC_TIME_MS = DAY_MS;
/** A server that hasn't said within this time who is signed in counts as unreachable. */
const CHECK_TIMEOUT_MS = 5_000;

const database = createStore('callout-offline', 'queries');

/** Stores query results in IndexedDB for later starts, whenever the page is idle or hidden. */
export function persistQueries(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache();
  const changedHashes = new Set(cache.getAll().map(({ queryHash }) => queryHash));
  const refusedHashes = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const reader = findSignedInReader(queryClient);
    if (reader === undefined || isSessionEnding()) return;
    const stored = [...changedHashes].flatMap((hash) => toStoredEntries(cache.get(hash), reader));
    const deleted = [...refusedHashes];
    changedHashes.clear();
    refusedHashes.clear();
    if (stored.length > 0 && !tryClaimCache(reader.person)) return;
    // Errors are ignored: if the storage is full, the entries stored earlier remain.
    Promise.all([storeEntries(stored), delMany(deleted, database)]).catch(() => undefined);
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
  dropDataOfFormerRole(queryClient);
  window.addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', () => document.hidden && flush());
  // Restore the pages viewed on earlier visits, which may not be in memory. Newer data in memory is not replaced.
  window.addEventListener('offline', () => void restoreQueries(queryClient).catch(() => undefined));
  useOfflineState.setState({ onLiveConnectionLost: () => void checkServerReachable(queryClient) });
  scheduleSave();
  void pruneStoredQueries(queryClient).catch(() => undefined);
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

export const storeEntries = (stored: readonly StoredEntry[]) =>
  setMany(
    stored.map(([hash, query]) => [hash, query]),
    database,
  );

const readStoredEntries = (): Promise<StoredEntry[]> => entries(database);

/** Returns the person who is signed in, if the stored data is theirs. Undefined on the sign-in page, where someone else may sign in next. */
export function findSignedInOwner(queryClient: QueryClient): Reader | undefined {
  const reader = findSignedInReader(queryClient);
  return reader?.person === findCacheOwner() ? reader : undefined;
}

function findSignedInReader(queryClient: QueryClient): Reader | undefined {
  const me = queryClient.getQueryData(meQueryOptions.queryKey);
  return me && getReader(me);
}

async function pruneStoredQueries(queryClient: QueryClient): Promise<void> {
  const stored = await readStoredEntries();
  const usable = new Set(selectUsable(stored, findSignedInReader(queryClient)).map(([hash]) => hash));
  await delMany(
    stored.map(([hash]) => hash).filter((hash) => !usable.has(hash)),
    database,
  );
}

/** Adds the stored data of the person who is signed in to the in-memory cache, marked as stale, so that it is refetched when it is used. */
export async function restoreQueries(queryClient: QueryClient): Promise<void> {
  const stored = await readStoredEntries();
  hydrateQueries(queryClient, selectUsable(stored, findSignedInOwner(queryClient)));
}

/** Restores what the cache's owner has stored, before the server has said who is signed in. Returns their `me`, unless `signal` is aborted. */
export async function startFromStoredData(queryClient: QueryClient, signal: AbortSignal): Promise<Me | undefined> {
  const stored = await readStoredEntries();
  // The owner may have signed out while the data was read.
  const usable = selectUsable(stored, findReader(stored, findCacheOwner()));
  if (signal.aborted) return undefined;
  hydrateQueries(queryClient, usable);
  dropDataOfFormerRole(queryClient);
  return queryClient.getQueryData(meQueryOptions.queryKey);
}

const hydratedQueries = new WeakSet<Query>();
const isHydrated = (query: Query) => hydratedQueries.has(query);

export function hydrateQueries(queryClient: QueryClient, stored: readonly StoredEntry[]): void {
  const cache = queryClient.getQueryCache();
  for (const [hash, { key, data, read_at: updatedAt }] of stored) {
    if (cache.get(hash)?.state.data !== undefined) continue;
    const query = cache.build(queryClient, { queryKey: key, gcTime: HYDRATED_GC_TIME_MS });
    query.setData(data, { updatedAt, manual: true });
    query.invalidate();
    hydratedQueries.add(query);
  }
}

const ME_HASH = hashKey(meQueryOptions.queryKey);
const isNotMe = ({ queryHash }: Query) => queryHash !== ME_HASH;

const watchedClients = new WeakSet<QueryClient>();

/** Drops what the person has read in another role as soon as the server reports the new one: it may be more than they may see now. */
function dropDataOfFormerRole(queryClient: QueryClient): void {
  if (watchedClients.has(queryClient)) return;
  watchedClients.add(queryClient);
  let before = findSignedInReader(queryClient);
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryHash !== ME_HASH) return;
    const reader = findSignedInReader(queryClient);
    const hasChanged = reader?.person === before?.person && reader?.access !== before?.access;
    before = reader;
    if (hasChanged) void dropAllButMe(queryClient);
  });
}

async function dropAllButMe(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ predicate: isNotMe, type: 'inactive' });
  await Promise.all([queryClient.resetQueries({ predicate: isNotMe, type: 'active' }), deleteStoredData()]);
}

/** Drops stored data that the server hasn't replaced yet. Returns false if none of it was in memory. */
export async function dropStoredQueries(queryClient: QueryClient): Promise<boolean> {
  const predicate = (query: Query) => isHydrated(query) && query.state.isInvalidated && isNotMe(query);
  const wasInMemory = queryClient.getQueryCache().findAll({ predicate }).length > 0;
  queryClient.removeQueries({ predicate });
  await deleteStoredData();
  return wasInMemory;
}

/**
 * Asks the server who is signed in, at a start from stored data and after the live connection was lost. If the server is unreachable, also
 * restores data from earlier visits.
 */
export async function checkServerReachable(queryClient: QueryClient): Promise<void> {
  const me = queryClient.query({ ...meQueryOptions, staleTime: 0, retry: false, networkMode: 'always' });
  const timeout = new Promise((_resolve, reject) => setTimeout(() => reject(new DOMException('', 'TimeoutError')), CHECK_TIMEOUT_MS));
  try {
    await Promise.race([me, timeout]);
  } catch (error) {
    if (!isServerUnreachable(error) || isServerBusy(error)) return;
    reportUnreachable(queryClient, isHydrated);
    restoreQueries(queryClient).catch(() => undefined);
  }
}

/** Deletes everything that this browser has stored of what the server has sent. */
export async function deleteStoredData(): Promise<void> {
  await Promise.all([clear(database), deletePriceList(), deleteThumbnails()]);
}
