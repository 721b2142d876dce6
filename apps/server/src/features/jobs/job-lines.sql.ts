import { randomUUID } from 'node:crypto';
import { jobLineLimitError, MAX_JOB_LINES } from '@callout/contract/jobs';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { PickedSupplierItem } from '../suppliers/suppliers.sql.ts';
import { job_items, time_entries } from './jobs.table.ts';

export interface StoredLine {
  readonly id: string;
  readonly job_id: string;
  readonly supplier_item_id: string | null;
  readonly quantity: string;
  readonly unit_price: string;
  readonly discount_percent?: string | null;
  readonly discount_amount?: string | null;
  readonly discount?: string;
  readonly total_price: string;
  readonly is_fixed_price?: boolean;
}

/** A line's description and tax, copied from a price list or typed by hand. */
export type LineContent = Pick<PickedSupplierItem, 'name' | 'description' | 'tax_inclusive' | 'is_service'> & {
  readonly sku: string | null;
  readonly supplier_name: string | null;
  readonly cost_price: string | null;
};

/**
 * Inserts the lines in their order, after the job's other lines. Returns false if an id is taken, in which case the caller must fail or
 * change nothing else. The caller must have locked the job.
 */
export async function insertJobLines(scope: TenantScope, jobId: string, lines: readonly (StoredLine & LineContent)[]): Promise<boolean> {
  const isLineOfJob = and(inCompany(scope, job_items), eq(job_items.job_id, jobId));
  const inserted = await scope.db
    .insert(job_items)
    .values(
      lines.map((line, index) => ({
        ...line,
        company_id: scope.companyId,
        position: sql`(select coalesce(max(${job_items.position}), 0) from ${job_items} where ${isLineOfJob}) + ${index + 1}`,
        created_at: scope.now,
        version: 1,
      })),
    )
    .onConflictDoNothing({ target: [job_items.company_id, job_items.id] })
    .returning({ id: job_items.id });
  if (inserted.length < lines.length) return false;
  if ((await scope.db.$count(job_items, isLineOfJob)) > MAX_JOB_LINES) throw toFailure(jobLineLimitError);
  return true;
}

/** Inserts a line with the item's current details. Returns false if the line's id is taken. The caller must have locked the job. */
export async function insertJobLine(scope: TenantScope, line: StoredLine, item: LineContent): Promise<boolean> {
  return insertJobLines(scope, line.job_id, [{ ...line, ...pickLineContent(item) }]);
}

/** Drops the other fields of a price list item, such as its selling price. */
export function pickLineContent({
  name,
  description,
  sku,
  supplier_name,
  tax_inclusive,
  is_service,
  cost_price,
}: LineContent): LineContent {
  return { name, description, sku, supplier_name, tax_inclusive, is_service, cost_price };
}

export type CopiedJobLine = Omit<typeof job_items.$inferInsert, 'company_id' | 'id' | 'job_id' | 'position' | 'created_at' | 'version'>;

/** Inserts copies of a quote's or another job's lines into a new job. The caller must have locked the lines' supplier items. */
export async function insertCopiedLines(scope: TenantScope, jobId: string, lines: readonly CopiedJobLine[]): Promise<void> {
  if (lines.length === 0) return;
  await scope.db.insert(job_items).values(
    lines.map((line, index) => ({
      ...line,
      company_id: scope.companyId,
      id: randomUUID(),
      job_id: jobId,
      position: index + 1,
      created_at: scope.now,
      version: 1,
    })),
  );
}

export async function findLineJobId(scope: TenantScope, id: string): Promise<string | null> {
  const [line] = await scope.db
    .select({ job_id: job_items.job_id })
    .from(job_items)
    .where(inCompany(scope, job_items, id));
  return line?.job_id ?? null;
}

/** Lists the ids of the lines that bill tracked time. */
export async function listTimeLineIds(scope: TenantScope, jobId: string): Promise<Set<string | null>> {
  const lines = await scope.db
    .selectDistinct({ id: time_entries.allocated_item_id })
    .from(time_entries)
    .where(and(inCompany(scope, time_entries), eq(time_entries.job_id, jobId), isNotNull(time_entries.allocated_item_id)));
  return new Set(lines.map(({ id }) => id));
}

type LineChange = Partial<Omit<typeof job_items.$inferInsert, 'company_id' | 'id' | 'job_id' | 'position' | 'created_at' | 'version'>>;

/** The caller must have locked the job. */
export async function updateJobLine(scope: TenantScope, id: string, change: LineChange): Promise<void> {
  await scope.db
    .update(job_items)
    .set({ ...change, version: sql`${job_items.version} + 1` })
    .where(inCompany(scope, job_items, id));
}

export async function deleteJobLine(scope: TenantScope, id: string): Promise<void> {
  await scope.db.delete(job_items).where(inCompany(scope, job_items, id));
}
