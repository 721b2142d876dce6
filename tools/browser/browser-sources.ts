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

const environmentVariable: BrowserSource = {
  name: '$CHROME_PATH',
  findPaths: () => {
    const path = process.env['CHROME_PATH'];
    return path ? [path] : [];
  },
};

/** The same engine as the browser without its windows: the browser tests take half the time in it. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const APPLICATIONS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'],
};

function onPath(...commands: readonly string[]): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return commands.flatMap((command) => folders.map((folder) => join(folder, command))).filter((path) => existsSync(path));
}

const installedShell: BrowserSource = { name: 'installed headless shell', findPaths: () => onPath(HEADLESS_SHELL) };

const installedBrowser: BrowserSource = {
  name: 'installed browser',
  findPaths: () => [...onPath(...BROWSERS), ...(APPLICATIONS[process.platform] ?? []).filter((path) => existsSync(path))],
};

const npmPackage: BrowserSource = {
  name: '@sparticuz/chromium',
  findPaths: async () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('supports only linux x64');
    // The package contains libraries that a minimal system lacks (nss and others), but unpacks them only on AWS Lambda.
    await inflate(join(dirname(require.resolve('@sparticuz/chromium')), '../bin/al2023.tar.br'));
    setupLambdaEnvironment(join(tmpdir(), 'al2023/lib'));
    return [await sparticuz.executablePath()];
  },
};

const playwrightInstall: BrowserSource = {
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

/** Without a connection it gives up soon: there may be another browser. */
const APT_OPTIONS = ['-q', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10', '-o', 'DPkg::Lock::Timeout=30'];

const aptInstall = (command: string): BrowserSource => ({
  name: `apt-get install ${command}`,
  findPaths: () => {
    if (process.platform !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) throw new Error('needs root on a Debian-based system');
    const options: ExecFileSyncOptions = {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    };
    execFileSync('apt-get', [...APT_OPTIONS, 'update'], options);
    execFileSync('apt-get', [...APT_OPTIONS, 'install', '-y', '--no-install-recommends', command], options);
    return onPath(command);
  },
});

/** The fastest and most reliable first. */
export const BROWSER_SOURCES: readonly BrowserSource[] = [
  environmentVariable,
  installedShell,
  aptInstall(HEADLESS_SHELL),
  installedBrowser,
  npmPackage,
  playwrightInstall,
  aptInstall('chromium'),
];
