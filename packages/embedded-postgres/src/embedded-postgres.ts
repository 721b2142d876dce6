import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { resolveAccount } from './account.ts';
import { ensureLockRole, ensurePassword, readPassword, secureRunningServer, superuserLogin } from './authentication.ts';
import { findBinaries } from './binaries.ts';
import { bringUp, bringUpForHolder } from './bring-up.ts';
import { ensureCluster } from './cluster.ts';
import { LOG_FILE, PASSWORD_FILE, prepareDataFolder, removeTemporaryFiles, restrictDataFolder } from './data-folder.ts';
import { chooseEndpoint } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { acquireInstanceLock } from './instance-lock.ts';
import type { Instance } from './postmaster.ts';
import { endpointOf, isPostmasterAlive, readPostmasterFile } from './postmaster-file.ts';
import { followServerLog } from './server-log.ts';
import { isDurable } from './server-settings.ts';
import { supervise } from './supervise.ts';

export interface DatabaseOptions {
  /** The cluster lives in its folder `postgres`, beside its log, its password and the folder of its socket. */
  readonly dataDir: string;
  /** The product's name, for messages and for folders outside the data folder. */
  readonly appName: string;
  readonly superuser: string;
  /** Made at the first start. */
  readonly database: string;
}

export interface EmbeddedPostgresOptions extends DatabaseOptions {
  readonly log: (line: string) => void;
  /** PostgreSQL settings over the defaults; `fsync: 'off'` also makes the cluster without waiting for the disk. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The database is down and can't be restarted, or another process has taken over the data. */
  readonly onFatal?: (error: Error) => void;
}

/** Driver options to spread into a pool's configuration. The user is the superuser. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface EmbeddedPostgres {
  readonly connection: PostgresConnection;
  /** The product's URL, shown to a second start on the same data. */
  announce(url: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs PostgreSQL for one data folder and keeps it running. Throws AlreadyRunningError when another process works on the same data, and
 * EmbeddedPostgresError, with one sentence for the person at the terminal, when the database can't run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database } = options;
  const prepared = await prepareInstance(options);
  try {
    await setUpServer(prepared, database);
    const holder = await bringUpForHolder(prepared);
    const instance = { ...prepared, endpoint: holder.endpoint };
    await removeTemporaryFiles(instance.dataDir);
    const connection = { ...holder.endpoint, ...superuserLogin(instance), database };
    return { connection, ...supervise(instance, holder, options.onFatal) };
  } catch (error) {
    prepared.serverLog.close();
    throw error;
  }
}

/** The superuser's connection to a database that already runs on a data folder, whoever runs it; undefined when none does. */
export async function findRunningPostgres(options: DatabaseOptions): Promise<PostgresConnection | undefined> {
  const dataDir = await realpath(options.dataDir).catch(() => undefined);
  if (dataDir === undefined) return undefined;
  const clusterDir = join(dataDir, 'postgres');
  const file = await readPostmasterFile(clusterDir);
  if (!file?.ready || !isPostmasterAlive(clusterDir, file)) return undefined;
  const endpoint = endpointOf(file);
  const password = await readPassword(dataDir);
  if (password === undefined) {
    throw new EmbeddedPostgresError(
      `A database runs on ${clusterDir}, but ${join(dataDir, PASSWORD_FILE)} is missing: stop ${options.appName} and start it once, which makes it.`,
    );
  }
  return endpoint && { ...endpoint, user: options.superuser, password, database: options.database };
}

async function prepareInstance(options: EmbeddedPostgresOptions): Promise<Instance> {
  const { appName, superuser, log, settings = {} } = options;
  const dataDir = await prepareDataFolder(resolve(options.dataDir));
  const clusterDir = join(dataDir, 'postgres');
  const account = await resolveAccount(dataDir, clusterDir, appName);
  await restrictDataFolder(dataDir, account);
  const binaries = await findBinaries(account, appName);
  await ensureCluster({ clusterDir, appName, superuser, binaries, account, durable: isDurable(settings) });
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

/** A short superuser session that ends before the product starts; the session that stays open holds the lock and has no privileges. */
async function setUpServer(instance: Instance, database: string): Promise<void> {
  const session = await bringUp(instance, {
    login: superuserLogin(instance),
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
