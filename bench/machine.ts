import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const MIB = 1024 * 1024;
const MS_PER_TICK = 10;

export function getMachineInfo() {
  const [cpu] = cpus();
  return {
    platform: `${process.platform}-${process.arch}`,
    cpu: cpu?.model.trim() || 'unknown',
    cores: cpus().length,
    memory_mib: Math.round(totalmem() / MIB),
    node: process.version,
  };
}

export function getLoadAverage(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

/** Returns the process ids of PostgreSQL's postmaster and its children. */
export function listDatabaseProcessIds(clusterDir: string): number[] {
  const postmaster = Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return [postmaster, ...listChildProcessIds(postmaster)];
}

/** Returns the resident memory of all processes in MiB, counting shared memory once. Null on systems other than Linux. */
export function readResidentMemoryMib(pids: readonly number[]): number | null {
  const shares = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readProcFile(pid, 'smaps_rollup'))?.[1] ?? 0));
  return Math.round(shares.reduce((total, kib) => total + kib, 0) / 1024) || null;
}

/** Returns the CPU time of each process in ms, as precise as a clock tick. The time is 0 on systems other than Linux. */
export function readCpuTimes(pids: readonly number[]): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      const [, , , , , , , , , , , user = '0', system = '0'] = readProcessStat(pid);
      return [pid, (Number(user) + Number(system)) * MS_PER_TICK];
    }),
  );
}

/** Returns the CPU time in ms between two readings. Ignores processes that exited in between, such as those of idle connections. */
export function calculateCpuTime(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((total, [pid, ms]) => total + Math.max(0, ms - (before.get(pid) ?? 0)), 0);
}

function listChildProcessIds(parent: number): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => Number(readProcessStat(pid)[1]) === parent);
}

/** Returns the fields of /proc/<pid>/stat that follow the command name. The name itself may contain spaces. */
function readProcessStat(pid: number): string[] {
  const stat = readProcFile(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
