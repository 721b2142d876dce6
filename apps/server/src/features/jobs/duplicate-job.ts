import type { Job, JobItem } from '@callout/contract/jobs';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { publishChange } from '../../platform/live/live.ts';
import { updateLastInteraction } from '../customers/customers.sql.ts';
import { recordEvent } from '../history/history.sql.ts';
import { listPickedItems } from '../suppliers/suppliers.sql.ts';
import { type CopiedJobLine, listTimeLineIds } from './job-lines.sql.ts';
import { jobRecordType } from './jobs.sql.ts';
import { findJobCopy, insertJob, lockReferencedRecords, replaceJobCategories } from './save-job.sql.ts';
import { notifyAssignee } from './save-job.ts';

interface DuplicateJobInput {
  readonly id: string;
  readonly new_id: string;
}

/**
 * Creates a pending job without a date, with the same customer, staff, categories, prices and lines, at the company's current tax rate.
 * Idempotent: a retry returns the existing copy, even if the original has since been deleted.
 */
export async function duplicateJob(scope: TenantScope, { id: originalId, new_id: id }: DuplicateJobInput): Promise<Job> {
  const existing = await findJobCopy(scope, id, originalId);
  if (existing) return existing;
  const original = await readRecord(scope, jobRecordType, originalId);
  const { title, description, customer_id, staff_id, duration, address } = original;
  const { job_type, fixed_amount, hourly_rate, hourly_rate_confirmed } = original;
  const category_ids = original.categories.map((category) => category.id);
  await lockReferencedRecords(scope, { customer_id, staff_id, category_ids });
  const lines = await buildLineCopies(scope, original);
  const copied = {
    id,
    title,
    description,
    status: 'pending' as const,
    job_type,
    fixed_amount,
    hourly_rate,
    hourly_rate_confirmed,
    duration,
    address,
    customer_id,
    staff_id,
    copied_from: originalId,
  };
  const job_number = await insertJob(scope, copied, lines);
  await replaceJobCategories(scope, id, category_ids);
  if (customer_id) await updateLastInteraction(scope, customer_id);
  const copy = await readRecord(scope, jobRecordType, id);
  await recordEvent(scope, 'job', id, 'created', {
    status: [null, copy.status],
    copied_from: [null, original.job_number],
    assigned_to: [null, copy.staff?.name ?? null],
  });
  await recordEvent(scope, 'job', originalId, 'copied', { copied_to: [null, job_number] });
  await notifyAssignee(scope, null, copy);
  await publishChange(scope, 'jobs', 'customers');
  return copy;
}

/** Copies the lines, except those that bill tracked time: nobody has worked on the copy yet. */
async function buildLineCopies(scope: TenantScope, { id, items }: Job): Promise<CopiedJobLine[]> {
  const timeLineIds = await listTimeLineIds(scope, id);
  const lines = items.filter((line) => !timeLineIds.has(line.id));
  const itemIds = lines.flatMap(({ supplier_item_id }) => supplier_item_id ?? []);
  // An item deleted a moment ago leaves lines without a reference, as deleting it does on other jobs.
  const existing = await listPickedItems(scope, itemIds, { lock: true });
  return lines.map(({ id: _, version: __, supplier_item_id: itemId, ...line }: JobItem) => ({
    ...line,
    cost_price: line.cost_price ?? null,
    supplier_item_id: itemId && existing.has(itemId) ? itemId : null,
  }));
}
