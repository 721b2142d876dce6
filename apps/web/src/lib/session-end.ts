/** Why a session ended; 'replaced' means that someone else signed in with this browser. Drafts are deleted only on sign-out. */
export type SessionEnd = 'expired' | 'signed-out' | 'replaced';

type SessionEndListener = (end: SessionEnd, byOtherTab: boolean) => void;

const listeners = new Set<SessionEndListener>();

/** Notifies every `onSessionEnd` listener. `byOtherTab` is true if another tab reported the end. */
export function announceSessionEnd(end: SessionEnd, byOtherTab = false): void {
  for (const listener of listeners) listener(end, byOtherTab);
}

export function onSessionEnd(listener: SessionEndListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
