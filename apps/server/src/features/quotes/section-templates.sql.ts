import { idTakenError } from '@callout/contract/errors';
import type { QuoteSectionInput } from '@callout/contract/quote-input';
import {
  MAX_SECTION_TEMPLATES,
  type SectionTemplate,
  sectionTemplateLimitError,
  sectionTemplateNotFoundError,
} from '@callout/contract/quotes';
import { toDecimal } from '@callout/domain/money/decimal';
import { MAX_QUOTE_LINES } from '@callout/domain/quotes/quote';
import { buildSortKey } from '@callout/domain/search/search-text';
import { and, eq, ne, sql } from 'drizzle-orm';
import { getUserId } from '../../platform/db/actor.ts';
import { lockCompanyPart } from '../../platform/db/locks.sql.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createFailure, createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { publishChange } from '../../platform/live/live.ts';
import { listPickedItems, type PickedSupplierItem } from '../suppliers/suppliers.sql.ts';
import { section_templates, type TemplateLine } from './quotes.table.ts';

/** Lists the templates by name, with current list prices. */
export async function listSectionTemplates(scope: TenantScope): Promise<SectionTemplate[]> {
  const { id, name, description, always_required, items } = section_templates;
  const rows = await scope.db
    .select({ id, name, description, always_required, items })
    .from(section_templates)
    .where(inCompany(scope, section_templates))
    .orderBy(section_templates.name_key, section_templates.id);
  const itemIds = rows.flatMap((row) => row.items.flatMap((line) => line.supplier_item_id ?? []));
  const listed = await listPickedItems(scope, itemIds, { lock: false });
  return rows.map((row) => ({ ...row, items: row.items.map((line) => toTemplateItem(line, listed)) }));
}

/** Applies current list prices, except to prices set by hand. If the item was deleted, keeps the saved price. */
function toTemplateItem(line: TemplateLine, listed: ReadonlyMap<string, PickedSupplierItem>): SectionTemplate['items'][number] {
  const item = line.supplier_item_id === null ? undefined : listed.get(line.supplier_item_id);
  const { follows_list, ...fields } = line;
  return {
    ...fields,
    supplier_item_id: item ? line.supplier_item_id : null,
    unit_price: item && follows_list ? item.selling_price : line.unit_price,
    cost_price: item?.cost_price ?? null,
    pricing_method: item?.pricing_method ?? null,
    margin_percentage: item?.margin_percentage ?? null,
    markup_amount: item?.markup_amount ?? null,
    fixed_price: item?.fixed_price ?? null,
  };
}

/** Saves a section as a template, replacing any template with the same name. */
export async function saveSectionTemplate(scope: TenantScope, section: QuoteSectionInput): Promise<SectionTemplate> {
  const { id, name, description, always_required } = section;
  await lockCompanyPart(scope, scope.companyId, 'section templates');
  // A section with more lines wouldn't fit into any quote.
  if (section.items.length > MAX_QUOTE_LINES) throw createInvalidInputFailure({ items: `At most ${MAX_QUOTE_LINES} items` });
  const itemIds = section.items.flatMap((line) => line.supplier_item_id ?? []);
  const listed = await listPickedItems(scope, itemIds, { lock: true });
  const items = section.items.map((line) => {
    const item = line.supplier_item_id === null ? undefined : listed.get(line.supplier_item_id);
    if (line.supplier_item_id !== null && !item)
      throw createInvalidInputFailure({ items: `The item “${line.name}” no longer exists. Please choose another one.` });
    return toTemplateLine(line, item);
  });
  const name_key = buildSortKey(name);
  await scope.db
    .delete(section_templates)
    .where(and(inCompany(scope, section_templates), eq(section_templates.name_key, name_key), ne(section_templates.id, id)));
  const values = { name, name_key, description, always_required, items };
  await scope.db
    .insert(section_templates)
    .values({ ...values, company_id: scope.companyId, id, user_id: getUserId(scope.actor), created_at: scope.now })
    .onConflictDoUpdate({ target: [section_templates.company_id, section_templates.id], set: values });
  await requireWithinTemplateLimits(scope);
  await publishChange(scope, 'quotes');
  const saved = (await listSectionTemplates(scope)).find((template) => template.id === id);
  if (!saved) throw toFailure(idTakenError);
  return saved;
}

/** Limits the total size of a company's templates, because they are all loaded at once. */
const MAX_TEMPLATE_BYTES = 2_000_000;

async function requireWithinTemplateLimits(scope: TenantScope): Promise<void> {
  const { items } = section_templates;
  const [used] = await scope.db
    .select({ count: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(octet_length(${items}::text)), 0)::float8` })
    .from(section_templates)
    .where(inCompany(scope, section_templates));
  if (!used || used.count > MAX_SECTION_TEMPLATES) throw toFailure(sectionTemplateLimitError);
  if (used.bytes > MAX_TEMPLATE_BYTES)
    throw createFailure('LIMIT_REACHED', "Your company's section templates can hold at most 2 MB of items.");
}

function toTemplateLine(line: QuoteSectionInput['items'][number], item: PickedSupplierItem | undefined): TemplateLine {
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
    follows_list: item !== undefined && toDecimal(item.selling_price).eq(toDecimal(unit_price)),
  };
}

export async function removeSectionTemplate(scope: TenantScope, id: string): Promise<Record<string, never>> {
  const removed = await scope.db
    .delete(section_templates)
    .where(inCompany(scope, section_templates, id))
    .returning({ id: section_templates.id });
  if (removed.length === 0) throw toFailure(sectionTemplateNotFoundError);
  await publishChange(scope, 'quotes');
  return {};
}
