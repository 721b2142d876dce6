import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, canReach, giveTo } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';

export const SUPERUSER = 'callout';
const HALF_MADE = 'postgres.new-';

/** Makes the cluster on the first start. A kill on the way, or a second first start beside this one, leaves no half cluster. */
export async function ensureCluster(clusterDir: string, binaries: Binaries, account: Account, durable: boolean): Promise<void> {
  if (await holdsCluster(clusterDir, binaries)) return reclaim(clusterDir, account);
  const half = await mkdtemp(join(dirname(clusterDir), HALF_MADE));
  try {
    await giveTo(account, half);
    await initialise(half, clusterDir, binaries, account, durable);
    await rename(half, clusterDir);
    if (durable) await syncFolder(dirname(clusterDir));
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    // Another start was quicker: its cluster is as good as ours.
    if (await holdsCluster(clusterDir, binaries)) return;
    throw error;
  }
}

/** A backup that root has copied back belongs to root, and PostgreSQL takes only what belongs to its own account. */
async function reclaim(clusterDir: string, { uid, gid }: Account): Promise<void> {
  const { uid: owner } = await lstat(clusterDir);
  if (uid === undefined || owner === uid) return;
  const answer = spawnSync('chown', ['-R', `${uid}:${gid}`, clusterDir], { encoding: 'utf8' });
  if (answer.status !== 0)
    throw new EmbeddedPostgresError(`${clusterDir} can't be handed to the account of the database: ${answer.stderr}`);
  await chmod(clusterDir, 0o700);
}

/** To be called while holding the instance lock: what is still half made then belongs to a start that was killed or has lost. */
export async function removeHalfMadeClusters(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  await Promise.all(
    names.filter((name) => name.startsWith(HALF_MADE)).map((name) => rm(join(dataDir, name), { recursive: true, force: true })),
  );
}

/**
 * What `-D` gets, for a process whose working folder is the cluster. Below a folder that the account may not enter (root's home), the
 * working folder itself still works: it is entered before the rights of root are given up.
 */
export function dataDirArgument(account: Account, folder: string): string {
  if (canReach(account, folder)) return folder;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new EmbeddedPostgresError(
    `The account that runs the database (uid ${account.uid}) may not enter ${folder}: set DATA_DIR to a folder below one that every account may enter.`,
  );
}

/** PostgreSQL takes orders from PG* variables and the locale; it gets neither from the shell that started us. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|SystemRoot|TEMP|TMP|TMPDIR)$/i.test(name)));
}

export function passwordFile(clusterDir: string): string {
  return join(dirname(clusterDir), 'postgres.password');
}

async function holdsCluster(clusterDir: string, binaries: Binaries): Promise<boolean> {
  const made = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (made === undefined) {
    const names = await readdir(clusterDir).catch(() => []);
    if (names.length === 0) return false;
    throw new EmbeddedPostgresError(`${clusterDir} holds files but no database: move them away, or set DATA_DIR to another folder.`);
  }
  const [needed] = binaries.version.split('.');
  if (made.trim() === needed) return true;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was made by PostgreSQL ${made.trim()}, but this Callout brings PostgreSQL ${needed}.`,
  );
}

async function initialise(half: string, clusterDir: string, binaries: Binaries, account: Account, durable: boolean): Promise<void> {
  const access = process.platform === 'win32' ? await passwordAccess(clusterDir) : ['--auth-local=trust', '--auth-host=reject'];
  const options = ['-U', SUPERUSER, '-E', 'UTF8', ...LOCALE, '--data-checksums', ...access, ...(durable ? [] : ['--no-sync'])];
  const child = spawn(binaries.initdb, ['-D', dataDirArgument(account, half), ...options], {
    ...account,
    cwd: half,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C reaches us, and we decide.
    detached: true,
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code === 0) return;
  const reason = /^(initdb|postgres): error: .*$|FATAL: .*$/m.exec(said)?.[0] ?? said.trim().split('\n').slice(-3).join(' ');
  throw new EmbeddedPostgresError(`The database in ${clusterDir} can't be made: ${reason}`);
}

/** Sorts by code point with Unicode letter case, the same on every machine and after every update of the system. */
const BUILTIN_LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const LOCALE = [
  ...BUILTIN_LOCALE,
  ...(process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--locale=C', ...(process.platform === 'darwin' ? ['--lc-ctype=UTF-8'] : [])]),
];

/** Windows: node can't speak through a socket file there, so the database listens on loopback behind a password of its own. */
async function passwordAccess(clusterDir: string): Promise<string[]> {
  const file = passwordFile(clusterDir);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return ['--auth=scram-sha-256', `--pwfile=${file}`];
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
