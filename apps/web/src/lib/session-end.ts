/**
 * Why a page's session ended: the server no longer knows it, its person signed out, or somebody else signed in with this browser. Only
 * signing out removes what was typed; otherwise it waits for its person.
 */
export type SessionEnd = 'expired' | 'signed-out' | 'replaced';

type Listener = (end: SessionEnd, byOtherTab: boolean) => void;

const listeners = new Set<Listener>();

/** Tells the application that its session has ended. What follows from it is decided in one place. */
export function announceSessionEnd(end: SessionEnd, byOtherTab = false): void {
  for (const listener of listeners) listener(end, byOtherTab);
}

export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
