import { idTaken } from '@callout/contract/errors';
import { type Job, type JobItem, jobItemNotFound, referenceGone } from '@callout/contract/jobs';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { lineTotal } from '@callout/domain/money/money';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { type Changes } from '../history/history.table.ts';
import { findPickedItem } from '../suppliers/suppliers.sql.ts';
import { deleteLine, insertLine, jobRecord, lockJob, setLineQuantity } from './jobs.sql.ts';

/** As the contract's schemas give them to a handler. */
interface NewLineInput {
  readonly job_id: string;
  readonly id: string;
  readonly supplier_item_id: string;
  readonly quantity: number;
  readonly unit_price: string | null;
}

export async function addLine(scope: TenantScope, { job_id, id, supplier_item_id, ...input }: NewLineInput): Promise<Job> {
  await lockJob(scope, job_id);
  const item = await findPickedItem(scope, supplier_item_id);
  if (!item) throw failureOf(referenceGone);
  const quantity = String(input.quantity);
  const unit_price = input.unit_price ?? item.selling_price;
  const line = { id, job_id, supplier_item_id, quantity, unit_price, total_price: totalOf(unit_price, quantity) };
  const isInserted = await insertLine(scope, line, item);
  const job = await readRecord(scope, jobRecord, job_id);
  if (!isInserted) {
    const existing = job.items.find((other) => other.id === id);
    if (existing?.supplier_item_id !== supplier_item_id) throw failureOf(idTaken);
    return job;
  }
  return changed(scope, job, { item_added: [null, `${quantity} × ${item.name}`] });
}

export async function setQuantity(scope: TenantScope, jobId: string, id: string, quantity: number): Promise<Job> {
  const line = await lockedLine(scope, jobId, id);
  const total = totalOf(line.unit_price, String(quantity));
  if (line.quantity === String(quantity)) return readRecord(scope, jobRecord, jobId);
  await setLineQuantity(scope, jobId, line, String(quantity), total);
  const changes: Changes = { item_quantity: [`${line.quantity} × ${line.name}`, `${quantity} × ${line.name}`] };
  return changed(scope, await readRecord(scope, jobRecord, jobId), changes);
}

export async function removeLine(scope: TenantScope, jobId: string, id: string): Promise<Job> {
  const line = await lockedLine(scope, jobId, id);
  await deleteLine(scope, jobId, id);
  return changed(scope, await readRecord(scope, jobRecord, jobId), { item_removed: [`${line.quantity} × ${line.name}`, null] });
}

async function lockedLine(scope: TenantScope, jobId: string, id: string): Promise<JobItem> {
  await lockJob(scope, jobId);
  const { items } = await readRecord(scope, jobRecord, jobId);
  const line = items.find((item) => item.id === id);
  if (!line) throw failureOf(jobItemNotFound);
  return line;
}

function totalOf(unitPrice: string, quantity: string): string {
  const total = lineTotal(unitPrice, quantity);
  if (!isStorableAmount(total)) throw invalidInput({ quantity: `The total must be at most ${MAX_AMOUNT_TEXT}` });
  return total;
}

async function changed(scope: TenantScope, job: Job, changes: Changes): Promise<Job> {
  await recordEvent(scope, 'job', job.id, 'items', changes);
  await publishChange(scope, 'jobs');
  return job;
}
