import { spawnSync } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { syncFolder, TEMPORARY_NAME_PREFIX } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { buildDataDirArgument, runProgram } from './programs.ts';
import { type SystemAccount, setModeAndOwner } from './system-account.ts';

export interface ClusterOptions {
  readonly clusterDir: string;
  readonly appName: string;
  readonly superuser: string;
  readonly binaries: PostgresBinaries;
  readonly account: SystemAccount;
  /** Whether to wait until the new cluster has been written to disk. */
  readonly shouldSync: boolean;
}

/** Creates the cluster on the first start. Never leaves a partial cluster, even if it is killed or runs concurrently. */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { clusterDir, account, shouldSync } = options;
  if (await hasCluster(options)) return restoreOwnership(clusterDir, account);
  const temporary = await mkdtemp(join(dirname(clusterDir), TEMPORARY_NAME_PREFIX));
  try {
    await setModeAndOwner(temporary, 0o700, account);
    await initializeCluster(temporary, options);
    await rename(temporary, clusterDir);
    if (shouldSync) await syncFolder(dirname(clusterDir));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // A concurrent start was faster, so use its cluster.
    if (await hasCluster(options)) return;
    throw error;
  }
}

/** Fixes the owner of a backup that root copied back, because PostgreSQL accepts only a cluster that its own account owns. */
async function restoreOwnership(clusterDir: string, { uid, gid }: SystemAccount): Promise<void> {
  const found = await lstat(clusterDir);
  if (uid !== undefined && found.uid !== uid) {
    const { status, stderr } = spawnSync('chown', ['-R', `${uid}:${gid}`, clusterDir], { encoding: 'utf8' });
    if (status !== 0) throw new EmbeddedPostgresError(`${clusterDir} can't be given to the database's account: ${stderr}`);
  }
  if (found.isDirectory()) await setModeAndOwner(clusterDir, 0o700);
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
      `${clusterDir} contains files but no database. Move them elsewhere, or use another data folder.`,
      'data-folder',
    );
  }
  const [needed] = binaries.version.split('.');
  if (version.trim() === needed) return true;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was created by PostgreSQL ${version.trim()}, but this ${appName} includes PostgreSQL ${needed}.`,
  );
}

/** Sorts by code point, so that the order is the same on every machine and survives operating system updates. */
const BUILTIN_LOCALE_ARGS = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const LOCALE_ARGS = [
  ...BUILTIN_LOCALE_ARGS,
  ...(process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--locale=C', ...(process.platform === 'darwin' ? ['--lc-ctype=UTF-8'] : [])]),
];
/** Rejects all connections until the first launch has set the password. */
const REJECT_ALL_ARGS = ['--auth-local=reject', '--auth-host=reject'];

async function initializeCluster(folder: string, { clusterDir, superuser, binaries, account, shouldSync }: ClusterOptions): Promise<void> {
  const syncArgs = shouldSync ? [] : ['--no-sync'];
  const flags = ['-U', superuser, '-E', 'UTF8', ...LOCALE_ARGS, '--data-checksums', ...REJECT_ALL_ARGS, ...syncArgs];
  const args = ['-D', buildDataDirArgument(account, folder), ...flags];
  const { succeeded, output } = await runProgram(binaries.initdb, args, { clusterDir: folder, account });
  if (succeeded) return;
  const reason = /^(initdb|postgres): error: .*$|FATAL: .*$/m.exec(output)?.[0] ?? output.trim().split('\n').slice(-3).join(' ');
  throw new EmbeddedPostgresError(`The database in ${clusterDir} can't be created: ${reason}`);
}
