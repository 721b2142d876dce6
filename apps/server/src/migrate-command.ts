import { pluralize } from '@callout/domain/text/count-format';
import { findOrStartDatabase } from './backup/owner-database.sql.ts';
import { readConfig } from './config.ts';
import { formatOperatorError } from './operator-errors.ts';
import { prepareDatabase } from './platform/db/migrate.ts';

/** Migrates the database and sets up its logins. Prints each migration and a last line, and exits with code 1 on failure. */
async function runMigrateCommand(): Promise<void> {
  const abortController = new AbortController();
  const stop = () => (abortController.signal.aborted ? process.exit(1) : abortController.abort());
  // A disconnect means that the launcher was killed and can't forward signals, so stop then too.
  process.on('SIGINT', stop).on('SIGTERM', stop).once('disconnect', stop);
  try {
    process.stdout.write(`${await migrateDatabase(abortController.signal)}\n`);
  } catch (error) {
    const stopped = 'Stopped. The migration that was running was undone.';
    process.stderr.write(`${abortController.signal.aborted ? stopped : formatOperatorError(error)}\n`);
    process.exitCode = 1;
  }
  // Close the IPC channel to the launcher, which would otherwise keep the process alive.
  process.disconnect?.();
}

async function migrateDatabase(signal: AbortSignal): Promise<string> {
  const config = readConfig(process.env);
  const database = await findOrStartDatabase({ ...config, createIfMissing: true });
  try {
    const report = (line: string) => void process.stdout.write(`${line}\n`);
    const { ran, warning } = await prepareDatabase({ owner: database.connection }, config.databaseSecrets, {
      report,
      onWait: report,
      signal,
    });
    if (warning) process.stderr.write(`${warning}\n`);
    return ran.length === 0 ? 'The database was up to date.' : `The database is up to date: ${pluralize(ran.length, 'migration')} ran.`;
  } finally {
    await database.stop();
  }
}

await runMigrateCommand();
