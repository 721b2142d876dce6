import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { cleanEnvironment, dataDirArgument } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { orphansGone, postmasterLives, readPostmasterFile } from './postmaster-file.ts';
import { processState } from './processes.ts';
import type { ServerLog } from './server-log.ts';
import { serverArguments } from './settings.ts';
import type { Address } from './socket-folder.ts';

/** Everything there is to know about where and how the database of one data folder runs. */
export interface Place {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly account: Account;
  readonly binaries: Binaries;
  /** Where a database that we launch listens; one that runs already says itself where it does. */
  readonly address: Address;
  readonly password: string | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly serverLog: ServerLog;
}

export interface Launch {
  /** Set when the process has ended. */
  ended: boolean;
  /** What it said since the launch. */
  readonly said: string[];
}

/** Starts the database as a process of its own, which lives on when this one is killed. */
export function launch(place: Place): Launch {
  place.serverLog.catchUp();
  const log = place.serverLog.openForServer();
  const started: Launch = { ended: false, said: [] };
  const child = spawn(
    place.binaries.postgres,
    ['-D', dataDirArgument(place.account, place.clusterDir), ...serverArguments(place.address, place.settings)],
    {
      ...place.account,
      cwd: place.clusterDir,
      env: cleanEnvironment(),
      stdio: ['ignore', log, log],
      // Its own process group: Ctrl-C in the terminal must not end the database before the server has finished with it.
      detached: true,
    },
  );
  closeSync(log);
  child.unref();
  child.on('error', (error) => {
    started.ended = true;
    started.said.push(error.message);
  });
  child.on('exit', () => {
    started.ended = true;
    started.said.push(...place.serverLog.catchUp());
  });
  return started;
}

const PASSES = /lock file ".*" already exists|pre-existing shared memory block|could not create (any )?Unix-domain socket|already in use/i;

/** Whether a launch failed only because another process has not left the cluster yet, or was quicker to take it. */
export function lostTheRace(failed: Launch): boolean {
  return failed.said.some((line) => PASSES.test(line));
}

export function launchError(place: Place, failed: Launch): EmbeddedPostgresError {
  const worst = failed.said.findLast((line) => /FATAL|PANIC/.test(line)) ?? failed.said.at(-1) ?? 'it ended without a word';
  const reason = worst.replace(/^.*(FATAL|PANIC):\s*/, '');
  return new EmbeddedPostgresError(`The database in ${place.clusterDir} does not start: ${reason}`);
}

const FAST_SHUTDOWN_MS = 60_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/** Ends the database, whoever started it, and waits until it is gone. */
export async function shutDown(place: Place, log: (line: string) => void): Promise<void> {
  const file = await readPostmasterFile(place.clusterDir);
  if (!file || !postmasterLives(place.clusterDir, file)) return orphansGone(place.clusterDir);
  await order(place, file.pid, 'SIGINT');
  if (await endsWithin(file.pid, FAST_SHUTDOWN_MS)) return;
  log('The database takes too long to stop: ending it at once, the next start recovers what was committed.');
  await order(place, file.pid, 'SIGQUIT');
  await endsWithin(file.pid, IMMEDIATE_SHUTDOWN_MS);
}

async function order(place: Place, pid: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (process.platform !== 'win32') {
    process.kill(pid, signal);
    return;
  }
  // Windows has no signals: pg_ctl speaks to the database by its own pipe.
  const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
  const child = spawn(place.binaries.pgCtl, ['stop', '-D', place.clusterDir, '-m', mode, '-W'], { stdio: 'ignore' });
  await new Promise((resolve) => child.on('error', resolve).on('close', resolve));
}

async function endsWithin(pid: number, limit: number): Promise<boolean> {
  const giveUp = Date.now() + limit;
  while (Date.now() < giveUp) {
    if (processState(pid) !== 'running') return true;
    await pause(20);
  }
  return false;
}
