import { cpuTimeBetween, cpuTimes, databaseProcesses } from './machine.ts';
import type { LoadResult } from './run-load.ts';
import type { Scenario } from './scenarios.ts';
import type { Target, TargetName } from './targets.ts';

export interface Figures {
  readonly target: TargetName;
  readonly requests: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** CPU time per request of the answering process and of PostgreSQL, which other work on the machine hardly affects. */
  readonly process_cpu_ms: number;
  readonly postgres_cpu_ms: number;
}

interface MeasuredResult extends LoadResult {
  readonly processCpuMs: number;
  readonly postgresCpuMs: number;
}

export interface Measurement {
  readonly scenario: string;
  readonly title: string;
  readonly connections: number;
  readonly figures: readonly Figures[];
  /** The product's requests per second divided by those of each baseline: the median of the rounds. */
  readonly ratio_to_bare_http: number | null;
  readonly ratio_to_bare_driver: number | null;
  /** The same by CPU time per request, PostgreSQL's included: the one to trust on a busy machine. */
  readonly cpu_ratio_to_bare_http: number | null;
}

export interface MeasureTask {
  readonly scenario: Scenario;
  readonly connections: number;
  readonly clusterDir: string;
  /** Takes back what a scenario has created. */
  readonly reset: (scenario: Scenario) => Promise<void>;
}

export interface LoadSettings {
  readonly rounds: number;
  readonly loadMs: number;
  readonly warmUpMs: number;
  readonly warmUpRequests: number;
}

const MAX_WARM_UPS = 6;

/** Each round starts with a different target, so that other work on the machine affects all of them alike. */
export async function measure(task: MeasureTask, targets: readonly Target[], settings: LoadSettings): Promise<Measurement> {
  const { scenario, connections, clusterDir, reset } = task;
  for (const target of targets) await warmUp(target, task, settings);
  const results = new Map<TargetName, MeasuredResult[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < settings.rounds; round += 1) {
    const first = round % targets.length;
    for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
      await reset(scenario);
      const cpu = () => [cpuTimes([target.pid]), cpuTimes(databaseProcesses(clusterDir))] as const;
      const [own, postgres] = cpu();
      const result = await target.load(scenario, connections, settings.loadMs);
      const [ownAfter, postgresAfter] = cpu();
      results
        .get(target.name)
        ?.push({ ...result, processCpuMs: cpuTimeBetween(own, ownAfter), postgresCpuMs: cpuTimeBetween(postgres, postgresAfter) });
    }
  }
  const figures = [...results].map(([target, measured]) => figuresOf(target, measured));
  return {
    scenario: scenario.key,
    title: scenario.title,
    connections,
    figures,
    ratio_to_bare_http: ratio(results.get('product'), results.get('bare http')),
    ratio_to_bare_driver: ratio(results.get('product'), results.get('bare driver')),
    cpu_ratio_to_bare_http: cpuRatio(figures),
  };
}

/** Runs until the code is compiled: that takes a number of requests, however long they take on a busy machine. */
async function warmUp(
  target: Target,
  { scenario, connections, reset }: MeasureTask,
  { warmUpMs, warmUpRequests }: LoadSettings,
): Promise<void> {
  let answered = 0;
  for (let attempt = 0; attempt < MAX_WARM_UPS && answered < warmUpRequests; attempt += 1) {
    await reset(scenario);
    const { latencies } = await target.load(scenario, connections, warmUpMs);
    answered += latencies.length;
  }
}

function figuresOf(target: TargetName, results: readonly MeasuredResult[]): Figures {
  const latencies = results.flatMap((result) => result.latencies).toSorted((a, b) => a - b);
  const sum = (of: (result: MeasuredResult) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    target,
    requests: latencies.length,
    per_second: (latencies.length / sum(({ ms }) => ms)) * 1000,
    p50_ms: quantile(latencies, 0.5),
    p99_ms: quantile(latencies, 0.99),
    process_cpu_ms: sum(({ processCpuMs }) => processCpuMs) / latencies.length,
    postgres_cpu_ms: sum(({ postgresCpuMs }) => postgresCpuMs) / latencies.length,
  };
}

function ratio(product: readonly LoadResult[] = [], baseline: readonly LoadResult[] = []): number | null {
  const ratios = product.flatMap((result, round) => (baseline[round] ? [perSecond(result) / perSecond(baseline[round])] : []));
  const sorted = ratios.toSorted((a, b) => a - b);
  return sorted.length === 0 ? null : quantile(sorted, 0.5);
}

function cpuRatio(figures: readonly Figures[]): number | null {
  const cost = (name: TargetName) => {
    const figure = figures.find(({ target }) => target === name);
    return figure ? figure.process_cpu_ms + figure.postgres_cpu_ms : 0;
  };
  return cost('product') > 0 && cost('bare http') > 0 ? cost('bare http') / cost('product') : null;
}

export const perSecond = ({ latencies, ms }: LoadResult) => (latencies.length / ms) * 1000;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
