import { createId } from '../../lib/create-id.ts';
import type { QuoteLineRow, QuoteSectionRow } from './quote-form.ts';

/** A quote's sections and items during editing. The order of `items` is also the order within each section. */
export interface QuoteLines {
  readonly sections: readonly QuoteSectionRow[];
  readonly items: readonly QuoteLineRow[];
}

/** Groups items by section id. Items from a deleted section go to the last section. */
export function groupItemsBySection({ sections, items }: QuoteLines): Map<string, QuoteLineRow[]> {
  const groups = new Map(sections.map(({ id }): [string, QuoteLineRow[]] => [id, []]));
  const last = sections.at(-1)?.id ?? '';
  for (const item of items) (groups.get(item.section_id) ?? groups.get(last))?.push(item);
  return groups;
}

/** Returns the items in screen order, each with the id of the section it's grouped under. */
const flattenGroups = (groups: Map<string, QuoteLineRow[]>): QuoteLineRow[] =>
  [...groups].flatMap(([id, items]) => items.map((item) => (item.section_id === id ? item : { ...item, section_id: id })));

/** Moves an item to a position in a section. A position past the end appends the item. */
export function moveItem(lines: QuoteLines, itemId: string, sectionId: string, position: number): QuoteLines {
  const groups = groupItemsBySection(lines);
  const item = lines.items.find(({ id }) => id === itemId);
  const target = groups.get(sectionId);
  if (!item || !target) return lines;
  for (const [id, items] of groups)
    groups.set(
      id,
      items.filter((other) => other !== item),
    );
  groups.get(sectionId)?.splice(position, 0, item);
  return { ...lines, items: flattenGroups(groups) };
}

export function findItemPosition(lines: QuoteLines, itemId: string): { sectionId: string; position: number } | undefined {
  for (const [sectionId, items] of groupItemsBySection(lines)) {
    const position = items.findIndex(({ id }) => id === itemId);
    if (position !== -1) return { sectionId, position };
  }
  return undefined;
}

/** Moves an item one step up or down. At either end of its section, the item moves into the adjacent section. */
export function moveItemOneStep(lines: QuoteLines, itemId: string, by: 1 | -1): QuoteLines {
  const current = findItemPosition(lines, itemId);
  if (!current) return lines;
  const groups = groupItemsBySection(lines);
  const to = current.position + by;
  if (to >= 0 && to < (groups.get(current.sectionId)?.length ?? 0)) return moveItem(lines, itemId, current.sectionId, to);
  const next = lines.sections[lines.sections.findIndex(({ id }) => id === current.sectionId) + by];
  if (!next) return lines;
  return moveItem(lines, itemId, next.id, by === 1 ? 0 : (groups.get(next.id)?.length ?? 0));
}

/** Adds an item unless it is already in the quote. A form reset may have restored the item before Undo is pressed. */
export function addItem(lines: QuoteLines, item: QuoteLineRow): QuoteLines {
  if (lines.items.some(({ id }) => id === item.id)) return lines;
  return moveItem({ ...lines, items: [...lines.items, item] }, item.id, item.section_id, Number.POSITIVE_INFINITY);
}

export const updateItem = (lines: QuoteLines, id: string, change: Partial<QuoteLineRow>): QuoteLines => ({
  ...lines,
  items: lines.items.map((item) => (item.id === id ? { ...item, ...change } : item)),
});

export const removeItem = (lines: QuoteLines, id: string): QuoteLines => ({
  ...lines,
  items: lines.items.filter((item) => item.id !== id),
});

export const updateSection = (lines: QuoteLines, id: string, change: Partial<QuoteSectionRow>): QuoteLines => ({
  ...lines,
  sections: lines.sections.map((section) => (section.id === id ? { ...section, ...change } : section)),
});

/** Adds a section with its items unless the section is already in the quote (see `addItem`). */
export function addSection(
  lines: QuoteLines,
  section: QuoteSectionRow,
  addedItems: readonly QuoteLineRow[] = [],
  position = lines.sections.length,
): QuoteLines {
  if (lines.sections.some(({ id }) => id === section.id)) return lines;
  const addedIds = new Set(addedItems.map(({ id }) => id));
  const others = lines.items.filter(({ id }) => !addedIds.has(id));
  const extended = { sections: lines.sections.toSpliced(position, 0, section), items: [...others, ...addedItems] };
  return { ...extended, items: flattenGroups(groupItemsBySection(extended)) };
}

export function removeSection(lines: QuoteLines, id: string): QuoteLines {
  const groups = groupItemsBySection(lines);
  groups.delete(id);
  return { sections: lines.sections.filter((section) => section.id !== id), items: flattenGroups(groups) };
}

export function moveSection({ sections, items }: QuoteLines, id: string, by: 1 | -1): QuoteLines {
  const from = sections.findIndex((section) => section.id === id);
  const section = sections[from];
  if (!section || !sections[from + by]) return { sections, items };
  const moved = { sections: sections.toSpliced(from, 1).toSpliced(from + by, 0, section), items };
  return { ...moved, items: flattenGroups(groupItemsBySection(moved)) };
}

const MAX_NAME_LENGTH = 200;
const COPY_SUFFIX = ' (copy)';

/** Inserts a copy right after the section. The copied section and its items get new ids. */
export function duplicateSection(lines: QuoteLines, id: string): QuoteLines {
  const position = lines.sections.findIndex((section) => section.id === id);
  const section = lines.sections[position];
  if (!section) return lines;
  const copy = { ...section, id: createId(), name: `${section.name.slice(0, MAX_NAME_LENGTH - COPY_SUFFIX.length)}${COPY_SUFFIX}` };
  const items = groupItemsBySection(lines).get(id) ?? [];
  return addSection(
    lines,
    copy,
    items.map((item) => ({ ...item, id: createId(), section_id: copy.id })),
    position + 1,
  );
}
