import { startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { type Config, ConfigError, describeDatabaseError, EMBEDDED_DATABASE, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { describeConnectionFailure } from './platform/db/connection-failure.ts';
import { DatabaseSetupError } from './platform/db/database-logins.ts';
import { prepareDatabase } from './platform/db/migrate.ts';
import type { Platform } from './platform/http/platform.ts';

/** What was started, in order; stopped in reverse order. */
type Started = (() => Promise<void>)[];

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const started: Started = [];
  let stopping: Promise<void> | undefined;
  const stopOnce = () => (stopping ??= stop(started));
  const starting = start(config, started);
  // A signal during startup is handled after it, so that no database is left running, whether it succeeds or fails.
  stopOnSignal(async () => {
    try {
      await starting;
    } finally {
      await stopOnce();
    }
  });
  try {
    const url = await starting;
    process.stdout.write(`Callout is ready at ${url}\n`);
  } catch (error) {
    await stopOnce();
    throw error;
  }
}

async function start(config: Config, started: Started): Promise<string> {
  const log = createLog(config.logLevel);
  const database = await openDatabase(config, (line) => log.debug({ part: 'database' }, line));
  started.push(() => database.stop());
  const { logins, weakness } = await prepareDatabase(database.connection, config.sessionSecret);
  if (weakness) log.warn({ part: 'database' }, weakness);
  // Loading the server takes seconds: wrong settings are reported first.
  const { createApp } = await import('./app.ts');
  const app = await createApp({ config, logins, log, now: () => new Date() });
  started.push(() => app.close());
  await app.server.listen({ port: config.port, host: config.host });
  const url = `http://localhost:${portOf(app.server.server.address())}`;
  await database.announce(url);
  if (config.demo) await showDemo(app.platform);
  // Flush the log so that the ready line comes last.
  await new Promise((written) => log.flush(written));
  return url;
}

async function stop(started: Started): Promise<void> {
  for (const end of started.toReversed()) await end();
}

async function openDatabase(config: Config, log: (line: string) => void) {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl };
    const unreachable = await describeConnectionFailure(connection);
    if (unreachable) throw new ConfigError([`DATABASE_URL cannot be reached: ${unreachable}`]);
    return { connection, announce: async () => undefined, stop: async () => undefined };
  }
  const { dataDir } = config;
  const embedded = await startEmbeddedPostgres({ ...EMBEDDED_DATABASE, dataDir, log, onFatal: fail });
  return { ...embedded, connection: embedded.connection };
}

async function showDemo(platform: Platform): Promise<void> {
  const { DEMO_PASSWORD, DEMO_PEOPLE, seedDemo } = await import('./demo/seed-demo.ts');
  await seedDemo(platform);
  for (const { name, email, role } of DEMO_PEOPLE) process.stdout.write(`Sign in as ${role} ${name}: ${email} with ${DEMO_PASSWORD}\n`);
}

function portOf(address: string | { port: number } | null): number {
  return typeof address === 'object' && address ? address.port : 0;
}

/** The first signal shuts down gracefully, the second one immediately. */
function stopOnSignal(end: () => Promise<void>): void {
  let stopping = false;
  const begin = () => {
    if (stopping) process.exit(1);
    stopping = true;
    end().then(() => process.exit(0), fail);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, begin);
  // The launcher was killed and can't pass a signal on: without this the next start would find the data taken.
  process.once('disconnect', () => {
    if (!stopping) begin();
  });
}

/** One clear line for what a person can mend, the whole error for what only we can. */
function fail(error: unknown): never {
  if (error instanceof ConfigError) for (const line of error.lines) process.stderr.write(`${line}\n`);
  else if (error instanceof EmbeddedPostgresError) process.stderr.write(`${describeDatabaseError(error)}\n`);
  else if (error instanceof DatabaseSetupError) process.stderr.write(`${error.message}\n`);
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    process.stderr.write('PORT is in use by another program: choose another one\n');
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
