import { randomUUID } from 'node:crypto';
import { idTakenError } from '@callout/contract/errors';
import type { FixedPriceChoice, NewJobLine } from '@callout/contract/job-line-input';
import { fixedPriceError } from '@callout/contract/job-lines';
import type { Job } from '@callout/contract/jobs';
import { getFixedPrice } from '@callout/domain/jobs/job-price';
import { NO_DISCOUNT } from '@callout/domain/jobs/line-price';
import { calculateLineTotal } from '@callout/domain/money/money';
import { getMember } from '../../platform/db/actor.ts';
import { isSameRequest, readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { requireCapability, toFailure } from '../../platform/errors/failures.ts';
import { listPickedItems, type PickedSupplierItem } from '../suppliers/suppliers.sql.ts';
import { insertJobLines, type LineContent, pickLineContent, type StoredLine } from './job-lines.sql.ts';
import { calculateStorablePrice, finishLineChange, formatLine, requireChangeableLines, requireDiscountWithinPrice } from './job-lines.ts';
import { jobRecordType, lockJob } from './jobs.sql.ts';
import { job_items } from './jobs.table.ts';
import { createMissingReferenceFailure } from './save-job.sql.ts';

interface AddLinesInput {
  readonly job_id: string;
  readonly lines: readonly NewJobLine[];
  readonly fixed_price?: FixedPriceChoice | undefined;
}

type NewLine = StoredLine & LineContent;

/** Adds all lines or none. Idempotent by the lines' ids. */
export async function addLinesToJob(scope: TenantScope, { job_id, lines, fixed_price }: AddLinesInput): Promise<Job> {
  await lockJob(scope, job_id);
  const job = await readRecord(scope, jobRecordType, job_id);
  if (isRetry(job, lines)) return job;
  requireChangeableLines(scope, job);
  const { role } = getMember(scope.actor);
  if (lines.some(({ discount_percent, discount_amount }) => (discount_percent ?? discount_amount) !== null))
    requireCapability(role, 'payments.manage');
  const fixedPriceLine = buildFixedPriceLine(job, role, fixed_price);
  const ids = lines.flatMap(({ supplier_item_id }) => supplier_item_id ?? []);
  const items = await listPickedItems(scope, ids, { lock: true });
  const added = [...fixedPriceLine, ...lines.map((line) => buildLine(job_id, line, items))];
  if (!(await insertJobLines(scope, job_id, added))) throw toFailure(idTakenError);
  return finishLineChange(scope, job_id, { item_added: [null, formatAddedLines(added)] });
}

/** Lines are added together or not at all, so the request is a retry if the job has one of them. Throws if that line is another one. */
function isRetry({ items }: Job, lines: readonly NewJobLine[]): boolean {
  const known = lines.flatMap((line) => items.filter(({ id }) => id === line.id).map((existing) => ({ line, existing })));
  const isSame = known.every(({ line: { quantity, ...line }, existing }) => {
    // Omitted fields aren't compared: the price list may have changed since the first request.
    const given = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null && value !== undefined));
    return existing.version > 1 || isSameRequest(job_items, existing, { ...given, quantity: String(quantity) });
  });
  if (!isSame) throw toFailure(idTakenError);
  return known.length > 0;
}

/**
 * The first items of a job with a fixed amount replace it or come on top. On top means that the amount becomes a line of its own, because
 * a job with items is priced by them. Replacing it changes the price that was agreed on, so it requires 'payments.manage'.
 */
function buildFixedPriceLine(job: Job, role: string, choice: FixedPriceChoice | undefined): NewLine[] {
  const amount = getFixedPrice(job);
  if (amount === null || job.items.length > 0) return [];
  if (choice === undefined) throw toFailure(fixedPriceError);
  if (choice === 'replace') {
    requireCapability(role, 'payments.manage');
    return [];
  }
  const typed = { name: job.title, description: null, tax_inclusive: true, is_service: false, quantity: 1, unit_price: amount };
  return [buildLine(job.id, { ...typed, ...NO_DISCOUNT, id: randomUUID(), supplier_item_id: null }, new Map())];
}

function buildLine(jobId: string, line: NewJobLine, items: ReadonlyMap<string, PickedSupplierItem>): NewLine {
  const { id, supplier_item_id, discount_percent, discount_amount } = line;
  const item = supplier_item_id === null ? null : items.get(supplier_item_id);
  if (item === undefined) throw createMissingReferenceFailure('supplier_item_id', 'item');
  const [quantity, unit_price] = [String(line.quantity), line.unit_price ?? item?.selling_price ?? '0'];
  requireDiscountWithinPrice(calculateLineTotal(unit_price, quantity), line);
  return {
    ...pickLineContent({
      name: line.name ?? item?.name ?? '',
      description: line.description ?? item?.description ?? null,
      sku: item?.sku ?? null,
      supplier_name: item?.supplier_name ?? null,
      tax_inclusive: line.tax_inclusive ?? item?.tax_inclusive ?? true,
      is_service: line.is_service ?? item?.is_service ?? false,
      cost_price: item?.cost_price ?? null,
    }),
    id,
    job_id: jobId,
    supplier_item_id,
    quantity,
    unit_price,
    discount_percent,
    discount_amount,
    ...calculateStorablePrice({ quantity, unit_price, discount_percent, discount_amount }),
  };
}

const MAX_NAMED_LINES = 5;

/** Formats '1 × Tap, 2 × Pipe'. Of many lines, only the first are named. */
function formatAddedLines(lines: readonly NewLine[]): string {
  const named = lines.slice(0, MAX_NAMED_LINES).map(formatLine).join(', ');
  return lines.length > MAX_NAMED_LINES ? `${named} and ${lines.length - MAX_NAMED_LINES} more` : named;
}
