import { randomUUID } from 'node:crypto';
import { type JobItem, jobLineLimitError, MAX_JOB_LINES } from '@callout/contract/jobs';
import { and, eq, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { PickedSupplierItem } from '../suppliers/suppliers.sql.ts';
import { job_items } from './jobs.table.ts';

export interface NewJobLine {
  readonly id: string;
  readonly job_id: string;
  readonly supplier_item_id: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly total_price: string;
}

/** Inserts a line with the item's current details. Returns false if the line's id is taken. The caller must have locked the job. */
export async function insertJobLine(scope: TenantScope, line: NewJobLine, item: PickedSupplierItem): Promise<boolean> {
  const { name, description, sku, supplier_name, tax_inclusive, is_service, cost_price } = item;
  const copied = { name, description, sku, supplier_name, tax_inclusive, is_service, cost_price };
  const position = sql`(select coalesce(max(${job_items.position}), 0) + 1 from ${job_items}
    where ${inCompany(scope, job_items)} and ${eq(job_items.job_id, line.job_id)})`;
  const inserted = await scope.db
    .insert(job_items)
    .values({
      ...line,
      ...copied,
      company_id: scope.companyId,
      position,
      created_at: scope.now,
      version: 1,
    })
    .onConflictDoNothing({ target: [job_items.company_id, job_items.id] })
    .returning({ id: job_items.id });
  if (inserted.length === 0) return false;
  const lines = await scope.db.$count(job_items, and(inCompany(scope, job_items), eq(job_items.job_id, line.job_id)));
  if (lines > MAX_JOB_LINES) throw toFailure(jobLineLimitError);
  return true;
}

export type QuotedJobLine = Omit<typeof job_items.$inferInsert, 'company_id' | 'id' | 'job_id' | 'position' | 'created_at' | 'version'>;

export async function insertQuotedLines(scope: TenantScope, jobId: string, lines: readonly QuotedJobLine[]): Promise<void> {
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

export async function updateLineQuantity(scope: TenantScope, line: JobItem, quantity: string, total: string): Promise<void> {
  await scope.db
    .update(job_items)
    .set({ quantity, total_price: total, version: sql`${job_items.version} + 1` })
    .where(inCompany(scope, job_items, line.id));
}

export async function deleteJobLine(scope: TenantScope, id: string): Promise<void> {
  await scope.db.delete(job_items).where(inCompany(scope, job_items, id));
}
