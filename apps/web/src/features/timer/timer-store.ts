import type { ActiveTimer } from '@callout/contract/timer';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from '../../lib/browser-storage.ts';

/** A pause that has not reached the server yet. */
export interface KeptPause {
  jobId: string;
  entryId: string;
  /** When it was pressed, by the server's clock. */
  at: string;
}

interface TimerStore {
  /** Mirrors the person's running timer, which the server keeps: known before the server has been asked. */
  jobId: string | null;
  startTime: string | null;
  /** Seconds before `startTime`. */
  elapsedTime: number;
  isCardHidden: boolean;
  /** The last 'Yes, keep going'. */
  answer: { entryId: string; at: string } | null;
  /** The job whose page shows its timer now; not kept. */
  panelJobId: string | null;
}

const STOPPED = { jobId: null, startTime: null, elapsedTime: 0 };

/** Removed from the browser when the session ends: see navigation-store.ts. */
export const useTimerStore = create<TimerStore>()(
  persist((): TimerStore => ({ ...STOPPED, isCardHidden: false, answer: null, panelJobId: null }), {
    name: 'callout-timer',
    storage: browserStorage(),
    version: 1,
    partialize: ({ panelJobId: _panelJobId, ...kept }) => kept,
  }),
);

const KEPT_PAUSES = 'callout-kept-pauses';

/** By staff member: several people may use one browser. Unlike the rest they outlive the session: a pause is sent once its person is back. */
export const useKeptPauses = create(
  persist((): Readonly<Record<string, KeptPause>> => ({}), {
    name: KEPT_PAUSES,
    storage: browserStorage(),
    version: 1,
    // What another tab has sent is gone.
    merge: (kept) => (kept ?? {}) as Readonly<Record<string, KeptPause>>,
  }),
);

// Whichever tab is open sends it. And tabs write the whole store: one that did not follow would lose what another keeps.
window.addEventListener('storage', ({ key }) => {
  if (key === KEPT_PAUSES) void useKeptPauses.persist.rehydrate();
});

export function mirrorTimer(timer: ActiveTimer | null): void {
  const isRunning = timer?.timer_status === 'started';
  useTimerStore.setState(
    isRunning ? { jobId: timer.job_id, startTime: timer.entry.started_at, elapsedTime: timer.finished_seconds } : STOPPED,
  );
}
