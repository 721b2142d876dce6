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
import { forgetKept } from './offline/kept-mark.ts';

const CHANNEL = 'callout-session';
const SIGNED_OUT = 'signed-out';
const MAX_TRIES = 5;

/** Somebody has signed out: no other tab writes their drafts again. */
interface DraftsMessage {
  readonly clear_drafts_of: string;
}

const isDraftsMessage = (data: unknown): data is DraftsMessage => typeof data === 'object' && data !== null && 'clear_drafts_of' in data;

let ending = false;

/** True while a session is ending and its cached data is not cleared yet. */
export function sessionJustEnded(): boolean {
  return ending;
}

/** The one place where a session ends, whether by signing out, by expiry, or in another tab. Clears everything that belongs to it. */
export function watchSession(router: RegisteredRouter, queryClient: QueryClient): void {
  const channel = new BroadcastChannel(CHANNEL);

  const end = async (how: SessionEnd) => {
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
    ending = false;
    if (how === 'expired') toast.error(message, { id: SESSION_EXPIRED });
  };

  channel.addEventListener('message', ({ data }) => {
    if (isDraftsMessage(data)) clearLastingDrafts(data.clear_drafts_of);
    if (data !== SIGNED_OUT) return;
    void end('signed-out');
    void forgetKept();
  });
  onSessionEnd((how) => {
    if (how === 'signed-out') {
      // Nobody, when another account was signed in instead: then the drafts wait for their person.
      const person = queryClient.getQueryData(meQuery.queryKey)?.user.id;
      if (person !== undefined) {
        clearLastingDrafts(person);
        channel.postMessage({ clear_drafts_of: person } satisfies DraftsMessage);
      }
      channel.postMessage(SIGNED_OUT);
    }
    void end(how);
    void forgetKept();
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
