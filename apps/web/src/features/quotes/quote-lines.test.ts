import { expect, it } from 'vitest';
import { customLine, type LineRow, newSection } from './quote-form.ts';
import {
  addItem,
  addSection,
  duplicateSection,
  itemsBySection,
  moveItem,
  type QuoteLines,
  removeSection,
  stepItem,
  stepSection,
} from './quote-lines.ts';

const [first, second] = [newSection('First'), newSection('Second')];
const [a, b, c] = [customLine('a', first.id), customLine('b', first.id), customLine('c', second.id)] as [LineRow, LineRow, LineRow];
const lines: QuoteLines = { sections: [first, second], items: [a, b, c] };
const names = (of: QuoteLines) => [...itemsBySection(of).values()].map((items) => items.map(({ name }) => name).join(''));

it('moves an item within its section and to another one', () => {
  expect(names(moveItem(lines, b.id, first.id, 0))).toEqual(['ba', 'c']);
  expect(names(moveItem(lines, a.id, second.id, 0))).toEqual(['b', 'ac']);
  expect(names(moveItem(lines, a.id, second.id, Number.POSITIVE_INFINITY))).toEqual(['b', 'ca']);
  expect(moveItem(lines, a.id, second.id, 0).items.every(({ id, section_id: section }) => id !== a.id || section === second.id)).toBe(true);
});

it('adds nothing that is there already, as an Undo after a reset would', () => {
  expect(addItem(lines, a)).toBe(lines);
  expect(addSection(lines, first, [a, b], 0)).toBe(lines);
  const withoutFirst = removeSection(lines, first.id);
  expect(names(addSection({ ...withoutFirst, items: [...withoutFirst.items, a] }, first, [a, b], 0))).toEqual(['ab', 'c']);
});

it('steps an item from one section into the next, and stops at the ends', () => {
  expect(names(stepItem(lines, b.id, 1))).toEqual(['a', 'bc']);
  expect(names(stepItem(lines, c.id, -1))).toEqual(['abc', '']);
  expect(names(stepItem(lines, a.id, -1))).toEqual(['ab', 'c']);
  expect(names(stepItem(lines, c.id, 1))).toEqual(['ab', 'c']);
});

it('shows an item whose section somebody else removed in the last section', () => {
  expect(names({ ...lines, sections: [first] })).toEqual(['abc']);
});

it('removes, moves and duplicates a section with its items', () => {
  expect(names(removeSection(lines, first.id))).toEqual(['c']);
  expect(names(stepSection(lines, second.id, -1))).toEqual(['c', 'ab']);
  const copied = duplicateSection(lines, first.id);
  expect([names(copied), copied.sections.map(({ name }) => name)]).toEqual([
    ['ab', 'ab', 'c'],
    ['First', 'First (copy)', 'Second'],
  ]);
  expect(new Set(copied.items.map(({ id }) => id)).size).toBe(5);
});
