import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, type PostgresConnection, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_DATABASE } from '../../src/config.ts';
import { MIGRATIONS_DIR, migrate, prepareDatabase } from '../../src/platform/db/migrate.ts';
import { toDatabaseUrl } from '../backup.ts';
import { type ServerProcess, startServerProcess } from '../crash/server-process.ts';
import { withOwnerClient } from '../database.ts';
import { checkOutRelease, readPreviousRelease } from './release-checkout.ts';
import { readSmokeFirm, runSmokeTest, type SmokeFirm, signIn } from './smoke-test.ts';

const TEST_TIMEOUT_MS = 120_000;
const SECRET = 'the secret of both releases in this test';
const previous = readPreviousRelease();

let dataDir: string;
let postgres: EmbeddedPostgres;
let database: PostgresConnection;
let previousServer: ServerProcess;
let firm: SmokeFirm;

const startServer = async (script?: string) =>
  startServerProcess(
    dataDir,
    await findFreePort(),
    { DATABASE_URL: toDatabaseUrl(database), SESSION_SECRET: SECRET, DATABASE_POOL: '4' },
    script,
  );
const startPreviousServer = () => startServer(join(checkOutRelease(previous), 'apps/server/src/main.ts'));

type Rows = Readonly<Record<string, readonly Record<string, unknown>[]>>;

/** Reads all tables of the product except those that change although no one does anything. */
async function readRows(): Promise<Rows> {
  return withOwnerClient(database, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'rate_limits')`,
    );
    const rows: [string, Record<string, unknown>[]][] = [];
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from ${name} t order by t::text`);
      rows.push([name, found.rows.map(({ row }) => row)]);
    }
    return Object.fromEntries(rows);
  });
}

/** Adds a column to every table, one table per migration, as later releases may: a running server must not depend on their number. */
async function addColumnToEveryTable(tables: readonly string[]): Promise<void> {
  const dir = join(dataDir, 'later-migrations');
  await cp(MIGRATIONS_DIR, dir, { recursive: true });
  for (const table of tables) await writeFile(join(dir, `9999_${table}.sql`), `alter table ${table} add column later_column text`);
  await migrate(database, dir);
}

/** Lists the rows of `before` that are missing or different in `after`, by the columns that both have. */
function listChangedRows(before: Rows, after: Rows): string[] {
  return Object.entries(before).flatMap(([table, rows]) => {
    const kept = after[table];
    if (!kept) return [];
    const columns = new Set(kept.flatMap((row) => Object.keys(row)));
    const toText = (row: Record<string, unknown>) =>
      `${table} ${JSON.stringify(Object.entries(row).filter(([column]) => columns.has(column) && column in (rows[0] ?? {})))}`;
    const found = new Set(kept.map(toText));
    return rows.map(toText).filter((row) => !found.has(row));
  });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callout-upgrade-'));
  // The releases share a PostgreSQL server of their own, because setting up logins affects all databases of a server.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir: join(dataDir, 'server'), log: () => undefined, settings });
  database = postgres.connection;
  previousServer = await startPreviousServer();
  firm = await runSmokeTest(previousServer.url);
}, TEST_TIMEOUT_MS);

afterAll(async () => {
  await previousServer.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe(`an upgrade from release ${previous.version}`, () => {
  it('migrates while people work with the previous release, and changes no stored value', { timeout: TEST_TIMEOUT_MS }, async () => {
    const before = await readRows();
    await prepareDatabase({ owner: database }, [SECRET]);
    await Promise.all([addColumnToEveryTable(Object.keys(before)), runSmokeTest(previousServer.url)]);
    expect(before['invoices']?.length).toBe(1);
    expect(listChangedRows(before, await readRows())).toEqual([]);
  });

  it('lets the previous release work on, and start again, with the new schema', { timeout: TEST_TIMEOUT_MS }, async () => {
    await runSmokeTest(previousServer.url);
    const records = await readSmokeFirm(previousServer.url, firm);
    await previousServer.stop();
    previousServer = await startPreviousServer();
    expect(await readSmokeFirm(previousServer.url, firm)).toEqual(records);
    await runSmokeTest(previousServer.url);
  });

  it('lets both releases serve the same data, to the same sessions', { timeout: TEST_TIMEOUT_MS }, async () => {
    const records = await readSmokeFirm(previousServer.url, firm);
    const server = await startServer();
    try {
      expect(await readSmokeFirm(server.url, firm)).toMatchObject(records);
      expect(await readSmokeFirm(server.url, firm, await signIn(server.url, firm.credentials))).toMatchObject(records);
      const created = await runSmokeTest(server.url);
      expect(await readSmokeFirm(server.url, created)).toMatchObject(await readSmokeFirm(previousServer.url, created));
    } finally {
      await server.stop();
    }
  });
});

it('a checkout without the history says which commit is missing', () => {
  const commit = '0'.repeat(40);
  expect(() => checkOutRelease({ version: '0.0.9', commit })).toThrow(
    `Testing the upgrade from release 0.0.9 needs its commit ${commit}, which this checkout lacks.`,
  );
});
