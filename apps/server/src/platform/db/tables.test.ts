import { globSync } from 'node:fs';
import { join } from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { TEMPLATE_DATABASE, withOwnerClient } from '../../../test/database.ts';

interface Column {
  readonly type: string;
  readonly required: boolean;
}

const SOURCE_DIR = join(import.meta.dirname, '../..');
const files = globSync('**/*.table.ts', { cwd: SOURCE_DIR });
const modules = await Promise.all(files.map((file) => import(join(SOURCE_DIR, file)) as Promise<Record<string, unknown>>));
const tables = modules.flatMap((module) => Object.values(module).filter((value): value is PgTable => is(value, PgTable)));

let migrated: Map<string, Record<string, Column>>;

beforeAll(async () => {
  const { rows } = await withOwnerClient({ ...inject('postgres'), database: TEMPLATE_DATABASE }, (client) =>
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
const normalize = (type: string) => type.replaceAll(' ', '');

describe('the table definitions', () => {
  it('include the tables of the platform and of the features', () => {
    expect(tables.map(getTableName)).toEqual(
      expect.arrayContaining(['companies', 'customers', 'files', 'sessions', 'staff_members', 'users']),
    );
  });

  it.each(tables.map((table) => [getTableName(table), table] as const))('match the migrated database for %s', (name, table) => {
    const defined = Object.values(getTableColumns(table)).map((column) => [
      column.name,
      { type: normalize(column.getSQLType()), required: column.notNull },
    ]);
    const actual = Object.entries(migrated.get(name) ?? {}).map(([column, { type, required }]) => [
      column,
      { type: normalize(type), required },
    ]);
    expect(Object.fromEntries(defined)).toEqual(Object.fromEntries(actual));
  });
});
