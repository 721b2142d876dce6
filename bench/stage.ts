import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresConnection, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import { createApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { EMBEDDED_DATABASE } from '../apps/server/src/embedded-database.ts';
import { createLog } from '../apps/server/src/log.ts';
import { prepareDatabase } from '../apps/server/src/platform/db/migrate.ts';
import { fillDatabase } from './fill-database.ts';
import { createRecorder } from './recorded-statements.ts';
import { recordScenarios, type Scenario } from './scenarios.ts';
import { type SignedInCompany, signUpCompany } from './signed-in-company.ts';

/** Everything that must be there before the first request is measured. */
export interface Stage {
  readonly folder: string;
  readonly clusterDir: string;
  readonly database: PostgresConnection;
  readonly poolSize: number;
  readonly company: SignedInCompany;
  readonly scenarios: readonly Scenario[];
  /** For the product: its own defaults, but for where the data is. */
  readonly environment: Readonly<Record<string, string>>;
  strike(): Promise<void>;
}

const INTERRUPTED = 130;

/** A database as durable as in production, in a folder of its own. */
export async function setStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'callout-bench-'));
  // As root the database runs under an ordinary account, which must reach its data.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log: () => undefined });
  const clear = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  let cleared: Promise<void> | undefined;
  const strike = () => (cleared ??= clear());
  // Interrupted, the database would otherwise go on unseen.
  const interrupted = () => void strike().then(() => process.exit(INTERRUPTED));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const environment = { DATABASE_URL: databaseUrl(postgres.connection), DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
    const prepared = await prepare(environment);
    return { folder, clusterDir: join(dataDir, 'postgres'), database: postgres.connection, environment, ...prepared, strike };
  } catch (error) {
    await strike();
    throw error;
  }
}

async function prepare(environment: Readonly<Record<string, string>>) {
  const config = readConfig(environment);
  const database = { connectionString: environment['DATABASE_URL'] ?? '' };
  const { logins } = await prepareDatabase(database, config.sessionSecret);
  const app = await createApp({ config, logins, log: createLog('silent'), now: () => new Date() });
  try {
    const recordAs = createRecorder(app);
    const company = await signUpCompany(app);
    const customers = await fillDatabase(database, company.companyId);
    const scenarios = await recordScenarios(await recordAs(company.cookie), customers);
    return { company, scenarios, poolSize: config.databasePool };
  } finally {
    await app.close();
  }
}

function databaseUrl({ host, port, user, password, database }: PostgresConnection): string {
  const account = [user, password].map(encodeURIComponent);
  return `postgres://${account.join(':')}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
