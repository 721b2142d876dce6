import { BROWSER_SOURCES } from './browser-sources.ts';
import { findWorkingBrowser } from './working-browser.ts';

/** Finds or installs a browser and sets CHROME_PATH, so that the workers of a test run do not search again. */
export async function findBrowser(): Promise<string> {
  const { path } = await findWorkingBrowser(BROWSER_SOURCES);
  process.env['CHROME_PATH'] = path;
  return path;
}

const FLAGS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Tests connect to this machine only: no other host name resolves.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** Chromium does not start with its sandbox as root. */
export const browserFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox', ...FLAGS] : FLAGS;
