import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart, root, say } from './project.mjs';

const FOLDER = join(root, 'node_modules', 'node');

let found;

/** The Node that the project is pinned to; its path. Only after ensureInstalled(). */
export function ensureRuntime() {
  found ??= findRuntime();
  return found;
}

function findRuntime() {
  const { version } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  const pinned = join(FOLDER, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (versionOf(pinned) === version) return pinned;
  if (process.version === `v${version}`) return process.execPath;
  // An install with --ignore-scripts, or one made on another kind of machine, has left it out.
  say(`Fetching Node ${version}, which Callout runs on...`);
  const step = spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: FOLDER, encoding: 'utf8' });
  if (versionOf(pinned) === version) return pinned;
  const [newest] = version.split('.').map(Number);
  if (Number(process.versions.node.split('.')[0]) >= newest) return process.execPath;
  throw new CannotStart(
    `Callout runs on Node ${version}, which could not be fetched for ${process.platform}-${process.arch}. ` +
      `Check the connection and start again, or start with Node ${newest} or newer.\n${step.stdout ?? ''}${step.stderr ?? ''}`.trim(),
  );
}

function versionOf(program) {
  if (!existsSync(program)) return undefined;
  const answer = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim().slice(1) : undefined;
}
