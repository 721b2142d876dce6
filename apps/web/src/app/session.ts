import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { signOut } from '../features/auth/auth.api.ts';
import { meQuery } from '../features/company/company.api.ts';
import { clearDrafts } from '../lib/draft-storage.ts';
import { messageOf, reportFailure, SESSION_EXPIRED } from '../lib/error-messages.ts';
import { announceSessionEnd, onSessionEnd, type SessionEnd } from '../lib/session-end.ts';
import { toast } from '../ui/toast.ts';
import { maySignOut } from '../ui/unsaved-forms.ts';
import { clearLocalStores } from './navigation-store.ts';
import { forgetKept } from './offline/kept-mark.ts';

const CHANNEL = 'callout-session';
const MAX_TRIES = 5;

/** What tabs tell each other: they share one cookie. */
interface SessionMessage {
  readonly end: 'signed-out' | 'replaced';
  /** Who has signed out, or who is signed in now; unknown while another account is only about to be. */
  readonly person: string | undefined;
}

let channel: BroadcastChannel | undefined;
let ending = false;

/** True while a session is ending and its cached data is not cleared yet. */
export function sessionJustEnded(): boolean {
  return ending;
}

/** The one place where a session ends, whether by signing out, by expiry, or in another tab. Clears everything that belongs to it. */
export function watchSession(router: RegisteredRouter, queryClient: QueryClient): void {
  const tabs = new BroadcastChannel(CHANNEL);
  channel = tabs;
  const shownPerson = () => queryClient.getQueryData(meQuery.queryKey)?.user.id;

  const end = async (how: SessionEnd) => {
    if (ending || shownPerson() === undefined) return;
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

  tabs.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => {
    const shown = shownPerson();
    if (data.end === 'signed-out' && data.person !== undefined) clearDrafts(data.person);
    if (shown === undefined) return;
    const isSame = data.person === shown;
    if (isSame && data.end === 'signed-out') announceSessionEnd('signed-out', true);
    else if (!isSame && data.end === 'replaced') announceSessionEnd('replaced', true);
    // Somebody else's sign-out ends their session only; the server knows which of the two this browser has.
    else if (!isSame) void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  });
  onSessionEnd((how, byOtherTab) => {
    const person = shownPerson();
    if (how === 'signed-out' && person !== undefined) clearDrafts(person);
    if (how !== 'expired' && !byOtherTab)
      tabs.postMessage({ end: how, person: how === 'signed-out' ? person : undefined } satisfies SessionMessage);
    void end(how);
    void forgetKept();
  });
}

/** Other tabs may still show somebody else, whose session this browser no longer has. */
export function tellSignedIn(person: string): void {
  channel?.postMessage({ end: 'replaced', person } satisfies SessionMessage);
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
  announceSessionEnd('replaced');
}
