import { Column, type DriverValueDecoder, fillPlaceholders, is, SQL, sql } from 'drizzle-orm';
import { type PgColumn, PgDialect, type PgSelectBuilder, QueryBuilder } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { queryRows, type Statement } from './row-query.ts';

type Field = PgColumn | SQL | SQL.Aliased;
type Fields = Record<string, Field>;
type Decode = (value: unknown) => unknown;

interface Decoding {
  readonly decoder: DriverValueDecoder<unknown, unknown>;
}

interface WrittenSql {
  readonly sql: string;
  readonly params: unknown[];
}

interface BuiltSelect<Row> {
  toSQL(): WrittenSql;
  readonly _: { readonly result: Row[] };
}

/** A select that is built once with placeholders and then only executed, for frequent reads. */
export interface PreparedSelect<Row> {
  readonly statement: Statement;
  /** Fixed values, and placeholders for the values of each execution. */
  readonly params: readonly unknown[];
  readonly rowOf: (values: readonly unknown[]) => Row;
}

/** A named statement is planned once per connection; reusing a name would run the other statement. */
const takenNames = new Set<string>();

export function prepareSelect<Selected extends Fields, Row>(
  name: string | undefined,
  fields: Selected,
  build: (select: PgSelectBuilder<Selected, 'qb'>) => BuiltSelect<Row>,
): PreparedSelect<Row> {
  return prepared(name, fields, build(new QueryBuilder().select(fields)).toSQL());
}

/** The same for a select that is written out: its first columns are the fields, in their order. */
export function prepareStatement<Row>(name: string | undefined, fields: Fields, statement: SQL): PreparedSelect<Row> {
  return prepared(name, fields, new PgDialect().sqlToQuery(statement));
}

/** The same for the fields as they are written, with all that follows them. */
export function prepareFields<Row>(name: string | undefined, fields: Fields, rest: SQL): PreparedSelect<Row> {
  const selected = Object.values(fields).map((field) => sql`${field}`);
  return prepareStatement(name, fields, sql`select ${sql.join(selected, sql`, `)} ${rest}`);
}

function prepared<Row>(name: string | undefined, fields: Fields, { sql: text, params }: WrittenSql): PreparedSelect<Row> {
  if (name !== undefined && takenNames.has(name)) throw new Error(`Two prepared selects are called ${name}`);
  if (name !== undefined) takenNames.add(name);
  return { statement: { name, text }, params, rowOf: rowMaker<Row>(fields) };
}

/** Uses the driver directly: drizzle's row mapping costs more than reading a single record. */
export async function runSelect<Row>(
  client: pg.PoolClient,
  { statement, params, rowOf }: PreparedSelect<Row>,
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const rows = await queryRows(client, statement, fillPlaceholders([...params], values));
  return rows.map(rowOf);
}

function rowMaker<Row>(fields: Fields): PreparedSelect<Row>['rowOf'] {
  const columns = Object.entries(fields).map(([key, field]) => ({ key, decode: decoderOf(field) }));
  return (values) => {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { key, decode } of columns) {
      const value = values[index++];
      row[key] = value === null ? null : decode(value);
    }
    return row as Row;
  };
}

function decoderOf(field: Field): Decode {
  const decoder = is(field, Column) ? field : expressionDecoder(is(field, SQL) ? field : field.sql);
  return (value) => decoder.mapFromDriverValue(value);
}

/** What `mapWith` set: drizzle keeps it out of its types. */
function expressionDecoder(expression: object): DriverValueDecoder<unknown, unknown> {
  return (expression as Decoding).decoder;
}
