import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { defineList } from './keyset-list.ts';

const things = pgTable('things', {
  company_id: uuid().notNull(),
  id: uuid().notNull(),
  name: text().notNull(),
  nickname: text(),
  created_at: timestamp().notNull(),
  done: boolean().notNull(),
});

const { id, name, nickname, created_at, done } = things;
const search = { text: name, ranked: { name, nickname }, rankedSort: 'name' } as const;
const list = { table: things, columns: { id }, filters: {}, search };

it('accepts sorting by text and by time', () => {
  expect(defineList({ ...list, sorts: { name: [name], age: [created_at, name] } }).selects.size).toBe(0);
});

it('throws at definition if a list cannot be sorted or ranked', () => {
  expect(() => defineList({ ...list, sorts: { name: [name], done: [name, done] } })).toThrow('A list cannot sort by done');
  expect(() => defineList({ ...list, sorts: { name: [nickname] } })).toThrow('The sort name must start with the first ranked text');
});
