import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { machineFacts } from './machine.ts';
import type { Figures, Measurement } from './measure.ts';

export const RESULTS_DIR = join(import.meta.dirname, 'results');

export interface Report {
  readonly at: string;
  readonly machine: ReturnType<typeof machineFacts>;
  readonly load_average: { readonly before: number; readonly after: number };
  readonly memory: { readonly product_mib: number | null; readonly postgres_mib: number | null };
  /** For each number of connections: the load generator against a server that returns a prepared page. */
  readonly ceiling: readonly { readonly connections: number; readonly per_second: number }[];
  readonly measurements: readonly Measurement[];
}

export function writeReport(report: Report): string {
  mkdirSync(RESULTS_DIR, { recursive: true });
  const file = join(RESULTS_DIR, `${report.at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

const HEADINGS =
  'scenario, conn., product/s, p50 ms, p99 ms, cpu ms, bare http/s, p50 ms, p99 ms, cpu ms, driver/s, to http, to driver, by cpu'.split(
    ', ',
  );

export function formatReport({ machine, load_average: load, memory, ceiling, measurements }: Report): string {
  const { cpu, cores, memory_mib: mib, platform, node } = machine;
  return [
    formatTable([HEADINGS, ...measurements.map(toRow)]),
    '',
    'cpu ms: CPU time per request of the answering process + of PostgreSQL.',
    'to http, to driver: requests/s of the product divided by those of the baseline; by cpu: the same for bare http by CPU time, for a busy machine.',
    `Resident memory: product ${memory.product_mib ?? '?'} MiB, PostgreSQL ${memory.postgres_mib ?? '?'} MiB.`,
    ...ceiling.map(
      ({ connections, per_second }) =>
        `Load generator at ${connections}: ${Math.round(per_second)}/s against a server that returns a prepared page.`,
    ),
    `${cores} cores (${cpu}), ${mib} MiB, ${platform}, Node ${node}; load average ${load.before} before, ${load.after} after.`,
  ].join('\n');
}

function toRow({ title, connections, figures, ratio_to_bare_http, ratio_to_bare_driver, cpu_ratio_to_bare_http }: Measurement): string[] {
  const of = (target: Figures['target']) => figures.find((figure) => figure.target === target);
  const columns = (figure: Figures | undefined) => [
    formatRate(figure),
    formatNumber(figure?.p50_ms),
    formatNumber(figure?.p99_ms),
    formatCpu(figure),
  ];
  return [
    title,
    String(connections),
    ...columns(of('product')),
    ...columns(of('bare http')),
    formatRate(of('bare driver')),
    formatNumber(ratio_to_bare_http),
    formatNumber(ratio_to_bare_driver),
    formatNumber(cpu_ratio_to_bare_http),
  ];
}

const formatRate = (figure: Figures | undefined) => (figure ? String(Math.round(figure.per_second)) : '-');
const formatCpu = (figure: Figures | undefined) =>
  figure ? `${formatNumber(figure.process_cpu_ms)} + ${formatNumber(figure.postgres_cpu_ms)}` : '-';
const formatNumber = (value: number | null | undefined) => value?.toFixed(2) ?? '-';

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0));
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}
