import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fingerprintOfContents, stampSays, writeStamp } from './fingerprint.mjs';
import { missingNativeParts } from './native-parts.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { CannotStart, root, say } from './project.mjs';

const STAMP = join(root, 'node_modules', '.callout-installed');

/** Installs what package.json and its lock ask for, when that has changed since the last time. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await oneAtATime('install', async () => {
    if (isInstalled()) return;
    if (!installedByHand()) await install();
    writeStamp(STAMP, wanted());
  });
}

function isInstalled() {
  return stampSays(STAMP, wanted());
}

function wanted() {
  const contents = fingerprintOfContents(root, [
    join(root, 'package-lock.json'),
    ...manifests().map((folder) => join(root, folder, 'package.json')),
  ]);
  return `${contents} ${process.platform}-${process.arch}\n`;
}

/** Folders of the workspaces, the root first. */
function manifests() {
  const inside = ['apps', 'packages'].flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  return ['', ...inside.filter((folder) => existsSync(join(root, folder, 'package.json')))];
}

/** npm writes its own record of node_modules at the very end of an install; when it agrees with the lock there is nothing to do. */
function installedByHand() {
  try {
    const lock = read('package-lock.json').packages;
    const present = read('node_modules/.package-lock.json').packages;
    const asked = manifests().every((folder) => sameRequests(read(join(folder, 'package.json')), lock[folder]));
    const given = Object.entries(lock).every(
      ([path, entry]) => path === '' || entry.optional || entry.devOptional || entry.peer || present[path]?.version === entry.version,
    );
    return asked && given && missingNativeParts().length === 0;
  } catch {
    return false;
  }
}

function sameRequests(manifest, locked) {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every((kind) =>
    isDeepStrictEqual(manifest[kind] ?? {}, locked[kind] ?? {}),
  );
}

function read(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

async function install() {
  say(existsSync(STAMP) ? 'Installing what has changed...' : 'Installing what Callout needs; the first time this takes a minute or two...');
  await npmInstall([]);
  const parts = missingNativeParts();
  if (parts.length > 0) await npmInstall(parts);
}

async function npmInstall(parts) {
  // --no-save: another version of npm would write the lock file its own way and leave the checkout changed.
  const code = await npm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...parts]);
  if (code === 0) return;
  throw new CannotStart('npm install did not succeed (see above). Check the connection and start again: it goes on where it stopped.');
}

/** Node's own npm by the way this process was started, else the one on the path. */
function npm(args) {
  const script = process.env.npm_execpath ?? '';
  const own = /^npm-cli\.c?js$/.test(basename(script)) && existsSync(script);
  const [command, first] = own ? [process.execPath, [script]] : ['npm', []];
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !own && process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.on('error', () => reject(new CannotStart('npm was not found: install Node.js 20 or newer together with npm.')));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
