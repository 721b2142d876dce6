import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { signOut } from '../features/auth/auth.api.ts';
import { meQuery } from '../features/company/company.api.ts';
import { messageOf, reportFailure, SESSION_EXPIRED } from '../lib/error-messages.ts';
import { clearLastingDrafts } from '../lib/lasting-draft-storage.ts';
import { announceSessionEnd, onSessionEnd, type SessionEnd } from '../lib/session-end.ts';
import { toast } from '../ui/toast.ts';
import { maySignOut } from '../ui/unsaved-forms.ts';
import { clearLocalStores } from './navigation-store.ts';

const CHANNEL = 'callout-session';
const SIGNED_OUT = 'signed-out';
const MAX_TRIES = 5;

let ending = false;

/** True while a session is ending and its cached data is not cleared yet. */
export function sessionJustEnded(): boolean {
  return ending;
}

/** The one place where a session ends, whether by signing out, by expiry, or in another tab. Clears everything that belongs to it. */
export function watchSession(router: RegisteredRouter, queryClient: QueryClient): void {
  const channel = new BroadcastChannel(CHANNEL);

  /** `isHere`: not in another tab, which may only have signed in somebody else. */
  const end = async (how: SessionEnd, isHere: boolean) => {
    const isSignedIn = queryClient.getQueryData(meQuery.queryKey) !== undefined;
    if (ending || !isSignedIn) return;
    ending = true;
    const next = how === 'expired' ? { next: router.state.location.href } : {};
    const message = router.state.matches.at(-1)?.staticData.sessionExpired ?? SESSION_EXPIRED;
    await queryClient.cancelQueries();
    // A navigation that was already under way, a debounced search for example, can replace this one: then navigate again.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await router.navigate({ to: '/auth', search: next, replace: true, ignoreBlocker: true });
      if (router.latestLocation.pathname === '/auth') break;
    }
    queryClient.clear();
    clearLocalStores();
    if (how === 'signed-out' && isHere) clearLastingDrafts();
    ending = false;
    if (how === 'expired') toast.error(message, { id: SESSION_EXPIRED });
  };

  channel.addEventListener('message', ({ data }) => {
    if (data === SIGNED_OUT) void end('signed-out', false);
  });
  onSessionEnd((how) => {
    if (how === 'signed-out') channel.postMessage(SIGNED_OUT);
    void end(how, true);
  });
}

let signingOut: Promise<void> | undefined;

/** Signs out in every tab, on the server first: if that fails, the session is still open. A double click sends one request. Unsaved text is asked for. */
export async function signOutEverywhere(): Promise<void> {
  if (!(await maySignOut())) return;
  signingOut ??= signOut().then(() => announceSessionEnd('signed-out'));
  try {
    await signingOut;
  } catch (error) {
    reportFailure(error, messageOf(error));
  } finally {
    signingOut = undefined;
  }
}

/** Another account is signed in now: no tab may show anything of the previous one. */
export function switchAccount(queryClient: QueryClient): void {
  queryClient.clear();
  clearLocalStores();
  announceSessionEnd('signed-out');
}
