import type { Quote, QuoteItem, QuoteSection } from '@callout/contract/quotes';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { diffFields } from '../history/history.sql.ts';
import type { FieldChanges } from '../history/history.table.ts';

/** Returns only the fields and lines that differ, formatted for the history. */
export function diffQuotes(before: Quote, after: Quote): FieldChanges {
  return {
    ...diffFields(getComparedFields(before), getComparedFields(after)),
    ...diffDescriptions(before, after),
    ...diffLines(before, after),
  };
}

function getComparedFields(quote: Quote) {
  return {
    title: quote.title,
    customer: quote.customer && formatCustomerName(quote.customer),
    description: quote.description,
    valid_until: quote.valid_until,
    sections: quote.sections.map(({ name, always_required }) => (always_required ? `${name} (required)` : name)).join(', '),
    tax_rate: quote.tax_rate,
    total_amount: quote.total_amount,
    deposit: quote.deposit_percentage === null ? quote.deposit_amount : `${quote.deposit_percentage}%`,
    attachments: quote.attachments.map(({ file_name }) => file_name).join(', ') || null,
  };
}

/** Compares the descriptions of sections that exist in both versions. Added and removed sections are listed under `sections`. */
function diffDescriptions(before: Quote, after: Quote): FieldChanges {
  const old = new Map(before.sections.map((section) => [section.id, section]));
  const changed = after.sections.flatMap((section) => {
    const was = old.get(section.id);
    return was && was.description !== section.description ? [{ was, is: section }] : [];
  });
  const formatSection = ({ name, description }: QuoteSection) => `${name}: ${description ?? ''}`;
  if (changed.length === 0) return {};
  const format = (side: 'was' | 'is') => joinEntries(changed.map((section) => formatSection(section[side])));
  return { section_descriptions: [format('was'), format('is')] };
}

interface ComparedLine {
  readonly id: string;
  readonly sectionId: string;
  /** All editable fields, serialized for comparison. */
  readonly content: string;
  readonly text: string;
}

/** Returns the lines that were added, removed, changed or moved. */
function diffLines(before: Quote, after: Quote): FieldChanges {
  const [old, now] = [getComparedLines(before), getComparedLines(after)];
  const [oldById, nowById] = [new Map(old.map((line) => [line.id, line])), new Map(now.map((line) => [line.id, line]))];
  const isUnchanged = ({ id }: ComparedLine) => oldById.get(id)?.content === nowById.get(id)?.content;
  const moved = getMovedLineIds(old.filter(isUnchanged), now.filter(isUnchanged));
  const isReported = (line: ComparedLine) => !isUnchanged(line) || moved.has(line.id);
  const [was, is] = [old.filter(isReported), now.filter(isReported)];
  return was.length + is.length === 0 ? {} : { items: [joinEntries(was.map(({ text }) => text)), joinEntries(is.map(({ text }) => text))] };
}

function getComparedLines({ sections }: Quote): ComparedLine[] {
  return sections.flatMap(({ id: sectionId, name, items }) =>
    items.map((item) => ({ id: item.id, sectionId, content: serializeLine(sectionId, item), text: `${name}: ${formatLine(item)}` })),
  );
}

function serializeLine(sectionId: string, { name, description, quantity, unit_price, tax_inclusive, is_service }: QuoteItem): string {
  return JSON.stringify([sectionId, name, description, quantity, unit_price, tax_inclusive, is_service]);
}

/** Formats a line such as '2 × Tap at 103.50 plus tax (Brushed brass)'. */
function formatLine({ name, description, quantity, unit_price, tax_inclusive, is_service }: QuoteItem): string {
  const kind = is_service ? ', service' : '';
  return `${quantity} × ${name} at ${unit_price}${tax_inclusive ? '' : ' plus tax'}${kind}${description ? ` (${description})` : ''}`;
}

/** Compares two orderings of the same lines. In each section, everything from the first to the last difference counts as moved. */
function getMovedLineIds(old: readonly ComparedLine[], now: readonly ComparedLine[]): Set<string> {
  const nowBySection = Map.groupBy(now, ({ sectionId }) => sectionId);
  const moved = [...Map.groupBy(old, ({ sectionId }) => sectionId)].flatMap(([sectionId, lines]) => {
    const others = nowBySection.get(sectionId) ?? [];
    const differs = (line: ComparedLine, index: number) => line.id !== others[index]?.id;
    return lines.slice(Math.max(0, lines.findIndex(differs)), lines.findLastIndex(differs) + 1);
  });
  return new Set(moved.map(({ id }) => id));
}

/** Longer entries are truncated, because a quote's history loads all entries at once. */
const MAX_ENTRY_LENGTH = 300;
const MAX_ENTRIES = 20;

function joinEntries(entries: readonly string[]): string | null {
  const displayed = entries.slice(0, MAX_ENTRIES).map(truncateEntry);
  const more = entries.length - displayed.length;
  return [...displayed, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') || null;
}

/** Never cuts a surrogate pair in half, because PostgreSQL can't store the result. */
const truncateEntry = (text: string) =>
  text.length <= MAX_ENTRY_LENGTH ? text : `${text.slice(0, MAX_ENTRY_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
