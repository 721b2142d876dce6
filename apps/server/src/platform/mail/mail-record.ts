import type { MailStatus } from '@callout/domain/mail/mail';
import type { Pools } from '../db/pools.ts';
import { changeAs, type TenantScope } from '../db/tenant-scope.ts';
import { type Task, tenantOfTask } from '../queue/task.ts';
import { deleteMailRecord, type MailTable, saveDelivery } from './mail-record.sql.ts';
import { type MailReport, readMailState } from './outbox.sql.ts';

export interface Delivery {
  readonly status: 'queued' | 'sent' | 'failed' | 'kept';
  /** Why it failed, or why it is tried again, in plain words. */
  readonly problem: string | null;
}

/** What is different about a mail since it was last recorded. */
export interface DeliveryChange extends Delivery {
  /** The administrator sends it from the outbox: that is a new attempt. */
  readonly isRestarted: boolean;
  /** It was under way, and is no longer. */
  readonly isStopped: boolean;
  readonly hasFailed: boolean;
}

const STATUSES: Record<MailStatus, Delivery['status']> = { waiting: 'queued', sent: 'sent', failed: 'failed', kept: 'kept' };
const isUnderWay = ({ status }: Delivery) => status === 'queued' || status === 'sent';

export function deliveryChange(before: Delivery, after: Delivery): DeliveryChange | null {
  if (before.status === after.status && before.problem === after.problem) return null;
  return {
    ...after,
    isRestarted: !isUnderWay(before) && isUnderWay(after),
    isStopped: isUnderWay(before) && !isUnderWay(after),
    hasFailed: after.status === 'failed' && before.status !== 'failed',
  };
}

export interface RecordedMails<Mail extends Delivery & { readonly id: string }> {
  readonly table: MailTable;
  /** By the mail of its latest attempt in the outbox. */
  find(scope: TenantScope, outboxId: string): Promise<Mail | null>;
  /** Of what the mail is about. */
  lock(scope: TenantScope, mail: Mail): Promise<unknown>;
  /** Once it is recorded; the mail is as it was before. Null when nothing has changed, or the mail was withdrawn before it was sent. */
  show(scope: TenantScope, mail: Mail, change: DeliveryChange | null): Promise<void>;
}

/** Records what became of a mail, as the outbox has it now. */
export async function recordDelivery<Mail extends Delivery & { readonly id: string }>(
  { pools, now }: { readonly pools: Pools; now(): Date },
  task: Task<MailReport>,
  { mail_id, company_id }: MailReport,
  { table, find, lock, show }: RecordedMails<Mail>,
): Promise<void> {
  if (!company_id) return;
  await changeAs(pools.app, tenantOfTask(task.name, company_id, now().toISOString()), async (scope) => {
    const found = await find(scope, mail_id);
    if (!found) return;
    // Read under the lock: otherwise a report that read an earlier state could be the last to save.
    await lock(scope, found);
    const [state, before] = [await readMailState(pools.system, mail_id), await find(scope, mail_id)];
    if (!before) return;
    if (!state) {
      // An answer, a payment or a corrected invoice was faster.
      await deleteMailRecord(scope, table, before.id);
      return show(scope, before, null);
    }
    const after: Delivery = { status: STATUSES[state.status], problem: state.problem };
    const change = deliveryChange(before, after);
    if (change)
      await saveDelivery(scope, table, before.id, {
        ...after,
        ...(change.isRestarted && { queued_at: scope.now }),
        ...(after.status === 'sent' && { sent_at: scope.now }),
      });
    await show(scope, before, change);
  });
}
