import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { AlreadyRunning, holderName, takeInstanceLock } from './instance-lock.ts';
import { type Launch, launch, launchError, lostTheRace, type Place } from './postmaster.ts';
import { clearFileOfTheDead, type PostmasterFile, postmasterLives, readPostmasterFile } from './postmaster-file.ts';
import { type Address, ensureSocketFolder } from './socket-folder.ts';

/** The database runs and this process is the one that works on it. */
export interface Up {
  readonly lock: pg.Client;
  /** Settles when the connection that holds the lock has ended. */
  readonly lockLost: Promise<void>;
  readonly address: Address;
}

const PATIENCE_MS = 30_000;
const TELL_AFTER_MS = 5_000;

/** Attaches to the database that already runs on the cluster, or starts one, and takes the instance lock; waits for crash recovery. */
export async function bringUp(place: Place, log: (line: string) => void, signal?: AbortSignal): Promise<Up> {
  const began = Date.now();
  let launched: Launch | undefined;
  let told = false;
  for (;;) {
    const file = await readPostmasterFile(place.clusterDir);
    // Not between a launch and its file: a database that nobody knows of would stay behind.
    if (file || !launched || launched.ended) signal?.throwIfAborted();
    const answer = await connectTo(place, file);
    if (typeof answer === 'object') {
      const up = await claim(place, answer);
      if (up) return up;
    }
    const waited = Date.now() - began;
    if (answer === 'busy' && waited > TELL_AFTER_MS && !told) {
      told = true;
      log('The database is still recovering from its last end; waiting for it.');
    }
    if (answer === 'silent') launched = await launchIfNobodyDoes(place, file, launched, waited);
    await pause(20, undefined, { signal }).catch(() => undefined);
  }
}

async function launchIfNobodyDoes(
  place: Place,
  file: PostmasterFile | undefined,
  last: Launch | undefined,
  waited: number,
): Promise<Launch | undefined> {
  if (last && !last.ended) return last;
  if (file && postmasterLives(place.clusterDir, file)) {
    if (waited < PATIENCE_MS) return last;
    throw new EmbeddedPostgresError(
      `A database (process ${file.pid}) runs on ${place.clusterDir} but does not answer in ${file.socketDir}: end it with "kill -INT ${file.pid}" and start again.`,
    );
  }
  if (last && (!lostTheRace(last) || waited > PATIENCE_MS)) throw launchError(place, last);
  if (file) await clearFileOfTheDead(place.clusterDir, file);
  await ensureSocketFolder(place.address.host, place.account);
  return launch(place);
}

/** A client, or 'busy' for a database that lives but takes no connections yet, or 'silent' when nothing answers. */
async function connectTo(place: Place, file: PostmasterFile | undefined): Promise<Up | 'busy' | 'silent'> {
  const address = addressOf(place, file);
  if (!address) return 'silent';
  if (file && !file.ready && postmasterLives(place.clusterDir, file)) return 'busy';
  const lock = new pg.Client({
    ...address,
    user: SUPERUSER,
    database: 'postgres',
    ...(place.password === undefined ? {} : { password: place.password }),
    application_name: holderName(),
    connectionTimeoutMillis: 10_000,
  });
  lock.on('error', () => undefined);
  const lockLost = new Promise<void>((resolve) => lock.once('end', () => resolve()));
  try {
    await lock.connect();
    return { lock, lockLost, address };
  } catch (error) {
    await lock.end().catch(() => undefined);
    return meaningOf(error);
  }
}

function addressOf(place: Place, file: PostmasterFile | undefined): Address | undefined {
  if (!file?.port) return undefined;
  if (process.platform === 'win32') return { host: place.address.host, port: file.port };
  return file.socketDir === '' ? undefined : { host: file.socketDir, port: file.port };
}

/** Throws on when the error does not mean that the database is away for the moment. */
function meaningOf(error: unknown): 'busy' | 'silent' {
  const code = (error as { code?: string }).code ?? '';
  // 57P0x: starting, recovering or shutting down; 53xxx: out of connections for the moment.
  if (/^(57P0|53)/.test(code)) return 'busy';
  // A system error, or a connection that was cut while it was being made.
  if (/^E[A-Z]+$/.test(code) || code === '') return 'silent';
  throw error;
}

/** Undefined when the database ended in between: the next round starts it again. */
async function claim(place: Place, up: Up): Promise<Up | undefined> {
  try {
    await takeInstanceLock(up.lock, place.dataDir);
    return up;
  } catch (error) {
    await up.lock.end().catch(() => undefined);
    if (error instanceof AlreadyRunning) throw error;
    meaningOf(error);
    return undefined;
  }
}
