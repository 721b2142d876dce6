import { boolean, jsonb, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { columnsOf, isSameRequest } from './records.ts';

const things = pgTable('things', {
  company_id: uuid().notNull(),
  id: uuid().notNull(),
  name: text().notNull(),
  rate: numeric({ precision: 6, scale: 3 }),
  yes: boolean(),
  data: jsonb(),
});

const stored = { id: 'a', name: '15', rate: '15.000', yes: true, data: { rows: [1] } };

describe('a repeated request', () => {
  it.each([
    ['has the same values', { name: '15', rate: '15.000', yes: true, data: { rows: [1] } }],
    ['writes a decimal with different zeros', { rate: '15.0' }],
    ['carries a value that the record does not show', { search_text: 'fifteen' }],
  ])('is the same when it %s', (_, request) => {
    expect(isSameRequest(things, stored, request)).toBe(true);
  });

  it.each([
    ['text that is only numerically equal', { name: '15.0' }],
    ['another decimal', { rate: '15.001' }],
    ['a missing decimal', { rate: null }],
    ['another boolean', { yes: false }],
    ['other rows', { data: { rows: [1, 2] } }],
  ])('is different with %s', (_, request) => {
    expect(isSameRequest(things, stored, request)).toBe(false);
  });
});

it('a record has the columns of its schema, in the same order', () => {
  expect(Object.keys(columnsOf(things, { shape: { name: 0, id: 0 } }))).toEqual(['name', 'id']);
});
