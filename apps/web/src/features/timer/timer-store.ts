import type { ActiveTimer } from '@callout/contract/timer';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from '../../lib/browser-storage.ts';

/** A pause that hasn't reached the server yet. */
export interface PendingPause {
  jobId: string;
  entryId: string;
  /** When Pause was pressed, by the server's clock. */
  at: string;
}

interface TimerStore {
  /** Job of the person's running timer, mirrored from the server so that it is known before the first response. */
  jobId: string | null;
  startTime: string | null;
  /** Seconds recorded before `startTime`. */
  elapsedTime: number;
  isCardHidden: boolean;
  /** The paused entry that the person has hidden on phones. Starting the timer again creates another entry, which is shown. */
  hiddenEntryId: string | null;
  /** When the person last pressed 'Yes, keep going', and for which entry. */
  answer: { entryId: string; at: string } | null;
  /** Job whose page is displaying its timer; not persisted. */
  panelJobId: string | null;
}

const NO_RUNNING_TIMER = { jobId: null, startTime: null, elapsedTime: 0 };

/** Cleared when the session ends; see navigation-store.ts. */
export const useTimerStore = create<TimerStore>()(
  persist((): TimerStore => ({ ...NO_RUNNING_TIMER, isCardHidden: false, hiddenEntryId: null, answer: null, panelJobId: null }), {
    name: 'callout-timer',
    storage: createBrowserStorage(),
    version: 1,
    partialize: ({ panelJobId: _panelJobId, ...persisted }) => persisted,
  }),
);

/** Renaming this key would lose pauses that are stored in browsers. */
const PENDING_PAUSES_STORAGE_KEY = 'callout-kept-pauses';

/** Keyed by staff id, because people may share a browser. Outlives the session: the pause is sent when that person signs in again. */
export const usePendingPauses = create(
  persist((): Readonly<Record<string, PendingPause>> => ({}), {
    name: PENDING_PAUSES_STORAGE_KEY,
    storage: createBrowserStorage(),
    version: 1,
    // Replaces the state instead of merging, which would bring back pauses that another tab has already sent.
    merge: (stored) => (stored ?? {}) as Readonly<Record<string, PendingPause>>,
  }),
);

// Keeps tabs in sync. Any tab may send a pause, and each tab writes the whole store, so a stale tab would overwrite newer pauses.
window.addEventListener('storage', ({ key }) => {
  if (key === PENDING_PAUSES_STORAGE_KEY) void usePendingPauses.persist.rehydrate();
});

export function mirrorActiveTimer(timer: ActiveTimer | null): void {
  const isRunning = timer?.timer_status === 'started';
  useTimerStore.setState(
    isRunning ? { jobId: timer.job_id, startTime: timer.entry.started_at, elapsedTime: timer.finished_seconds } : NO_RUNNING_TIMER,
  );
}

export function isTimerHidden(timer: ActiveTimer, hiddenEntryId: string | null): boolean {
  return timer.timer_status === 'paused' && timer.entry.id === hiddenEntryId;
}
