/** Why a session ended; 'replaced' means that someone else signed in with this browser. Drafts are deleted only on sign-out. */
export type SessionEnd = 'expired' | 'signed-out' | 'replaced';

/** `removedFrom` is the name of the company if the session ended because the person was removed from it. */
type SessionEndListener = (end: SessionEnd, byOtherTab: boolean, removedFrom?: string) => void;

const listeners = new Set<SessionEndListener>();

/** Notifies every `onSessionEnd` listener. `byOtherTab` is true if another tab reported the end. */
export function announceSessionEnd(end: SessionEnd, byOtherTab = false, removedFrom?: string): void {
  for (const listener of listeners) listener(end, byOtherTab, removedFrom);
}

export function onSessionEnd(listener: SessionEndListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
