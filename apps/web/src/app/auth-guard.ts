import type { Me } from '@callout/contract/company';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { meQueryOptions } from '../features/company/company.api.ts';
import { isSignedOutError } from '../lib/error-messages.ts';
import { preloadedMe } from '../lib/preloaded-me.ts';
import { clearEndedPerson, isSignedInPerson, setSignedInPerson } from '../lib/request-identity.ts';
import { setCompanyTimeZone } from '../lib/time-zone.ts';
import { findCacheOwner } from './offline/cache-owner.ts';
import { announceSignIn, isSessionEnding } from './session.ts';

const HOME_PATH = '/dashboard';

/** True if the last response was "not signed in", so that the sign-in page can open without requesting `me` again. */
let isKnownSignedOut = false;

interface FetchMeOptions {
  /** False for pages that have their own Retry button, so that an error appears without automatic retries. */
  readonly retry?: false;
}

/** Fetches `me` unless it is cached. Stale data is fine, because the shell refetches `me` in the background. */
async function fetchMe(queryClient: QueryClient, options: FetchMeOptions = {}): Promise<Me> {
  // Clear the cache, because late responses may have filled it with the previous person's data.
  if (!isSessionEnding() && clearEndedPerson()) queryClient.clear();
  try {
    const me = await fetchMeOrRestore(queryClient, options);
    isKnownSignedOut = false;
    updateSignedInPerson(me.user.id);
    setCompanyTimeZone(me.profile?.timezone ?? null);
    return me;
  } catch (error) {
    isKnownSignedOut = isSignedOutError(error);
    throw error;
  }
}

function updateSignedInPerson(person: string): void {
  // While a session ends, a navigation that is still running must not mark the same person as signed in again.
  if (isSessionEnding() || isSignedInPerson(person)) return;
  setSignedInPerson(person);
  announceSignIn(person);
}

/** After this timeout the page shows an error, but the request keeps running. */
const FETCH_ME_TIMEOUT_MS = 10_000;
/** Reading what is stored takes a few milliseconds. A browser whose database hangs must not keep the page from opening. */
const RESTORE_TIMEOUT_MS = 1_000;

/** Returns what this browser has stored of `me`, however slow the connection is, or fetches it. */
async function fetchMeOrRestore(queryClient: QueryClient, readOptions: FetchMeOptions): Promise<Me> {
  const hasStored = findCacheOwner() !== undefined && !queryClient.getQueryData(meQueryOptions.queryKey);
  // A page that the server has sent, instead of the service worker, brings `me` along, so it doesn't wait for what is stored.
  if (hasStored && !preloadedMe.isAvailable()) {
    const me = await restoreMe(queryClient);
    if (me) return me;
  }
  // Send the request even if the browser is offline. By default, React Query would pause it, and the page would wait forever.
  const options = { ...meQueryOptions, ...readOptions, staleTime: 'static', networkMode: 'always' } as const;
  const me = await withTimeout(FETCH_ME_TIMEOUT_MS, queryClient.query(options));
  if (!me) throw queryClient.getQueryState(meQueryOptions.queryKey)?.fetchFailureReason ?? new DOMException('', 'TimeoutError');
  if (hasStored) void restorePages(queryClient);
  return me;
}

/** Resolves to the promise's result, or to undefined after the timeout. */
function withTimeout<Result>(ms: number, promise: Promise<Result>): Promise<Result | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);
}

/** Resolves to true if the server responds, even with "not signed in". Joins a pending request instead of sending another. */
export const isServerResponding = (queryClient: QueryClient): Promise<boolean> =>
  queryClient.query({ ...meQueryOptions, retry: false, networkMode: 'always' }).then(() => true, isSignedOutError);

const loadStoredQueries = () => import('./offline/persisted-queries.ts');

/**
 * Restores what this browser has stored of the person who was signed in last, and asks the server in the background whether they still are.
 * That request names the person, so that the server answers "not signed in" if it is someone else by now.
 */
async function restoreMe(queryClient: QueryClient): Promise<Me | undefined> {
  const waiting = new AbortController();
  const restore = async () => {
    const { checkServerReachable, startFromStoredData } = await loadStoredQueries();
    const me = await startFromStoredData(queryClient, waiting.signal);
    if (!me) return undefined;
    updateSignedInPerson(me.user.id);
    void checkServerReachable(queryClient);
    return me;
  };
  // The browser may deny access to its database, in which case there is nothing to restore.
  const me = await withTimeout(
    RESTORE_TIMEOUT_MS,
    restore().catch(() => undefined),
  );
  waiting.abort();
  return me;
}

/** Shows what this browser has stored until the server has sent it. */
async function restorePages(queryClient: QueryClient): Promise<void> {
  try {
    await (await loadStoredQueries()).restoreQueries(queryClient);
  } catch {
    // Ignored, as above.
  }
}

/** Returns the signed-in user. Otherwise throws a redirect to the sign-in page, which leads back to `href` after sign-in. */
export async function requireSignedIn(queryClient: QueryClient, href: string, options: FetchMeOptions = {}): Promise<Me> {
  try {
    return await fetchMe(queryClient, options);
  } catch (error) {
    if (isSignedOutError(error))
      throw redirect({ to: '/auth', search: href === HOME_PATH || href === '/' ? {} : { next: href }, replace: true });
    throw error;
  }
}

/** Returns the signed-in user, if any. Never throws, because the callers also work for people who aren't signed in. */
export async function findMe(queryClient: QueryClient): Promise<Me | undefined> {
  if (isKnownSignedOut || isSessionEnding()) return undefined;
  try {
    return await fetchMe(queryClient);
  } catch {
    return undefined;
  }
}
