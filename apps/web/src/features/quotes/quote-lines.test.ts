import { expect, it } from 'vitest';
import { createCustomLine, createSection } from './quote-form.ts';
import {
  addItem,
  addSection,
  duplicateSection,
  groupItemsBySection,
  moveItem,
  moveItemOneStep,
  moveSection,
  type QuoteLines,
  removeSection,
} from './quote-lines.ts';

const [first, second] = [createSection('First'), createSection('Second')];
const [a, b, c] = [createCustomLine('a', first.id), createCustomLine('b', first.id), createCustomLine('c', second.id)];
const lines: QuoteLines = { sections: [first, second], items: [a, b, c] };
const getNames = (quote: QuoteLines) => [...groupItemsBySection(quote).values()].map((items) => items.map(({ name }) => name).join(''));

it('moves an item within its section and to another section', () => {
  expect(getNames(moveItem(lines, b.id, first.id, 0))).toEqual(['ba', 'c']);
  expect(getNames(moveItem(lines, a.id, second.id, 0))).toEqual(['b', 'ac']);
  expect(getNames(moveItem(lines, a.id, second.id, Number.POSITIVE_INFINITY))).toEqual(['b', 'ca']);
  expect(moveItem(lines, a.id, second.id, 0).items.every(({ id, section_id: section }) => id !== a.id || section === second.id)).toBe(true);
});

it('does not add an item or a section twice when Undo is pressed after a reset', () => {
  expect(addItem(lines, a)).toBe(lines);
  expect(addSection(lines, first, [a, b], 0)).toBe(lines);
  const withoutFirst = removeSection(lines, first.id);
  expect(getNames(addSection({ ...withoutFirst, items: [...withoutFirst.items, a] }, first, [a, b], 0))).toEqual(['ab', 'c']);
});

it('moves an item one step at a time, across sections, and stops at the start and end of the quote', () => {
  expect(getNames(moveItemOneStep(lines, b.id, 1))).toEqual(['a', 'bc']);
  expect(getNames(moveItemOneStep(lines, c.id, -1))).toEqual(['abc', '']);
  expect(getNames(moveItemOneStep(lines, a.id, -1))).toEqual(['ab', 'c']);
  expect(getNames(moveItemOneStep(lines, c.id, 1))).toEqual(['ab', 'c']);
});

it('groups items from a deleted section under the last section', () => {
  expect(getNames({ ...lines, sections: [first] })).toEqual(['abc']);
});

it('removes, moves and duplicates a section with its items', () => {
  expect(getNames(removeSection(lines, first.id))).toEqual(['c']);
  expect(getNames(moveSection(lines, second.id, -1))).toEqual(['c', 'ab']);
  const copied = duplicateSection(lines, first.id);
  expect([getNames(copied), copied.sections.map(({ name }) => name)]).toEqual([
    ['ab', 'ab', 'c'],
    ['First', 'First (copy)', 'Second'],
  ]);
  expect(new Set(copied.items.map(({ id }) => id)).size).toBe(5);
});
