import { idTakenError } from '@callout/contract/errors';
import { type Job, type JobItem, jobItemNotFoundError } from '@callout/contract/jobs';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { calculateLineTotal } from '@callout/domain/money/money';
import { isSameRequest, readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { type FieldChanges } from '../history/history.table.ts';
import { findPickedItem } from '../suppliers/suppliers.sql.ts';
import { deleteJobLine, findLineJobId, insertJobLine, updateLineQuantity } from './job-lines.sql.ts';
import { jobRecordType, lockJob } from './jobs.sql.ts';
import { job_items } from './jobs.table.ts';
import { createMissingReferenceFailure } from './save-job.sql.ts';
import { settleJob } from './settle-job.ts';

interface AddLineInput {
  readonly id: string;
  readonly job_id: string;
  readonly supplier_item_id: string;
  readonly quantity: number;
  readonly unit_price: string | null;
}

export async function addItemToJob(scope: TenantScope, { id, job_id, supplier_item_id, ...input }: AddLineInput): Promise<Job> {
  await lockJob(scope, job_id);
  const item = await findPickedItem(scope, supplier_item_id);
  if (!item) throw createMissingReferenceFailure('supplier_item_id', 'item');
  const quantity = String(input.quantity);
  const unit_price = input.unit_price ?? item.selling_price;
  const line = { id, job_id, supplier_item_id, quantity, unit_price, total_price: calculateStorableTotal(unit_price, quantity) };
  const isInserted = await insertJobLine(scope, line, item);
  if (!isInserted) {
    const job = await readRecord(scope, jobRecordType, job_id);
    // If the request has no price, don't compare prices: the item's default may have changed since the first request.
    const requested = { id, supplier_item_id, quantity, ...(input.unit_price === null ? {} : { unit_price }) };
    const existing = job.items.find((other) => other.id === id);
    const isSame = existing && (isSameRequest(job_items, existing, requested) || existing.version > 1);
    if (!isSame) throw toFailure(idTakenError);
    return job;
  }
  return finishLineChange(scope, job_id, { item_added: [null, `${quantity} × ${item.name}`] });
}

export async function setItemQuantity(scope: TenantScope, id: string, quantity: number): Promise<Job> {
  const { line, job } = await lockJobAndReadLine(scope, id);
  const total = calculateStorableTotal(line.unit_price, String(quantity));
  if (line.quantity === String(quantity)) return job;
  await updateLineQuantity(scope, line, String(quantity), total);
  return finishLineChange(scope, job.id, { item_quantity: [`${line.quantity} × ${line.name}`, `${quantity} × ${line.name}`] });
}

export async function removeItemFromJob(scope: TenantScope, id: string): Promise<Job> {
  const { line, job } = await lockJobAndReadLine(scope, id);
  await deleteJobLine(scope, id);
  return finishLineChange(scope, job.id, { item_removed: [`${line.quantity} × ${line.name}`, null] });
}

/** Locks the job, so that its lines can't change concurrently. */
async function lockJobAndReadLine(scope: TenantScope, id: string): Promise<{ line: JobItem; job: Job }> {
  const jobId = await findLineJobId(scope, id);
  if (jobId) await lockJob(scope, jobId);
  const job = jobId && (await readRecord(scope, jobRecordType, jobId));
  const line = job ? job.items.find((item) => item.id === id) : undefined;
  if (!job || !line) throw toFailure(jobItemNotFoundError);
  return { line, job };
}

const calculateStorableTotal = (unitPrice: string, quantity: string) => requireStorableTotal(calculateLineTotal(unitPrice, quantity));

export function requireStorableTotal(total: string): string {
  if (!isStorableAmount(total)) throw createInvalidInputFailure({ quantity: `The total must be at most ${MAX_AMOUNT_TEXT}` });
  return total;
}

async function finishLineChange(scope: TenantScope, jobId: string, changes: FieldChanges): Promise<Job> {
  await recordEvent(scope, 'job', jobId, 'items', changes);
  // Removing a line that bills tracked time makes the time billable again, so pages that show timers must refetch too.
  await publishChange(scope, 'jobs', 'timer');
  return settleJob(scope, await readRecord(scope, jobRecordType, jobId));
}
