import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { hashContents, isStampCurrent, writeStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { listMissingNativePackages } from './native-packages.mjs';
import { print, root, StartError } from './project.mjs';

const STAMP_FILE = join(root, 'node_modules', '.callout-installed');

/** Installs the dependencies if a package.json or the lock file has changed since the last install. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock('install', async () => {
    if (isInstalled()) return;
    if (!matchesLockFile()) await install();
    writeStamp(STAMP_FILE, hashManifests());
  });
}

function isInstalled() {
  return isStampCurrent(STAMP_FILE, hashManifests());
}

function hashManifests() {
  const contents = hashContents(root, [
    join(root, 'package-lock.json'),
    ...workspaceFolders().map((folder) => join(root, folder, 'package.json')),
  ]);
  return `${contents} ${process.platform}-${process.arch}\n`;
}

/** Returns all folders that have a package.json. The root comes first, as ''. */
function workspaceFolders() {
  const inside = ['apps', 'packages'].flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  return ['', ...inside.filter((folder) => existsSync(join(root, folder, 'package.json')))];
}

/** Returns true if the user has already run `npm install`: the list of installed packages, which npm writes, then matches the lock file. */
function matchesLockFile() {
  try {
    const lock = readJson('package-lock.json').packages;
    const installed = readJson('node_modules/.package-lock.json').packages;
    const isLockCurrent = workspaceFolders().every((folder) => hasSameDependencies(readJson(join(folder, 'package.json')), lock[folder]));
    const isInstalledAsLocked = Object.entries(lock).every(
      ([path, entry]) => path === '' || entry.optional || entry.devOptional || entry.peer || installed[path]?.version === entry.version,
    );
    return isLockCurrent && isInstalledAsLocked && listMissingNativePackages().length === 0;
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
  print(existsSync(STAMP_FILE) ? 'Installing changed dependencies...' : 'Installing dependencies, which takes a minute or two...');
  await npmInstall([]);
  const missing = listMissingNativePackages();
  if (missing.length > 0) await npmInstall(missing);
}

async function npmInstall(packages) {
  // --no-save, because another npm version would format the lock file differently and leave the checkout modified.
  const code = await runNpm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...packages]);
  if (code === 0) return;
  throw new StartError('npm install failed (see above). Check the connection and try again.');
}

/** Runs the npm that started this process, or else the npm on the PATH. */
function runNpm(args) {
  const script = process.env.npm_execpath ?? '';
  const isNpmScript = /^npm-cli\.c?js$/.test(basename(script)) && existsSync(script);
  const [command, prefix] = isNpmScript ? [process.execPath, [script]] : ['npm', []];
  const child = spawn(command, [...prefix, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !isNpmScript && process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.on('error', () => reject(new StartError('npm was not found. Install Node.js 20 or newer, which includes npm.')));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
