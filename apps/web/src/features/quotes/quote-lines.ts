import { newId } from '../../lib/new-id.ts';
import type { LineRow, SectionRow } from './quote-form.ts';

/** What the sections of a quote hold while they are edited. The order of `items` is the order within each section. */
export interface QuoteLines {
  readonly sections: readonly SectionRow[];
  readonly items: readonly LineRow[];
}

/** The items of each section. One whose section is gone stands in the last one. */
export function itemsBySection({ sections, items }: QuoteLines): Map<string, LineRow[]> {
  const groups = new Map(sections.map(({ id }): [string, LineRow[]] => [id, []]));
  const last = sections.at(-1)?.id ?? '';
  for (const item of items) (groups.get(item.section_id) ?? groups.get(last))?.push(item);
  return groups;
}

/** In the order they stand on the screen. */
const flat = (groups: Map<string, LineRow[]>): LineRow[] =>
  [...groups].flatMap(([id, items]) => items.map((item) => (item.section_id === id ? item : { ...item, section_id: id })));

/** Puts an item at a position of a section; behind its last item when there is no such position. */
export function moveItem(lines: QuoteLines, itemId: string, sectionId: string, position: number): QuoteLines {
  const groups = itemsBySection(lines);
  const item = lines.items.find(({ id }) => id === itemId);
  const target = groups.get(sectionId);
  if (!item || !target) return lines;
  for (const [id, items] of groups)
    groups.set(
      id,
      items.filter((other) => other !== item),
    );
  groups.get(sectionId)?.splice(position, 0, item);
  return { ...lines, items: flat(groups) };
}

export function positionOf(lines: QuoteLines, itemId: string): { sectionId: string; position: number } | undefined {
  for (const [sectionId, items] of itemsBySection(lines)) {
    const position = items.findIndex(({ id }) => id === itemId);
    if (position !== -1) return { sectionId, position };
  }
  return undefined;
}

/** One step up or down; past the end of its section it goes on in the next one. */
export function stepItem(lines: QuoteLines, itemId: string, by: 1 | -1): QuoteLines {
  const place = positionOf(lines, itemId);
  if (!place) return lines;
  const groups = itemsBySection(lines);
  const to = place.position + by;
  if (to >= 0 && to < (groups.get(place.sectionId)?.length ?? 0)) return moveItem(lines, itemId, place.sectionId, to);
  const next = lines.sections[lines.sections.findIndex(({ id }) => id === place.sectionId) + by];
  if (!next) return lines;
  return moveItem(lines, itemId, next.id, by === 1 ? 0 : (groups.get(next.id)?.length ?? 0));
}

/** Nothing changes when it is there already: the Undo of a removal may come after the form was reset. */
export function addItem(lines: QuoteLines, item: LineRow): QuoteLines {
  if (lines.items.some(({ id }) => id === item.id)) return lines;
  return moveItem({ ...lines, items: [...lines.items, item] }, item.id, item.section_id, Number.POSITIVE_INFINITY);
}

export const changeItem = (lines: QuoteLines, id: string, change: Partial<LineRow>): QuoteLines => ({
  ...lines,
  items: lines.items.map((item) => (item.id === id ? { ...item, ...change } : item)),
});

export const removeItem = (lines: QuoteLines, id: string): QuoteLines => ({
  ...lines,
  items: lines.items.filter((item) => item.id !== id),
});

export const changeSection = (lines: QuoteLines, id: string, change: Partial<SectionRow>): QuoteLines => ({
  ...lines,
  sections: lines.sections.map((section) => (section.id === id ? { ...section, ...change } : section)),
});

/** The same for a section with its items. */
export function addSection(
  lines: QuoteLines,
  section: SectionRow,
  added: readonly LineRow[] = [],
  position = lines.sections.length,
): QuoteLines {
  if (lines.sections.some(({ id }) => id === section.id)) return lines;
  const addedIds = new Set(added.map(({ id }) => id));
  const others = lines.items.filter(({ id }) => !addedIds.has(id));
  const longer = { sections: lines.sections.toSpliced(position, 0, section), items: [...others, ...added] };
  return { ...longer, items: flat(itemsBySection(longer)) };
}

/** With its items. */
export function removeSection(lines: QuoteLines, id: string): QuoteLines {
  const groups = itemsBySection(lines);
  groups.delete(id);
  return { sections: lines.sections.filter((section) => section.id !== id), items: flat(groups) };
}

export function stepSection({ sections, items }: QuoteLines, id: string, by: 1 | -1): QuoteLines {
  const from = sections.findIndex((section) => section.id === id);
  const section = sections[from];
  if (!section || !sections[from + by]) return { sections, items };
  const moved = { sections: sections.toSpliced(from, 1).toSpliced(from + by, 0, section), items };
  return { ...moved, items: flat(itemsBySection(moved)) };
}

const MAX_NAME = 200;
const COPY = ' (copy)';

/** A copy with ids of its own right behind it. */
export function duplicateSection(lines: QuoteLines, id: string): QuoteLines {
  const position = lines.sections.findIndex((section) => section.id === id);
  const section = lines.sections[position];
  if (!section) return lines;
  const copy = { ...section, id: newId(), name: `${section.name.slice(0, MAX_NAME - COPY.length)}${COPY}` };
  const items = itemsBySection(lines).get(id) ?? [];
  return addSection(
    lines,
    copy,
    items.map((item) => ({ ...item, id: newId(), section_id: copy.id })),
    position + 1,
  );
}
