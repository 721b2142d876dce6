import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import sparticuz, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import type { BrowserSource } from './first-that-runs.ts';

const require = createRequire(import.meta.url);
const isRoot = process.getuid?.() === 0;

const named: BrowserSource = {
  name: '$CHROME_PATH',
  offers: () => {
    const path = process.env['CHROME_PATH'];
    return path ? [path] : [];
  },
};

/** The shell first: the same engine without the window around it, for half the time. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const APPLICATIONS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'],
};

function ofTheSystem(): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...(APPLICATIONS[process.platform] ?? [])].filter((path) => existsSync(path));
}

const system: BrowserSource = { name: 'Chromium of the system', offers: ofTheSystem };

const fromNpm: BrowserSource = {
  name: '@sparticuz/chromium',
  offers: async () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('is for linux x64 only');
    // It brings the libraries that a bare machine lacks (nss and others), but lays them out on its own hosts only.
    await inflate(join(dirname(require.resolve('@sparticuz/chromium')), '../bin/al2023.tar.br'));
    setupLambdaEnvironment(join(tmpdir(), 'al2023/lib'));
    return [await sparticuz.executablePath()];
  },
};

const fromPlaywright: BrowserSource = {
  name: 'playwright install chromium',
  offers: () => {
    if (!existsSync(chromium.executablePath())) {
      execFileSync(process.execPath, [require.resolve('@playwright/test/cli'), 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
    return [chromium.executablePath()];
  },
};

const fromApt = (browser: string): BrowserSource => ({
  name: `apt-get install ${browser}`,
  offers: () => {
    if (process.platform !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get'))
      throw new Error('needs root on Debian or its relatives');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-q'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', browser], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return ofTheSystem();
  },
});

/** The quick and certain ones first. */
export const BROWSER_SOURCES: readonly BrowserSource[] = [
  named,
  system,
  fromNpm,
  fromPlaywright,
  fromApt('chromium-headless-shell'),
  fromApt('chromium'),
];
