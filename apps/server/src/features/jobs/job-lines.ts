import { idTaken } from '@callout/contract/errors';
import { type Job, type JobItem, jobItemNotFound } from '@callout/contract/jobs';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { lineTotal } from '@callout/domain/money/money';
import { isSameRequest, readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { recordEvent } from '../history/history.sql.ts';
import { type Changes } from '../history/history.table.ts';
import { findPickedItem } from '../suppliers/suppliers.sql.ts';
import { deleteLine, findJobOfLine, insertLine, setLineQuantity } from './job-lines.sql.ts';
import { jobRecord, lockJob } from './jobs.sql.ts';
import { job_items } from './jobs.table.ts';
import { goneReference } from './save-job.sql.ts';
import { settleJob } from './settle-job.ts';

/** As the contract's schemas give them to a handler. */
interface NewLineInput {
  readonly id: string;
  readonly job_id: string;
  readonly supplier_item_id: string;
  readonly quantity: number;
  readonly unit_price: string | null;
}

export async function addLine(scope: TenantScope, { id, job_id, supplier_item_id, ...input }: NewLineInput): Promise<Job> {
  await lockJob(scope, job_id);
  const item = await findPickedItem(scope, supplier_item_id);
  if (!item) throw goneReference('supplier_item_id', 'item');
  const quantity = String(input.quantity);
  const unit_price = input.unit_price ?? item.selling_price;
  const line = { id, job_id, supplier_item_id, quantity, unit_price, total_price: totalOf(unit_price, quantity) };
  const isInserted = await insertLine(scope, line, item);
  if (!isInserted) {
    const job = await readRecord(scope, jobRecord, job_id);
    // The price list may have changed since; a price that was asked for has not.
    const asked = { id, supplier_item_id, quantity, ...(input.unit_price === null ? {} : { unit_price }) };
    const existing = job.items.find((other) => other.id === id);
    const isSame = existing && (isSameRequest(job_items, existing, asked) || existing.version > 1);
    if (!isSame) throw failureOf(idTaken);
    return job;
  }
  return changed(scope, job_id, { item_added: [null, `${quantity} × ${item.name}`] });
}

export async function setQuantity(scope: TenantScope, id: string, quantity: number): Promise<Job> {
  const { line, job } = await lockLine(scope, id);
  const total = totalOf(line.unit_price, String(quantity));
  if (line.quantity === String(quantity)) return job;
  await setLineQuantity(scope, line, String(quantity), total);
  return changed(scope, job.id, { item_quantity: [`${line.quantity} × ${line.name}`, `${quantity} × ${line.name}`] });
}

export async function removeLine(scope: TenantScope, id: string): Promise<Job> {
  const { line, job } = await lockLine(scope, id);
  await deleteLine(scope, id);
  return changed(scope, job.id, { item_removed: [`${line.quantity} × ${line.name}`, null] });
}

/** The line with its job, which is locked: nobody else changes its lines meanwhile. */
async function lockLine(scope: TenantScope, id: string): Promise<{ line: JobItem; job: Job }> {
  const jobId = await findJobOfLine(scope, id);
  if (jobId) await lockJob(scope, jobId);
  const job = jobId && (await readRecord(scope, jobRecord, jobId));
  const line = job ? job.items.find((item) => item.id === id) : undefined;
  if (!job || !line) throw failureOf(jobItemNotFound);
  return { line, job };
}

const totalOf = (unitPrice: string, quantity: string) => storableTotal(lineTotal(unitPrice, quantity));

/** Refuses a total that is too large to be stored. */
export function storableTotal(total: string): string {
  if (!isStorableAmount(total)) throw invalidInput({ quantity: `The total must be at most ${MAX_AMOUNT_TEXT}` });
  return total;
}

async function changed(scope: TenantScope, jobId: string, changes: Changes): Promise<Job> {
  await recordEvent(scope, 'job', jobId, 'items', changes);
  // A line may bill time, which can be billed again without it.
  await publishChange(scope, 'jobs', 'timer');
  return settleJob(scope, await readRecord(scope, jobRecord, jobId));
}
