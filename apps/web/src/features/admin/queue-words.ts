import type { QueueHealth } from '@callout/contract/admin';

const LATE_MS = 5 * 60_000;

const TASK_WORDS: Record<string, string> = { 'send-mail': 'Send a mail', 'remove-file': 'Remove a file' };

export const taskWords = (task: string) => TASK_WORDS[task] ?? task;

export interface QueueVerdict {
  readonly tone: 'info' | 'warn' | 'danger';
  readonly says: string;
}

const pieces = (count: number) => (count === 1 ? '1 piece of work' : `${count} pieces of work`);

/** How the queue is doing, in one sentence. */
export function queueVerdict(health: QueueHealth, now: number): QueueVerdict {
  if (health.given_up > 0) {
    return { tone: 'danger', says: `${pieces(health.given_up)} failed too often and will not be tried again. See below why.` };
  }
  const waitingMs = health.oldest_waiting === null ? 0 : now - Date.parse(health.oldest_waiting);
  if (waitingMs > LATE_MS) {
    return { tone: 'warn', says: `${pieces(health.waiting)} waiting, the oldest for ${Math.floor(waitingMs / 60_000)} minutes.` };
  }
  if (health.waiting + health.running > 0)
    return { tone: 'info', says: `The queue is at work: ${pieces(health.waiting + health.running)} to do.` };
  return { tone: 'info', says: 'The queue is well: everything is done.' };
}
