import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOfListing, stampSays, writeStamp } from './fingerprint.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { CannotStart, root, say } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

const web = join(root, 'apps', 'web');
const dist = join(web, 'dist');
const next = join(root, '.cache', 'web-build');
const STAMP = join(dist, '.built');
const OWN_FILES = '.assets';

/** Builds the pages when anything they are made of has changed. Only after ensureInstalled(). */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await oneAtATime('build', async () => {
    if (!isBuilt()) build(wanted());
  });
}

function isBuilt() {
  return stampSays(STAMP, wanted());
}

function wanted() {
  const ofWeb = readdirSync(web).filter((name) => !['dist', 'node_modules'].includes(name) && !name.startsWith('.'));
  const ofPackages = readdirSync(join(root, 'packages')).flatMap((name) => [
    join(root, 'packages', name, 'src'),
    join(root, 'packages', name, 'package.json'),
  ]);
  return fingerprintOfListing(root, [...ofWeb.map((name) => join(web, name)), ...ofPackages, join(root, 'package-lock.json')]);
}

function build(fingerprint) {
  say('Building the pages...');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const answer = spawnSync(ensureRuntime(), [vite, 'build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: web,
    encoding: 'utf8',
  });
  if (answer.status !== 0) throw new CannotStart(`The pages could not be built.\n${answer.stdout}${answer.stderr}`.trim());
  process.stderr.write(answer.stderr);
  carryOverLastGeneration();
  rmSync(dist, { recursive: true, force: true });
  renameSync(next, dist);
  writeStamp(STAMP, fingerprint);
}

/** A page that was opened before the update still loads its parts by their old names: those of the last build stay beside the new ones. */
function carryOverLastGeneration() {
  const own = readdirSync(join(next, 'assets'));
  writeFileSync(join(next, OWN_FILES), own.join('\n'));
  const list = join(dist, OWN_FILES);
  if (!existsSync(list)) return;
  for (const name of readFileSync(list, 'utf8').split('\n')) {
    const old = join(dist, 'assets', name);
    if (!own.includes(name) && existsSync(old)) copyFileSync(old, join(next, 'assets', name));
  }
}
