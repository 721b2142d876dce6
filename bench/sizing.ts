import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../apps/server/src/config.ts';
import { createSessionCookie } from '../apps/server/src/platform/auth/session-cookie.ts';
import { startEnvironment } from './bench-environment.ts';
import { formatRow, keepServerLog, writeReport } from './benchmark-report.ts';
import { type ChildWorker, startWorker } from './child-worker.ts';
import {
  calculateCpuTime,
  getLoadAverage,
  getMachineInfo,
  listDatabaseProcessIds,
  readCpuTimes,
  readResidentMemoryMib,
} from './machine.ts';
import { getQuantile } from './measure.ts';
import { FIRM_SIZE, FIRM_SIZES_PER_YEAR, seedFirms } from './seed-firms.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import type { DayMessage, DayResult } from './working-day-load.ts';

/** A screen needs about four calls, so each of ten people opens one every 80 seconds. Live updates are included. */
const CALLS_PER_SECOND_AND_FIRM = 0.5;
/** The others work with their hands. */
const OPEN_PAGES_PER_FIRM = 4;
const MAX_CONNECTIONS = 16;
/** More than are ever busy, so that no call waits for the load generator. */
const STEADY_CONNECTIONS = 200;

interface SizingSettings {
  readonly warmUpMs: number;
  readonly fastMs: number;
  readonly steadyMs: number;
}

const SETTINGS: SizingSettings = { warmUpMs: 15_000, fastMs: 30_000, steadyMs: 60_000 };
const QUICK_SETTINGS: SizingSettings = { warmUpMs: 2000, fastMs: 3000, steadyMs: 5000 };

export interface SizingMeasurement {
  readonly firms: number;
  readonly load: 'their own pace' | 'as fast as it goes';
  readonly streams: number;
  readonly calls: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly server_cpu_ms: number;
  readonly postgres_cpu_ms: number;
  /** Shares of one core. */
  readonly server_cpu: number;
  readonly postgres_cpu: number;
  readonly generator_cpu: number;
  readonly server_mib: number | null;
  readonly postgres_mib: number | null;
  readonly database_mib: number;
  readonly database_mib_per_firm_year: number;
  readonly live_updates: number;
  readonly failures: Readonly<Record<string, number>>;
}

const HEADINGS =
  'firms, calls/s, p50 ms, p99 ms, cpu ms, server cpu, database cpu, generator, server MiB, database MiB, streams, failed'.split(', ');

const log = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: string) => void process.stdout.write(`${line}\n`);

export interface SizingOptions {
  readonly at: string;
  readonly firmCounts: readonly number[];
  readonly isQuick: boolean;
}

/** Measures what firms of ten people need, at the pace of their working day and as fast as the server can. */
export async function measureSizing({ at, firmCounts, isQuick }: SizingOptions): Promise<void> {
  const settings = isQuick ? QUICK_SETTINGS : SETTINGS;
  const before = getLoadAverage();
  const measurements: SizingMeasurement[] = [];
  const write = () =>
    writeReport({ at, machine: getMachineInfo(), load_average: { before, after: getLoadAverage() }, measurements, failures: [] });
  print(formatRow(HEADINGS));
  for (const firmCount of firmCounts) {
    await measureFirms(firmCount, { settings, at }, (measurement) => {
      measurements.push(measurement);
      print(formatSizing(measurement));
      write();
    });
  }
  print(formatFootnotes(measurements, before));
  print(`Report written to ${write()}`);
  if (measurements.some(({ failures }) => Object.keys(failures).length > 0)) process.exitCode = 1;
}

type Report = (measurement: SizingMeasurement) => void;

async function measureFirms(
  firmCount: number,
  { settings, at }: { readonly settings: SizingSettings; readonly at: string },
  report: Report,
): Promise<void> {
  log(`Seeding ${firmCount} firm(s)...`);
  const environment = await startEnvironment(
    mkdtempSync(join(tmpdir(), 'callout-sizing-')),
    { isKept: false },
    async ({ database, env }) => {
      const emptyBytes = await readDatabaseBytes(database);
      const firms = await seedFirms(database, firmCount, createSessionCookie(readConfig(env).sessionSecrets, false));
      return { firms, emptyBytes, seededBytes: await readDatabaseBytes(database) };
    },
  );
  const { firms, emptyBytes, seededBytes, clusterDir } = environment;
  // The firms share this machine's address, like firms behind a proxy.
  const env = { ...environment.env, TRUST_PROXY: '1' };
  const generator = startWorker<DayMessage, DayResult | null>('working-day-load.ts');
  try {
    const server = await startServerProcess({ env, logFile: join(environment.folder, 'server.log') });
    try {
      const size = {
        firms: firmCount,
        streams: firmCount * OPEN_PAGES_PER_FIRM,
        database_mib: toMib(seededBytes),
        database_mib_per_firm_year: (toMib(seededBytes - emptyBytes) / firmCount) * FIRM_SIZES_PER_YEAR,
      };
      const { port } = server;
      await generator.request({ kind: 'start', host: '127.0.0.1', port, firms, openPagesPerFirm: OPEN_PAGES_PER_FIRM });
      const processes = { server, generator, clusterDir };
      const fast = { kind: 'load', connections: MAX_CONNECTIONS, callsPerSecond: null } as const;
      const steady = { kind: 'load', connections: STEADY_CONNECTIONS, callsPerSecond: firmCount * CALLS_PER_SECOND_AND_FIRM } as const;
      await generator.request({ ...fast, ms: settings.warmUpMs });
      const measured = await measureLoad({ ...steady, ms: settings.steadyMs }, processes);
      report({ ...size, load: 'their own pace', ...measured });
      const fastest = await measureLoad({ ...fast, ms: settings.fastMs }, processes);
      report({ ...size, load: 'as fast as it goes', ...fastest });
      const failures = { ...measured.failures, ...fastest.failures };
      if (Object.keys(failures).length > 0) log(`${JSON.stringify(failures)}, see ${keepServerLog({ at }, server.logFile)}`);
    } finally {
      await server.stop();
    }
  } finally {
    await generator.stop();
    await environment.tearDown();
  }
}

