import { Item, type ItemChange, itemNotFound, PickedItem as PickedFields, skuTaken } from '@callout/contract/items';
import { type NewSupplier, Supplier, SupplierSummary, supplierNotFound } from '@callout/contract/suppliers';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import { profitMargin, sellingPrice } from '@callout/domain/suppliers/item-pricing';
import { and, eq, sql } from 'drizzle-orm';
import { defineList } from '../../platform/db/keyset-list.ts';
import { columnsOf, defineRecord, inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { supplier_items, suppliers } from './suppliers.table.ts';

export const supplierRecord = defineRecord(suppliers, columnsOf(suppliers, Supplier), { notFound: supplierNotFound });

export const itemRecord = defineRecord(supplier_items, columnsOf(supplier_items, Item), {
  notFound: itemNotFound,
  conflicts: { supplier_items_by_sku: skuTaken },
});

const isItemOfRow = sql`${supplier_items.company_id} = ${suppliers.company_id} and ${supplier_items.supplier_id} = ${suppliers.id}`;

export const supplierList = defineList({
  table: suppliers,
  columns: {
    ...columnsOf(suppliers, SupplierSummary),
    item_count: sql<number>`(select count(*)::int from ${supplier_items} where ${isItemOfRow})`,
  },
  sorts: { name: [suppliers.name_key] },
  filters: {},
  search: {
    text: suppliers.search_text,
    ranked: { name: suppliers.name_key },
    // Without a reference to the supplier's row: the items are searched once, not once for each supplier.
    orWhere: (hasWords) => sql`(${suppliers.company_id}, ${suppliers.id}) in (select distinct ${supplier_items.company_id},
      ${supplier_items.supplier_id} from ${supplier_items} where ${hasWords(supplier_items.search_text)})`,
    rankedSort: 'name',
  },
});

const itemSearch = {
  text: supplier_items.search_text,
  ranked: { name: supplier_items.name_key, sku: supplier_items.sku_key },
  rankedSort: 'name',
} as const;

/** The items of one supplier. */
export const itemList = defineList({
  table: supplier_items,
  columns: columnsOf(supplier_items, Item),
  sorts: {
    name: [supplier_items.name_key],
    sku: [supplier_items.sku_key, supplier_items.name_key],
    cost_price: [supplier_items.cost_price, supplier_items.name_key],
    selling_price: [supplier_items.selling_price, supplier_items.name_key],
    profit_margin: [supplier_items.profit_margin, supplier_items.name_key],
  },
  filters: { supplier_id: supplier_items.supplier_id },
  search: itemSearch,
});

interface SupplierName {
  id: string;
  company_name: string;
}

/** The items of all suppliers, to pick one. */
export const itemChoices = defineList({
  table: supplier_items,
  columns: {
    ...columnsOf(supplier_items, PickedFields),
    supplier: sql<SupplierName>`(select json_build_object('id', ${suppliers.id}, 'company_name', ${suppliers.company_name})
      from ${suppliers} where ${suppliers.company_id} = ${supplier_items.company_id} and ${suppliers.id} = ${supplier_items.supplier_id})`,
  },
  sorts: { name: [supplier_items.name_key] },
  filters: {},
  search: itemSearch,
});

/** The stored columns of a supplier's form: sort and search keys are added. */
export function storedSupplier<Input extends Omit<NewSupplier, 'id'>>(fields: Input) {
  const { company_name, email, phone, address, city } = fields;
  return { ...fields, name_key: sortKey(company_name), search_text: searchText([company_name, email, address, city], [phone]) };
}

/** The stored columns of an item's form: the price follows from the pricing, whatever a client may have computed. */
export function storedItem<Input extends Omit<ItemChange, 'id' | 'version'>>(fields: Input) {
  return {
    ...fields,
    selling_price: sellingPrice(fields),
    profit_margin: profitMargin(fields),
    name_key: sortKey(fields.name),
    sku_key: sortKey(fields.sku),
    search_text: searchText([fields.name, fields.sku]),
  };
}

/** Refuses an item for a supplier that is not there; the lock keeps it there until the item is stored. */
export async function requireSupplier(scope: TenantScope, id: string): Promise<void> {
  const found = await scope.db
    .select({ id: suppliers.id })
    .from(suppliers)
    .where(inCompany(scope, suppliers, id))
    .for('key share');
  if (found.length === 0) throw failureOf(supplierNotFound);
}

/** What lines of jobs and quotes copy of an item. */
export type PickedItem = Awaited<ReturnType<typeof readPickedItems>> extends Map<string, infer Item> ? Item : never;

/** The items with these ids that exist; `lock` keeps them there until the lines are stored. */
export async function readPickedItems(scope: TenantScope, ids: readonly string[], { lock }: { lock: boolean }) {
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

export async function findPickedItem(scope: TenantScope, id: string): Promise<PickedItem | null> {
  return (await readPickedItems(scope, [id], { lock: true })).get(id) ?? null;
}
