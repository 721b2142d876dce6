import { globSync } from 'node:fs';
import { join } from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { TEMPLATE, withOwner } from '../../../test/database.ts';

interface Column {
  readonly type: string;
  readonly required: boolean;
}

const SRC = join(import.meta.dirname, '../..');
const files = globSync('**/*.table.ts', { cwd: SRC });
const modules = await Promise.all(files.map((file) => import(join(SRC, file)) as Promise<Record<string, unknown>>));
const tables = modules.flatMap((module) => Object.values(module).filter((value): value is PgTable => is(value, PgTable)));

let migrated: Map<string, Record<string, Column>>;

beforeAll(async () => {
  const { rows } = await withOwner({ ...inject('postgres'), database: TEMPLATE }, (client) =>
    client.query<Column & { table: string; name: string }>(
      `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    ),
  );
  migrated = new Map();
  for (const { table, name, type, required } of rows) migrated.set(table, { ...migrated.get(table), [name]: { type, required } });
});

/** Treats 'numeric(6, 3)' and 'numeric(6,3)' as equal. */
const plain = (type: string) => type.replaceAll(' ', '');

describe('the table definitions', () => {
  it('are found', () => {
    expect(tables.map(getTableName)).toEqual(
      expect.arrayContaining(['companies', 'customers', 'files', 'sessions', 'staff_members', 'users']),
    );
  });

  it.each(tables.map((table) => [getTableName(table), table] as const))('match the migrated database: %s', (name, table) => {
    const known = Object.values(getTableColumns(table)).map((column) => [
      column.name,
      { type: plain(column.getSQLType()), required: column.notNull },
    ]);
    const real = Object.entries(migrated.get(name) ?? {}).map(([column, { type, required }]) => [column, { type: plain(type), required }]);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(real));
  });
});
