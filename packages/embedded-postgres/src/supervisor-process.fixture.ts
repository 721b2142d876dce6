import { type EmbeddedDatabaseOptions, startEmbeddedPostgres } from './embedded-postgres.ts';

/** Runs a database until it receives SIGTERM, for tests that kill this process. */
const options = JSON.parse(process.argv[2] ?? '{}') as EmbeddedDatabaseOptions;

try {
  const postgres = await startEmbeddedPostgres({ ...options, log: () => undefined });
  process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
  process.stdout.write('up\n');
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`failed ${error instanceof Error ? error.message : String(error)}\n`);
}
