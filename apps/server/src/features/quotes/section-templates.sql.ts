import { idTaken } from '@callout/contract/errors';
import type { QuoteSectionInput } from '@callout/contract/quote-input';
import { MAX_TEMPLATES, type SectionTemplate, templateLimit, templateNotFound } from '@callout/contract/quotes';
import { decimal } from '@callout/domain/money/decimal';
import { MAX_QUOTE_LINES } from '@callout/domain/quotes/quote';
import { sortKey } from '@callout/domain/search/search-text';
import { and, eq, ne, sql } from 'drizzle-orm';
import { userIdOf } from '../../platform/db/actor.ts';
import { lockCompany } from '../../platform/db/company-lock.sql.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failure, failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { type PickedItem, readPickedItems } from '../suppliers/suppliers.sql.ts';
import { section_templates, type TemplateLine } from './quotes.table.ts';

/** All of a company, by name, at the prices of today's price list. */
export async function listTemplates(scope: TenantScope): Promise<SectionTemplate[]> {
  const { id, name, description, always_required, items } = section_templates;
  const rows = await scope.db
    .select({ id, name, description, always_required, items })
    .from(section_templates)
    .where(inCompany(scope, section_templates))
    .orderBy(section_templates.name_key, section_templates.id);
  const itemIds = rows.flatMap((row) => row.items.flatMap((line) => line.supplier_item_id ?? []));
  const listed = await readPickedItems(scope, itemIds, { lock: false });
  return rows.map((row) => ({ ...row, items: row.items.map((line) => templateItem(line, listed)) }));
}

/** A line whose item was deleted keeps the price it last had. */
function templateItem(line: TemplateLine, listed: ReadonlyMap<string, PickedItem>): SectionTemplate['items'][number] {
  const item = line.supplier_item_id === null ? undefined : listed.get(line.supplier_item_id);
  const { follows_list, ...own } = line;
  return {
    ...own,
    supplier_item_id: item ? line.supplier_item_id : null,
    unit_price: item && follows_list ? item.selling_price : line.unit_price,
    cost_price: item?.cost_price ?? null,
    pricing_method: item?.pricing_method ?? null,
    margin_percentage: item?.margin_percentage ?? null,
    markup_amount: item?.markup_amount ?? null,
    fixed_price: item?.fixed_price ?? null,
  };
}

/** Keeps a section under its name, instead of one that has the name already. */
export async function saveTemplate(scope: TenantScope, section: QuoteSectionInput): Promise<SectionTemplate> {
  const { id, name, description, always_required } = section;
  await lockCompany(scope, scope.companyId);
  // More than a quote holds could be inserted nowhere.
  if (section.items.length > MAX_QUOTE_LINES) throw invalidInput({ items: `At most ${MAX_QUOTE_LINES} items` });
  const itemIds = section.items.flatMap((line) => line.supplier_item_id ?? []);
  const listed = await readPickedItems(scope, itemIds, { lock: true });
  const items = section.items.map((line) => {
    const item = line.supplier_item_id === null ? undefined : listed.get(line.supplier_item_id);
    if (line.supplier_item_id !== null && !item)
      throw invalidInput({ items: `The item “${line.name}” no longer exists. Please choose another one.` });
    return templateLine(line, item);
  });
  const name_key = sortKey(name);
  await scope.db
    .delete(section_templates)
    .where(and(inCompany(scope, section_templates), eq(section_templates.name_key, name_key), ne(section_templates.id, id)));
  const values = { name, name_key, description, always_required, items };
  await scope.db
    .insert(section_templates)
    .values({ ...values, company_id: scope.companyId, id, user_id: userIdOf(scope.actor), created_at: scope.now })
    .onConflictDoUpdate({ target: [section_templates.company_id, section_templates.id], set: values });
  await requireRoom(scope);
  await publishChange(scope, 'quotes');
  const saved = (await listTemplates(scope)).find((template) => template.id === id);
  if (!saved) throw failureOf(idTaken);
  return saved;
}

/** All of them are read at once. */
const MAX_BYTES = 2_000_000;

async function requireRoom(scope: TenantScope): Promise<void> {
  const { items } = section_templates;
  const [used] = await scope.db
    .select({ count: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(octet_length(${items}::text)), 0)::float8` })
    .from(section_templates)
    .where(inCompany(scope, section_templates));
  if (!used || used.count > MAX_TEMPLATES) throw failureOf(templateLimit);
  if (used.bytes > MAX_BYTES) throw failure('LIMIT_REACHED', 'The section templates of your company can hold at most 2 MB of items.');
}

function templateLine(line: QuoteSectionInput['items'][number], item: PickedItem | undefined): TemplateLine {
  const { supplier_item_id, name, description, tax_inclusive, is_service, quantity, unit_price } = line;
  return {
    supplier_item_id,
    name,
    description,
    sku: item?.sku ?? null,
    supplier_name: item?.supplier_name ?? null,
    tax_inclusive,
    is_service,
    quantity,
    unit_price,
    follows_list: item !== undefined && decimal(item.selling_price).eq(decimal(unit_price)),
  };
}

export async function removeTemplate(scope: TenantScope, id: string): Promise<Record<string, never>> {
  const removed = await scope.db
    .delete(section_templates)
    .where(inCompany(scope, section_templates, id))
    .returning({ id: section_templates.id });
  if (removed.length === 0) throw failureOf(templateNotFound);
  await publishChange(scope, 'quotes');
  return {};
}
