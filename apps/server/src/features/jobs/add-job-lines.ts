import { randomUUID } from 'node:crypto';
import { idTakenError } from '@callout/contract/errors';
import type { FixedPriceChoice, NewJobLine } from '@callout/contract/job-line-input';
import { fixedPriceError } from '@callout/contract/job-lines';
import type { Job } from '@callout/contract/jobs';
import { getFixedPrice } from '@callout/domain/jobs/job-price';
import { formatLine, formatLowerPriceError, NO_DISCOUNT } from '@callout/domain/jobs/line-price';
import { toDecimal } from '@callout/domain/money/decimal';
import { calculateLineTotal } from '@callout/domain/money/money';
import { formatAmount } from '@callout/domain/money/money-format';
import { hasCapability } from '@callout/domain/roles/roles';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { getMember } from '../../platform/db/actor.ts';
import { isSameRequest } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, requireCapability, toFailure } from '../../platform/errors/failures.ts';
import { listPickedItems, type PickedSupplierItem } from '../suppliers/suppliers.sql.ts';
import { insertJobLines, type LineContent, pickLineContent, type StoredLine } from './job-lines.sql.ts';
import { calculateStorablePrice, finishLineChange, requireChangeableLines, requireDiscountWithinPrice } from './job-lines.ts';
import { job_items } from './jobs.table.ts';
import { createMissingReferenceFailure } from './save-job.sql.ts';
import { lockPricedJob } from './settle-job.ts';

interface AddLinesInput {
  readonly job_id: string;
  readonly lines: readonly NewJobLine[];
  readonly fixed_price?: FixedPriceChoice | undefined;
}

type NewLine = StoredLine & LineContent;

/** Adds all lines or none. Idempotent by the lines' ids: lines that the job already has are skipped. */
export async function addLinesToJob(scope: TenantScope, { job_id, lines, fixed_price }: AddLinesInput): Promise<Job> {
  const job = await lockPricedJob(scope, job_id);
  const newLines = listNewLines(job, lines);
  if (newLines.length === 0) return job;
  requireChangeableLines(scope, job);
  const { role } = getMember(scope.actor);
  if (newLines.some((line) => line.is_fixed_price || (line.discount_percent ?? line.discount_amount) !== null))
    requireCapability(role, 'payments.manage');
  const fixedPriceLine = buildFixedPriceLine(job, role, fixed_price);
  const ids = newLines.flatMap(({ supplier_item_id }) => supplier_item_id ?? []);
  const items = await listPickedItems(scope, ids, { lock: true });
  if (!hasCapability(role, 'payments.manage')) for (const line of newLines) requireListPrice(line, items);
  const added = [...fixedPriceLine, ...newLines.map((line) => buildLine(job_id, line, items))];
  for (const { unit_price, quantity, discount_amount = null } of added) {
    requireDiscountWithinPrice(job, calculateLineTotal(unit_price, quantity), discount_amount);
  }
  if (!(await insertJobLines(scope, job_id, added))) throw toFailure(idTakenError);
  return finishLineChange(scope, job, { item_added: [null, formatAddedLines(added)] });
}

/**
 * Lists the lines that the job doesn't have yet. After a lost response, a person may select further items before trying again, so only some
 * of the lines may be known. Throws if a known line has other content.
 */
function listNewLines({ items }: Job, lines: readonly NewJobLine[]): NewJobLine[] {
  const known = lines.flatMap((line) => items.filter(({ id }) => id === line.id).map((existing) => ({ line, existing })));
  const isSame = known.every(({ line: { quantity, ...line }, existing }) => {
    // Omitted fields aren't compared: the price list may have changed since the first request.
    const given = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null && value !== undefined));
    return existing.version > 1 || isSameRequest(job_items, existing, { ...given, quantity: String(quantity) });
  });
  if (!isSame) throw toFailure(idTakenError);
  return lines.filter((line) => !known.some(({ existing }) => existing.id === line.id));
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
  const line = { ...typed, ...NO_DISCOUNT, id: randomUUID(), supplier_item_id: null, is_fixed_price: true };
  return [buildLine(job.id, line, new Map())];
}

/** Throws if the line is cheaper than in the price list, which is a discount by another name. Lines typed by hand have any price. */
function requireListPrice(
  { supplier_item_id, unit_price, tax_inclusive }: NewJobLine,
  items: ReadonlyMap<string, PickedSupplierItem>,
): void {
  const item = supplier_item_id === null ? undefined : items.get(supplier_item_id);
  if (!item) return;
  const isLowered = unit_price !== null && toDecimal(unit_price).lt(toDecimal(item.selling_price));
  const isTaxDropped = tax_inclusive === true && !item.tax_inclusive;
  if (!isLowered && !isTaxDropped) return;
  const price = `${formatAmount(item.selling_price)} ${getTaxInclusionLabel(item.tax_inclusive)}`;
  throw createInvalidInputFailure({ unit_price: formatLowerPriceError('list price', price) });
}

function buildLine(jobId: string, line: NewJobLine, items: ReadonlyMap<string, PickedSupplierItem>): NewLine {
  const { id, supplier_item_id, discount_percent, discount_amount } = line;
  const item = supplier_item_id === null ? null : items.get(supplier_item_id);
  if (item === undefined) throw createMissingReferenceFailure('supplier_item_id', 'item');
  const [quantity, unit_price] = [String(line.quantity), line.unit_price ?? item?.selling_price ?? '0'];
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
    is_fixed_price: line.is_fixed_price,
    ...calculateStorablePrice({ quantity, unit_price, discount_percent, discount_amount }),
  };
}

const MAX_NAMED_LINES = 5;

/** Formats '1 × Tap, 2 × Pipe'. Of many lines, only the first are named. */
function formatAddedLines(lines: readonly NewLine[]): string {
  const named = lines.slice(0, MAX_NAMED_LINES).map(formatLine).join(', ');
  return lines.length > MAX_NAMED_LINES ? `${named} and ${lines.length - MAX_NAMED_LINES} more` : named;
}
