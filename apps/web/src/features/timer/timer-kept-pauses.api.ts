import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { isClientError, isSignedOutError } from '../../lib/error-messages.ts';
import { jobKeys } from '../jobs/jobs.api.ts';
import { TIMER_QUERY_KEY } from './timer.api.ts';

interface KeptPause {
  readonly jobId: string;
  readonly entryId: string;
  readonly at: string;
}

/**
 * Sends the pause that an earlier version of this page has kept for the person, by staff id. Stays stored until the server has answered, and is
 * tried again at the next start. Can be removed once no browser can have one anymore.
 */
export async function sendKeptPause(queryClient: QueryClient, storageKey: string, staffId: string): Promise<void> {
  const { state } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as { state?: Record<string, KeptPause> };
  const { [staffId]: pause, ...others } = state ?? {};
  if (!pause) return;
  try {
    await api.timer.pause({ job_id: pause.jobId, entry_id: pause.entryId, at: pause.at });
  } catch (error) {
    if (!isClientError(error) || isSignedOutError(error)) throw error;
  }
  if (Object.keys(others).length === 0) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, JSON.stringify({ state: others, version: 1 }));
  void queryClient.invalidateQueries({ queryKey: TIMER_QUERY_KEY });
  void queryClient.invalidateQueries({ queryKey: jobKeys.all });
}
