import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresBinaries } from './binaries.ts';
import type { PostgresEndpoint } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isPostmasterAlive, readPostmasterFile, waitForOrphanedBackends } from './postmaster-file.ts';
import { readProcessState } from './processes.ts';
import { buildDataDirArgument, buildProgramEnvironment } from './programs.ts';
import type { ServerLog } from './server-log.ts';
import { buildServerArguments } from './server-settings.ts';
import type { SystemAccount } from './system-account.ts';

/** All settings needed to run the database of one data folder. */
export interface PostgresInstance {
  readonly appName: string;
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly superuser: string;
  readonly password: string;
  readonly account: SystemAccount;
  readonly binaries: PostgresBinaries;
  /** The endpoint for a database that we launch; a database that is already running reports its own endpoint. */
  readonly endpoint: PostgresEndpoint;
  readonly settings: Readonly<Record<string, string>>;
  readonly serverLog: ServerLog;
  readonly log: (line: string) => void;
}

export interface LaunchedProcess {
  readonly pid: number | undefined;
  hasExited: boolean;
  /** The lines that the database has logged since the launch; empty until the database exits. */
  readonly output: string[];
}

/** Starts the database as a separate process, which keeps running if this process is killed. */
export function launchPostmaster(instance: PostgresInstance): LaunchedProcess {
  const log = instance.serverLog.openForServer();
  const child = spawn(
    instance.binaries.postgres,
    ['-D', buildDataDirArgument(instance.account, instance.clusterDir), ...buildServerArguments(instance.endpoint, instance.settings)],
    {
      ...instance.account,
      cwd: instance.clusterDir,
      env: buildProgramEnvironment(),
      stdio: ['ignore', log, log],
      // Use a separate process group, so that Ctrl-C in the terminal doesn't stop the database before the app has finished with it.
      detached: true,
    },
  );
  closeSync(log);
  child.unref();
  const started: LaunchedProcess = { pid: child.pid, hasExited: false, output: [] };
  child.on('error', (error) => {
    started.hasExited = true;
    started.output.push(error.message);
  });
  child.on('exit', () => {
    started.hasExited = true;
    started.output.push(...instance.serverLog.readLinesSinceOpen());
  });
  return started;
}

const LOST_RACE_PATTERN =
  /lock file ".*" (already exists|is empty)|pre-existing shared memory block|could not create (any )?Unix-domain socket|already in use/i;

/** Returns true if a launch failed only because another process still uses the cluster or started on it first. */
export function hasLostLaunchRace(output: readonly string[]): boolean {
  return output.some((line) => LOST_RACE_PATTERN.test(line));
}

export function createLaunchError({ clusterDir }: PostgresInstance, output: readonly string[]): EmbeddedPostgresError {
  const worst = output.findLast((line) => /FATAL|PANIC/.test(line)) ?? output.at(-1) ?? 'it ended without a message';
  const reason = worst.replace(/^.*(FATAL|PANIC):\s*/, '');
  return new EmbeddedPostgresError(`The database in ${clusterDir} does not start: ${reason}`);
}

const FAST_SHUTDOWN_TIMEOUT_MS = 60_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 10_000;

/** Stops the database, even if another process launched it, and waits for it to exit. */
export async function shutDownPostgres(instance: PostgresInstance): Promise<void> {
  const file = await readPostmasterFile(instance.clusterDir);
  if (!file || !isPostmasterAlive(instance.clusterDir, file)) return waitForOrphanedBackends(instance.clusterDir);
  await requestShutdown(instance, file.pid, 'SIGINT');
  // If the postmaster was killed while stopping, its backends exit a moment later, so wait for them too.
  if (await waitForExit(file.pid, FAST_SHUTDOWN_TIMEOUT_MS)) return waitForOrphanedBackends(instance.clusterDir);
  instance.log('The database is taking too long to stop. Forcing it to stop; the next start recovers all committed data.');
  await requestShutdown(instance, file.pid, 'SIGQUIT');
  await waitForExit(file.pid, IMMEDIATE_SHUTDOWN_TIMEOUT_MS);
}

async function requestShutdown(instance: PostgresInstance, pid: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (process.platform !== 'win32') {
    process.kill(pid, signal);
    return;
  }
  // Windows has no signals, so pg_ctl stops the database through its named pipe.
  const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
  const child = spawn(instance.binaries.pgCtl, ['stop', '-D', instance.clusterDir, '-m', mode, '-W'], { stdio: 'ignore' });
  await new Promise((resolve) => child.on('error', resolve).on('close', resolve));
}

async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (readProcessState(pid) !== 'running') return true;
    await pause(20);
  }
  return false;
}
