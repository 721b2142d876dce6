import { DAY_MS } from '@callout/domain/time/time-units';
import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, setMany } from 'idb-keyval';
import { meQuery } from '../../features/company/company.api.ts';
import { isRefused, isUnreachable } from '../../lib/error-messages.ts';
import { sessionJustEnded } from '../session.ts';
import { keptBy, markKept } from './kept-mark.ts';
import { useOfflineState } from './offline-state.ts';
import { sayUnreachable } from './reachability.ts';

const MAX_AGE_MS = 7 * DAY_MS;
const MAX_KEPT = 200;
const MAX_LENGTH = 200_000;
const SAVE_DELAY_MS = 2_000;
/** Of what was filled in: a page that is opened offline hours later still finds it. */
const STAYS_MS = DAY_MS;

/** What is of no use without a connection, or opens a door: signed-in devices, invitations, the address of a calendar, the whole installation. */
const NEVER_KEPT: ReadonlySet<unknown> = new Set(['devices', 'reset-link', 'invitation', 'my-invitations', 'calendar feed', 'admin']);

export interface KeptQuery {
  readonly key: QueryKey;
  readonly data: unknown;
  readonly read_at: number;
  readonly person: string;
  /** A newer build may expect other data. */
  readonly build: string;
}

const store = createStore('callout-offline', 'queries');

/** The entry's name has a hash of everything it loads. */
const BUILD = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';

/** Keeps what pages have read in this browser, for starts without a connection: when they are idle, and when they are left. */
export function keepQueries(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache();
  const changed = new Set(cache.getAll().map(({ queryHash }) => queryHash));
  const gone = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const person = queryClient.getQueryData(meQuery.queryKey)?.user.id;
    if (person === undefined || sessionJustEnded()) return;
    const kept = [...changed].flatMap((hash) => toKept(cache.get(hash), person));
    const deleted = [...gone];
    changed.clear();
    gone.clear();
    if (kept.length > 0 && !isMarked(person)) return;
    // A browser without room keeps what it has.
    Promise.all([setMany(kept, store), delMany(deleted, store)]).catch(() => undefined);
  };
  const saveNow = () => timer !== undefined && save();
  const schedule = () => {
    timer ??= setTimeout(() => whenIdle(save), SAVE_DELAY_MS);
  };

  cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    const { query, action } = event;
    if (action.type === 'success') changed.add(query.queryHash);
    else if (action.type === 'error' && isRefused(action.error)) gone.add(query.queryHash);
    else return;
    schedule();
  });
  window.addEventListener('pagehide', saveNow);
  document.addEventListener('visibilitychange', () => document.hidden && saveNow());
  // Of earlier visits, too: what is in the cache already is newer.
  window.addEventListener('offline', () => void restoreQueries(queryClient, keeperShown(queryClient)).catch(() => undefined));
  useOfflineState.setState({ onLost: () => void checkReachable(queryClient) });
  schedule();
  void prune(queryClient).catch(() => undefined);
}

/** A browser may have no room for the mark. Then nothing may be kept, since nobody would know whose it is. */
export function isMarked(person: string): boolean {
  try {
    markKept(person);
    return true;
  } catch {
    return false;
  }
}

/** Safari has no requestIdleCallback. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: SAVE_DELAY_MS });
  else run();
}

/** Nothing for what is not worth keeping, or gone. */
export function toKept(query: Query | undefined, person: string): [string, KeptQuery][] {
  if (!query) return [];
  const { queryHash, queryKey, state } = query;
  if (state.status !== 'success' || state.data === undefined || NEVER_KEPT.has(queryKey[0])) return [];
  const data = firstPage(state.data);
  if (JSON.stringify(data).length > MAX_LENGTH) return [];
  return [[queryHash, { key: queryKey, data, read_at: state.dataUpdatedAt, person, build: BUILD }]];
}

function firstPage(data: unknown): unknown {
  const isList = typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
  if (!isList) return data;
  const { pages, pageParams } = data as InfiniteData<unknown>;
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

/** Of one person and this build, not older than a week; the newest first. */
export function usable(kept: readonly [string, KeptQuery][], person: string | undefined): [string, KeptQuery][] {
  const oldest = Date.now() - MAX_AGE_MS;
  return kept
    .filter(([, query]) => query.person === person && query.build === BUILD && query.read_at >= oldest)
    .toSorted(([, one], [, other]) => other.read_at - one.read_at)
    .slice(0, MAX_KEPT);
}

async function prune(queryClient: QueryClient): Promise<void> {
  const kept = await entries<string, KeptQuery>(store);
  const person = queryClient.getQueryData(meQuery.queryKey)?.user.id ?? keptBy();
  const stays = new Set(usable(kept, person).map(([hash]) => hash));
  await delMany(
    kept.map(([hash]) => hash).filter((hash) => !stays.has(hash)),
    store,
  );
}

/** Fills in what was kept and is not there yet; all of it is read again as soon as the server answers. */
export async function restoreQueries(queryClient: QueryClient, person: string | undefined): Promise<void> {
  fillIn(queryClient, usable(await entries<string, KeptQuery>(store), person));
}

/** Whose answers may be filled in while the page is open: nobody's at the sign-in form, where somebody else may come next. */
export function keeperShown(queryClient: QueryClient): string | undefined {
  const person = queryClient.getQueryData(meQuery.queryKey)?.user.id;
  return person === keptBy() ? person : undefined;
}

const filledIn = new WeakSet<Query>();
const isFilledIn = (query: Query) => filledIn.has(query);

export function fillIn(queryClient: QueryClient, kept: readonly [string, KeptQuery][]): void {
  const cache = queryClient.getQueryCache();
  for (const [hash, { key, data, read_at: updatedAt }] of kept) {
    if (cache.get(hash)?.state.data !== undefined) continue;
    const query = cache.build(queryClient, { queryKey: key, gcTime: STAYS_MS });
    query.setData(data, { updatedAt, manual: true });
    query.invalidate();
    filledIn.add(query);
  }
}

/** The start could not reach the server. */
export async function startFromKept(queryClient: QueryClient): Promise<void> {
  await restoreQueries(queryClient, keptBy());
  if (queryClient.getQueryData(meQuery.queryKey) !== undefined) sayUnreachable(queryClient, isFilledIn);
}

/** The live connection is lost: asks whether the server is. What earlier visits have read then helps, too. */
export async function checkReachable(queryClient: QueryClient): Promise<void> {
  try {
    await queryClient.query({ ...meQuery, staleTime: 0, retry: false, networkMode: 'always' });
  } catch (error) {
    if (!isUnreachable(error)) return;
    await restoreQueries(queryClient, keeperShown(queryClient)).catch(() => undefined);
    sayUnreachable(queryClient, isFilledIn);
  }
}

export const deleteQueries = () => clear(store);
