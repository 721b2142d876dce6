import pg from 'pg';

/** A statement that is executed repeatedly. The first execution learns its columns; later ones skip that step. */
export interface Statement {
  /** PostgreSQL plans a statement with a name once per connection, one without each time. */
  readonly name: string | undefined;
  readonly text: string;
  parsers?: readonly Parse[];
}

type Value = string | null;
type RawRow = readonly Value[];
type TypeId = Parameters<typeof pg.types.getTypeParser>[0];
type Parse = (value: string) => unknown;

/** The rows as arrays of what the driver makes of each column; dates and times stay text. */
export async function queryRows(client: pg.PoolClient, statement: Statement, values: readonly unknown[]): Promise<unknown[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<RawRow[]>();
  client.query(new RowQuery(statement, values.map(toValue), resolve, reject));
  const rows = await promise;
  const { parsers = [] } = statement;
  return rows.map((row) => row.map((value, column) => (value === null ? null : parsers[column]?.(value))));
}

function toValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('A row query takes plain values only');
}

interface Connection extends pg.Connection {
  /** By name, those that PostgreSQL has acknowledged on this connection. */
  readonly parsedStatements: Readonly<Record<string, string>>;
}

interface ColumnDescription {
  readonly dataTypeID: TypeId;
  readonly format: 'text';
}

/**
 * What pg calls a Submittable, as its cursor is one. Its own Query asks what the columns are at every run and puts together an
 * empty record of them: for a single row that is the most expensive part of the read (docs/decisions/0009-speed.md).
 */
class RowQuery implements pg.Submittable {
  /** For the client too, which notes under this name that the statement is prepared. */
  readonly name: string;
  readonly text: string;
  readonly values: Value[];
  readonly #statement: Statement;
  readonly #rows: RawRow[] = [];
  readonly #resolve: (rows: RawRow[]) => void;
  readonly handleError: (error: Error) => void;

  constructor(statement: Statement, values: Value[], resolve: (rows: RawRow[]) => void, reject: (error: Error) => void) {
    this.name = statement.name ?? '';
    this.text = statement.text;
    this.#statement = statement;
    this.values = values;
    this.#resolve = resolve;
    this.handleError = reject;
  }

  submit(wire: pg.Connection): void {
    const connection = wire as Connection;
    const { name, text } = this;
    connection.stream.cork();
    if (!name || connection.parsedStatements[name] === undefined) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: this.values }, true);
    if (!this.#statement.parsers) connection.describe({ type: 'P', name: '' }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly ColumnDescription[] }): void {
    this.#statement.parsers = fields.map(parserOf);
  }

  handleDataRow({ fields }: { readonly fields: RawRow }): void {
    this.#rows.push(fields);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#rows);
  }

  handleCommandComplete(): void {
    // The connection emits its own ready event.
  }
}

const { builtins } = pg.types;
const LEFT_AS_TEXT = new Set<TypeId>([builtins.TIMESTAMPTZ, builtins.TIMESTAMP, builtins.DATE, builtins.INTERVAL]);
const asText: Parse = (value) => value;

/** As in drizzle, where columns decide how dates and times are parsed. */
function parserOf({ dataTypeID, format }: ColumnDescription): Parse {
  return LEFT_AS_TEXT.has(dataTypeID) ? asText : (pg.types.getTypeParser(dataTypeID, format) as Parse);
}
