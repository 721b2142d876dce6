/** Why the session ended. */
export type SessionEnd = 'expired' | 'signed-out';

type Listener = (end: SessionEnd) => void;

const listeners = new Set<Listener>();

/** Tells the application that the server no longer knows this session. What follows from it is decided in one place. */
export function announceSessionEnd(end: SessionEnd): void {
  for (const listener of listeners) listener(end);
}

export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
