import type { ActiveTimer } from '@callout/contract/timer';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from '../../lib/browser-storage.ts';

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

export function mirrorActiveTimer(timer: ActiveTimer | null): void {
  const isRunning = timer?.timer_status === 'started';
  useTimerStore.setState(
    isRunning ? { jobId: timer.job_id, startTime: timer.entry.started_at, elapsedTime: timer.finished_seconds } : NO_RUNNING_TIMER,
  );
}

export function isTimerHidden(timer: ActiveTimer, hiddenEntryId: string | null): boolean {
  return timer.timer_status === 'paused' && timer.entry.id === hiddenEntryId;
}
