import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { getMachineInfo } from './machine.ts';
import type { FailedMeasurement, Measurement, TargetFigures } from './measure.ts';

export const RESULTS_DIR = join(import.meta.dirname, 'results');

export interface BenchmarkReport {
  readonly at: string;
  readonly machine: ReturnType<typeof getMachineInfo>;
  readonly load_average: { readonly before: number; readonly after: number };
  readonly memory: { readonly product_mib: number | null; readonly postgres_mib: number | null };
  /** The load generator's own limit at each number of connections, measured against a server that returns a precomputed page. */
  readonly ceiling: readonly { readonly connections: number; readonly per_second: number }[];
  readonly measurements: readonly Measurement[];
  readonly failures: readonly FailedMeasurement[];
}

/** Keeps the server's log next to the report of a run with failures. The benchmark deletes its own folder. */
export function keepServerLog({ at }: Pick<BenchmarkReport, 'at'>, logFile: string): string {
  mkdirSync(RESULTS_DIR, { recursive: true });
  const file = join(RESULTS_DIR, `${at.replaceAll(':', '-')}.server.log`);
  copyFileSync(logFile, file);
  return file;
}

export function writeReport(report: BenchmarkReport): string {
  mkdirSync(RESULTS_DIR, { recursive: true });
  const file = join(RESULTS_DIR, `${report.at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

const HEADINGS =
  'scenario, conn., product/s, p50 ms, p99 ms, cpu ms, http/s, p50 ms, p99 ms, cpu ms, driver/s, to http, to driver, by cpu'.split(', ');

export function formatReport({ machine, load_average: load, memory, ceiling, measurements, failures }: BenchmarkReport): string {
  const { cpu, cores, memory_mib: mib, platform, node } = machine;
  return [
    formatTable([HEADINGS, ...measurements.map(toRow)]),
    '',
    'cpu ms: CPU time per request of the server process + PostgreSQL.',
    'to http, to driver: requests/s of the product divided by those of the baseline. by cpu: the ratio to the HTTP baseline by CPU time, for busy machines.',
    `Resident memory: product ${memory.product_mib ?? '?'} MiB, PostgreSQL ${memory.postgres_mib ?? '?'} MiB.`,
    ...ceiling.map(
      ({ connections, per_second }) =>
        `Load generator at ${connections}: ${Math.round(per_second)}/s against a server that returns a precomputed page.`,
    ),
    ...failures.map(({ title, connections, reason }) => `NOT MEASURED: ${title} over ${connections} connection(s). ${reason}.`),
    `${cores} cores (${cpu}), ${mib} MiB, ${platform}, Node ${node}; load average ${load.before} before, ${load.after} after.`,
  ].join('\n');
}

function toRow({ title, connections, figures, ratio_to_http, ratio_to_driver, cpu_ratio_to_http }: Measurement): string[] {
  const findFigures = (target: TargetFigures['target']) => figures.find((figure) => figure.target === target);
  const formatColumns = (figure: TargetFigures | undefined) => [
    formatRate(figure),
    formatNumber(figure?.p50_ms),
    formatNumber(figure?.p99_ms),
    formatCpu(figure),
  ];
  return [
    title,
    String(connections),
    ...formatColumns(findFigures('product')),
    ...formatColumns(findFigures('http baseline')),
    formatRate(findFigures('driver baseline')),
    formatNumber(ratio_to_http),
    formatNumber(ratio_to_driver),
    formatNumber(cpu_ratio_to_http),
  ];
}

const formatRate = (figure: TargetFigures | undefined) => (figure ? String(Math.round(figure.per_second)) : '-');
const formatCpu = (figure: TargetFigures | undefined) =>
  figure ? `${formatNumber(figure.process_cpu_ms)} + ${formatNumber(figure.postgres_cpu_ms)}` : '-';
const formatNumber = (value: number | null | undefined) => value?.toFixed(2) ?? '-';

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0));
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}
