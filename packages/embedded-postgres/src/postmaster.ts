import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Endpoint } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isPostmasterAlive, readPostmasterFile, waitForOrphans } from './postmaster-file.ts';
import { readProcessState } from './processes.ts';
import { dataDirArgument, programEnvironment } from './programs.ts';
import type { ServerLog } from './server-log.ts';
import { serverArguments } from './server-settings.ts';

/** Where and how the database of one data folder runs. */
export interface Instance {
  readonly appName: string;
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly superuser: string;
  readonly password: string;
  readonly account: Account;
  readonly binaries: Binaries;
  /** Where a database that we launch listens; one that runs already says itself where it does. */
  readonly endpoint: Endpoint;
  readonly settings: Readonly<Record<string, string>>;
  readonly serverLog: ServerLog;
  readonly log: (line: string) => void;
}

export interface Launch {
  readonly pid: number | undefined;
  /** Set when the process has ended. */
  ended: boolean;
  /** What it has written since the launch. */
  readonly output: string[];
}

/** Starts the database as a separate process, which survives if this one is killed. */
export function launch(instance: Instance): Launch {
  const log = instance.serverLog.openForServer();
  const child = spawn(
    instance.binaries.postgres,
    ['-D', dataDirArgument(instance.account, instance.clusterDir), ...serverArguments(instance.endpoint, instance.settings)],
    {
      ...instance.account,
      cwd: instance.clusterDir,
      env: programEnvironment(),
      stdio: ['ignore', log, log],
      // Its own process group: Ctrl-C in the terminal must not end the database before the server has finished with it.
      detached: true,
    },
  );
  closeSync(log);
  child.unref();
  const started: Launch = { pid: child.pid, ended: false, output: [] };
  child.on('error', (error) => {
    started.ended = true;
    started.output.push(error.message);
  });
  child.on('exit', () => {
    started.ended = true;
    started.output.push(...instance.serverLog.readLinesSinceOpen());
  });
  return started;
}

const LOST_RACE =
  /lock file ".*" (already exists|is empty)|pre-existing shared memory block|could not create (any )?Unix-domain socket|already in use/i;

/** Whether a launch failed only because another process still uses the cluster or took it first. */
export function hasLostRace(output: readonly string[]): boolean {
  return output.some((line) => LOST_RACE.test(line));
}

export function launchError({ clusterDir }: Instance, output: readonly string[]): EmbeddedPostgresError {
  const worst = output.findLast((line) => /FATAL|PANIC/.test(line)) ?? output.at(-1) ?? 'it ended without a message';
  const reason = worst.replace(/^.*(FATAL|PANIC):\s*/, '');
  return new EmbeddedPostgresError(`The database in ${clusterDir} does not start: ${reason}`);
}

const FAST_SHUTDOWN_TIMEOUT_MS = 60_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 10_000;

/** Stops the database, whoever started it, and waits for it to exit. */
export async function shutDown(instance: Instance): Promise<void> {
  const file = await readPostmasterFile(instance.clusterDir);
  if (!file || !isPostmasterAlive(instance.clusterDir, file)) return waitForOrphans(instance.clusterDir);
  await requestShutdown(instance, file.pid, 'SIGINT');
  // One that was killed while it stopped leaves its own processes to end a moment later.
  if (await waitForEnd(file.pid, FAST_SHUTDOWN_TIMEOUT_MS)) return waitForOrphans(instance.clusterDir);
  instance.log('The database takes too long to stop: ending it at once, the next start recovers what was committed.');
  await requestShutdown(instance, file.pid, 'SIGQUIT');
  await waitForEnd(file.pid, IMMEDIATE_SHUTDOWN_TIMEOUT_MS);
}

async function requestShutdown(instance: Instance, pid: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (process.platform !== 'win32') {
    process.kill(pid, signal);
    return;
  }
  // Windows has no signals: pg_ctl speaks to the database by its own pipe.
  const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
  const child = spawn(instance.binaries.pgCtl, ['stop', '-D', instance.clusterDir, '-m', mode, '-W'], { stdio: 'ignore' });
  await new Promise((resolve) => child.on('error', resolve).on('close', resolve));
}

async function waitForEnd(pid: number, timeout: number): Promise<boolean> {
  const deadline = Date.now() + timeout;
  while (Date.now() < deadline) {
    if (readProcessState(pid) !== 'running') return true;
    await pause(20);
  }
  return false;
}
