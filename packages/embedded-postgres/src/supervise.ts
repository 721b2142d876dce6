import { rmdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { bringUp, type Up } from './bring-up.ts';
import { AlreadyRunning, holderName } from './instance-lock.ts';
import { type Place, shutDown } from './postmaster.ts';

interface Listeners {
  readonly log: (line: string) => void;
  readonly onFatal?: (error: Error) => void;
}

const LONGEST_PAUSE_MS = 10_000;
/** With the pauses between them about three minutes. */
const MOST_ATTEMPTS = 25;
/** A database that ran this long before it ended is not in a circle of crashes. */
const STEADY_MS = 60_000;

/** Keeps the database running until it is stopped. The end of the lock's connection tells that it died, whoever launched it. */
export function supervise(place: Place, first: Up, { log, onFatal }: Listeners) {
  const stopping = new AbortController();
  let up = first;
  let url: string | undefined;
  let attempts = 0;
  let recovery = Promise.resolve();

  function watch(): void {
    const since = Date.now();
    void up.lockLost.then(() => {
      if (stopping.signal.aborted) return;
      if (Date.now() - since > STEADY_MS) attempts = 0;
      log('The database has ended unexpectedly; bringing it back.');
      recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(pauseBefore(attempts), undefined, { signal: stopping.signal }).catch(() => undefined);
      attempts += 1;
      try {
        up = await bringUp(place, log, stopping.signal);
        await tellUrl();
        log('The database is back.');
        watch();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (error instanceof AlreadyRunning || attempts >= MOST_ATTEMPTS) return fail(error);
        log(`The database did not come back, next attempt soon: ${messageOf(error)}`);
      }
    }
  }

  function fail(error: unknown): void {
    const fatal = error instanceof Error ? error : new Error(messageOf(error));
    if (onFatal) onFatal(fatal);
    else log(fatal.message);
  }

  async function tellUrl(): Promise<void> {
    if (url !== undefined) await up.lock.query("select set_config('application_name', $1, false)", [holderName(url)]);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await recovery;
    await shutDown(place, log);
    await up.lock.end().catch(() => undefined);
    place.serverLog.close();
    await removeSocketFolder(place);
  }

  watch();
  let stopped: Promise<void> | undefined;
  return {
    announce: async (at: string) => {
      url = at;
      await tellUrl();
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Beside the data it may stay; in the system's folder for temporary files it would be litter. */
async function removeSocketFolder({ address, dataDir }: Place): Promise<void> {
  if (!address.host.startsWith(dataDir)) await rmdir(address.host).catch(() => undefined);
}

function pauseBefore(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 100 * 2 ** attempts);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
