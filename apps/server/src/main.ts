import { startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import { type Config, ConfigError, EMBEDDED_DATABASE, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { formatOperatorError } from './operator-errors.ts';
import { describeConnectionFailure } from './platform/db/connection-failure.ts';
import { prepareDatabase, requirePreparedDatabase } from './platform/db/migrate.ts';
import type { Platform } from './platform/http/platform.ts';

/** Functions that stop each part of the server, in startup order. On shutdown, they are called in reverse order. */
type StopFunctions = (() => Promise<void>)[];

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const stopFunctions: StopFunctions = [];
  let stopping: Promise<void> | undefined;
  const stopOnce = () => (stopping ??= stop(stopFunctions));
  const starting = start(config, stopFunctions);
  // A signal during startup waits until startup has finished or failed. Otherwise, a database could be left running.
  const stopGracefully = async () => {
    try {
      await starting;
    } finally {
      await stopOnce();
    }
  };
  // The database starts first. Without it, there is nothing that must not be left running.
  stopOnSignal(stopGracefully, async () => stopFunctions[0]?.());
  try {
    const url = await starting;
    process.stdout.write(`Callout is ready at ${url}\n`);
  } catch (error) {
    await stopOnce();
    throw error;
  }
}

async function start(config: Config, stopFunctions: StopFunctions): Promise<string> {
  const log = createLogger(config.logLevel);
  process.on('uncaughtException', (error) => {
    log.fatal({ part: 'process', err: error }, 'Stopped by an unexpected error');
    process.exit(1);
  });
  const database = await openDatabase(config, (line) => log.debug({ part: 'database' }, line));
  let stoppingDatabase: Promise<void> | undefined;
  stopFunctions.push(() => (stoppingDatabase ??= database.stop()));
  const pooler = config.databasePoolUrl === undefined ? undefined : { connectionString: config.databasePoolUrl };
  const endpoints = { owner: database.connection, pooler };
  // Several servers may share the operator's database, so only `npm run migrate` changes it.
  const { logins, warning } = config.databaseUrl
    ? await requirePreparedDatabase(endpoints, config.databaseSecrets)
    : await prepareDatabase(endpoints, config.databaseSecrets, { onWait: (line) => log.warn({ part: 'database' }, line) });
  if (warning) log.warn({ part: 'database' }, warning);
  // Loading the server takes seconds, so invalid settings are reported before it is imported.
  const { createApp } = await import('./app.ts');
  const app = await createApp({ config, logins, log, now: () => new Date() });
  stopFunctions.push(() => app.close());
  await app.server.listen({ port: config.port, host: config.host });
  const url = `http://localhost:${getPort(app.server.server.address())}`;
  await database.announceUrl(url);
  if (config.isDemo) await seedDemoAndPrintLogins(app.platform);
  // Flush the log so that the ready line comes last.
  await new Promise((written) => log.flush(written));
  return url;
}

async function stop(stopFunctions: StopFunctions): Promise<void> {
  for (const stopPart of stopFunctions.toReversed()) await stopPart();
}

async function openDatabase(config: Config, log: (line: string) => void) {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl };
    const problem = await describeConnectionFailure(connection);
    if (problem) throw new ConfigError([`DATABASE_URL cannot be reached: ${problem}`]);
    return { connection, announceUrl: async () => undefined, stop: async () => undefined };
  }
  const { dataDir } = config;
  const embedded = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log, onFatalError: exitWithError });
  return { ...embedded, connection: embedded.connection };
}

async function seedDemoAndPrintLogins(platform: Platform): Promise<void> {
  const { DEMO_PASSWORD, DEMO_PEOPLE, seedDemo } = await import('./demo/seed-demo.ts');
  await seedDemo(platform);
  for (const { name, email, role } of DEMO_PEOPLE)
    process.stdout.write(`Sign in as ${name} (${role}): ${email}, password ${DEMO_PASSWORD}\n`);
}

function getPort(address: string | { port: number } | null): number {
  return typeof address === 'object' && address ? address.port : 0;
}

/** A terminal and a supervisor may both pass on the same signal. */
const REPEATED_SIGNAL_MS = 2_000;

/** Shuts down gracefully on the first signal. A later one no longer waits for calls and tasks, but still stops the database. */
function stopOnSignal(stopAll: () => Promise<void>, stopDatabase: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const beginStop = () => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now();
      stopAll().then(() => process.exit(0), exitWithError);
    } else if (performance.now() - stoppingSince > REPEATED_SIGNAL_MS) {
      stopDatabase().then(() => process.exit(1), exitWithError);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, beginStop);
  // A killed launcher can't forward signals, so also stop when it disconnects. Otherwise, the server would keep the data folder locked.
  process.once('disconnect', () => {
    if (stoppingSince === undefined) beginStop();
  });
}

function exitWithError(error: unknown): never {
  process.stderr.write(`${formatOperatorError(error)}\n`);
  process.exit(1);
}

main().catch(exitWithError);
