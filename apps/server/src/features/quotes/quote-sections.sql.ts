import { idTakenError } from '@callout/contract/errors';
import type { QuoteLineInput, QuoteSectionInput } from '@callout/contract/quote-input';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { calculateLineTotal } from '@callout/domain/money/money';
import { calculateSectionTotals } from '@callout/domain/quotes/quote-price';
import { and, eq, getTableColumns, notInArray, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure, toFailure } from '../../platform/errors/failures.ts';
import { listPickedItems, type PickedSupplierItem } from '../suppliers/suppliers.sql.ts';
import { quote_items, quote_sections } from './quotes.table.ts';

/** Fields that a line copies from its price list item. Both use the same field names. */
const ITEM_FIELDS = ['sku', 'supplier_name', 'cost_price', 'pricing_method', 'margin_percentage', 'markup_amount', 'fixed_price'] as const;
/** Deleting the item sets `supplier_item_id` to null, but `picked_item_id` still identifies the item. */
const PICKED_FIELDS = ['supplier_item_id', 'picked_item_id', ...ITEM_FIELDS] as const;

type PickedFields = Pick<typeof quote_items.$inferSelect, (typeof PICKED_FIELDS)[number]>;

const pickKeys = <Source extends object, Name extends keyof Source>(source: Source, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;

const EMPTY_PICKED_FIELDS = Object.fromEntries(PICKED_FIELDS.map((name) => [name, null])) as PickedFields;

/** Replaces the sections, but updates known ids in place, so that references stay valid. Requires `lockQuote`. `rate` is in percent. */
export async function saveQuoteSections(
  scope: TenantScope,
  quoteId: string,
  sections: readonly QuoteSectionInput[],
  rate: string,
): Promise<void> {
  const lines = sections.flatMap((section, index) => section.items.map((line) => ({ line, section, path: `sections.${index}` })));
  const picked = await resolvePickedFields(
    scope,
    quoteId,
    lines.map(({ line, path }) => ({ ...line, path })),
  );
  await removeDroppedSections(scope, quoteId, sections);
  const { company_id: _company, id: _id, quote_id: _quote, ...sectionColumns } = getTableColumns(quote_sections);
  const storedSections = await scope.db
    .insert(quote_sections)
    .values(
      sections.map((section, position) => ({
        company_id: scope.companyId,
        id: section.id,
        quote_id: quoteId,
        position,
        name: section.name,
        description: section.description,
        always_required: section.always_required,
        ...calculateSectionTotals(section, rate),
      })),
    )
    .onConflictDoUpdate({
      target: [quote_sections.company_id, quote_sections.id],
      set: buildExcludedSet(sectionColumns),
      setWhere: eq(quote_sections.quote_id, quoteId),
    })
    .returning({ id: quote_sections.id });
  // A section isn't stored if its id belongs to another quote's section.
  if (storedSections.length < sections.length) throw toFailure(idTakenError);
  if (lines.length === 0) return;
  const { company_id: __company, id: __id, quote_id: __quote, ...lineColumns } = getTableColumns(quote_items);
  const storedLines = await scope.db
    .insert(quote_items)
    .values(
      lines.map(({ line, section }, position) => ({
        company_id: scope.companyId,
        id: line.id,
        quote_id: quoteId,
        section_id: section.id,
        position,
        name: line.name,
        description: line.description,
        tax_inclusive: line.tax_inclusive,
        is_service: line.is_service,
        quantity: line.quantity,
        unit_price: line.unit_price,
        total_price: calculateLineTotal(line.unit_price, line.quantity),
        ...(picked.get(line.id) ?? EMPTY_PICKED_FIELDS),
      })),
    )
    .onConflictDoUpdate({
      target: [quote_items.company_id, quote_items.id],
      set: buildExcludedSet(lineColumns),
      setWhere: eq(quote_items.quote_id, quoteId),
    })
    .returning({ id: quote_items.id });
  if (storedLines.length < lines.length) throw toFailure(idTakenError);
}

/** Builds the `set` clause of an upsert that overwrites every column with the new row's value. */
const buildExcludedSet = (columns: object) => Object.fromEntries(Object.keys(columns).map((name) => [name, sql.raw(`excluded.${name}`)]));

/** Deletes the quote's sections and lines that are no longer in the input. */
async function removeDroppedSections(scope: TenantScope, quoteId: string, sections: readonly QuoteSectionInput[]): Promise<void> {
  const lineIds = sections.flatMap(({ items }) => items.map(({ id }) => id));
  await scope.db
    .delete(quote_items)
    .where(
      and(
        inCompany(scope, quote_items),
        eq(quote_items.quote_id, quoteId),
        lineIds.length > 0 ? notInArray(quote_items.id, lineIds) : sql`true`,
      ),
    );
  const sectionIds = sections.map(({ id }) => id);
  // Deleting a section also deletes lines that were moved to another section. The caller inserts those lines again.
  await scope.db
    .delete(quote_sections)
    .where(and(inCompany(scope, quote_sections), eq(quote_sections.quote_id, quoteId), notInArray(quote_sections.id, sectionIds)));
}

type LineWithPath = QuoteLineInput & { readonly path: string };

/** Copies the current price list details into new lines. Stored lines keep the details they were first saved with. */
async function resolvePickedFields(
  scope: TenantScope,
  quoteId: string,
  lines: readonly LineWithPath[],
): Promise<Map<string, PickedFields>> {
  const stored = await scope.db
    .select({ id: quote_items.id, fields: pickKeys(quote_items, PICKED_FIELDS) })
    .from(quote_items)
    .where(and(inCompany(scope, quote_items), eq(quote_items.quote_id, quoteId)));
  const storedById = new Map(stored.map(({ id: lineId, fields }) => [lineId, fields]));
  const isNewlyPicked = (line: LineWithPath) =>
    line.supplier_item_id !== null && storedById.get(line.id)?.picked_item_id !== line.supplier_item_id;
  // Also lock the items of stored lines, so that a concurrent deletion can't leave a dangling reference.
  const itemIds = [...lines.filter(isNewlyPicked), ...storedById.values()].flatMap((line) => line.supplier_item_id ?? []);
  const items = await listPickedItems(scope, itemIds, { lock: true });
  const getStoredFields = (lineId: string) => {
    const line = storedById.get(lineId);
    return line && { ...line, supplier_item_id: line.supplier_item_id && items.has(line.supplier_item_id) ? line.supplier_item_id : null };
  };
  const picked = new Map<string, PickedFields>();
  for (const line of lines) {
    const item = line.supplier_item_id === null ? undefined : items.get(line.supplier_item_id);
    if (isNewlyPicked(line) && !item)
      throw createInvalidInputFailure({ [line.path]: `The item “${line.name}” no longer exists. Please choose another one.` });
    const fields = isNewlyPicked(line) && item ? toPickedFields(item) : getStoredFields(line.id);
    if (fields) picked.set(line.id, fields);
  }
  return picked;
}

const toPickedFields = (item: PickedSupplierItem): PickedFields => ({
  supplier_item_id: item.id,
  picked_item_id: item.id,
  ...pickKeys(item, ITEM_FIELDS),
});

/** Copies the price list details from the original lines, even if the items have since been deleted. */
export async function copyPickedFields(scope: TenantScope, lines: readonly { id: string; originalId: string }[]): Promise<void> {
  if (lines.length === 0) return;
  const set = sql.raw(PICKED_FIELDS.map((name) => `${name} = original.${name}`).join(', '));
  const ids = (of: 'id' | 'originalId') => sql.param(`{${lines.map((line) => line[of]).join()}}`);
  await scope.db.execute(
    sql`update quote_items copy set ${set}
      from unnest(${ids('id')}::uuid[], ${ids('originalId')}::uuid[]) as pair (id, original_id), quote_items original
      where copy.company_id = ${scope.companyId} and copy.id = pair.id
        and original.company_id = ${scope.companyId} and original.id = pair.original_id`,
  );
}

/** Throws if a line total or the quote total is too large to store. */
export function requireStorableTotals(sections: readonly QuoteSectionInput[], total: string): void {
  const tooLarge = `The total must be at most ${MAX_AMOUNT_TEXT}`;
  for (const [index, { items }] of sections.entries()) {
    for (const [line, { unit_price, quantity }] of items.entries()) {
      if (!isStorableAmount(calculateLineTotal(unit_price, quantity)))
        throw createInvalidInputFailure({ [`sections.${index}.items.${line}.quantity`]: tooLarge });
    }
  }
  if (!isStorableAmount(total)) throw createInvalidInputFailure({ sections: tooLarge });
}
