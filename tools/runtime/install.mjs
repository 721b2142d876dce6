import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fingerprintOfContents, stampMatches, writeStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { missingNativePackages } from './native-packages.mjs';
import { print, root, StartError } from './project.mjs';

const STAMP = join(root, 'node_modules', '.callout-installed');

/** Installs the dependencies when package.json or the lock file has changed since the last time. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock('install', async () => {
    if (isInstalled()) return;
    if (!matchesLockFile()) await install();
    writeStamp(STAMP, currentFingerprint());
  });
}

function isInstalled() {
  return stampMatches(STAMP, currentFingerprint());
}

function currentFingerprint() {
  const contents = fingerprintOfContents(root, [
    join(root, 'package-lock.json'),
    ...workspaceFolders().map((folder) => join(root, folder, 'package.json')),
  ]);
  return `${contents} ${process.platform}-${process.arch}\n`;
}

/** The folders with a package.json, the root first. */
function workspaceFolders() {
  const inside = ['apps', 'packages'].flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  return ['', ...inside.filter((folder) => existsSync(join(root, folder, 'package.json')))];
}

/** npm lists its packages at the end of an install; when that list matches the lock file, `npm install` has been run by hand. */
function matchesLockFile() {
  try {
    const lock = readJson('package-lock.json').packages;
    const installed = readJson('node_modules/.package-lock.json').packages;
    const isLockCurrent = workspaceFolders().every((folder) => hasSameDependencies(readJson(join(folder, 'package.json')), lock[folder]));
    const isInstalledAsLocked = Object.entries(lock).every(
      ([path, entry]) => path === '' || entry.optional || entry.devOptional || entry.peer || installed[path]?.version === entry.version,
    );
    return isLockCurrent && isInstalledAsLocked && missingNativePackages().length === 0;
  } catch {
    return false;
  }
}

function hasSameDependencies(manifest, locked) {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every((kind) =>
    isDeepStrictEqual(manifest[kind] ?? {}, locked[kind] ?? {}),
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

async function install() {
  print(
    existsSync(STAMP) ? 'Installing what has changed...' : 'Installing what Callout needs; the first time this takes a minute or two...',
  );
  await npmInstall([]);
  const missing = missingNativePackages();
  if (missing.length > 0) await npmInstall(missing);
}

async function npmInstall(packages) {
  // --no-save: another version of npm would format the lock file differently and leave the checkout modified.
  const code = await npm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...packages]);
  if (code === 0) return;
  throw new StartError('npm install did not succeed (see above). Check the connection and start again.');
}

/** Runs the npm that started this process, otherwise the one on the path. */
function npm(args) {
  const script = process.env.npm_execpath ?? '';
  const isNpmScript = /^npm-cli\.c?js$/.test(basename(script)) && existsSync(script);
  const [command, prefix] = isNpmScript ? [process.execPath, [script]] : ['npm', []];
  const child = spawn(command, [...prefix, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !isNpmScript && process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.on('error', () => reject(new StartError('npm was not found: install Node.js 20 or newer together with npm.')));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
