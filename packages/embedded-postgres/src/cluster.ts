import { spawnSync } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, setAccess } from './account.ts';
import type { Binaries } from './binaries.ts';
import { syncFolder, TEMPORARY_PREFIX } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { dataDirArgument, runProgram } from './programs.ts';

export interface ClusterOptions {
  readonly clusterDir: string;
  readonly appName: string;
  readonly superuser: string;
  readonly binaries: Binaries;
  readonly account: Account;
  /** Whether to wait until the new cluster is on the disk. */
  readonly durable: boolean;
}

/** Creates the cluster on first start. A kill or a concurrent first start leaves no partial cluster. */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { clusterDir, account, durable } = options;
  if (await hasCluster(options)) return restoreAccess(clusterDir, account);
  const temporary = await mkdtemp(join(dirname(clusterDir), TEMPORARY_PREFIX));
  try {
    await setAccess(temporary, 0o700, account);
    await initializeCluster(temporary, options);
    await rename(temporary, clusterDir);
    if (durable) await syncFolder(dirname(clusterDir));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // A concurrent start was faster; use its cluster.
    if (await hasCluster(options)) return;
    throw error;
  }
}

/** A backup that root has copied back belongs to root, and PostgreSQL takes only what belongs to its own account. */
async function restoreAccess(clusterDir: string, { uid, gid }: Account): Promise<void> {
  const found = await lstat(clusterDir);
  if (uid !== undefined && found.uid !== uid) {
    const { status, stderr } = spawnSync('chown', ['-R', `${uid}:${gid}`, clusterDir], { encoding: 'utf8' });
    if (status !== 0) throw new EmbeddedPostgresError(`${clusterDir} can't be handed to the account of the database: ${stderr}`);
  }
  if (found.isDirectory()) await setAccess(clusterDir, 0o700);
}

async function hasCluster({ clusterDir, binaries, appName }: ClusterOptions): Promise<boolean> {
  const version = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (version === undefined) {
    const names = await readdir(clusterDir).catch(() => []);
    if (names.length === 0) return false;
    throw new EmbeddedPostgresError(
      `${clusterDir} holds files but no database: move them away, or use another data folder.`,
      'data-folder',
    );
  }
  const [needed] = binaries.version.split('.');
  if (version.trim() === needed) return true;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was made by PostgreSQL ${version.trim()}, but this ${appName} brings PostgreSQL ${needed}.`,
  );
}

/** Sorts by code point with Unicode letter case, the same on every machine and after every update of the system. */
const BUILTIN_LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const LOCALE = [
  ...BUILTIN_LOCALE,
  ...(process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--locale=C', ...(process.platform === 'darwin' ? ['--lc-ctype=UTF-8'] : [])]),
];
/** No connections are allowed until the first launch has set the password. */
const NO_ACCESS = ['--auth-local=reject', '--auth-host=reject'];

async function initializeCluster(temporary: string, { clusterDir, superuser, binaries, account, durable }: ClusterOptions): Promise<void> {
  const options = ['-U', superuser, '-E', 'UTF8', ...LOCALE, '--data-checksums', ...NO_ACCESS, ...(durable ? [] : ['--no-sync'])];
  const args = ['-D', dataDirArgument(account, temporary), ...options];
  const { succeeded, output } = await runProgram(binaries.initdb, args, { clusterDir: temporary, account });
  if (succeeded) return;
  const reason = /^(initdb|postgres): error: .*$|FATAL: .*$/m.exec(output)?.[0] ?? output.trim().split('\n').slice(-3).join(' ');
  throw new EmbeddedPostgresError(`The database in ${clusterDir} can't be made: ${reason}`);
}
