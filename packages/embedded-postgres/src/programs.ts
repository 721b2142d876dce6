import { spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './errors.ts';
import { canAccess, type SystemAccount } from './system-account.ts';

/** Builds an environment without the shell's PG* variables and locale, which PostgreSQL would read. */
export function buildProgramEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|SystemRoot|TEMP|TMP|TMPDIR)$/i.test(name)));
}

/**
 * Builds the `-D` argument for a process that runs in the cluster folder. If the account can't access a parent folder, such as root's home,
 * the argument refers to the working folder, which is entered before root's privileges are dropped.
 */
export function buildDataDirArgument(account: SystemAccount, folder: string): string {
  if (canAccess(account, folder)) return folder;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new EmbeddedPostgresError(
    `The account that runs the database (uid ${account.uid}) can't access ${folder}. Move the data folder to a location that all accounts can access.`,
    'data-folder',
  );
}

interface ProgramOptions {
  readonly clusterDir: string;
  readonly account: SystemAccount;
  readonly input?: string;
}

/** Runs one of PostgreSQL's programs on a cluster and waits until it exits. */
export async function runProgram(program: string, args: readonly string[], { clusterDir, account, input = '' }: ProgramOptions) {
  const child = spawn(program, args, {
    ...account,
    cwd: clusterDir,
    env: buildProgramEnvironment(),
    // Use a separate process group, so that Ctrl-C reaches only this process.
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  // Ignore write errors: a program that exits early doesn't read all of its input, and its exit code reports why.
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { succeeded: code === 0, output };
}
