import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;
const MS_PER_TICK = 10;

export function machineFacts() {
  const [cpu] = cpus();
  return {
    platform: `${process.platform}-${process.arch}`,
    cpu: cpu?.model.trim() || 'unknown',
    cores: cpus().length,
    memory_mib: Math.round(totalmem() / MIB),
    node: process.version,
  };
}

export function loadAverage(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

/** The postmaster of the database server and its child processes. */
export function databaseProcesses(clusterDir: string): number[] {
  const postmaster = Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return [postmaster, ...childrenOf(postmaster)];
}

/** Resident memory in MiB, shared memory counted once; null on systems other than Linux. */
export function residentMemory(pids: readonly number[]): number | null {
  const shares = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(procFile(pid, 'smaps_rollup'))?.[1] ?? 0));
  return Math.round(shares.reduce((total, kib) => total + kib, 0) / 1024) || null;
}

/** CPU time in ms that each process has used so far, in steps of a clock tick; 0 on systems other than Linux. */
export function cpuTimes(pids: readonly number[]): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      const [, , , , , , , , , , , user = '0', system = '0'] = statOf(pid);
      return [pid, (Number(user) + Number(system)) * MS_PER_TICK];
    }),
  );
}

/** CPU time in ms used between the two readings; a process that has exited since, such as that of an idle connection, is left out. */
export function cpuTimeBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((total, [pid, ms]) => total + Math.max(0, ms - (before.get(pid) ?? 0)), 0);
}

function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => Number(statOf(pid)[1]) === parent);
}

/** The fields from the state on: the command name before it may contain spaces. */
function statOf(pid: number): string[] {
  const stat = procFile(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
