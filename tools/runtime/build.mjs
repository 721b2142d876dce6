import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashListing, isStampCurrent, writeStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { print, root, StartError } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

const web = join(root, 'apps', 'web');
const dist = join(web, 'dist');
const nextDist = join(root, '.cache', 'web-build');
const STAMP_FILE = join(dist, '.built');
const ASSET_LIST = '.assets';

/** Builds the web app if any of its source files has changed. Call `ensureInstalled` first. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock('build', async () => {
    if (!isBuilt()) build(hashSources());
  });
}

function isBuilt() {
  return isStampCurrent(STAMP_FILE, hashSources());
}

function hashSources() {
  const webPaths = readdirSync(web).filter((name) => !['dist', 'node_modules'].includes(name) && !name.startsWith('.'));
  const packagePaths = readdirSync(join(root, 'packages')).flatMap((name) => [
    join(root, 'packages', name, 'src'),
    join(root, 'packages', name, 'package.json'),
  ]);
  return hashListing(root, [...webPaths.map((name) => join(web, name)), ...packagePaths, join(root, 'package-lock.json')]);
}

function build(fingerprint) {
  print('Building the web app...');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const result = spawnSync(ensureRuntime(), [vite, 'build', '--outDir', nextDist, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: web,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new StartError(`The web app could not be built.\n${result.stdout}${result.stderr}`.trim());
  process.stderr.write(result.stderr);
  copyPreviousAssets();
  rmSync(dist, { recursive: true, force: true });
  renameSync(nextDist, dist);
  writeStamp(STAMP_FILE, fingerprint);
}

/** Keeps the previous build's assets. A page that was opened before an update still requests its chunks by their old names. */
function copyPreviousAssets() {
  const assets = readdirSync(join(nextDist, 'assets'));
  writeFileSync(join(nextDist, ASSET_LIST), assets.join('\n'));
  const list = join(dist, ASSET_LIST);
  if (!existsSync(list)) return;
  for (const name of readFileSync(list, 'utf8').split('\n')) {
    const old = join(dist, 'assets', name);
    if (!assets.includes(name) && existsSync(old)) copyFileSync(old, join(nextDist, 'assets', name));
  }
}
