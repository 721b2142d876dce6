import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export type ProcessState = 'running' | 'zombie' | 'exited';

/** Returns a process's state. Signal 0 alone can't detect a zombie, so the operating system's process state is checked as well. */
export function readProcessState(pid: number): ProcessState {
  if (!canSignal(pid)) return 'exited';
  const letter = readStateLetter(pid);
  if (letter === undefined) return canSignal(pid) ? 'running' : 'exited';
  return letter === 'Z' || letter === 'X' ? 'zombie' : 'running';
}

/** Returns true if a running process is a PostgreSQL process of this cluster. The pid alone proves nothing, because pids are reused. */
export function isPostgresProcess(pid: number, clusterDir: string): boolean {
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') return /postgres/.test(runPs(pid, 'command=') ?? '');
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === clusterDir;
  } catch {
    // The working folder of another account's process is hidden, so check the process name instead.
    return readProcessName(pid) === 'postgres';
  }
}

/** Lists running processes whose working folder is the cluster. Always empty on platforms other than Linux. */
export function listPostgresProcesses(clusterDir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgresRunningIn(pid, clusterDir) && readProcessState(pid) === 'running');
}

function isPostgresRunningIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder && readProcessName(pid) === 'postgres';
  } catch {
    return false;
  }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readStateLetter(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') return runPs(pid, 'stat=')?.[0];
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0];
  } catch {
    return undefined;
  }
}

function readProcessName(pid: number): string | undefined {
  try {
    return basename(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  } catch {
    return undefined;
  }
}

function runPs(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
