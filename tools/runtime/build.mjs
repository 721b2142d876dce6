import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOfListing, stampMatches, writeStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { print, root, StartError } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

const web = join(root, 'apps', 'web');
const dist = join(web, 'dist');
const next = join(root, '.cache', 'web-build');
const STAMP = join(dist, '.built');
const ASSET_LIST = '.assets';

/** Builds the pages when one of their sources has changed. Call ensureInstalled() first. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock('build', async () => {
    if (!isBuilt()) build(currentFingerprint());
  });
}

function isBuilt() {
  return stampMatches(STAMP, currentFingerprint());
}

function currentFingerprint() {
  const ofWeb = readdirSync(web).filter((name) => !['dist', 'node_modules'].includes(name) && !name.startsWith('.'));
  const ofPackages = readdirSync(join(root, 'packages')).flatMap((name) => [
    join(root, 'packages', name, 'src'),
    join(root, 'packages', name, 'package.json'),
  ]);
  return fingerprintOfListing(root, [...ofWeb.map((name) => join(web, name)), ...ofPackages, join(root, 'package-lock.json')]);
}

function build(fingerprint) {
  print('Building the pages...');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const result = spawnSync(ensureRuntime(), [vite, 'build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: web,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new StartError(`The pages could not be built.\n${result.stdout}${result.stderr}`.trim());
  process.stderr.write(result.stderr);
  keepAssetsOfLastBuild();
  rmSync(dist, { recursive: true, force: true });
  renameSync(next, dist);
  writeStamp(STAMP, fingerprint);
}

/** A page opened before an update still loads its chunks by their old names, so the assets of the last build are kept. */
function keepAssetsOfLastBuild() {
  const assets = readdirSync(join(next, 'assets'));
  writeFileSync(join(next, ASSET_LIST), assets.join('\n'));
  const list = join(dist, ASSET_LIST);
  if (!existsSync(list)) return;
  for (const name of readFileSync(list, 'utf8').split('\n')) {
    const old = join(dist, 'assets', name);
    if (!assets.includes(name) && existsSync(old)) copyFileSync(old, join(next, 'assets', name));
  }
}
