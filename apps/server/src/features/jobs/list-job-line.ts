import { randomUUID } from 'node:crypto';
import { lineListedError } from '@callout/contract/job-lines';
import type { Job } from '@callout/contract/jobs';
import { buildSku, getFreeSku } from '@callout/domain/suppliers/item-sku';
import { lockCompanyPart } from '../../platform/db/locks.sql.ts';
import { createRecordOnce, readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { readCompanyName } from '../company/company.sql.ts';
import {
  findActiveSupplierByName,
  itemRecordType,
  listSkus,
  lockSupplier,
  supplierRecordType,
  toStoredItem,
  toStoredSupplier,
} from '../suppliers/suppliers.sql.ts';
import { updateJobLine } from './job-lines.sql.ts';
import { lockJobAndReadLine } from './job-lines.ts';
import { jobRecordType } from './jobs.sql.ts';

interface ListLineInput {
  readonly id: string;
  readonly new_id: string;
  readonly supplier_id?: string | undefined;
}

/** Saves a line typed by hand as a price list item at the line's price, and links the line to it. Idempotent by `new_id`. */
export async function listJobLine(scope: TenantScope, { id, new_id, supplier_id }: ListLineInput): Promise<Job> {
  const { line, job } = await lockJobAndReadLine(scope, id);
  if (line.supplier_item_id === new_id) return job;
  if (line.supplier_item_id !== null) throw toFailure(lineListedError);
  if (supplier_id !== undefined) await lockSupplier(scope, supplier_id);
  const supplier = supplier_id ?? (await findOrCreateOwnSupplier(scope));
  const sku = buildSku(line.name);
  const { name, description, tax_inclusive, is_service, unit_price } = line;
  const price = {
    pricing_method: 'fixed',
    fixed_price: unit_price,
    margin_percentage: null,
    markup_amount: null,
    cost_price: '0',
  } as const;
  const content = { name, description, tax_inclusive, is_service, sku: getFreeSku(sku, await listSkus(scope, supplier, sku)) };
  await createRecordOnce(scope, itemRecordType, new_id, toStoredItem({ supplier_id: supplier, ...content, ...price }));
  await updateJobLine(scope, id, { supplier_item_id: new_id });
  await publishChange(scope, 'jobs', 'suppliers');
  return readRecord(scope, jobRecordType, job.id);
}

/** Returns the active supplier named after the company. A firm sells its own services, and every price list belongs to a supplier. */
async function findOrCreateOwnSupplier(scope: TenantScope): Promise<string> {
  // Two people who save their first items at the same time must not create two suppliers.
  await lockCompanyPart(scope, scope.companyId, 'own supplier');
  const company_name = (await readCompanyName(scope)) ?? 'Own items';
  const existing = await findActiveSupplierByName(scope, company_name);
  if (existing) return existing.id;
  const contact = { email: null, phone: null, address: null, city: null, state: null, postal_code: null, country: null };
  const fields = toStoredSupplier({ company_name, ...contact, status: 'active' });
  return (await createRecordOnce(scope, supplierRecordType, randomUUID(), fields)).id;
}
