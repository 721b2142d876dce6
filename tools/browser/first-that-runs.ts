import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

export interface BrowserSource {
  readonly name: string;
  /** The paths to try, at the price of an installation where nothing cheaper was found; throws or is empty where it has none. */
  readonly offers: () => Promise<readonly string[]> | readonly string[];
}

export interface FoundBrowser {
  readonly source: string;
  readonly path: string;
}

const ANSWER_WITHIN_MS = 30_000;

/** A path alone proves nothing: a browser for another processor or without its libraries is found but does not start. */
function whyNot(path: string): string | undefined {
  // A binary for another processor is handed to a shell, which reads it as a script and may write files where it stands.
  const options = { encoding: 'utf8', timeout: ANSWER_WITHIN_MS, cwd: tmpdir() } as const;
  const { status, stdout, stderr, error } = spawnSync(path, ['--version'], options);
  if (status === 0 && /\d+\.\d+/.test(stdout)) return undefined;
  return error?.message ?? stderr.trim().split('\n')[0] ?? `ended with ${status}`;
}

export async function firstThatRuns(sources: readonly BrowserSource[]): Promise<FoundBrowser> {
  const tried: string[] = [];
  for (const { name, offers } of sources) {
    try {
      const paths = await offers();
      if (paths.length === 0) tried.push(`${name}: none`);
      for (const path of paths) {
        const problem = whyNot(path);
        if (problem === undefined) return { source: name, path };
        tried.push(`${name}: ${path} does not start (${problem})`);
      }
    } catch (error) {
      tried.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`No browser for the tests. Install Chromium, or name one in CHROME_PATH. Tried:\n  ${tried.join('\n  ')}`);
}
