import { access, constants, mkdir, readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { accountFor } from './account.ts';
import { binariesFor } from './binaries.ts';
import { bringUp } from './bring-up.ts';
import { ensureCluster, passwordFile, removeHalfMadeClusters, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import type { Place } from './postmaster.ts';
import { followServerLog } from './server-log.ts';
import { isDurable } from './settings.ts';
import { freePort, PORT, socketFolder } from './socket-folder.ts';
import { supervise } from './supervise.ts';

export interface EmbeddedPostgresOptions {
  /** Callout's DATA_DIR: the cluster lives in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** PostgreSQL settings over the defaults; `fsync: 'off'` also makes the cluster without waiting for the disk. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The database is gone and can't be brought back, or another Callout has taken the data meanwhile. */
  readonly onFatal?: (error: Error) => void;
}

/** In the words of the driver: spread it into a pool's configuration. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Only on Windows. */
  readonly password?: string;
}

export interface EmbeddedPostgres {
  readonly connection: PostgresConnection;
  /** Where this Callout answers, told to a second start on the same data. */
  announce(url: string): Promise<void>;
  stop(): Promise<void>;
}

export const DATABASE = 'callout';

/**
 * Runs PostgreSQL for one data folder and keeps it running. Throws AlreadyRunning when another Callout works on the same data, and
 * EmbeddedPostgresError, with one sentence for the person at the terminal, when the database can't run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const place = await prepare(options);
  try {
    const up = await bringUp(place, options.log);
    await removeHalfMadeClusters(place.dataDir);
    await ensureDatabase(up.lock, DATABASE);
    const settled = { ...place, address: up.address };
    return { connection: connectionTo(settled), ...supervise(settled, up, options) };
  } catch (error) {
    place.serverLog.close();
    throw error;
  }
}

async function prepare({ dataDir: given, log, settings = {} }: EmbeddedPostgresOptions): Promise<Place> {
  const dataDir = await writableFolder(resolve(given));
  const clusterDir = join(dataDir, 'postgres');
  const account = await accountFor(clusterDir);
  const binaries = await binariesFor(account);
  await ensureCluster(clusterDir, binaries, account, isDurable(settings));
  const windows = process.platform === 'win32';
  return {
    dataDir,
    clusterDir,
    account,
    binaries,
    address: windows ? { host: '127.0.0.1', port: await freePort() } : { host: socketFolder(dataDir, account), port: PORT },
    password: windows ? await readFile(passwordFile(clusterDir), 'utf8') : undefined,
    settings,
    serverLog: followServerLog(join(dataDir, 'postgres.log'), account, log),
  };
}

async function writableFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    return await realpath(path);
  } catch (error) {
    throw new EmbeddedPostgresError(`DATA_DIR ${path} can't be written to (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function connectionTo({ address, password }: Place): PostgresConnection {
  return { ...address, user: SUPERUSER, database: DATABASE, ...(password === undefined ? {} : { password }) };
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
}
