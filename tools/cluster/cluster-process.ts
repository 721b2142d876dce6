import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterFolder } from './cluster-folder.ts';

const STOP_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 100;

export interface ProcessOptions {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Run as the current account instead of the servers' account. */
  readonly isOwn?: boolean;
}

export interface ClusterProcess {
  readonly name: string;
  readonly logFile: string;
  /** Resolves with the exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  /** Kills the process and its group at once, as a power cut would. */
  kill(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  isRunning(): boolean;
}

const running = new Set<ClusterProcess>();

/** Stops what is left of a cluster that could not be started completely. */
export async function stopRemainingProcesses(): Promise<void> {
  await Promise.all([...running].map((part) => part.stop()));
}

/** Starts a process in its own process group. Its output goes to `<name>.log` in the cluster's folder. */
export function startProcess(folder: ClusterFolder, name: string, { command, env = {}, cwd, isOwn }: ProcessOptions): ClusterProcess {
  const logFile = join(folder.path, `${name}.log`);
  const log = openSync(logFile, 'a');
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: cwd ?? folder.path,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder.path, ...env },
    stdio: ['ignore', log, log],
    detached: true,
    ...(isOwn ? {} : folder.account),
  });
  closeSync(log);
  child.on('error', (error) => process.stderr.write(`${name}: ${error.message}\n`));
  const started: ClusterProcess = {
    name,
    logFile,
    exited: new Promise((resolve) => void child.once('exit', resolve)),
    kill: () => endGroup(child, 'SIGKILL'),
    async stop(signal = 'SIGTERM') {
      const timeout = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
      await endGroup(child, signal);
      clearTimeout(timeout);
    },
    isRunning: () => hasNotEnded(child),
  };
  running.add(started);
  child.once('exit', () => running.delete(started));
  return started;
}

const hasNotEnded = ({ pid, exitCode, signalCode }: ChildProcess) => pid !== undefined && exitCode === null && signalCode === null;

async function endGroup(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!hasNotEnded(child)) return;
  const exited = once(child, 'exit');
  signalGroup(child, signal);
  await exited;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Polls until the check returns something. Fails if a process that it depends on has ended, or after a while. */
export async function waitFor<Result>(
  what: string,
  check: () => Promise<Result | undefined | false>,
  { timeoutMs = 60_000, needs = [] }: { readonly timeoutMs?: number; readonly needs?: readonly ClusterProcess[] } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await check().catch(() => undefined);
    if (result !== undefined && result !== false) return result;
    const ended = needs.find((part) => !part.isRunning());
    if (ended) throw new Error(`${ended.name} ended before ${what}:\n${readLogEnd(ended.logFile)}`);
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain until ${what}`);
    await pause(POLL_INTERVAL_MS);
  }
}

const readLogEnd = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n');

/** Runs a program to its end and returns the last line it prints. Throws with its output if it fails. */
export async function runToEnd(
  folder: ClusterFolder,
  name: string,
  command: ProcessOptions['command'],
  options: Omit<ProcessOptions, 'command'> = {},
): Promise<string> {
  const program = startProcess(folder, name, { command, ...options });
  const code = await program.exited;
  if (code !== 0) throw new Error(`${command.join(' ')} failed:\n${readLogEnd(program.logFile)}`);
  return readLogEnd(program.logFile).split('\n').at(-1) ?? '';
}
