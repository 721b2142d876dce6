import {
  Item,
  itemNotFoundError,
  MAX_PRICE_LIST_ITEMS,
  ItemSummary as PickedFields,
  type PriceListItem,
  skuTakenError,
  type UpdateItemInput,
} from '@callout/contract/items';
import { type NewSupplier, Supplier, SupplierSummary, supplierNotFoundError } from '@callout/contract/suppliers';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { calculateProfitMargin, calculateSellingPrice } from '@callout/domain/suppliers/item-pricing';
import { and, eq, like, type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { defineList } from '../../platform/db/keyset-list.ts';
import { countRows } from '../../platform/db/list-statements.ts';
import { prepareSelectFrom } from '../../platform/db/prepared-select.ts';
import { defineRecord, inCompany, pickColumns, type RecordType } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { supplier_items, suppliers } from './suppliers.table.ts';

export const supplierRecordType = defineRecord(suppliers, pickColumns(suppliers, Supplier), { notFound: supplierNotFoundError });

const itemColumns = pickColumns(supplier_items, Item);
const isItemOfSupplier = sql`${supplier_items.company_id} = ${suppliers.company_id} and ${supplier_items.supplier_id} = ${suppliers.id}`;

const ITEM_BY_ID = prepareSelectFrom<Item>(
  'items.get',
  itemColumns,
  // The queue deletes the items of a deleted supplier only later. The join hides them until then.
  sql`from ${supplier_items} join ${suppliers} on ${isItemOfSupplier}
    where ${supplier_items.company_id} = ${sql.placeholder('company')} and ${supplier_items.id} = ${sql.placeholder('id')}`,
);

export const itemRecordType: RecordType<typeof supplier_items, Item> = {
  ...defineRecord(supplier_items, itemColumns, { notFound: itemNotFoundError, conflicts: { supplier_items_by_sku: skuTakenError } }),
  async find(scope, id) {
    const [item] = await scope.run(ITEM_BY_ID, { company: scope.companyId, id });
    return item ?? null;
  },
};

/**
 * Selects the id of the item that a line was made from, or null if the item or its supplier was deleted. Like `selectExistingId`. OFFSET
 * makes the planner look up the item first. Otherwise, it might try all suppliers, because most companies have few.
 */
export const selectExistingItemId = (line: 'job_items' | 'quote_items'): SQL<string | null> =>
  sql.raw(`(select i.id from (select company_id, supplier_id, id from supplier_items
      where company_id = ${line}.company_id and id = ${line}.supplier_item_id offset 0) i
    join suppliers s on s.company_id = i.company_id and s.id = i.supplier_id)`) as SQL<string | null>;

const itemTexts = { text: supplier_items.search_text, ranked: { name: supplier_items.name_key, sku: supplier_items.sku_key } };

export const supplierList = defineList({
  table: suppliers,
  columns: {
    ...pickColumns(suppliers, SupplierSummary),
    item_count: sql<number>`(${countRows({ table: supplier_items }, isItemOfSupplier)})`,
  },
  sorts: { name: [suppliers.name_key] },
  filters: {},
  search: {
    text: suppliers.search_text,
    ranked: { name: suppliers.name_key },
    related: { table: supplier_items, ...itemTexts, recordId: supplier_items.supplier_id },
    rankedSort: 'name',
  },
});

export const itemList = defineList({
  table: supplier_items,
  columns: itemColumns,
  sorts: {
    name: [supplier_items.name_key],
    sku: [supplier_items.sku_key, supplier_items.name_key],
    cost_price: [supplier_items.cost_price, supplier_items.name_key],
    selling_price: [supplier_items.selling_price, supplier_items.name_key],
    profit_margin: [supplier_items.profit_margin, supplier_items.name_key],
  },
  filters: { supplier_id: supplier_items.supplier_id },
  search: { ...itemTexts, rankedSort: 'name' },
});

interface SupplierName {
  id: string;
  company_name: string;
}

const isItemOfSupplierWithStatus = (status: SQLChunk) => sql`exists (select from ${suppliers} where ${isItemOfSupplier}
  and ${suppliers.status} = ${status})`;

/** All suppliers' items, for adding an item to a job or quote. */
export const itemPickerList = defineList({
  table: supplier_items,
  columns: {
    ...pickColumns(supplier_items, PickedFields),
    supplier: sql<SupplierName>`(select json_build_object('id', ${suppliers.id}, 'company_name', ${suppliers.company_name})
      from ${suppliers} where ${suppliers.company_id} = ${supplier_items.company_id} and ${suppliers.id} = ${supplier_items.supplier_id})`,
  },
  sorts: { name: [supplier_items.name_key] },
  filters: { supplier_status: isItemOfSupplierWithStatus },
  search: { ...itemTexts, rankedSort: 'name' },
});

/** Lists all active suppliers' items by name. */
export async function listPriceList(scope: TenantScope): Promise<PriceListItem[]> {
  const { id, name, sku, tax_inclusive, is_service, selling_price } = supplier_items;
  const supplier = sql<SupplierName>`json_build_object('id', ${suppliers.id}, 'company_name', ${suppliers.company_name})`;
  return scope.db
    .select({ id, name, sku, tax_inclusive, is_service, selling_price, supplier })
    .from(supplier_items)
    .innerJoin(suppliers, isItemOfSupplier)
    .where(and(inCompany(scope, supplier_items), eq(suppliers.status, 'active')))
    .orderBy(supplier_items.name_key, supplier_items.id)
    .limit(MAX_PRICE_LIST_ITEMS);
}

/** Returns a text that changes whenever `listPriceList` would return something else. */
export async function readPriceListRevision(scope: TenantScope): Promise<string> {
  const summary = sql`concat_ws('-', count(*), sum(version), extract(epoch from max(updated_at)))`;
  const items = sql`select version, updated_at from ${supplier_items} where ${inCompany(scope, supplier_items)}
    order by ${supplier_items.name_key}, ${supplier_items.id} limit ${MAX_PRICE_LIST_ITEMS + 1}`;
  const revision = sql<string>`concat_ws(' ', (select ${summary} from (${items}) as item), ${summary})`;
  const [row] = await scope.db.select({ revision }).from(suppliers).where(inCompany(scope, suppliers));
  return row?.revision ?? '';
}

export function toStoredSupplier<Input extends Omit<NewSupplier, 'id'>>(fields: Input) {
  const { company_name, email, phone, address, city } = fields;
  return { ...fields, name_key: buildSortKey(company_name), search_text: buildSearchText([company_name, email, address, city], [phone]) };
}

/** Adds the sort and search keys and calculates the price, because a price sent by the client can't be trusted. */
export function toStoredItem<Input extends Omit<UpdateItemInput, 'id' | 'version'>>(fields: Input) {
  return {
    ...fields,
    selling_price: calculateSellingPrice(fields),
    profit_margin: calculateProfitMargin(fields),
    name_key: buildSortKey(fields.name),
    sku_key: buildSortKey(fields.sku),
    search_text: buildSearchText([fields.name, fields.sku]),
  };
}

/** Throws if the supplier doesn't exist, and prevents its deletion until the transaction ends. */
export async function lockSupplier(scope: TenantScope, id: string): Promise<void> {
  const found = await scope.db
    .select({ id: suppliers.id })
    .from(suppliers)
    .where(inCompany(scope, suppliers, id))
    .for('key share');
  if (found.length === 0) throw toFailure(supplierNotFoundError);
}

/** The supplier item fields that job and quote lines copy. */
export type PickedSupplierItem = Awaited<ReturnType<typeof listPickedItems>> extends Map<string, infer Item> ? Item : never;

/** Returns the items that exist, keyed by id. If `lock` is true, they can't be deleted until the transaction ends. */
export async function listPickedItems(scope: TenantScope, ids: readonly string[], { lock }: { lock: boolean }) {
  const { id, name, description, sku, tax_inclusive, is_service, selling_price, cost_price } = supplier_items;
  const { pricing_method, margin_percentage, markup_amount, fixed_price } = supplier_items;
  const pricing = { selling_price, cost_price, pricing_method, margin_percentage, markup_amount, fixed_price };
  const select = scope.db
    .select({ id, name, description, sku, supplier_name: suppliers.company_name, tax_inclusive, is_service, ...pricing })
    .from(supplier_items)
    .innerJoin(suppliers, and(eq(suppliers.company_id, supplier_items.company_id), eq(suppliers.id, supplier_items.supplier_id)))
    .where(and(inCompany(scope, supplier_items), eq(supplier_items.id, sql`any(${sql.param(`{${ids.join()}}`)}::uuid[])`)))
    .orderBy(supplier_items.id);
  const items = await (lock ? select.for('key share', { of: supplier_items }) : select);
  return new Map(items.map((item) => [item.id, item]));
}

export async function findPickedItem(scope: TenantScope, id: string): Promise<PickedSupplierItem | null> {
  return (await listPickedItems(scope, [id], { lock: true })).get(id) ?? null;
}

/** Returns the active supplier with exactly this name, the oldest if there are several. Items of inactive suppliers can't be picked. */
export async function findActiveSupplierByName(scope: TenantScope, name: string): Promise<{ id: string } | undefined> {
  const [found] = await scope.db
    .select({ id: suppliers.id })
    .from(suppliers)
    .where(
      and(
        inCompany(scope, suppliers),
        eq(suppliers.name_key, buildSortKey(name)),
        eq(suppliers.company_name, name),
        eq(suppliers.status, 'active'),
      ),
    )
    .orderBy(suppliers.created_at, suppliers.id)
    .limit(1);
  return found;
}

/** Lists the supplier's SKUs that start with `prefix`, ignoring case. `prefix` must contain only letters, digits and hyphens. */
export async function listSkus(scope: TenantScope, supplierId: string, prefix: string): Promise<string[]> {
  const found = await scope.db
    .select({ sku: supplier_items.sku })
    .from(supplier_items)
    .where(
      and(
        inCompany(scope, supplier_items),
        eq(supplier_items.supplier_id, supplierId),
        like(sql`upper(${supplier_items.sku})`, `${prefix}%`),
      ),
    );
  return found.map(({ sku }) => sku.toUpperCase());
}
