import { staleRecordError } from '@callout/contract/errors';
import type { UpdateJobLineInput } from '@callout/contract/job-line-input';
import { fixedPriceLineError, paidJobLinesError } from '@callout/contract/job-lines';
import { type Job, type JobItem, jobItemNotFoundError } from '@callout/contract/jobs';
import {
  addToQuantity,
  applyLineDiscount,
  calculateLinePrice,
  formatLine,
  formatPricedLine,
  type LineDiscount,
  type LinePrice,
} from '@callout/domain/jobs/line-price';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { toDecimal } from '@callout/domain/money/decimal';
import { calculateLineTotal, sumMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { isSameRequest } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { hasEvent, NO_CHANGE_ACTION, recordEvent } from '../history/history.sql.ts';
import type { FieldChanges } from '../history/history.table.ts';
import { deleteJobLine, findLineJobId, updateJobLine } from './job-lines.sql.ts';
import { repriceJob, type StoredJob } from './jobs.sql.ts';
import { job_items } from './jobs.table.ts';
import { lockPricedJob, mayManagePayments, requirePriceAbovePayments, settleJob } from './settle-job.ts';

/** Throws if the job is paid and the caller may not manage payments, because its lines decide what the customer owes. */
export function requireChangeableLines(scope: TenantScope, { status }: Pick<Job, 'status'>): void {
  if (status === 'paid' && !mayManagePayments(scope)) throw toFailure(paidJobLinesError);
}

/** Throws if the line holds the job's fixed amount and the caller may not manage payments, because that price was agreed on. */
function requireChangeableLine(scope: TenantScope, { is_fixed_price }: JobItem): void {
  if (is_fixed_price && !mayManagePayments(scope)) throw toFailure(fixedPriceLineError);
}

/** Replaces a line's details. Its discount, total and the job's totals follow. */
export async function updateItem(scope: TenantScope, { id, version, ...input }: UpdateJobLineInput): Promise<{ item: JobItem; job: Job }> {
  const { line, job } = await lockJobAndReadLine(scope, id);
  const requested = { ...input, quantity: String(input.quantity) };
  if (line.version !== version) throw toFailure(staleRecordError, { current: line });
  const isPriceKept = isSameRequest(job_items, line, { quantity: requested.quantity, unit_price: requested.unit_price });
  // A line that bills time has an exact total, so its full price isn't quantity times unit price until one of them changes.
  const fullPrice = isPriceKept
    ? sumMoney([line.total_price, line.discount])
    : requireStorableTotal(calculateLineTotal(requested.unit_price, requested.quantity));
  requireDiscountWithinPrice(job, fullPrice, input.discount_amount);
  const price = applyLineDiscount(fullPrice, input);
  await updateJobLine(scope, id, { ...requested, ...price });
  const changes: FieldChanges = { item_changed: [formatPricedLine(line), formatPricedLine({ ...line, ...requested, ...price })] };
  const saved = await finishLineChange(scope, job, changes);
  return { item: saved.items.find((item) => item.id === id) ?? line, job: saved };
}

export async function setItemQuantity(scope: TenantScope, id: string, quantity: number): Promise<Job> {
  const { line, job } = await lockJobAndReadLine(scope, id);
  return saveQuantity(scope, job, line, String(quantity));
}

interface QuantityChange {
  readonly id: string;
  readonly request_id?: string | undefined;
  readonly by: number;
}

/**
 * Adds to the quantity. Idempotent for pages of the previous release, which send no key: the change's history entry has the client's
 * `request_id`, and its presence means a retry.
 */
export async function changeItemQuantity(scope: TenantScope, { id, request_id, by }: QuantityChange): Promise<Job> {
  const { line, job } = await lockJobAndReadLine(scope, id);
  if (request_id !== undefined && (await hasEvent(scope, request_id))) return job;
  const quantity = addToQuantity(line.quantity, by);
  // A press of - at 1 changes nothing. If it weren't recorded, a late retry would undo a colleague's +.
  if (request_id !== undefined && quantity === line.quantity)
    await recordEvent(scope, 'job', job.id, NO_CHANGE_ACTION, {}, undefined, request_id);
  return saveQuantity(scope, job, line, quantity, request_id);
}

async function saveQuantity(scope: TenantScope, job: StoredJob, line: JobItem, quantity: string, eventId?: string): Promise<Job> {
  requireChangeableLines(scope, job);
  requireChangeableLine(scope, line);
  if (line.quantity === quantity) return job;
  const price = calculateStorablePrice({ ...line, quantity });
  await updateJobLine(scope, line.id, { quantity, ...price });
  const changes: FieldChanges = { item_quantity: [formatLine(line), formatLine({ ...line, quantity })] };
  return finishLineChange(scope, job, changes, eventId);
}

export async function removeItemFromJob(scope: TenantScope, id: string): Promise<Job> {
  const { line, job } = await lockJobAndReadLine(scope, id);
  requireChangeableLines(scope, job);
  requireChangeableLine(scope, line);
  await deleteJobLine(scope, id);
  return finishLineChange(scope, job, { item_removed: [formatLine(line), null] });
}

/** Locks the job, so that its lines can't change concurrently. */
export async function lockJobAndReadLine(scope: TenantScope, id: string): Promise<{ line: JobItem; job: StoredJob }> {
  const jobId = await findLineJobId(scope, id);
  const job = jobId && (await lockPricedJob(scope, jobId));
  const line = job ? job.items.find((item) => item.id === id) : undefined;
  if (!job || !line) throw toFailure(jobItemNotFoundError);
  return { line, job };
}

/** Prices a line, and throws if its total is too large to store. */
export function calculateStorablePrice(line: LineDiscount & { unit_price: string; quantity: string }): LinePrice {
  requireStorableTotal(calculateLineTotal(line.unit_price, line.quantity));
  return calculateLinePrice(line);
}

export function requireStorableTotal(total: string): string {
  if (!isStorableAmount(total)) throw createInvalidInputFailure({ quantity: `The total must be at most ${MAX_AMOUNT_TEXT}` });
  return total;
}

export function requireDiscountWithinPrice({ currency }: Pick<Job, 'currency'>, fullPrice: string, amount: string | null): void {
  if (amount === null || toDecimal(amount).lte(toDecimal(fullPrice))) return;
  throw createInvalidInputFailure({ discount_amount: `The discount can be at most ${formatMoney(fullPrice, currency)}` });
}

/** Records the change, checks the new price and settles the job. `before` is the job as it was before its lines changed. */
export async function finishLineChange(scope: TenantScope, before: StoredJob, changes: FieldChanges, eventId?: string): Promise<Job> {
  await recordEvent(scope, 'job', before.id, 'items', changes, undefined, eventId);
  // Removing a line that bills tracked time makes the time billable again, so pages that show timers must refetch too.
  await publishChange(scope, 'jobs', 'timer');
  const after = await repriceJob(scope, before.id);
  requirePriceAbovePayments(scope, before, after);
  return settleJob(scope, after);
}
