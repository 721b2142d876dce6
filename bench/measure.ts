import { cpuTimes, cpuUsed, databaseProcesses } from './machine.ts';
import type { Scenario } from './scenarios.ts';
import type { Slice } from './slice.ts';
import type { Source, SourceName } from './sources.ts';

export interface Figures {
  readonly source: SourceName;
  readonly requests: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** CPU time per request of the process that answers and of PostgreSQL: hardly moved by what else the machine does. */
  readonly own_cpu_ms: number;
  readonly postgres_cpu_ms: number;
}

interface MeasuredSlice extends Slice {
  readonly ownCpuMs: number;
  readonly postgresCpuMs: number;
}

export interface Measurement {
  readonly scenario: string;
  readonly title: string;
  readonly connections: number;
  readonly figures: readonly Figures[];
  /** The product's requests per second to those of each limit: the median over the rounds, each round measured side by side. */
  readonly ratio_to_bare_http: number | null;
  readonly ratio_to_bare_driver: number | null;
  /** The same by CPU time per request, PostgreSQL's included: the one to trust when the machine is busy. */
  readonly cpu_ratio_to_bare_http: number | null;
}

export interface MeasureTask {
  readonly scenario: Scenario;
  readonly connections: number;
  readonly clusterDir: string;
}

export interface Pace {
  readonly rounds: number;
  readonly sliceMs: number;
  readonly warmUpMs: number;
  readonly warmUpRequests: number;
}

const MOST_WARM_UPS = 6;

/** In turn, a different one first in each round, so that what else the machine does hits all of them alike. */
export async function measure(task: MeasureTask, sources: readonly Source[], pace: Pace): Promise<Measurement> {
  const { scenario, connections, clusterDir } = task;
  for (const source of sources) await warmUp(source, task, pace);
  const slices = new Map<SourceName, MeasuredSlice[]>(sources.map(({ name }) => [name, []]));
  for (let round = 0; round < pace.rounds; round += 1) {
    const first = round % sources.length;
    for (const source of [...sources.slice(first), ...sources.slice(0, first)]) {
      const cpu = () => [cpuTimes([source.pid]), cpuTimes(databaseProcesses(clusterDir))] as const;
      const [own, postgres] = cpu();
      const slice = await source.load(scenario, connections, pace.sliceMs);
      const [ownAfter, postgresAfter] = cpu();
      slices.get(source.name)?.push({ ...slice, ownCpuMs: cpuUsed(own, ownAfter), postgresCpuMs: cpuUsed(postgres, postgresAfter) });
    }
  }
  const figures = [...slices].map(([source, own]) => figuresOf(source, own));
  return {
    scenario: scenario.key,
    title: scenario.title,
    connections,
    figures,
    ratio_to_bare_http: ratio(slices.get('product'), slices.get('bare http')),
    ratio_to_bare_driver: ratio(slices.get('product'), slices.get('bare driver')),
    cpu_ratio_to_bare_http: cpuRatio(figures),
  };
}

/** Until it is as fast as it gets: on a busy machine that takes requests, not time. */
async function warmUp(source: Source, { scenario, connections }: MeasureTask, { warmUpMs, warmUpRequests }: Pace): Promise<void> {
  let answered = 0;
  for (let turn = 0; turn < MOST_WARM_UPS && answered < warmUpRequests; turn += 1) {
    const { latencies } = await source.load(scenario, connections, warmUpMs);
    answered += latencies.length;
  }
}

function figuresOf(source: SourceName, slices: readonly MeasuredSlice[]): Figures {
  const latencies = slices.flatMap((slice) => slice.latencies).toSorted((a, b) => a - b);
  const sum = (of: (slice: MeasuredSlice) => number) => slices.reduce((total, slice) => total + of(slice), 0);
  return {
    source,
    requests: latencies.length,
    per_second: (latencies.length / sum(({ ms }) => ms)) * 1000,
    p50_ms: quantile(latencies, 0.5),
    p99_ms: quantile(latencies, 0.99),
    own_cpu_ms: sum(({ ownCpuMs }) => ownCpuMs) / latencies.length,
    postgres_cpu_ms: sum(({ postgresCpuMs }) => postgresCpuMs) / latencies.length,
  };
}

function ratio(product: readonly Slice[] = [], limit: readonly Slice[] = []): number | null {
  const ratios = product.flatMap((slice, round) => (limit[round] ? [perSecond(slice) / perSecond(limit[round])] : []));
  const sorted = ratios.toSorted((a, b) => a - b);
  return sorted.length === 0 ? null : quantile(sorted, 0.5);
}

function cpuRatio(figures: readonly Figures[]): number | null {
  const cost = (name: SourceName) => {
    const figure = figures.find(({ source }) => source === name);
    return figure ? figure.own_cpu_ms + figure.postgres_cpu_ms : 0;
  };
  return cost('product') > 0 && cost('bare http') > 0 ? cost('bare http') / cost('product') : null;
}

export const perSecond = ({ latencies, ms }: Slice) => (latencies.length / ms) * 1000;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
