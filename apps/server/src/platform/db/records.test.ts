import { boolean, jsonb, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { isSameRequest, pickColumns } from './records.ts';

const things = pgTable('things', {
  company_id: uuid().notNull(),
  id: uuid().notNull(),
  name: text().notNull(),
  rate: numeric({ precision: 6, scale: 3 }),
  yes: boolean(),
  data: jsonb(),
});

const stored = { id: 'a', name: '15', rate: '15.000', yes: true, data: { rows: [1] } };

describe('a request for an existing record', () => {
  it.each([
    ['has the same values', { name: '15', rate: '15.000', yes: true, data: { rows: [1] } }],
    ['writes a decimal with fewer zeros', { rate: '15.0' }],
    ['includes a value that the record does not expose', { search_text: 'fifteen' }],
  ])('is a retry if it %s', (_, request) => {
    expect(isSameRequest(things, stored, request)).toBe(true);
  });

  it.each([
    ['text that is only numerically equal', { name: '15.0' }],
    ['another decimal', { rate: '15.001' }],
    ['a missing decimal', { rate: null }],
    ['another boolean', { yes: false }],
    ['other rows', { data: { rows: [1, 2] } }],
  ])('is a different request with %s', (_, request) => {
    expect(isSameRequest(things, stored, request)).toBe(false);
  });
});

it('picks the columns of a schema’s fields, in the schema’s order', () => {
  expect(Object.keys(pickColumns(things, { shape: { name: 0, id: 0 } }))).toEqual(['name', 'id']);
});
