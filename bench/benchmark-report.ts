import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { getMachineInfo } from './machine.ts';
import type { FailedMeasurement, GrowthMeasurement, Measurement, TargetFigures } from './measure.ts';
import type { SizingMeasurement } from './sizing.ts';

export const RESULTS_DIR = join(import.meta.dirname, 'results');

export interface BenchmarkReport {
  readonly at: string;
  readonly machine: ReturnType<typeof getMachineInfo>;
  readonly load_average: { readonly before: number; readonly after: number };
  readonly memory?: { readonly product_mib: number | null; readonly postgres_mib: number | null };
  /** The load generator's own limit at each number of connections, measured against a server that returns a precomputed page. */
  readonly ceiling?: readonly { readonly connections: number; readonly per_second: number }[];
  readonly measurements: readonly (Measurement | GrowthMeasurement | SizingMeasurement)[];
  readonly failures: readonly FailedMeasurement[];
}

/** No read may take more than this many times as long in the large database. */
const MAX_GROWTH = 1.3;
export const isOverGrowthLimit = ({ ratio }: GrowthMeasurement) => ratio > MAX_GROWTH;

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

const TITLE_WIDTH = 36;
const COLUMN_WIDTH = 15;

export const HEADINGS =
  'scenario, conn., product/s, p50 ms, p99 ms, cpu ms, http/s, p50 ms, p99 ms, cpu ms, driver/s, to http, to driver, by cpu'.split(', ');
export const UNNAMED_HEADINGS = 'scenario, named p50, p99 ms, cpu ms, unnamed p50, p99 ms, cpu ms, ratio, by cpu'.split(', ');
export const GROWTH_HEADINGS = 'scenario, small p50, p99 ms, cpu ms, large p50, p99 ms, cpu ms, ratio, by cpu'.split(', ');

export function formatRow([title = '', ...cells]: readonly string[]): string {
  return title.padEnd(TITLE_WIDTH) + cells.map((cell) => cell.padStart(COLUMN_WIDTH)).join('');
}

export function formatMeasurement({ title, connections, figures, ...ratios }: Measurement): string {
  const findFigures = (target: TargetFigures['target']) => figures.find((figure) => figure.target === target);
  const [product, http] = [findFigures('product'), findFigures('http baseline')];
  return formatRow([
    title,
    String(connections),
    formatRate(product),
    ...formatTimes(product),
    formatRate(http),
    ...formatTimes(http),
    formatRate(findFigures('driver baseline')),
    formatNumber(ratios.ratio_to_http),
    formatNumber(ratios.ratio_to_driver),
    formatNumber(ratios.cpu_ratio_to_http),
  ]);
}

export const formatPair = ({ title, small, large, ratio, cpu_ratio }: GrowthMeasurement) =>
  formatRow([title, ...formatTimes(small), ...formatTimes(large), formatNumber(ratio), formatNumber(cpu_ratio)]);

export const formatGrowth = (growth: GrowthMeasurement) =>
  isOverGrowthLimit(growth) ? `${formatPair(growth)}  OVER ${MAX_GROWTH}` : formatPair(growth);

export const formatFailure = ({ title, connections, reason }: FailedMeasurement) =>
  `NOT MEASURED: ${title} over ${connections} connection(s). ${reason}.`;

export function formatSummary({ machine, load_average: load, memory, ceiling = [] }: BenchmarkReport): string {
  const { cpu, cores, memory_mib: mib, platform, node } = machine;
  return [
    '',
    'cpu ms: CPU time per request of the server process + PostgreSQL.',
    'to http, to driver: requests/s of the product divided by those of the baseline. by cpu: the same ratio by CPU time, for busy machines.',
    ...(memory ? [`Resident memory: product ${memory.product_mib ?? '?'} MiB, PostgreSQL ${memory.postgres_mib ?? '?'} MiB.`] : []),
    ...ceiling.map(
      ({ connections, per_second }) =>
        `Load generator at ${connections}: ${Math.round(per_second)}/s against a server that returns a precomputed page.`,
    ),
    `${cores} cores (${cpu}), ${mib} MiB, ${platform}, Node ${node}; load average ${load.before} before, ${load.after} after.`,
  ].join('\n');
}

const formatTimes = (figure: TargetFigures | undefined) => [formatNumber(figure?.p50_ms), formatNumber(figure?.p99_ms), formatCpu(figure)];
const formatRate = (figure: TargetFigures | undefined) => (figure ? String(Math.round(figure.per_second)) : '-');
const formatCpu = (figure: TargetFigures | undefined) =>
  figure ? `${formatNumber(figure.process_cpu_ms)} + ${formatNumber(figure.postgres_cpu_ms)}` : '-';
const formatNumber = (value: number | null | undefined) => value?.toFixed(2) ?? '-';
