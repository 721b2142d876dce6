import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import sparticuz, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import type { BrowserSource } from './working-browser.ts';

const require = createRequire(import.meta.url);
const isRoot = process.getuid?.() === 0;

const chromePathSource: BrowserSource = {
  name: '$CHROME_PATH',
  findPaths: () => {
    const path = process.env['CHROME_PATH'];
    return path ? [path] : [];
  },
};

/** Chromium without a user interface. The browser tests take half as long as with the full browser. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const BROWSER_COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const APPLICATION_PATHS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'],
};

function findOnPath(...commands: readonly string[]): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return commands.flatMap((command) => folders.map((folder) => join(folder, command))).filter((path) => existsSync(path));
}

const headlessShellSource: BrowserSource = { name: 'installed headless shell', findPaths: () => findOnPath(HEADLESS_SHELL) };

const installedBrowserSource: BrowserSource = {
  name: 'installed browser',
  findPaths: () => [...findOnPath(...BROWSER_COMMANDS), ...(APPLICATION_PATHS[process.platform] ?? []).filter((path) => existsSync(path))],
};

const npmPackageSource: BrowserSource = {
  name: '@sparticuz/chromium',
  findPaths: async () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('supports only Linux x64');
    // Unpack the libraries that a minimal system lacks (nss and others). The package does so only on AWS Lambda.
    await inflate(join(dirname(require.resolve('@sparticuz/chromium')), '../bin/al2023.tar.br'));
    setupLambdaEnvironment(join(tmpdir(), 'al2023/lib'));
    return [await sparticuz.executablePath()];
  },
};

const playwrightSource: BrowserSource = {
  name: 'playwright install chromium',
  findPaths: () => {
    if (!existsSync(chromium.executablePath())) {
      execFileSync(process.execPath, [require.resolve('@playwright/test/cli'), 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
    return [chromium.executablePath()];
  },
};

/** Makes apt give up quickly when offline, so that the next source is tried soon. */
const APT_OPTIONS = ['-q', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10', '-o', 'DPkg::Lock::Timeout=30'];

const createAptSource = (command: string): BrowserSource => ({
  name: `apt-get install ${command}`,
  findPaths: () => {
    if (process.platform !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) throw new Error('needs root on a Debian-based system');
    const options: ExecFileSyncOptions = {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    };
    execFileSync('apt-get', [...APT_OPTIONS, 'update'], options);
    execFileSync('apt-get', [...APT_OPTIONS, 'install', '-y', '--no-install-recommends', command], options);
    return findOnPath(command);
  },
});

/** Where to look for a browser, the fastest and most reliable source first. */
export const BROWSER_SOURCES: readonly BrowserSource[] = [
  chromePathSource,
  headlessShellSource,
  createAptSource(HEADLESS_SHELL),
  installedBrowserSource,
  npmPackageSource,
  playwrightSource,
  createAptSource('chromium'),
];
