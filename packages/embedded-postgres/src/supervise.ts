import { rmdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { bringUpForHolder, type Session } from './bring-up.ts';
import { AlreadyRunningError } from './errors.ts';
import { formatHolder } from './instance-lock.ts';
import { type Instance, shutDown } from './postmaster.ts';

const MAX_BACKOFF_MS = 10_000;
/** With the pauses between them about three minutes. */
const MAX_ATTEMPTS = 25;
/** A database that ran this long before it ended is not in a crash loop. */
const STABLE_AFTER_MS = 60_000;

/** Keeps the database running until it is stopped. A closed lock connection means that it died, whoever launched it. */
export function supervise(instance: Instance, first: Session, onFatal?: (error: Error) => void) {
  const { log } = instance;
  const stopping = new AbortController();
  let holder = first;
  let url: string | undefined;
  let attempts = 0;
  let recovery = Promise.resolve();

  function watch(): void {
    const since = Date.now();
    void holder.ended.then(() => {
      if (stopping.signal.aborted) return;
      if (Date.now() - since > STABLE_AFTER_MS) attempts = 0;
      log('The database has ended unexpectedly; bringing it back.');
      recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(backoffFor(attempts), undefined, { signal: stopping.signal }).catch(() => undefined);
      attempts += 1;
      try {
        holder = await bringUpForHolder(instance, stopping.signal);
        await publishUrl();
        log('The database is back.');
        watch();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (error instanceof AlreadyRunningError || attempts >= MAX_ATTEMPTS) return fail(error);
        log(`The database did not come back, next attempt soon: ${errorMessage(error)}`);
      }
    }
  }

  function fail(error: unknown): void {
    const fatal = error instanceof Error ? error : new Error(errorMessage(error));
    if (onFatal) onFatal(fatal);
    else log(fatal.message);
  }

  async function publishUrl(): Promise<void> {
    if (url !== undefined) await holder.client.query("select set_config('application_name', $1, false)", [formatHolder(url)]);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await recovery;
    await shutDown(instance);
    await holder.client.end().catch(() => undefined);
    instance.serverLog.close();
    await removeSocketFolder(instance);
  }

  watch();
  let stopped: Promise<void> | undefined;
  return {
    announce: async (at: string) => {
      url = at;
      await publishUrl();
    },
    stop: () => (stopped ??= stop()),
  };
}

/** It may stay next to the data, but not in the system's temporary folder. */
async function removeSocketFolder({ endpoint, dataDir }: Instance): Promise<void> {
  if (!endpoint.host.startsWith(dataDir)) await rmdir(endpoint.host).catch(() => undefined);
}

function backoffFor(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(MAX_BACKOFF_MS, 100 * 2 ** attempts);
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
