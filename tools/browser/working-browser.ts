import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

export interface BrowserSource {
  readonly name: string;
  /** Returns the paths to try, and may install a browser first. Throws or returns an empty list if the source has no browser. */
  readonly findPaths: () => Promise<readonly string[]> | readonly string[];
}

export interface WorkingBrowser {
  readonly source: string;
  readonly path: string;
}

const VERSION_TIMEOUT_MS = 30_000;

/** Returns why the browser doesn't start, such as missing libraries, or undefined if it does. */
function findStartProblem(path: string): string | undefined {
  // Run in the temporary folder: a shell may run a binary for another CPU as a script, which could write files to the current folder.
  const options = { encoding: 'utf8', timeout: VERSION_TIMEOUT_MS, cwd: tmpdir() } as const;
  const { status, stdout, stderr, error } = spawnSync(path, ['--version'], options);
  if (status === 0 && /\d+\.\d+/.test(stdout)) return undefined;
  return error?.message ?? stderr.trim().split('\n')[0] ?? `exited with ${status}`;
}

export async function findWorkingBrowser(sources: readonly BrowserSource[]): Promise<WorkingBrowser> {
  const tried: string[] = [];
  for (const { name, findPaths } of sources) {
    try {
      const paths = await findPaths();
      if (paths.length === 0) tried.push(`${name}: none`);
      for (const path of paths) {
        const problem = findStartProblem(path);
        if (problem === undefined) return { source: name, path };
        tried.push(`${name}: ${path} doesn't start (${problem})`);
      }
    } catch (error) {
      tried.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`No browser found for the tests. Install Chromium or set CHROME_PATH. Tried:\n  ${tried.join('\n  ')}`);
}
