import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;
const MS_A_TICK = 10;

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

/** The processes of a database server: its postmaster and what that has started. */
export function databaseProcesses(clusterDir: string): number[] {
  const postmaster = Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return [postmaster, ...childrenOf(postmaster)];
}

/** Resident memory in MiB, with what processes share counted once; only Linux can tell, elsewhere null. */
export function residentMemory(pids: readonly number[]): number | null {
  const shares = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(procFile(pid, 'smaps_rollup'))?.[1] ?? 0));
  return Math.round(shares.reduce((total, kib) => total + kib, 0) / 1024) || null;
}

/** CPU time in ms that each process has used so far, in steps of a clock tick; only Linux can tell, elsewhere 0. */
export function cpuTimes(pids: readonly number[]): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      const [, , , , , , , , , , , user = '0', system = '0'] = statOf(pid);
      return [pid, (Number(user) + Number(system)) * MS_A_TICK];
    }),
  );
}

/** What was used in between; a process that has ended meanwhile, such as an idle connection's, is left out. */
export function cpuUsed(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((total, [pid, ms]) => total + Math.max(0, ms - (before.get(pid) ?? 0)), 0);
}

function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => Number(statOf(pid)[1]) === parent);
}

/** From the state on: what stands before it may hold spaces. */
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
