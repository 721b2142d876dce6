import { count, eq, getTableColumns, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { boolean, date, integer, jsonb, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { startTestApp } from '../../../test/test-app.ts';
import { instant } from './columns.ts';
import { prepareSelect, runSelect } from './prepared-select.ts';

const things = pgTable('things', {
  id: uuid().notNull(),
  name: text(),
  number: integer(),
  amount: numeric(),
  yes: boolean(),
  day: date(),
  at: instant(),
  data: jsonb(),
});

const allColumns = getTableColumns(things);

const FULL_ROW = `('018f0000-0000-7000-8000-000000000001', 'Ōtāhuhu "Plumbing"', 7, 12.50, true, '2026-03-29', '2026-03-29T01:59:59.120Z', '{"a":[1]}')`;
const EMPTY_ROW = `('018f0000-0000-7000-8000-000000000002', null, null, null, null, null, null, null)`;

let client: pg.PoolClient;

beforeAll(async () => {
  const { owner } = await startTestApp();
  client = await owner.connect();
  await client.query(`create temporary table things
    (id uuid, name text, number int, amount numeric, yes boolean, day date, at timestamp(3) with time zone, data jsonb);
    insert into things values ${FULL_ROW}, ${EMPTY_ROW}`);
  return () => client.release();
});

it('rejects a name that is already in use, so that PostgreSQL never runs the wrong statement', () => {
  prepareSelect('things.twice', allColumns, (from) => from.from(things));
  expect(() => prepareSelect('things.twice', { id: things.id }, (from) => from.from(things))).toThrow(
    'Two prepared selects are named things.twice',
  );
});

it.each(['things.all', undefined])('returns the same rows as drizzle for every column type (name: %s)', async (name) => {
  const select = prepareSelect(name, allColumns, (from) => from.from(things).orderBy(things.id));
  const expected = await drizzle(client).select(allColumns).from(things).orderBy(things.id);
  for (let run = 0; run < 3; run += 1) expect(await runSelect(client, select, {})).toEqual(expected);
  expect(expected).toMatchObject([{ number: 7, amount: '12.50', day: '2026-03-29', at: '2026-03-29T01:59:59.120Z', data: { a: [1] } }, {}]);
});

it.each(['2026-03-29T01:59:59.000Z', '2026-03-29T01:59:59.123Z', '2026-03-29T01:59:59.100Z', '0999-12-31T23:00:00.000Z'])(
  'returns the timestamp %s as stored',
  async (stored) => {
    const select = prepareSelect(undefined, { at: sql<string>`${sql.placeholder('at')}::timestamptz`.mapWith(things.at) }, (from) =>
      from.from(things).limit(1),
    );
    expect(await runSelect(client, select, { at: stored })).toEqual([{ at: stored }]);
  },
);

it('binds its values and decodes expressions', async () => {
  const select = prepareSelect('things.named', { total: count(), twice: sql<number>`max(${things.number}) * 2` }, (from) =>
    from.from(things).where(eq(things.name, sql.placeholder('name'))),
  );
  expect(await runSelect(client, select, { name: 'Ōtāhuhu "Plumbing"' })).toEqual([{ total: 1, twice: 14 }]);
  expect(await runSelect(client, select, { name: `' or true --` })).toEqual([{ total: 0, twice: null }]);
});

it('rejects with the driver’s error and leaves the connection usable', async () => {
  const select = prepareSelect('things.broken', { one: sql<number>`1 / ${sql.placeholder('number')}::int` }, (from) => from.from(things));
  await expect(runSelect(client, select, { number: 0 })).rejects.toMatchObject({ code: '22012' });
  expect(await runSelect(client, select, { number: 1 })).toEqual([{ one: 1 }, { one: 1 }]);
});
