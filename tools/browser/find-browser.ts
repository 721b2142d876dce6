import { BROWSER_SOURCES } from './browser-sources.ts';
import { findWorkingBrowser } from './working-browser.ts';

/** Finds or installs a browser and sets CHROME_PATH, so that test workers don't search again. */
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
  // Tests connect only to this machine, so no other host name resolves.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** Chromium refuses to start with its sandbox as root. */
export const browserFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox', ...FLAGS] : FLAGS;
