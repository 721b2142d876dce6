import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresConnection, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { type App, createApp } from '../apps/server/src/app.ts';
import { EMBEDDED_DATABASE, readConfig } from '../apps/server/src/config.ts';
import { createLogger } from '../apps/server/src/log.ts';
import { prepareDatabase } from '../apps/server/src/platform/db/migrate.ts';
import { recordScenarios, type Scenario } from './scenarios.ts';
import { readSeededCompany, seedDatabase } from './seed-database.ts';
import { type SignedInCompany, signIn, signUpCompany } from './signed-in-company.ts';
import { createSqlRecorder } from './sql-recorder.ts';

/** Everything that must exist before the first measurement. */
export interface BenchEnvironment {
  readonly folder: string;
  readonly clusterDir: string;
  readonly database: PostgresConnection;
  readonly poolSize: number;
  readonly company: SignedInCompany;
  readonly staffId: string;
  /** Environment variables for the Callout server. All settings except the database, data folder, port and host have their defaults. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a statement as the table owner. */
  execute(statement: string): Promise<void>;
  tearDown(): Promise<void>;
}

const EXIT_CODE_INTERRUPTED = 130;

/** Starts a small database in a temporary folder, seeds it and records the scenarios. */
export async function createBenchEnvironment(
  isChosen: (key: string) => boolean,
): Promise<BenchEnvironment & { readonly scenarios: readonly Scenario[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'callout-bench-'));
  return startEnvironment(folder, { isKept: false }, async ({ app, recordAs, database }) => {
    const company = await signUpCompany(app);
    await seedDatabase(database, company.companyId, 'small');
    const seeded = await readSeededCompany(database, company.companyId);
    return { company, staffId: seeded.staffId, scenarios: await recordScenarios(await recordAs(company.cookie), seeded, isChosen) };
  });
}

/** Opens the large database in `folder`. Seeding takes minutes, so the folder is kept, and a later run migrates and reuses it. */
export async function openLargeEnvironment(folder: string): Promise<BenchEnvironment> {
  const marker = join(folder, 'seeded.json');
  // A run that was interrupted while seeding leaves an unusable database.
  if (!existsSync(marker)) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return startEnvironment(folder, { isKept: true }, async ({ app, database }) => {
    if (!existsSync(marker)) {
      const { companyId } = await signUpCompany(app);
      await seedDatabase(database, companyId, 'large');
      writeFileSync(marker, JSON.stringify({ companyId }));
    }
    const { companyId } = JSON.parse(readFileSync(marker, 'utf8')) as { companyId: string };
    const { staffId } = await readSeededCompany(database, companyId);
    return { company: { companyId, cookie: await signIn(app) }, staffId };
  });
}

interface SetupTools {
  readonly app: App;
  readonly recordAs: ReturnType<typeof createSqlRecorder>;
  readonly database: { readonly connectionString: string };
  /** Environment variables for the Callout server. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a database with the durability settings of production, migrates it and runs `setUp` while the app is open. */
export async function startEnvironment<Prepared extends object>(
  folder: string,
  { isKept }: { readonly isKept: boolean },
  setUp: (tools: SetupTools) => Promise<Prepared>,
) {
  // When started by root, the database runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined });
  const stop = async () => {
    await postgres.stop();
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  };
  let stopped: Promise<void> | undefined;
  const tearDown = () => (stopped ??= stop());
  // Stop the database on Ctrl-C. Otherwise, it would keep running.
  const exitOnSignal = () => void tearDown().then(() => process.exit(EXIT_CODE_INTERRUPTED));
  process.once('SIGINT', exitOnSignal).once('SIGTERM', exitOnSignal);
  try {
    const env = { DATABASE_URL: buildDatabaseUrl(postgres.connection), DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
    const config = readConfig(env);
    const database = { connectionString: env.DATABASE_URL };
    const { logins } = await prepareDatabase({ owner: database }, config.databaseSecrets);
    const app = await createApp({ config, logins, log: createLogger('silent'), now: () => new Date() });
    const recordAs = createSqlRecorder(app);
    let prepared: Prepared;
    try {
      prepared = await setUp({ app, recordAs, database, env });
    } finally {
      await app.close();
    }
    const execute = (statement: string) => executeAsOwner(postgres.connection, statement);
    const poolSize = config.databasePoolSize;
    return { folder, clusterDir: join(dataDir, 'postgres'), database: postgres.connection, poolSize, env, ...prepared, execute, tearDown };
  } catch (error) {
    await tearDown();
    throw error;
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
