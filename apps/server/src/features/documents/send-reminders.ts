import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { countAutomaticMail } from '../../platform/limits/mail-limits.ts';
import { publishChange } from '../../platform/live/live.ts';
import { getMailOutcome, type MailSettings } from '../../platform/mail/send-mail.ts';
import { mintTaskTenant } from '../../platform/queue/task.ts';
import type { DocumentKind } from './document-kind.ts';
import { insertDocumentMail } from './document-mails.sql.ts';
import { type DueDocument, listDueDocuments } from './document-reminders.sql.ts';
import { queueDocumentMail } from './send-document.ts';

const BATCH_SIZE = 500;

export interface ReminderContext {
  readonly pool: pg.Pool;
  readonly settings: Pick<MailSettings, 'smtpUrl'>;
  now(): Date;
  readonly signal: AbortSignal;
}

/** Queues a reminder for every document that is due for one. Queueing a reminder twice is harmless. Does nothing without a mail server. */
export async function queueReminders<Document>(
  { pool, settings, now, signal }: ReminderContext,
  { reminderTask, reminderRule }: DocumentKind<Document>,
): Promise<void> {
  if (getMailOutcome(settings) === 'kept') return;
  let after: DueDocument | null = null;
  do {
    signal.throwIfAborted();
    const due: DueDocument[] = await listDueDocuments(pool, reminderRule, { now: now().toISOString(), after, limit: BATCH_SIZE });
    await reminderTask.queueEach(pool, due);
    after = due.length < BATCH_SIZE ? null : (due.at(-1) ?? null);
  } while (after);
}

/** Sends at most one reminder per document. Repeats all checks under its lock, because the customer may have just answered or paid. */
export async function sendReminder<Document>(
  { pools, now, appUrl }: Pick<Platform, 'pools' | 'now' | 'appUrl'>,
  kind: DocumentKind<Document>,
  { company_id, id }: DueDocument,
): Promise<void> {
  const tenant = mintTaskTenant(kind.reminderTask.name, company_id, now().toISOString());
  await runTenantTransaction(pools.app, tenant, async (scope) => {
    await kind.lock(scope, id);
    const document = await kind.find(scope, id);
    if (!document || !(await kind.isReminderDue(scope, id))) return;
    const mailer = await kind.prepareMail(scope, document);
    const { recipient, canRemind } = mailer;
    if (!recipient || !canRemind) return;
    if (!(await countAutomaticMail(pools.system, kind.limits.reminders, company_id, recipient))) return;
    const message = { recipient, ...(await mailer.buildReminder()) };
    const mail_id = await queueDocumentMail(scope, kind, mailer, message, appUrl);
    const mail = { id: randomUUID(), document_id: id, kind: 'reminder', mail_id, status: 'queued', ...message } as const;
    await insertDocumentMail(scope, kind.mails, mail);
    await publishChange(scope, kind.topic);
  });
}
