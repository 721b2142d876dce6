import type pg from 'pg';
import type { Task } from '../queue/task.ts';
import type { RecordDueForReminder, ReminderQuery } from './reminders.sql.ts';
import { getMailOutcome, type MailSettings } from './send-mail.ts';

const BATCH_SIZE = 500;

export interface ReminderContext {
  readonly pool: pg.Pool;
  readonly settings: Pick<MailSettings, 'smtpUrl'>;
  now(): Date;
  readonly signal: AbortSignal;
}

/** Queues a reminder for every record that is due for one. Queueing a reminder twice is harmless. Does nothing without a mail server. */
export async function queueReminders(
  { pool, settings, now, signal }: ReminderContext,
  task: Task<RecordDueForReminder>,
  listDue: (pool: pg.Pool, page: ReminderQuery) => Promise<RecordDueForReminder[]>,
): Promise<void> {
  if (getMailOutcome(settings) === 'kept') return;
  let after: RecordDueForReminder | null = null;
  do {
    signal.throwIfAborted();
    const due: RecordDueForReminder[] = await listDue(pool, { now: now().toISOString(), after, limit: BATCH_SIZE });
    await task.queueEach(pool, due);
    after = due.length < BATCH_SIZE ? null : (due.at(-1) ?? null);
  } while (after);
}
