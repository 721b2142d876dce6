import { Column, type DriverValueDecoder, fillPlaceholders, is, SQL, sql } from 'drizzle-orm';
import { type PgColumn, PgDialect, type PgSelectBuilder, QueryBuilder } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { queryRows, type ReusableStatement } from './row-query.ts';

type Field = PgColumn | SQL | SQL.Aliased;
type Fields = Record<string, Field>;
type Decode = (value: unknown) => unknown;

interface SqlWithDecoder {
  readonly decoder: DriverValueDecoder<unknown, unknown>;
}

interface ParameterizedSql {
  readonly sql: string;
  readonly params: unknown[];
}

interface BuiltSelect<Row> {
  toSQL(): ParameterizedSql;
  readonly _: { readonly result: Row[] };
}

/** A select for frequent reads: built once with placeholders, then executed with different values. */
export interface PreparedSelect<Row> {
  readonly statement: ReusableStatement;
  /** Fixed values, and placeholders for values that differ per execution. */
  readonly params: readonly unknown[];
  readonly toRow: (values: readonly unknown[]) => Row;
}

/** Names must be unique: a second statement with the same name would run the first one's SQL, which PostgreSQL has already prepared. */
const takenNames = new Set<string>();

export function prepareSelect<Selected extends Fields, Row>(
  name: string | undefined,
  fields: Selected,
  build: (select: PgSelectBuilder<Selected, 'qb'>) => BuiltSelect<Row>,
): PreparedSelect<Row> {
  return createPreparedSelect(name, fields, build(new QueryBuilder().select(fields)).toSQL());
}

/** Prepares a select written as raw SQL. The statement's first columns must be `fields`, in the same order. */
export function prepareRawSelect<Row>(name: string | undefined, fields: Fields, statement: SQL): PreparedSelect<Row> {
  return createPreparedSelect(name, fields, new PgDialect().sqlToQuery(statement));
}

/** Prepares a select of `fields`. `rest` is the FROM clause and everything after it. */
export function prepareSelectFrom<Row>(name: string | undefined, fields: Fields, rest: SQL): PreparedSelect<Row> {
  const selected = Object.values(fields).map((field) => sql`${field}`);
  return prepareRawSelect(name, fields, sql`select ${sql.join(selected, sql`, `)} ${rest}`);
}

function createPreparedSelect<Row>(name: string | undefined, fields: Fields, { sql: text, params }: ParameterizedSql): PreparedSelect<Row> {
  if (name !== undefined && takenNames.has(name)) throw new Error(`Two prepared selects are named ${name}`);
  if (name !== undefined) takenNames.add(name);
  return { statement: { name, text }, params, toRow: createRowMapper<Row>(fields) };
}

/** Runs the select directly on the driver, because drizzle's row mapping takes longer than reading a single record. */
export async function runSelect<Row>(
  client: pg.PoolClient,
  { statement, params, toRow }: PreparedSelect<Row>,
  values: Readonly<Record<string, unknown>>,
  companyId?: string,
): Promise<Row[]> {
  const rows = await queryRows(client, statement, fillPlaceholders([...params], values), companyId);
  return rows.map(toRow);
}

function createRowMapper<Row>(fields: Fields): PreparedSelect<Row>['toRow'] {
  const columns = Object.entries(fields).map(([key, field]) => ({ key, decode: getDecoder(field) }));
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

function getDecoder(field: Field): Decode {
  const decoder = is(field, Column) ? field : getExpressionDecoder(is(field, SQL) ? field : field.sql);
  return (value) => decoder.mapFromDriverValue(value);
}

/** Returns the decoder that `mapWith` set, which drizzle's types don't declare. */
function getExpressionDecoder(expression: object): DriverValueDecoder<unknown, unknown> {
  return (expression as SqlWithDecoder).decoder;
}
