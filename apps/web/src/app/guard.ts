import type { Me } from '@callout/contract/company';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { meQuery } from '../features/company/company.api.ts';
import { isSignedOut, isUnreachable } from '../lib/error-messages.ts';
import { forgetEndedPerson, isRequestPerson, setRequestPerson } from '../lib/request-person.ts';
import { setCompanyTimeZone } from '../lib/time-zone.ts';
import { keptBy } from './offline/kept-mark.ts';
import { sessionJustEnded, tellSignedIn } from './session.ts';

const HOME = '/dashboard';

/** Whether the last response said so: on a slow connection the sign-in form must not wait for the same answer twice. */
let signedOut = false;

interface ReadOptions {
  /** For a page that tries again itself. */
  readonly retry?: false;
}

/** From the cache if possible: pages of the shell read it again once it is stale. */
async function fetchMe(queryClient: QueryClient, options: ReadOptions = {}): Promise<Me> {
  // What was still under way when a session ended may have been answered since.
  if (!sessionJustEnded() && forgetEndedPerson()) queryClient.clear();
  try {
    const me = await readMe(queryClient, options);
    signedOut = false;
    showTo(me.user.id);
    setCompanyTimeZone(me.profile?.timezone ?? null);
    return me;
  } catch (error) {
    signedOut = isSignedOut(error);
    throw error;
  }
}

function showTo(person: string): void {
  // A navigation that was under way shows nobody any more.
  if (sessionJustEnded() || isRequestPerson(person)) return;
  setRequestPerson(person);
  tellSignedIn(person);
}

/** After this long without an answer what was kept opens: a connection can be dead without saying so. */
const PATIENCE_MS = 5_000;
/** After this long nobody looks at an empty frame any more: the page says what is wrong, and the request goes on. */
const MAX_WAIT_MS = 10_000;

/** Without a connection from what this browser has kept, if anything. */
async function readMe(queryClient: QueryClient, readOptions: ReadOptions): Promise<Me> {
  // Also while the browser says that it is offline: nobody may wait forever for a page that cannot come.
  const options = { ...meQuery, ...readOptions, staleTime: 'static', networkMode: 'always' } as const;
  let waitMs = MAX_WAIT_MS;
  if (keptBy() !== undefined && !queryClient.getQueryData(meQuery.queryKey)) {
    const asked = queryClient.query({ ...options, retry: false });
    const me = (await within(PATIENCE_MS, asked.catch(ignoreUnreachable))) ?? (await readKeptMe(queryClient));
    if (me) return me;
    waitMs -= PATIENCE_MS;
  }
  const me = await within(waitMs, queryClient.query(options));
  if (!me) throw new DOMException('', 'TimeoutError');
  return me;
}

/** Nothing when it takes longer. */
function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  return Promise.race([answer, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);
}

/** Whether the server now says who is signed in, or that nobody is. A request that is still under way is waited for. */
export const answersAgain = (queryClient: QueryClient): Promise<boolean> =>
  queryClient.query({ ...meQuery, retry: false, networkMode: 'always' }).then(() => true, isSignedOut);

function ignoreUnreachable(error: unknown): undefined {
  if (!isUnreachable(error)) throw error;
}

async function readKeptMe(queryClient: QueryClient): Promise<Me | undefined> {
  try {
    const { startFromKept } = await import('./offline/kept-queries.ts');
    await startFromKept(queryClient);
  } catch {
    // A browser may refuse to open its store.
  }
  return queryClient.getQueryData(meQuery.queryKey);
}

/** The signed-in user, or a redirect to /auth that leads back here. */
export async function requireSignedIn(queryClient: QueryClient, href: string, options: ReadOptions = {}): Promise<Me> {
  try {
    return await fetchMe(queryClient, options);
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/auth', search: href === HOME || href === '/' ? {} : { next: href }, replace: true });
    throw error;
  }
}

/** The signed-in user, if any. Never fails: the pages that call it also work without signing in. */
export async function fetchVisitor(queryClient: QueryClient): Promise<Me | undefined> {
  if (signedOut || sessionJustEnded()) return undefined;
  try {
    return await fetchMe(queryClient);
  } catch {
    return undefined;
  }
}
