import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { LOCK_DATABASE, type Login, lockLogin, passwordRefusedError, secureStoppedCluster } from './authentication.ts';
import { type Endpoint, ensureSocketFolder } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { acquireInstanceLock, formatHolder } from './instance-lock.ts';
import { hasLostRace, type Instance, type Launch, launch, launchError } from './postmaster.ts';
import { endpointOf, isPostmasterAlive, type PostmasterFile, readPostmasterFile, removeStaleLockFiles } from './postmaster-file.ts';

/** A connection to the running database. */
export interface Session {
  readonly client: pg.Client;
  /** Settles when the connection has ended. */
  readonly ended: Promise<void>;
  readonly endpoint: Endpoint;
  /** Whether another process has launched the database, perhaps one of an earlier version. */
  readonly isAttached: boolean;
}

interface BringUpOptions {
  readonly login: Login;
  /** Done on the new connection, again from the beginning when the database ends on the way. */
  readonly prepare: (session: Session) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

const STARTUP_TIMEOUT_MS = 30_000;
const REPORT_RECOVERY_AFTER_MS = 5_000;

/** The database runs and this process is the one that works on it, for as long as the session lives. */
export function bringUpForHolder(instance: Instance, signal?: AbortSignal): Promise<Session> {
  return bringUp(instance, { login: lockLogin(instance), prepare: ({ client }) => acquireInstanceLock(client, instance), signal });
}

/** Attaches to the database that already runs on the cluster, or starts one; waits for crash recovery. */
export async function bringUp(instance: Instance, { login, prepare, signal }: BringUpOptions): Promise<Session> {
  const began = Date.now();
  let launched: Launch | undefined;
  let reported = false;
  for (;;) {
    const file = await readPostmasterFile(instance.clusterDir);
    // Not between a launch and its file: a database that nobody knows of would stay behind.
    if (file || !launched || launched.ended) signal?.throwIfAborted();
    const answer = await connect(instance, login, file, launched);
    if (typeof answer === 'object' && (await isPrepared(answer, prepare))) return answer;
    const waited = Date.now() - began;
    if (answer === 'busy' && waited > REPORT_RECOVERY_AFTER_MS && !reported) {
      reported = true;
      instance.log('The database is still recovering from its last end; waiting for it.');
    }
    if (answer === 'silent') launched = await launchIfNotRunning(instance, file, launched, waited);
    await pause(20, undefined, { signal }).catch(() => undefined);
  }
}

async function launchIfNotRunning(
  instance: Instance,
  file: PostmasterFile | undefined,
  last: Launch | undefined,
  waited: number,
): Promise<Launch | undefined> {
  const { clusterDir, endpoint, account } = instance;
  if (last && !last.ended) return last;
  if (file && isPostmasterAlive(clusterDir, file)) {
    if (waited < STARTUP_TIMEOUT_MS) return last;
    throw new EmbeddedPostgresError(
      `A database (process ${file.pid}) runs on ${clusterDir} but does not answer in ${file.socketDir}: end it with "kill -INT ${file.pid}" and start again.`,
    );
  }
  if (last && (!hasLostRace(last.output) || waited > STARTUP_TIMEOUT_MS)) throw launchError(instance, last.output);
  if (file) await removeStaleLockFiles(clusterDir, file);
  await ensureSocketFolder(endpoint.host, account);
  const output = await secureStoppedCluster(instance);
  return output ? { pid: undefined, ended: true, output } : launch(instance);
}

/** A session, or 'busy' for a database that lives but takes no connections yet, or 'silent' when nothing answers. */
async function connect(
  instance: Instance,
  login: Login,
  file: PostmasterFile | undefined,
  launched: Launch | undefined,
): Promise<Session | 'busy' | 'silent'> {
  const endpoint = file && endpointOf(file);
  if (!endpoint) return 'silent';
  if (!file.ready && isPostmasterAlive(instance.clusterDir, file)) return 'busy';
  const client = new pg.Client({
    ...endpoint,
    ...login,
    database: LOCK_DATABASE,
    application_name: formatHolder(),
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  try {
    await client.connect();
    return { client, ended, endpoint, isAttached: file.pid !== launched?.pid };
  } catch (error) {
    await client.end().catch(() => undefined);
    if (codeOf(error).startsWith('28')) throw passwordRefusedError(instance, file.pid);
    return classifyError(error);
  }
}

/** Throws when the error does not mean that the database is away for the moment. */
function classifyError(error: unknown): 'busy' | 'silent' {
  const code = codeOf(error);
  // 57P0x: starting, recovering or shutting down; 53xxx: out of connections for the moment.
  if (/^(57P0|53)/.test(code)) return 'busy';
  // A system error, or a connection that was cut while it was being made.
  if (/^E[A-Z]+$/.test(code) || code === '') return 'silent';
  throw error;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

/** False when the database ended in between: the next round starts it again. */
async function isPrepared(session: Session, prepare: BringUpOptions['prepare']): Promise<boolean> {
  try {
    await prepare(session);
    return true;
  } catch (error) {
    await session.client.end().catch(() => undefined);
    if (error instanceof EmbeddedPostgresError) throw error;
    classifyError(error);
    return false;
  }
}
