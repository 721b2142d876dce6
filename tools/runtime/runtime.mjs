import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, root, StartError } from './project.mjs';

const NODE_PACKAGE = join(root, 'node_modules', 'node');

let runtime;

/** Returns the path of the pinned Node version. Call `ensureInstalled` first. */
export function ensureRuntime() {
  runtime ??= findRuntime();
  return runtime;
}

function findRuntime() {
  const { version } = JSON.parse(readFileSync(join(NODE_PACKAGE, 'package.json'), 'utf8'));
  const pinned = join(NODE_PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (findVersion(pinned) === version) return pinned;
  if (process.version === `v${version}`) return process.execPath;
  // The Node binary is missing if the packages were installed with --ignore-scripts or for another platform.
  print(`Downloading Node ${version}, which Callout runs on...`);
  const result = spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: NODE_PACKAGE, encoding: 'utf8' });
  if (findVersion(pinned) === version) return pinned;
  const [major] = version.split('.').map(Number);
  if (Number(process.versions.node.split('.')[0]) >= major) return process.execPath;
  throw new StartError(
    `Callout runs on Node ${version}, which could not be downloaded for ${process.platform}-${process.arch}. ` +
      `Check the connection and try again, or use Node ${major} or newer.\n${result.stdout ?? ''}${result.stderr ?? ''}`.trim(),
  );
}

function findVersion(program) {
  if (!existsSync(program)) return undefined;
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return version.status === 0 ? version.stdout.trim().slice(1) : undefined;
}
