import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresConnection, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { createApp } from '../apps/server/src/app.ts';
import { EMBEDDED_DATABASE, readConfig } from '../apps/server/src/config.ts';
import { createLogger } from '../apps/server/src/log.ts';
import { prepareDatabase } from '../apps/server/src/platform/db/migrate.ts';
import { recordScenarios, type Scenario } from './scenarios.ts';
import { seedDatabase } from './seed-database.ts';
import { type SignedInCompany, signUpCompany } from './signed-in-company.ts';
import { createSqlRecorder } from './sql-recorder.ts';

/** Everything that must exist before the first measurement. */
export interface BenchEnvironment {
  readonly folder: string;
  readonly clusterDir: string;
  readonly database: PostgresConnection;
  readonly poolSize: number;
  readonly company: SignedInCompany;
  readonly scenarios: readonly Scenario[];
  /** Environment variables for the Callout server. All settings except the database, data folder, port and host have their defaults. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a statement as the table owner. */
  execute(statement: string): Promise<void>;
  tearDown(): Promise<void>;
}

const EXIT_CODE_INTERRUPTED = 130;

/** Starts a database in a temporary folder with the durability settings of production, seeds it and records the scenarios. */
export async function createBenchEnvironment(): Promise<BenchEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), 'callout-bench-'));
  // When started by root, the database runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined });
  const stop = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  let stopped: Promise<void> | undefined;
  const tearDown = () => (stopped ??= stop());
  // Stop the database on Ctrl-C. Otherwise, it would keep running.
  const exitOnSignal = () => void tearDown().then(() => process.exit(EXIT_CODE_INTERRUPTED));
  process.once('SIGINT', exitOnSignal).once('SIGTERM', exitOnSignal);
  try {
    const env = { DATABASE_URL: buildDatabaseUrl(postgres.connection), DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
    const prepared = await seedAndRecord(env);
    const execute = (statement: string) => executeAsOwner(postgres.connection, statement);
    return { folder, clusterDir: join(dataDir, 'postgres'), database: postgres.connection, env, ...prepared, execute, tearDown };
  } catch (error) {
    await tearDown();
    throw error;
  }
}

async function seedAndRecord(env: Readonly<Record<string, string>>) {
  const config = readConfig(env);
  const database = { connectionString: env['DATABASE_URL'] ?? '' };
  const { logins } = await prepareDatabase(database, config.sessionSecret);
  const app = await createApp({ config, logins, log: createLogger('silent'), now: () => new Date() });
  try {
    const recordAs = createSqlRecorder(app);
    const company = await signUpCompany(app);
    const filled = await seedDatabase(database, company.companyId);
    const scenarios = await recordScenarios(await recordAs(company.cookie), filled);
    return { company, scenarios, poolSize: config.databasePoolSize };
  } finally {
    await app.close();
  }
}

async function executeAsOwner(connection: PostgresConnection, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function buildDatabaseUrl({ host, port, user, password, database }: PostgresConnection): string {
  const account = [user, password].map(encodeURIComponent);
  return `postgres://${account.join(':')}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