interface MeasuredProcesses {
  readonly server: ServerProcess;
  readonly generator: ChildWorker<DayMessage, DayResult | null>;
  readonly clusterDir: string;
}

async function measureLoad(load: DayMessage, { server, generator, clusterDir }: MeasuredProcesses) {
  const readCpu = () => [[server.pid], listDatabaseProcessIds(clusterDir), [generator.pid]].map(readCpuTimes);
  const before = readCpu();
  const result = await generator.request(load);
  if (!result) throw new Error('Nothing was measured');
  const after = readCpu();
  const [serverMs = 0, postgresMs = 0, generatorMs = 0] = before.map((times, index) => calculateCpuTime(times, after[index] ?? new Map()));
  const latencies = result.latencies.toSorted((a, b) => a - b);
  return {
    calls: latencies.length,
    per_second: (latencies.length / result.ms) * 1000,
    p50_ms: getQuantile(latencies, 0.5),
    p99_ms: getQuantile(latencies, 0.99),
    server_cpu_ms: serverMs / latencies.length,
    postgres_cpu_ms: postgresMs / latencies.length,
    server_cpu: serverMs / result.ms,
    postgres_cpu: postgresMs / result.ms,
    generator_cpu: generatorMs / result.ms,
    server_mib: readResidentMemoryMib([server.pid]),
    postgres_mib: readResidentMemoryMib(listDatabaseProcessIds(clusterDir)),
    live_updates: result.liveUpdates,
    failures: Object.fromEntries(result.failures),
  };
}

async function readDatabaseBytes(database: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}

const toMib = (bytes: number) => bytes / 1024 / 1024;
const formatPercent = (share: number) => `${Math.round(share * 100)} %`;

function formatSizing(measurement: SizingMeasurement): string {
  const { firms, load, per_second, p50_ms, p99_ms, server_cpu_ms, postgres_cpu_ms, server_mib, postgres_mib, streams, failures } =
    measurement;
  return formatRow([
    `${firms.toLocaleString('en')}, ${load}`,
    per_second.toFixed(1),
    p50_ms.toFixed(1),
    p99_ms.toFixed(1),
    `${server_cpu_ms.toFixed(2)} + ${postgres_cpu_ms.toFixed(2)}`,
    ...[measurement.server_cpu, measurement.postgres_cpu, measurement.generator_cpu].map(formatPercent),
    String(server_mib ?? '?'),
    String(postgres_mib ?? '?'),
    String(streams),
    String(Object.values(failures).reduce((total, count) => total + count, 0)),
  ]);
}

function formatFootnotes(measurements: readonly SizingMeasurement[], before: number): string {
  const { cpu, cores, memory_mib, platform, node } = getMachineInfo();
  const sizes = new Map(measurements.map((measurement) => [measurement.firms, measurement]));
  return [
    '',
    `Their own pace: ${CALLS_PER_SECOND_AND_FIRM} calls per second for each firm of ten people, ${OPEN_PAGES_PER_FIRM} of whom have Callout open.`,
    `As fast as it goes: ${MAX_CONNECTIONS} connections, back to back. The load generator runs on the same machine.`,
    'cpu ms: CPU time per call of the server + PostgreSQL. cpu: share of one core.',
    ...[...sizes.values()].map(
      ({ firms, database_mib, database_mib_per_firm_year }) =>
        `Database of ${firms.toLocaleString('en')} firm(s) with ${FIRM_SIZE.jobs} jobs each: ${Math.round(database_mib)} MiB; ` +
        `${database_mib_per_firm_year.toFixed(1)} MiB for each firm and year of ${FIRM_SIZE.jobs * FIRM_SIZES_PER_YEAR} jobs.`,
    ),
    `${cores} cores (${cpu}), ${memory_mib} MiB, ${platform}, Node ${node}; load average ${before} before, ${getLoadAverage()} after.`,
  ].join('\n');
}
