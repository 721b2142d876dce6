import type { MailStatus } from '@callout/domain/mail/mail';
import { runTenantTransaction, type TenantScope } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { publishChange } from '../../platform/live/live.ts';
import { findMailState, type MailReport } from '../../platform/mail/outbox.sql.ts';
import { mintTaskTenant } from '../../platform/queue/task.ts';
import { recordEvent } from '../history/history.sql.ts';
import type { FieldChanges } from '../history/history.table.ts';
import { notifyUndeliveredMail } from '../notifications/notifications.sql.ts';
import type { DocumentKind } from './document-kind.ts';
import { type DocumentMail, deleteDocumentMail, findMailByOutboxId, updateMailDelivery } from './document-mails.sql.ts';

type MailDelivery = Pick<DocumentMail, 'status' | 'problem'>;

/** How an email's delivery has changed since it was last recorded. */
interface DeliveryChange extends MailDelivery {
  /** True if a system administrator resent the email from the outbox, which is a new attempt. */
  readonly isRestarted: boolean;
  /** True if the email was queued or sent before, and now has failed or stays in the outbox. */
  readonly isStopped: boolean;
  readonly hasFailed: boolean;
}

const DELIVERY_STATUSES: Record<MailStatus, MailDelivery['status']> = { waiting: 'queued', sent: 'sent', failed: 'failed', kept: 'kept' };
const isQueuedOrSent = ({ status }: MailDelivery) => status === 'queued' || status === 'sent';

function getDeliveryChange(before: MailDelivery, after: MailDelivery): DeliveryChange | null {
  if (before.status === after.status && before.problem === after.problem) return null;
  return {
    ...after,
    isRestarted: !isQueuedOrSent(before) && isQueuedOrSent(after),
    isStopped: isQueuedOrSent(before) && !isQueuedOrSent(after),
    hasFailed: after.status === 'failed' && before.status !== 'failed',
  };
}

/** Copies an email's current state from the outbox to its document. If delivery fails, the document isn't sent, and its sender is notified. */
export async function recordDelivery<Document>(
  { pools, now }: Pick<Platform, 'pools' | 'now'>,
  kind: DocumentKind<Document>,
  { mail_id, company_id }: MailReport,
): Promise<void> {
  const { mails } = kind;
  if (!company_id) return;
  await runTenantTransaction(pools.app, mintTaskTenant(kind.deliveryTask.name, company_id, now().toISOString()), async (scope) => {
    const found = await findMailByOutboxId(scope, mails, mail_id);
    if (!found) return;
    // Read the state only after locking. Otherwise, of two concurrent reports, the one with the older state could be saved last.
    await kind.lock(scope, found.document_id);
    const [state, before] = [await findMailState(pools.system, mail_id), await findMailByOutboxId(scope, mails, mail_id)];
    if (!before) return;
    await publishChange(scope, kind.topic);
    // The email was withdrawn, because the customer answered or paid first, or the invoice was corrected.
    if (!state) return deleteDocumentMail(scope, mails, before.id);
    const after: MailDelivery = { status: DELIVERY_STATUSES[state.status], problem: state.problem };
    const change = getDeliveryChange(before, after);
    if (!change) return;
    await updateMailDelivery(scope, mails, before.id, {
      ...after,
      ...(change.isRestarted && { queued_at: scope.now }),
      ...(after.status === 'sent' && { sent_at: scope.now }),
    });
    await applyDeliveryChange(scope, kind, before, change);
  });
}

async function applyDeliveryChange<Document>(
  scope: TenantScope,
  kind: DocumentKind<Document>,
  { kind: mailKind, document_id, recipient, user_id }: DocumentMail,
  { status, problem, isRestarted, isStopped, hasFailed }: DeliveryChange,
): Promise<void> {
  const document = await kind.find(scope, document_id);
  if (!document) return;
  const isReminder = mailKind === 'reminder';
  const { label, customerName, history, notificationData } = kind.describe(document);
  const changes: FieldChanges = { ...history.changes, recipient: [null, recipient] };
  if (isReminder && status === 'sent') await recordEvent(scope, history.kind, history.id, 'reminded', changes);
  if (isRestarted && !isReminder) await kind.markResent(scope, document, recipient);
  if (isStopped && !isReminder) await kind.markUndelivered(scope, document);
  if (!hasFailed) return;
  await recordEvent(scope, history.kind, history.id, 'mail-failed', { ...changes, problem: [null, problem] });
  const description = `${isReminder ? 'The reminder for your' : 'Your'} ${label} to ${customerName ?? recipient}`;
  await notifyUndeliveredMail(scope, user_id, { description, problem, data: notificationData });
}
