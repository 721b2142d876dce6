import type { QueueHealth } from '@callout/contract/admin';

const LATE_MS = 5 * 60_000;

const TASK_WORDS: Record<string, string> = { 'send-mail': 'Send an email', 'remove-file': 'Remove a file' };

export const taskWords = (task: string) => TASK_WORDS[task] ?? task;

export interface QueueVerdict {
  readonly tone: 'info' | 'warn' | 'danger';
  readonly says: string;
}

const tasks = (count: number) => (count === 1 ? '1 task' : `${count} tasks`);

/** How the queue is doing, in one sentence. */
export function queueVerdict(health: QueueHealth, now: number): QueueVerdict {
  if (health.given_up > 0) {
    return { tone: 'danger', says: `${tasks(health.given_up)} failed and won't be retried. See the errors below.` };
  }
  const waitingMs = health.oldest_waiting === null ? 0 : now - Date.parse(health.oldest_waiting);
  if (waitingMs > LATE_MS) {
    return { tone: 'warn', says: `${tasks(health.waiting)} waiting, the oldest for ${Math.floor(waitingMs / 60_000)} minutes.` };
  }
  if (health.waiting + health.running > 0)
    return { tone: 'info', says: `Queue healthy, ${tasks(health.waiting + health.running)} in progress.` };
  return { tone: 'info', says: 'Queue healthy, nothing waiting.' };
}
