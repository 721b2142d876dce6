import type { Me } from '@callout/contract/company';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { meQueryOptions } from '../features/company/company.api.ts';
import { isServerBusy, isServerUnreachable, isSignedOutError } from '../lib/error-messages.ts';
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

/** A dead connection may never report an error, so after this delay the app starts with cached data. */
const OFFLINE_FALLBACK_DELAY_MS = 5_000;
/** After this timeout the page shows an error, but the request keeps running. */
const FETCH_ME_TIMEOUT_MS = 10_000;

/** Fetches `me`, or restores the data cached in this browser if the server is unreachable. */
async function fetchMeOrRestore(queryClient: QueryClient, readOptions: FetchMeOptions): Promise<Me> {
  // Send the request even if the browser is offline. By default, React Query would pause it, and the page would wait forever.
  const options = { ...meQueryOptions, ...readOptions, staleTime: 'static', networkMode: 'always' } as const;
  let waitMs = FETCH_ME_TIMEOUT_MS;
  if (findCacheOwner() !== undefined && !queryClient.getQueryData(meQueryOptions.queryKey)) {
    const request = queryClient.query({ ...options, retry: false });
    const response = await withTimeout(OFFLINE_FALLBACK_DELAY_MS, request.catch(ignoreUnreachable));
    if (response !== 'busy') {
      const me = response ?? (await restoreMe(queryClient));
      if (me) return me;
      waitMs -= OFFLINE_FALLBACK_DELAY_MS;
    }
  }
  const me = await withTimeout(waitMs, queryClient.query(options));
  if (!me) throw queryClient.getQueryState(meQueryOptions.queryKey)?.fetchFailureReason ?? new DOMException('', 'TimeoutError');
  return me;
}

/** Resolves to the promise's result, or to undefined after the timeout. */
function withTimeout<Result>(ms: number, promise: Promise<Result>): Promise<Result | undefined> {
  return Promise.race([promise, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);
}

/** Resolves to true if the server responds, even with "not signed in". Joins a pending request instead of sending another. */
export const isServerResponding = (queryClient: QueryClient): Promise<boolean> =>
  queryClient.query({ ...meQueryOptions, retry: false, networkMode: 'always' }).then(() => true, isSignedOutError);

function ignoreUnreachable(error: unknown): 'busy' | undefined {
  if (isServerBusy(error)) return 'busy';
  if (!isServerUnreachable(error)) throw error;
  return undefined;
}

async function restoreMe(queryClient: QueryClient): Promise<Me | undefined> {
  try {
    const { startOffline } = await import('./offline/persisted-queries.ts');
    await startOffline(queryClient);
  } catch {
    // The browser may deny access to IndexedDB, in which case there is nothing to restore.
  }
  return queryClient.getQueryData(meQueryOptions.queryKey);
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
