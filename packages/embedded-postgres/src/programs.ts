import { spawn } from 'node:child_process';
import { type Account, canReach } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';

/** PostgreSQL reads PG* variables and the locale, so neither is inherited from our shell. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|SystemRoot|TEMP|TMP|TMPDIR)$/i.test(name)));
}

/**
 * What `-D` gets, for a process whose working folder is the cluster. Below a folder that the account may not enter (root's home), the
 * working folder itself still works: it is entered before the rights of root are given up.
 */
export function dataDirArgument(account: Account, folder: string): string {
  if (canReach(account, folder)) return folder;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new EmbeddedPostgresError(
    `The account that runs the database (uid ${account.uid}) may not enter ${folder}: the data folder must be below one that every account may enter.`,
    'data-folder',
  );
}

interface Run {
  readonly clusterDir: string;
  readonly account: Account;
  readonly input?: string;
}

/** Runs one of PostgreSQL's programs on a cluster until it ends. */
export async function runProgram(program: string, args: readonly string[], { clusterDir, account, input = '' }: Run) {
  const child = spawn(program, args, {
    ...account,
    cwd: clusterDir,
    env: programEnvironment(),
    // Its own process group: Ctrl-C reaches us, and we decide.
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  // A program that ends early does not read to the end; its exit code tells.
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { succeeded: code === 0, output };
}
