import { BROWSER_SOURCES } from './browser-sources.ts';
import { findWorkingBrowser } from './working-browser.ts';

/** Finds or installs a browser. Sets CHROME_PATH, so that test workers don't have to search again. */
export async function findBrowserPath(): Promise<string> {
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
  // Block all other hosts, because tests connect only to this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** Disables the sandbox for root, because Chromium would otherwise refuse to start. */
export const browserFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox', ...FLAGS] : FLAGS;
