import type pg from 'pg';
import type { RecordType } from '../../platform/db/records.ts';
import type { EffectContext, TenantScope } from '../../platform/db/tenant-scope.ts';
import { runInTransaction } from '../../platform/db/transaction.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishNotice } from '../../platform/live/live.sql.ts';
import { defineTask } from '../../platform/queue/task.ts';
import {
  type DeletableRecordTable,
  deleteMarkedRecord,
  listPendingDeletions,
  lockDeletedRecord,
  markDeleted,
  type PendingDeletion,
  unlinkBatch,
} from './deletions.sql.ts';

export const unlinkDeletedRecordTask = defineTask<PendingDeletion>('unlink-deleted-record');

/**
 * Deletes a record that many others may refer to. In this transaction it is only marked, and disappears from every call once the
 * transaction commits. The queue then clears the references to it and removes it.
 */
export async function deleteInBackground(scope: TenantScope, kind: RecordType<DeletableRecordTable, object>, id: string): Promise<void> {
  const deletion = await markDeleted(scope, kind.table, id);
  if (!deletion) throw toFailure(kind.notFound);
  await queueUnlinking(scope, deletion);
}

/** With a key, so that a deletion has only one task in the queue, even if it is resumed while it is running. */
const queueUnlinking = (context: EffectContext, deletion: PendingDeletion) =>
  unlinkDeletedRecordTask.queue(context, deletion, `unlink ${deletion.table} ${deletion.company_id} ${deletion.id}`);

const BATCH_SIZE = 500;

/**
 * Clears one batch of references in one table, then queues itself again, so that tasks of other companies run in between. Removes the
 * record once nothing refers to it. Batches of the same record wait for each other, so running the task twice is harmless.
 */
export async function unlinkDeletedRecord(pool: pg.Pool, deletion: PendingDeletion, batchSize = BATCH_SIZE): Promise<void> {
  await runInTransaction(pool, async (client) => {
    if (!(await lockDeletedRecord(client, deletion))) return;
    if (await unlinkBatch(client, deletion, batchSize)) return queueUnlinking(client, deletion);
    // In its own transaction, which has locked nothing else: the deletion waits for transactions that refer to the record.
    await deleteMarkedRecord(client, deletion);
    // Lists are sorted by names that the batches have cleared, and histories have new entries.
    await publishNotice(client, { company: deletion.company_id, topics: ['jobs', 'quotes', 'invoices', 'timer'] });
  });
}

const RESUME_AFTER_MINUTES = 15;

/** Queues the deletions that a lost or failed task has left unfinished. */
export async function resumeDeletions(pool: pg.Pool): Promise<void> {
  for (const deletion of await listPendingDeletions(pool, RESUME_AFTER_MINUTES)) await queueUnlinking(pool, deletion);
}
