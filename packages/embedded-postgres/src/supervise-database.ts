import { rmdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { connectAsLockHolder, type DatabaseSession } from './connect-or-launch.ts';
import { AlreadyRunningError } from './errors.ts';
import { formatApplicationName } from './instance-lock.ts';
import { type PostgresInstance, shutDownPostgres } from './postmaster.ts';

const MAX_BACKOFF_MS = 10_000;
/** All attempts together take about three minutes, including the backoff between attempts. */
const MAX_RESTART_ATTEMPTS = 25;
/** A database that ran for this long before it stopped is not in a crash loop. */
const STABLE_AFTER_MS = 60_000;

/** Keeps the database running until `stop` is called. A closed lock connection means that the database died, no matter who launched it. */
export function superviseDatabase(instance: PostgresInstance, initialSession: DatabaseSession, onFatalError?: (error: Error) => void) {
  const { log } = instance;
  const stopController = new AbortController();
  let session = initialSession;
  let url: string | undefined;
  let attempts = 0;
  let restart = Promise.resolve();

  function watchSession(): void {
    const since = Date.now();
    void session.ended.then(() => {
      if (stopController.signal.aborted) return;
      if (Date.now() - since > STABLE_AFTER_MS) attempts = 0;
      log('The database stopped unexpectedly. Restarting it.');
      restart = restartDatabase();
    });
  }

  async function restartDatabase(): Promise<void> {
    while (!stopController.signal.aborted) {
      await pause(calculateBackoffMs(attempts), undefined, { signal: stopController.signal }).catch(() => undefined);
      attempts += 1;
      try {
        session = await connectAsLockHolder(instance, stopController.signal);
        await publishUrl();
        log('The database is running again.');
        watchSession();
        return;
      } catch (error) {
        if (stopController.signal.aborted) return;
        if (error instanceof AlreadyRunningError || attempts >= MAX_RESTART_ATTEMPTS) return reportFatalError(error);
        log(`The database failed to restart and will be retried soon: ${getErrorMessage(error)}`);
      }
    }
  }

  function reportFatalError(error: unknown): void {
    const fatal = error instanceof Error ? error : new Error(getErrorMessage(error));
    if (onFatalError) onFatalError(fatal);
    else log(fatal.message);
  }

  async function publishUrl(): Promise<void> {
    if (url !== undefined) await session.client.query("select set_config('application_name', $1, false)", [formatApplicationName(url)]);
  }

  async function stop(): Promise<void> {
    stopController.abort();
    await restart;
    await shutDownPostgres(instance);
    await session.client.end().catch(() => undefined);
    instance.serverLog.close();
    await removeSocketFolder(instance);
  }

  watchSession();
  let stopped: Promise<void> | undefined;
  return {
    announceUrl: async (newUrl: string) => {
      url = newUrl;
      await publishUrl();
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Removes a socket folder in the system's temporary folder, but keeps one beside the data. */
async function removeSocketFolder({ endpoint, dataDir }: PostgresInstance): Promise<void> {
  if (!endpoint.host.startsWith(dataDir)) await rmdir(endpoint.host).catch(() => undefined);
}

function calculateBackoffMs(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(MAX_BACKOFF_MS, 100 * 2 ** attempts);
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
