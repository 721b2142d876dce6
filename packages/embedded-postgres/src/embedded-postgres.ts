import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { ensureLockRole, ensurePassword, getSuperuserLogin, readPassword, secureRunningServer } from './authentication.ts';
import { resolveBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { connectAsLockHolder, connectOrLaunch } from './connect-or-launch.ts';
import { LOG_FILE, PASSWORD_FILE, prepareDataFolder, removeTemporaryFiles, restrictDataFolder } from './data-folder.ts';
import { chooseEndpoint } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { acquireInstanceLock } from './instance-lock.ts';
import type { PostgresInstance } from './postmaster.ts';
import { getEndpoint, isPostmasterAlive, readPostmasterFile } from './postmaster-file.ts';
import { followServerLog } from './server-log.ts';
import { isFsyncEnabled } from './server-settings.ts';
import { superviseDatabase } from './supervise-database.ts';
import { resolveAccount } from './system-account.ts';

export interface EmbeddedDatabaseOptions {
  /** Folder that contains the cluster (in `postgres`), the log, the password file and the socket folder. */
  readonly dataDir: string;
  /** The app's name, used in messages and for folders outside the data folder. */
  readonly appName: string;
  readonly superuser: string;
  /** Name of the app's database, which is created on first start. */
  readonly database: string;
}

export interface EmbeddedPostgresOptions extends EmbeddedDatabaseOptions {
  readonly log: (line: string) => void;
  /** PostgreSQL settings that override the defaults. `fsync: 'off'` also creates the cluster without waiting for the disk. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called if the database can't be restarted or another process has taken over the data. */
  readonly onFatalError?: (error: Error) => void;
}

/** Connection settings of the superuser, to spread into a `pg` pool's configuration. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface EmbeddedPostgres {
  readonly connection: PostgresConnection;
  /** Publishes the app's URL, so that a second start on the same data can report it. */
  announceUrl(url: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs PostgreSQL for one data folder and keeps it running. Throws AlreadyRunningError if another process uses the same data, and
 * EmbeddedPostgresError, with a message for the person at the terminal, if the database can't run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database } = options;
  const prepared = await prepareInstance(options);
  try {
    await setUpDatabase(prepared, database);
    const session = await connectAsLockHolder(prepared);
    const instance = { ...prepared, endpoint: session.endpoint };
    await removeTemporaryFiles(instance.dataDir);
    const connection = { ...session.endpoint, ...getSuperuserLogin(instance), database };
    return { connection, ...superviseDatabase(instance, session, options.onFatalError) };
  } catch (error) {
    prepared.serverLog.close();
    throw error;
  }
}

/** Returns the superuser's connection settings for the database running on a data folder; undefined if none is running. */
export async function findRunningPostgres(options: EmbeddedDatabaseOptions): Promise<PostgresConnection | undefined> {
  const dataDir = await realpath(options.dataDir).catch(() => undefined);
  if (dataDir === undefined) return undefined;
  const clusterDir = join(dataDir, 'postgres');
  const file = await readPostmasterFile(clusterDir);
  if (!file?.isReady || !isPostmasterAlive(clusterDir, file)) return undefined;
  const endpoint = getEndpoint(file);
  const password = await readPassword(dataDir);
  if (password === undefined) {
    throw new EmbeddedPostgresError(
      `A database is running on ${clusterDir}, but ${join(dataDir, PASSWORD_FILE)} is missing. Restart ${options.appName} to create it.`,
    );
  }
  return endpoint && { ...endpoint, user: options.superuser, password, database: options.database };
}

async function prepareInstance(options: EmbeddedPostgresOptions): Promise<PostgresInstance> {
  const { appName, superuser, log, settings = {} } = options;
  const dataDir = await prepareDataFolder(resolve(options.dataDir));
  const clusterDir = join(dataDir, 'postgres');
  const account = await resolveAccount(dataDir, clusterDir, appName);
  await restrictDataFolder(dataDir, account);
  const binaries = await resolveBinaries(account, appName);
  await ensureCluster({ clusterDir, appName, superuser, binaries, account, shouldSync: isFsyncEnabled(settings) });
  return {
    appName,
    dataDir,
    clusterDir,
    superuser,
    password: await ensurePassword(dataDir, account),
    account,
    binaries,
    endpoint: await chooseEndpoint(dataDir, account, appName),
    settings,
    serverLog: followServerLog(join(dataDir, LOG_FILE), account, log),
    log,
  };
}

/** Uses a short superuser session that ends before the app starts. The session that stays open can only hold the lock. */
async function setUpDatabase(instance: PostgresInstance, database: string): Promise<void> {
  const session = await connectOrLaunch(instance, {
    login: getSuperuserLogin(instance),
    async prepare({ client, isAttached }) {
      await acquireInstanceLock(client, instance);
      if (isAttached) await secureRunningServer(client, instance);
      await ensureLockRole(client, instance);
      await ensureDatabase(client, database);
    },
  });
  await session.client.end();
}

async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
}
