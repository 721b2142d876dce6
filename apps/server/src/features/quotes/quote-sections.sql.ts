import { idTaken } from '@callout/contract/errors';
import type { QuoteLineInput, QuoteSectionInput } from '@callout/contract/quote-input';
import { isStorableAmount, MAX_AMOUNT_TEXT } from '@callout/domain/money/amount';
import { lineTotal } from '@callout/domain/money/money';
import { sectionTotals } from '@callout/domain/quotes/quote-price';
import { and, eq, getTableColumns, notInArray, sql } from 'drizzle-orm';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf, invalidInput } from '../../platform/errors/failures.ts';
import { type PickedItem, readPickedItems } from '../suppliers/suppliers.sql.ts';
import { quote_items, quote_sections } from './quotes.table.ts';

/** What a line keeps of the item it was picked from, under the same names. */
const ITEM_FIELDS = ['sku', 'supplier_name', 'cost_price', 'pricing_method', 'margin_percentage', 'markup_amount', 'fixed_price'] as const;
/** With the item itself: one that is deleted later is no longer referred to, but still known. */
const PICKED_FIELDS = ['supplier_item_id', 'picked_item_id', ...ITEM_FIELDS] as const;

type PickedFields = Pick<typeof quote_items.$inferSelect, (typeof PICKED_FIELDS)[number]>;

const pick = <Source extends object, Name extends keyof Source>(source: Source, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;

const FROM_NO_LIST = Object.fromEntries(PICKED_FIELDS.map((name) => [name, null])) as PickedFields;

/**
 * Makes these the sections of a quote, in this order. Those that keep their id are changed, so that whatever names them still finds them;
 * the others are added or removed. Needs the quote's lock. The rate is in percent.
 */
export async function storeSections(
  scope: TenantScope,
  quoteId: string,
  sections: readonly QuoteSectionInput[],
  rate: string,
): Promise<void> {
  const lines = sections.flatMap((section, index) => section.items.map((line) => ({ line, section, path: `sections.${index}` })));
  const picked = await pickedFields(
    scope,
    quoteId,
    lines.map(({ line, path }) => ({ ...line, path })),
  );
  await removeOthers(scope, quoteId, sections);
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
        ...sectionTotals(section, rate),
      })),
    )
    .onConflictDoUpdate({
      target: [quote_sections.company_id, quote_sections.id],
      set: excluded(sectionColumns),
      setWhere: eq(quote_sections.quote_id, quoteId),
    })
    .returning({ id: quote_sections.id });
  // One of another quote has the id.
  if (storedSections.length < sections.length) throw failureOf(idTaken);
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
        total_price: lineTotal(line.unit_price, line.quantity),
        ...(picked.get(line.id) ?? FROM_NO_LIST),
      })),
    )
    .onConflictDoUpdate({
      target: [quote_items.company_id, quote_items.id],
      set: excluded(lineColumns),
      setWhere: eq(quote_items.quote_id, quoteId),
    })
    .returning({ id: quote_items.id });
  if (storedLines.length < lines.length) throw failureOf(idTaken);
}

/** `set` of an upsert: every column takes the value of the row that could not be inserted. */
const excluded = (columns: object) => Object.fromEntries(Object.keys(columns).map((name) => [name, sql.raw(`excluded.${name}`)]));

/** What the quote no longer has. */
async function removeOthers(scope: TenantScope, quoteId: string, sections: readonly QuoteSectionInput[]): Promise<void> {
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
  // A line that was moved out of a removed section goes with it here, and comes back under its new one with the lines below.
  await scope.db
    .delete(quote_sections)
    .where(and(inCompany(scope, quote_sections), eq(quote_sections.quote_id, quoteId), notInArray(quote_sections.id, sectionIds)));
}

type PickedLine = QuoteLineInput & { readonly path: string };

/** What each line keeps of the price list: as it was first saved, and of the list as it is now for a line that is new. */
async function pickedFields(scope: TenantScope, quoteId: string, lines: readonly PickedLine[]): Promise<Map<string, PickedFields>> {
  const stored = await scope.db
    .select({ id: quote_items.id, kept: pick(quote_items, PICKED_FIELDS) })
    .from(quote_items)
    .where(and(inCompany(scope, quote_items), eq(quote_items.quote_id, quoteId)));
  const keptById = new Map(stored.map(({ id: lineId, kept }) => [lineId, kept]));
  const isNewlyPicked = (line: PickedLine) =>
    line.supplier_item_id !== null && keptById.get(line.id)?.picked_item_id !== line.supplier_item_id;
  // Also those that lines refer to already: an item that is deleted at this moment must not be referred to again.
  const itemIds = [...lines.filter(isNewlyPicked), ...keptById.values()].flatMap((line) => line.supplier_item_id ?? []);
  const items = await readPickedItems(scope, itemIds, { lock: true });
  const keptFields = (lineId: string) => {
    const kept = keptById.get(lineId);
    return kept && { ...kept, supplier_item_id: kept.supplier_item_id && items.has(kept.supplier_item_id) ? kept.supplier_item_id : null };
  };
  const picked = new Map<string, PickedFields>();
  for (const line of lines) {
    const item = line.supplier_item_id === null ? undefined : items.get(line.supplier_item_id);
    if (isNewlyPicked(line) && !item)
      throw invalidInput({ [line.path]: `The item “${line.name}” no longer exists. Please choose another one.` });
    const fields = isNewlyPicked(line) && item ? fieldsOf(item) : keptFields(line.id);
    if (fields) picked.set(line.id, fields);
  }
  return picked;
}

const fieldsOf = (item: PickedItem): PickedFields => ({
  supplier_item_id: item.id,
  picked_item_id: item.id,
  ...pick(item, ITEM_FIELDS),
});

/** A copied line keeps what its original kept of the price list, also when the item is gone by now. */
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

/** Refuses lines whose total, alone or together, is too large to be stored. */
export function requireStorableTotals(sections: readonly QuoteSectionInput[], total: string): void {
  const tooLarge = `The total must be at most ${MAX_AMOUNT_TEXT}`;
  for (const [index, { items }] of sections.entries()) {
    for (const [line, { unit_price, quantity }] of items.entries()) {
      if (!isStorableAmount(lineTotal(unit_price, quantity)))
        throw invalidInput({ [`sections.${index}.items.${line}.quantity`]: tooLarge });
    }
  }
  if (!isStorableAmount(total)) throw invalidInput({ sections: tooLarge });
}
