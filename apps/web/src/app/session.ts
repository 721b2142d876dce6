import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { signOut } from '../features/auth/auth.api.ts';
import { getPathAfterSignIn } from '../features/auth/path-after-sign-in.ts';
import { meQueryOptions } from '../features/company/company.api.ts';
import { listCommands } from '../lib/commands/outbox.ts';
import { clearDrafts } from '../lib/draft-keys.ts';
import { getErrorMessage, reportFailure, SESSION_EXPIRED_MESSAGE } from '../lib/error-messages.ts';
import { announceSessionEnd, onSessionEnd, type SessionEnd } from '../lib/session-end.ts';
import { toast } from '../ui/toast.ts';
import { confirmSignOut } from '../ui/unsaved-forms.ts';
import { clearLocalStores } from './navigation-store.ts';
import { clearOfflineCache } from './offline/cache-owner.ts';

const CHANNEL_NAME = 'callout-session';
const MAX_NAVIGATION_ATTEMPTS = 5;

/** Tells other tabs about a sign-in or sign-out, because all tabs share one session cookie. */
interface SessionMessage {
  readonly end: 'signed-out' | 'replaced';
  /** The person who signed out or is now signed in; undefined while a switch to another account is in progress. */
  readonly person: string | undefined;
}

let channel: BroadcastChannel | undefined;
let isEnding = false;

/** Returns true from the end of a session until its cached data has been cleared. */
export function isSessionEnding(): boolean {
  return isEnding;
}

/** Clears a session's data when the session ends: by sign-out or expiry, in this tab or another one. Returns a function that stops it. */
export function watchSession(router: RegisteredRouter, queryClient: QueryClient): () => void {
  const tabs = new BroadcastChannel(CHANNEL_NAME);
  channel = tabs;
  /** The last person who was signed in in this tab. */
  let formerPerson: string | undefined;
  const getSignedInPerson = () => queryClient.getQueryData(meQueryOptions.queryKey)?.user.id;

  const endSession = async (reason: SessionEnd, removedFrom: string | undefined) => {
    if (isEnding || getSignedInPerson() === undefined) return;
    isEnding = true;
    const next = reason === 'expired' && removedFrom === undefined ? { next: router.state.location.href } : {};
    const expiredMessage = router.state.matches.at(-1)?.staticData.sessionExpiredMessage ?? SESSION_EXPIRED_MESSAGE;
    await queryClient.cancelQueries();
    // Retry, because a navigation already in progress, such as a debounced search, can override this redirect.
    for (let attempts = 0; attempts < MAX_NAVIGATION_ATTEMPTS; attempts += 1) {
      await router.navigate({ to: '/auth', search: next, replace: true, ignoreBlocker: true });
      if (router.latestLocation.pathname === '/auth') break;
    }
    queryClient.clear();
    clearLocalStores();
    isEnding = false;
    const message = removedFrom === undefined ? expiredMessage : `You no longer belong to ${removedFrom}. Your login there was deleted.`;
    if (reason === 'expired') toast.error(message, { id: SESSION_EXPIRED_MESSAGE });
  };

  tabs.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => {
    const signedInPerson = getSignedInPerson();
    if (data.end === 'signed-out' && data.person !== undefined) clearDrafts(data.person);
    if (signedInPerson === undefined) {
      // A tab of someone else must not show this person's data, so it keeps its sign-in form.
      if (data.end === 'replaced' && data.person !== undefined && data.person === formerPerson) leaveSignInForm(router);
      return;
    }
    const isSamePerson = data.person === signedInPerson;
    if (isSamePerson && data.end === 'signed-out') announceSessionEnd('signed-out', true);
    else if (!isSamePerson && data.end === 'replaced') announceSessionEnd('replaced', true);
    // A different person signed out in another tab. Only the server knows who is still signed in, so refetch `me`.
    else if (!isSamePerson) void queryClient.invalidateQueries({ queryKey: meQueryOptions.queryKey });
  });
  const stopListening = onSessionEnd((reason, isFromOtherTab, removedFrom) => {
    const person = getSignedInPerson();
    formerPerson = person ?? formerPerson;
    if (reason === 'signed-out' && person !== undefined) clearDrafts(person);
    if (reason !== 'expired' && !isFromOtherTab)
      tabs.postMessage({ end: reason, person: reason === 'signed-out' ? person : undefined } satisfies SessionMessage);
    void endSession(reason, removedFrom);
    void clearOfflineCache();
  });
  return () => {
    stopListening();
    tabs.close();
    channel = undefined;
  };
}

/** Opens the page behind the sign-in form. Leaves the forms for a new account or password alone. */
function leaveSignInForm({ history, state: { location } }: RegisteredRouter): void {
  const { mode, reset, next } = location.search;
  if (location.pathname !== '/auth' || reset || (mode !== undefined && mode !== 'sign-in')) return;
  history.replace(getPathAfterSignIn(next));
}

/** Tells other tabs that `person` has signed in, so that they clear the data of anyone who was signed in before. */
export function announceSignIn(person: string): void {
  channel?.postMessage({ end: 'replaced', person } satisfies SessionMessage);
}

let signingOut: Promise<void> | undefined;

/**
 * Signs out, unless that would leave changes on this device that nobody could send. Asks before discarding unsaved edits. Clears nothing
 * until the server confirms, because a failed sign-out leaves the session open.
 */
export async function signOutAllTabs(): Promise<void> {
  const unsent = listCommands().length;
  if (unsent > 0) {
    const text = unsent === 1 ? 'One of your changes has' : `${unsent} of your changes have`;
    toast.error(`${text} not been sent yet. Wait until you're online, or discard unsent changes, before you sign out.`);
    return;
  }
  if (!(await confirmSignOut())) return;
  signingOut ??= signOut().then(() => announceSessionEnd('signed-out'));
  try {
    await signingOut;
  } catch (error) {
    reportFailure(error, getErrorMessage(error));
  } finally {
    signingOut = undefined;
  }
}

/** Call after a different account has signed in, so that no tab still shows the previous account's data. */
export function handleAccountSwitch(queryClient: QueryClient): void {
  queryClient.clear();
  clearLocalStores();
  announceSessionEnd('replaced');
}
