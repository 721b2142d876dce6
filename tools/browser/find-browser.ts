import { BROWSER_SOURCES } from './browser-sources.ts';
import { firstThatRuns } from './first-that-runs.ts';

/** Finds or installs a browser and remembers it in CHROME_PATH, so that the workers of a test run need not look again. */
export async function findBrowser(): Promise<string> {
  const { path } = await firstThatRuns(BROWSER_SOURCES);
  process.env['CHROME_PATH'] = path;
  return path;
}

const QUIET = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Tests talk to this machine only: every other name leads nowhere.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/** Chromium refuses to sandbox itself for root. */
export const browserFlags: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET;
