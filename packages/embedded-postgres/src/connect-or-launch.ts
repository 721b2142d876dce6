import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createWrongPasswordError, type DatabaseLogin, getLockHolderLogin, LOCK_DATABASE, secureStoppedCluster } from './authentication.ts';
import { ensureSocketFolder, type PostgresEndpoint } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { acquireInstanceLock, formatApplicationName } from './instance-lock.ts';
import { createLaunchError, hasLostLaunchRace, type LaunchedProcess, launchPostmaster, type PostgresInstance } from './postmaster.ts';
import { getEndpoint, isPostmasterAlive, type PostmasterFile, readPostmasterFile, removeStaleLockFiles } from './postmaster-file.ts';

export interface DatabaseSession {
  readonly client: pg.Client;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  readonly endpoint: PostgresEndpoint;
  /** Whether another process, possibly of an earlier version, launched the database. */
  readonly isAttached: boolean;
}

interface ConnectOptions {
  readonly login: DatabaseLogin;
  /** Runs on each new connection. If the database stops before `prepare` completes, it runs again on the next connection. */
  readonly prepare: (session: DatabaseSession) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

const STARTUP_TIMEOUT_MS = 30_000;
const RECOVERY_NOTICE_DELAY_MS = 5_000;

/** Connects and locks the database, so that no other process can use it until the session ends. */
export function connectAsLockHolder(instance: PostgresInstance, signal?: AbortSignal): Promise<DatabaseSession> {
  const prepare = ({ client }: DatabaseSession) => acquireInstanceLock(client, instance);
  return connectOrLaunch(instance, { login: getLockHolderLogin(instance), prepare, signal });
}

/** Attaches to the database that is already running on the cluster, or launches one. Waits until crash recovery is done. */
export async function connectOrLaunch(instance: PostgresInstance, { login, prepare, signal }: ConnectOptions): Promise<DatabaseSession> {
  const startedAt = Date.now();
  let launched: LaunchedProcess | undefined;
  let isRecoveryReported = false;
  for (;;) {
    const file = await readPostmasterFile(instance.clusterDir);
    // Never abort after a launch but before its lock file exists: that would leave an untracked database running.
    if (file || !launched || launched.hasExited) signal?.throwIfAborted();
    const result = await tryToConnect(instance, login, file, launched);
    if (typeof result === 'object' && (await tryToPrepare(result, prepare))) return result;
    const waitedMs = Date.now() - startedAt;
    if (result === 'busy' && waitedMs > RECOVERY_NOTICE_DELAY_MS && !isRecoveryReported) {
      isRecoveryReported = true;
      instance.log('The database is still recovering from its last shutdown. Waiting for it.');
    }
    if (result === 'silent') launched = await launchIfNotRunning(instance, file, launched, waitedMs);
    await pause(20, undefined, { signal }).catch(() => undefined);
  }
}

async function launchIfNotRunning(
  instance: PostgresInstance,
  file: PostmasterFile | undefined,
  lastLaunch: LaunchedProcess | undefined,
  waitedMs: number,
): Promise<LaunchedProcess | undefined> {
  const { clusterDir, endpoint, account } = instance;
  if (lastLaunch && !lastLaunch.hasExited) return lastLaunch;
  if (file && isPostmasterAlive(clusterDir, file)) {
    if (waitedMs < STARTUP_TIMEOUT_MS) return lastLaunch;
    throw new EmbeddedPostgresError(
      `A database (process ${file.pid}) is running on ${clusterDir} but does not respond in ${file.socketDir}. Stop it with "kill -INT ${file.pid}" and start again.`,
    );
  }
  if (lastLaunch && (!hasLostLaunchRace(lastLaunch.output) || waitedMs > STARTUP_TIMEOUT_MS))
    throw createLaunchError(instance, lastLaunch.output);
  if (file) await removeStaleLockFiles(clusterDir, file);
  await ensureSocketFolder(endpoint.host, account);
  const output = await secureStoppedCluster(instance);
  return output ? { pid: undefined, hasExited: true, output } : launchPostmaster(instance);
}

/** Returns a session, 'busy' if the database runs but accepts no connections yet, or 'silent' if nothing responds. */
async function tryToConnect(
  instance: PostgresInstance,
  login: DatabaseLogin,
  file: PostmasterFile | undefined,
  launched: LaunchedProcess | undefined,
): Promise<DatabaseSession | 'busy' | 'silent'> {
  const endpoint = file && getEndpoint(file);
  if (!endpoint) return 'silent';
  if (!file.isReady && isPostmasterAlive(instance.clusterDir, file)) return 'busy';
  const client = new pg.Client({
    ...endpoint,
    ...login,
    database: LOCK_DATABASE,
    application_name: formatApplicationName(),
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  try {
    await client.connect();
    return { client, ended, endpoint, isAttached: file.pid !== launched?.pid };
  } catch (error) {
    await client.end().catch(() => undefined);
    if (getErrorCode(error).startsWith('28')) throw createWrongPasswordError(instance, file.pid);
    return classifyConnectionError(error);
  }
}

/** Tells whether the database is 'busy' or 'silent'. Rethrows errors that don't mean it is temporarily unavailable. */
function classifyConnectionError(error: unknown): 'busy' | 'silent' {
  const code = getErrorCode(error);
  // 57P0x means starting, recovering or shutting down; 53xxx means out of connections.
  if (/^(57P0|53)/.test(code)) return 'busy';
  // The error is a system error, or the connection was cut while it was being established.
  if (/^E[A-Z]+$/.test(code) || code === '') return 'silent';
  throw error;
}

function getErrorCode(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

/** Returns false if the database stopped before it was prepared; the next attempt launches it again. */
async function tryToPrepare(session: DatabaseSession, prepare: ConnectOptions['prepare']): Promise<boolean> {
  try {
    await prepare(session);
    return true;
  } catch (error) {
    await session.client.end().catch(() => undefined);
    if (error instanceof EmbeddedPostgresError) throw error;
    classifyConnectionError(error);
    return false;
  }
}
