import pg from 'pg';
import { type ConnectionWithStatements, sendCompany } from './company-query.ts';

/** A statement that is executed repeatedly. Its column types are read on the first execution only. */
export interface ReusableStatement {
  /** PostgreSQL plans a named statement once per connection, and an unnamed one on every execution. */
  readonly name: string | undefined;
  readonly text: string;
  parsers?: readonly Parse[];
}

type WireValue = string | null;
type RawRow = readonly WireValue[];
type TypeId = Parameters<typeof pg.types.getTypeParser>[0];
type Parse = (value: string) => unknown;

/**
 * Returns rows as arrays of values that the driver has parsed, except that dates and times stay strings. Outside a transaction, `companyId`
 * is the company that row-level security limits the statement to.
 */
export async function queryRows(
  client: pg.PoolClient,
  statement: ReusableStatement,
  values: readonly unknown[],
  companyId: string | undefined,
): Promise<unknown[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<RawRow[]>();
  client.query(new RowQuery({ statement, values: values.map(toWireValue), companyId, resolve, reject }));
  const rows = await promise;
  const { parsers = [] } = statement;
  return rows.map((row) => row.map((value, column) => (value === null ? null : parsers[column]?.(value))));
}

function toWireValue(value: unknown): WireValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('A row query accepts only strings, numbers, booleans and null');
}

interface ColumnDescription {
  readonly dataTypeID: TypeId;
  readonly format: 'text';
}

interface RowQueryOptions {
  readonly statement: ReusableStatement;
  readonly values: WireValue[];
  readonly companyId: string | undefined;
  resolve(rows: RawRow[]): void;
  reject(error: Error): void;
}

/**
 * Replaces pg's own Query class, which requests the column types on every execution and builds an empty row object from them. For a single
 * row, that is the most expensive part of the read (docs/decisions/0009-speed.md).
 */
class RowQuery implements pg.Submittable {
  /** pg's client also reads this name to record which statements are prepared. */
  readonly name: string;
  readonly text: string;
  readonly values: WireValue[];
  readonly #statement: ReusableStatement;
  readonly #companyId: string | undefined;
  readonly #rows: RawRow[] = [];
  readonly #resolve: (rows: RawRow[]) => void;
  readonly handleError: (error: Error) => void;

  constructor({ statement, values, companyId, resolve, reject }: RowQueryOptions) {
    this.name = statement.name ?? '';
    this.text = statement.text;
    this.#statement = statement;
    this.values = values;
    this.#companyId = companyId;
    this.#resolve = resolve;
    this.handleError = reject;
  }

  submit(wire: pg.Connection): void {
    const connection = wire as ConnectionWithStatements;
    const { name, text } = this;
    connection.stream.cork();
    if (this.#companyId !== undefined) sendCompany(connection, this.#companyId);
    if (!name || connection.parsedStatements[name] === undefined) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: this.values }, true);
    if (!this.#statement.parsers) connection.describe({ type: 'P', name: '' }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly ColumnDescription[] }): void {
    this.#statement.parsers = fields.map(getParser);
  }

  handleDataRow({ fields }: { readonly fields: RawRow }): void {
    this.#rows.push(fields);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#rows);
  }

  handleCommandComplete(): void {
    // The query resolves in handleReadyForQuery, which always follows.
  }
}

const { builtins } = pg.types;
const TEXT_TYPES = new Set<TypeId>([builtins.TIMESTAMPTZ, builtins.TIMESTAMP, builtins.DATE, builtins.INTERVAL]);
const keepText: Parse = (value) => value;

/** Returns a column's parser. Dates and times stay strings, because drizzle lets each column definition decide how to parse them. */
function getParser({ dataTypeID, format }: ColumnDescription): Parse {
  return TEXT_TYPES.has(dataTypeID) ? keepText : (pg.types.getTypeParser(dataTypeID, format) as Parse);
}
