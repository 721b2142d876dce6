import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../apps/server/src/platform/db/pools.ts';
import type { Statement } from './recorded-statements.ts';
import { NEW_ID, type Scenario, type Variant } from './scenarios.ts';

export interface BareSetup {
  readonly database: DatabaseConnection;
  readonly poolSize: number;
  readonly scenarios: readonly Scenario[];
}

type Row = { [column: string]: unknown };

/** Runs the product's statements with the plain driver as the owner of the tables: no session, no contract, no row-level security. */
export function createBareQuery({ database, poolSize, scenarios }: BareSetup) {
  const pool = new pg.Pool({ ...database, max: poolSize });
  // The database may stop before this process does.
  pool.on('error', () => undefined);
  const byKey = new Map<string, readonly Variant[]>(scenarios.map(({ key, variants }) => [key, variants]));
  return async (key: string, variant: number, newId: () => string): Promise<Row[]> => {
    const variants = byKey.get(key) ?? [];
    const { statements = [], unique = [] } = variants[variant % variants.length] ?? {};
    const [only] = statements;
    if (only && statements.length === 1) return (await pool.query<Row>(toQueryConfig(only))).rows;
    return runSequentially(pool, withFreshValues(statements, unique, newId()));
  };
}

/** Returns the rows of the first statement that returns any: the new record. */
async function runSequentially(pool: pg.Pool, statements: readonly Statement[]): Promise<Row[]> {
  const client = await pool.connect();
  let rows: Row[] = [];
  for (const statement of statements) {
    const result = await client.query<Row>(toQueryConfig(statement));
    if (rows.length === 0) rows = result.rows;
  }
  client.release();
  return rows;
}

const toQueryConfig = ({ name, text, values }: Statement) => ({ ...(name !== undefined && { name }), text, values: [...values] });

function withFreshValues(statements: readonly Statement[], unique: readonly string[], id: string): Statement[] {
  const fresh = new Map<unknown, string>(unique.map((value) => [value, value.startsWith('J') ? `J${randomUUID()}` : randomUUID()]));
  fresh.set(NEW_ID, id);
  return statements.map((statement) => ({ ...statement, values: statement.values.map((value) => fresh.get(value) ?? value) }));
}
