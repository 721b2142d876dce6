import type { MailStatus } from '@callout/domain/mail/mail';
import type { Pools } from '../db/pools.ts';
import { runTenantTransaction, type TenantScope } from '../db/tenant-scope.ts';
import { mintTaskTenant, type Task } from '../queue/task.ts';
import { deleteMailRecord, type MailRecordTable, updateMailDelivery } from './mail-record.sql.ts';
import { findMailState, type MailReport } from './outbox.sql.ts';

export interface MailDelivery {
  readonly status: 'queued' | 'sent' | 'failed' | 'kept';
  /** Why the email failed or is being retried, in plain language. */
  readonly problem: string | null;
}

/** How an email's delivery has changed since it was last recorded. */
export interface DeliveryChange extends MailDelivery {
  /** True if a system administrator resent the email from the outbox, which is a new attempt. */
  readonly isRestarted: boolean;
  /** True if the email was queued or sent before, and now has failed or stays in the outbox. */
  readonly isStopped: boolean;
  readonly hasFailed: boolean;
}

const DELIVERY_STATUSES: Record<MailStatus, MailDelivery['status']> = { waiting: 'queued', sent: 'sent', failed: 'failed', kept: 'kept' };
const isQueuedOrSent = ({ status }: MailDelivery) => status === 'queued' || status === 'sent';

export function getDeliveryChange(before: MailDelivery, after: MailDelivery): DeliveryChange | null {
  if (before.status === after.status && before.problem === after.problem) return null;
  return {
    ...after,
    isRestarted: !isQueuedOrSent(before) && isQueuedOrSent(after),
    isStopped: isQueuedOrSent(before) && !isQueuedOrSent(after),
    hasFailed: after.status === 'failed' && before.status !== 'failed',
  };
}

export interface MailRecordKind<Mail extends MailDelivery & { readonly id: string }> {
  readonly table: MailRecordTable;
  /** Finds the email by the outbox id of its latest attempt. */
  find(scope: TenantScope, outboxId: string): Promise<Mail | null>;
  /** Locks the record that the email is about, such as a quote. */
  lock(scope: TenantScope, mail: Mail): Promise<unknown>;
  /** Runs after the change is stored. `mail` is the earlier state; `change` is null if nothing changed or the email was withdrawn. */
  applyChange(scope: TenantScope, mail: Mail, change: DeliveryChange | null): Promise<void>;
}

/** Copies an email's current state from the outbox to its record. */
export async function recordMailDelivery<Mail extends MailDelivery & { readonly id: string }>(
  { pools, now }: { readonly pools: Pools; now(): Date },
  task: Task<MailReport>,
  { mail_id, company_id }: MailReport,
  { table, find, lock, applyChange }: MailRecordKind<Mail>,
): Promise<void> {
  if (!company_id) return;
  await runTenantTransaction(pools.app, mintTaskTenant(task.name, company_id, now().toISOString()), async (scope) => {
    const found = await find(scope, mail_id);
    if (!found) return;
    // Read the state only after locking. Otherwise, of two concurrent reports, the one with the older state could be saved last.
    await lock(scope, found);
    const [state, before] = [await findMailState(pools.system, mail_id), await find(scope, mail_id)];
    if (!before) return;
    if (!state) {
      // The email was withdrawn, because the customer answered or paid first, or the invoice was corrected.
      await deleteMailRecord(scope, table, before.id);
      return applyChange(scope, before, null);
    }
    const after: MailDelivery = { status: DELIVERY_STATUSES[state.status], problem: state.problem };
    const change = getDeliveryChange(before, after);
    if (change)
      await updateMailDelivery(scope, table, before.id, {
        ...after,
        ...(change.isRestarted && { queued_at: scope.now }),
        ...(after.status === 'sent' && { sent_at: scope.now }),
      });
    await applyChange(scope, before, change);
  });
}
