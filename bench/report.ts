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
  /** Per connections: the load generator against a server that only answers. */
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

export function reportText({ machine, load_average: load, memory, ceiling, measurements }: Report): string {
  const { cpu, cores, memory_mib: mib, platform, node } = machine;
  return [
    table([HEADINGS, ...measurements.map(line)]),
    '',
    'cpu ms: CPU time per request, of the process that answers + of PostgreSQL.',
    'to http, to driver: share of the limit that the product reaches; by cpu: share of the bare http server by CPU time, for a busy machine.',
    `Resident memory: product ${memory.product_mib ?? '?'} MiB, PostgreSQL ${memory.postgres_mib ?? '?'} MiB.`,
    ...ceiling.map(
      ({ connections, per_second }) =>
        `Load generator at ${connections}: ${Math.round(per_second)}/s from a server that answers with a ready page.`,
    ),
    `${cores} cores (${cpu}), ${mib} MiB, ${platform}, Node ${node}; load average ${load.before} before, ${load.after} after.`,
  ].join('\n');
}

function line({ title, connections, figures, ratio_to_bare_http, ratio_to_bare_driver, cpu_ratio_to_bare_http }: Measurement): string[] {
  const of = (source: Figures['source']) => figures.find((figure) => figure.source === source);
  const four = (figure: Figures | undefined) => [rate(figure), fixed(figure?.p50_ms), fixed(figure?.p99_ms), cpu(figure)];
  return [
    title,
    String(connections),
    ...four(of('product')),
    ...four(of('bare http')),
    rate(of('bare driver')),
    fixed(ratio_to_bare_http),
    fixed(ratio_to_bare_driver),
    fixed(cpu_ratio_to_bare_http),
  ];
}

const rate = (figure: Figures | undefined) => (figure ? String(Math.round(figure.per_second)) : '-');
const cpu = (figure: Figures | undefined) => (figure ? `${fixed(figure.own_cpu_ms)} + ${fixed(figure.postgres_cpu_ms)}` : '-');
const fixed = (value: number | null | undefined) => value?.toFixed(2) ?? '-';

function table(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0));
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}
