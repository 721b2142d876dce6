import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { signOut } from '../features/auth/auth.api.ts';
import { meQuery } from '../features/company/company.api.ts';
import { messageOf, SESSION_EXPIRED } from '../lib/error-messages.ts';
import { reportFailure } from '../lib/report-failure.ts';
import { announceSessionEnd, onSessionEnd, type SessionEnd } from '../lib/session-end.ts';
import { toast } from '../ui/toast.ts';
import { clearLocalStores } from './navigation-store.ts';

const CHANNEL = 'callout-session';
const SIGNED_OUT = 'signed-out';
const MOST_TRIES = 5;

let ending = false;

/** True on the way out, while what was known of the person is still being forgotten. */
export function sessionJustEnded(): boolean {
  return ending;
}

/** The one place where a session ends: by hand, by expiry, or in another tab. Everything of it is forgotten. */
export function watchSession(router: RegisteredRouter, queryClient: QueryClient): void {
  const channel = new BroadcastChannel(CHANNEL);

  const end = async (how: SessionEnd) => {
    const known = queryClient.getQueryData(meQuery.queryKey) !== undefined;
    if (ending || !known) return;
    ending = true;
    const next = how === 'expired' ? { next: router.state.location.href } : {};
    const says = router.state.matches.at(-1)?.staticData.sessionExpired ?? SESSION_EXPIRED;
    await queryClient.cancelQueries();
    // What was typed a moment ago, a search say, may lead elsewhere meanwhile: then leave again.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await router.navigate({ to: '/auth', search: next, replace: true, ignoreBlocker: true });
      if (router.latestLocation.pathname === '/auth') break;
    }
    queryClient.clear();
    clearLocalStores();
    ending = false;
    if (how === 'expired') toast.error(says, { id: SESSION_EXPIRED });
  };

  channel.addEventListener('message', ({ data }) => {
    if (data === SIGNED_OUT) void end('signed-out');
  });
  onSessionEnd((how) => {
    if (how === 'signed-out') channel.postMessage(SIGNED_OUT);
    void end(how);
  });
}

/** Ends the session on the server first: a sign-out that the server has not heard of is none. */
export async function signOutEverywhere(): Promise<void> {
  try {
    await signOut();
    announceSessionEnd('signed-out');
  } catch (error) {
    reportFailure(error, messageOf(error));
  }
}

/** Another person has been signed in in this browser: nothing of the one before may show, in no tab. */
export function becomeSomebodyElse(queryClient: QueryClient): void {
  queryClient.clear();
  clearLocalStores();
  announceSessionEnd('signed-out');
}
