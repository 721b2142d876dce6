import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

export interface Release {
  readonly version: string;
  readonly commit: string;
}

/** Returns the newest release, from which people upgrade to this version. */
export function readPreviousRelease(): Release {
  const [previous] = JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')) as Release[];
  if (!previous) throw new Error('releases.json lists no release');
  return previous;
}

/** Checks out a release and links the installed packages to it. Kept for the next run, because its compiled code is cached by path. */
export function checkOutRelease({ version, commit }: Release): string {
  const folder = join(root, '.cache/releases', commit);
  if (existsSync(folder)) return folder;
  requireCommit(version, commit);
  const incomplete = `${folder}.${process.pid}`;
  mkdirSync(incomplete, { recursive: true });
  // A separate index leaves the one of this checkout as it is.
  const env = { ...process.env, GIT_INDEX_FILE: join(incomplete, '.index') };
  execFileSync('git', ['read-tree', commit], { cwd: root, env });
  execFileSync('git', ['checkout-index', '--all', `--prefix=${incomplete}/`], { cwd: root, env });
  linkPackages(incomplete);
  if (existsSync(folder)) rmSync(incomplete, { recursive: true });
  else renameSync(incomplete, folder);
  return folder;
}

function requireCommit(version: string, commit: string): void {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
  } catch {
    throw new Error(
      `Testing the upgrade from release ${version} needs its commit ${commit}, which this checkout lacks. Fetch it with "git fetch --unshallow", or clone the repository with its history.`,
    );
  }
}

/** Links every installed package except Callout's own, which are the release's. */
function linkPackages(folder: string): void {
  for (const packages of ['node_modules', 'apps/server/node_modules'].filter((path) => existsSync(join(root, path)))) {
    for (const name of readdirSync(join(root, packages))) {
      if (name !== '@callout') link(join(folder, packages, name), join(root, packages, name));
    }
  }
  const own = join(root, 'node_modules/@callout');
  for (const name of readdirSync(own)) {
    const path = join(folder, 'node_modules/@callout', name);
    link(path, join(dirname(path), readlinkSync(join(own, name))));
  }
}

function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), target), path);
}
