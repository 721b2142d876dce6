import { execFileSync } from 'node:child_process';
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

/** The headless shell first: the same engine in half the time. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const APPLICATIONS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'],
};

function findSystemBrowsers(): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...(APPLICATIONS[process.platform] ?? [])].filter((path) => existsSync(path));
}

const system: BrowserSource = { name: 'installed Chromium', findPaths: findSystemBrowsers };

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

const aptInstall = (browser: string): BrowserSource => ({
  name: `apt-get install ${browser}`,
  findPaths: () => {
    if (process.platform !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) throw new Error('needs root on a Debian-based system');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-q'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', browser], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return findSystemBrowsers();
  },
});

/** The fastest and most reliable first. */
export const BROWSER_SOURCES: readonly BrowserSource[] = [
  environmentVariable,
  system,
  npmPackage,
  playwrightInstall,
  aptInstall('chromium-headless-shell'),
  aptInstall('chromium'),
];
