import type pg from 'pg';
import type { Task } from '../queue/task.ts';
import type { DuePage, DueRecord } from './reminders.sql.ts';
import { type MailSettings, mailOutcome } from './send-mail.ts';

const BATCH = 500;

export interface ReminderRun {
  readonly pool: pg.Pool;
  readonly settings: Pick<MailSettings, 'smtpUrl'>;
  now(): Date;
  readonly signal: AbortSignal;
}

/** Queues a reminder for everything that is due, of all companies. Queueing one twice is harmless. Without a mail server nobody is reminded. */
export async function queueReminders(
  { pool, settings, now, signal }: ReminderRun,
  task: Task<DueRecord>,
  listDue: (pool: pg.Pool, page: DuePage) => Promise<DueRecord[]>,
): Promise<void> {
  if (mailOutcome(settings) === 'kept') return;
  let after: DueRecord | null = null;
  do {
    signal.throwIfAborted();
    const due: DueRecord[] = await listDue(pool, { now: now().toISOString(), after, limit: BATCH });
    await task.laterForEach(pool, due);
    after = due.length < BATCH ? null : (due.at(-1) ?? null);
  } while (after);
}
