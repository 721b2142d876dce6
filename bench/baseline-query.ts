import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../apps/server/src/platform/db/pools.ts';
import { NEW_ID, type RequestVariant, type Scenario } from './scenarios.ts';
import type { SqlStatement } from './sql-recorder.ts';

export interface BaselineSetup {
  readonly database: DatabaseConnection;
  /** Views show the rows of this company. */
  readonly companyId: string;
  readonly poolSize: number;
  readonly scenarios: readonly Scenario[];
}

type Row = { [column: string]: unknown };

/** Returns a function that runs Callout's SQL as the table owner: the baseline without sessions, validation or row-level security. */
export function createBaselineQuery({ database, companyId, poolSize, scenarios }: BaselineSetup) {
  const pool = new pg.Pool({ ...database, max: poolSize, options: `-c app.company_id=${companyId}` });
  // Ignore errors on idle connections, because the database may stop before this process does.
  pool.on('error', () => undefined);
  const byKey = new Map<string, readonly RequestVariant[]>(scenarios.map(({ key, variants }) => [key, variants]));
  return async (key: string, variant: number, newId: () => string): Promise<Row[]> => {
    const variants = byKey.get(key) ?? [];
    const { statements = [], uniqueValues = [] } = variants[variant % variants.length] ?? {};
    const [firstStatement] = statements;
    if (firstStatement && statements.length === 1) return (await pool.query<Row>(toQueryConfig(firstStatement))).rows;
    return runSequentially(pool, withNewUniqueValues(statements, uniqueValues, newId()));
  };
}

/** Runs all statements in order and returns the first rows that any of them returns, which contain the new record. */
async function runSequentially(pool: pg.Pool, statements: readonly SqlStatement[]): Promise<Row[]> {
  const client = await pool.connect();
  let rows: Row[] = [];
  try {
    for (const statement of statements) {
      const result = await client.query<Row>(toQueryConfig(statement));
      if (rows.length === 0) rows = result.rows;
    }
  } catch (error) {
    // Close the connection, because its transaction is still open.
    client.release(true);
    throw error;
  }
  client.release();
  return rows;
}

const toQueryConfig = ({ name, text, values }: SqlStatement) => ({ ...(name !== undefined && { name }), text, values: [...values] });

function withNewUniqueValues(statements: readonly SqlStatement[], uniqueValues: readonly string[], id: string): SqlStatement[] {
  const replacements = new Map<unknown, string>(
    uniqueValues.map((value) => [value, /^J\d{8}$/.test(value) ? `J${randomUUID()}` : randomUUID()]),
  );
  replacements.set(NEW_ID, id);
  return statements.map((statement) => ({ ...statement, values: statement.values.map((value) => replacements.get(value) ?? value) }));
}
