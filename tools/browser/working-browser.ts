import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

export interface BrowserSource {
  readonly name: string;
  /** Returns the paths to try, and may install a browser for that; throws or returns none where the source has no browser. */
  readonly findPaths: () => Promise<readonly string[]> | readonly string[];
}

export interface FoundBrowser {
  readonly source: string;
  readonly path: string;
}

const VERSION_TIMEOUT_MS = 30_000;

/** Why the browser does not start, such as another processor architecture or missing libraries. */
function startProblem(path: string): string | undefined {
  // A binary for another processor is run by a shell as a script, which may write files to the current folder.
  const options = { encoding: 'utf8', timeout: VERSION_TIMEOUT_MS, cwd: tmpdir() } as const;
  const { status, stdout, stderr, error } = spawnSync(path, ['--version'], options);
  if (status === 0 && /\d+\.\d+/.test(stdout)) return undefined;
  return error?.message ?? stderr.trim().split('\n')[0] ?? `exited with ${status}`;
}

export async function findWorkingBrowser(sources: readonly BrowserSource[]): Promise<FoundBrowser> {
  const tried: string[] = [];
  for (const { name, findPaths } of sources) {
    try {
      const paths = await findPaths();
      if (paths.length === 0) tried.push(`${name}: none`);
      for (const path of paths) {
        const problem = startProblem(path);
        if (problem === undefined) return { source: name, path };
        tried.push(`${name}: ${path} does not start (${problem})`);
      }
    } catch (error) {
      tried.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`No browser found for the tests. Install Chromium, or set CHROME_PATH. Tried:\n  ${tried.join('\n  ')}`);
}
