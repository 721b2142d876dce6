import type { Quote, QuoteItem, QuoteSection } from '@callout/contract/quotes';
import { changesBetween } from '../history/history.sql.ts';
import type { Changes } from '../history/history.table.ts';

/** What the history shows of a change: the fields and lines that differ, nothing when none do. */
export function quoteChanges(before: Quote, after: Quote): Changes {
  return { ...changesBetween(fieldsOf(before), fieldsOf(after)), ...descriptionChanges(before, after), ...lineChanges(before, after) };
}

function fieldsOf(quote: Quote) {
  return {
    title: quote.title,
    description: quote.description,
    valid_until: quote.valid_until,
    sections: quote.sections.map(({ name, always_required }) => (always_required ? `${name} (required)` : name)).join(', '),
    tax_rate: quote.tax_rate,
    total_amount: quote.total_amount,
    deposit: quote.deposit_percentage === null ? quote.deposit_amount : `${quote.deposit_percentage}%`,
    attachments: quote.attachments.map(({ file_name }) => file_name).join(', ') || null,
  };
}

/** Of the sections that are still there; others are named by `sections`. */
function descriptionChanges(before: Quote, after: Quote): Changes {
  const old = new Map(before.sections.map((section) => [section.id, section]));
  const changed = after.sections.flatMap((section) => {
    const was = old.get(section.id);
    return was && was.description !== section.description ? [{ was, is: section }] : [];
  });
  const textOf = ({ name, description }: QuoteSection) => `${name}: ${description ?? ''}`;
  if (changed.length === 0) return {};
  return { section_descriptions: [listText(changed.map(({ was }) => textOf(was))), listText(changed.map(({ is }) => textOf(is)))] };
}

interface Line {
  readonly id: string;
  readonly sectionId: string;
  /** All that a person may set of it. */
  readonly content: string;
  readonly text: string;
}

/** Of the lines that were added, removed, changed or moved: how they were, and how they are. */
function lineChanges(before: Quote, after: Quote): Changes {
  const [old, now] = [linesOf(before), linesOf(after)];
  const [oldById, nowById] = [new Map(old.map((line) => [line.id, line])), new Map(now.map((line) => [line.id, line]))];
  const isKept = ({ id }: Line) => oldById.get(id)?.content === nowById.get(id)?.content;
  const moved = movedIds(old.filter(isKept), now.filter(isKept));
  const isShown = (line: Line) => !isKept(line) || moved.has(line.id);
  const [was, is] = [old.filter(isShown), now.filter(isShown)];
  return was.length + is.length === 0 ? {} : { items: [listText(was.map(({ text }) => text)), listText(is.map(({ text }) => text))] };
}

function linesOf({ sections }: Quote): Line[] {
  return sections.flatMap(({ id: sectionId, name, items }) =>
    items.map((item) => ({ id: item.id, sectionId, content: contentOf(sectionId, item), text: `${name}: ${lineText(item)}` })),
  );
}

function contentOf(sectionId: string, { name, description, quantity, unit_price, tax_inclusive, is_service }: QuoteItem): string {
  return JSON.stringify([sectionId, name, description, quantity, unit_price, tax_inclusive, is_service]);
}

/** '2 × Tap at 103.50 plus tax (Brushed brass)' */
function lineText({ name, description, quantity, unit_price, tax_inclusive, is_service }: QuoteItem): string {
  const kind = is_service ? ', service' : '';
  return `${quantity} × ${name} at ${unit_price}${tax_inclusive ? '' : ' plus tax'}${kind}${description ? ` (${description})` : ''}`;
}

/** In each section, the same lines in two orders: from the first place that differs to the last one. */
function movedIds(old: readonly Line[], now: readonly Line[]): Set<string> {
  const nowBySection = Map.groupBy(now, ({ sectionId }) => sectionId);
  const moved = [...Map.groupBy(old, ({ sectionId }) => sectionId)].flatMap(([sectionId, lines]) => {
    const others = nowBySection.get(sectionId) ?? [];
    const differs = (line: Line, index: number) => line.id !== others[index]?.id;
    return lines.slice(Math.max(0, lines.findIndex(differs)), lines.findLastIndex(differs) + 1);
  });
  return new Set(moved.map(({ id }) => id));
}

/** The history of a quote is read at once: long texts and lists are cut. */
const MAX_ENTRY = 300;
const MAX_ENTRIES = 20;

function listText(entries: readonly string[]): string | null {
  const shown = entries.slice(0, MAX_ENTRIES).map(cut);
  const more = entries.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') || null;
}

/** Never within a character: half of one cannot be stored. */
const cut = (text: string) => (text.length <= MAX_ENTRY ? text : `${text.slice(0, MAX_ENTRY).replace(/[\uD800-\uDBFF]$/, '')}…`);
