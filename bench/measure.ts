import { calculateCpuTime, listDatabaseProcessIds, readCpuTimes } from './machine.ts';
import type { LoadResult } from './run-load.ts';
import type { Scenario } from './scenarios.ts';
import type { LoadTarget, TargetName } from './targets.ts';

export interface TargetFigures {
  readonly target: TargetName;
  readonly requests: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** CPU time per request in the server process. Unlike latency, CPU time hardly depends on other work on the machine. */
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
  readonly figures: readonly TargetFigures[];
  /** Callout's requests per second divided by the HTTP baseline's: the median of all rounds. */
  readonly ratio_to_http: number | null;
  readonly ratio_to_driver: number | null;
  /** The same ratio for CPU time per request, including PostgreSQL. It is more reliable on a busy machine. */
  readonly cpu_ratio_to_http: number | null;
}

export interface MeasurementTask {
  readonly scenario: Scenario;
  readonly connections: number;
}

/** The same read in the small and in the large database. */
export interface GrowthMeasurement {
  readonly scenario: string;
  readonly title: string;
  readonly small: TargetFigures;
  readonly large: TargetFigures;
  /** The large database's time per request divided by the small one's: the median of all rounds. */
  readonly ratio: number;
  /** The same ratio for CPU time per request, including PostgreSQL. It is more reliable on a busy machine. */
  readonly cpu_ratio: number;
}

/** A scenario that couldn't be measured. */
export interface FailedMeasurement {
  readonly title: string;
  readonly connections: number;
  readonly reason: string;
}

export interface LoadSettings {
  readonly rounds: number;
  readonly loadMs: number;
  readonly warmUpMs: number;
  readonly warmUpRequests: number;
}

const MAX_WARM_UPS = 6;

/** Measures each task and reports every result at once, so that a failed task or an interrupted run loses no other result. */
export async function measureAllTasks<Task extends MeasurementTask, Result>(
  tasks: readonly Task[],
  measure: (task: Task) => Promise<Result>,
  report: { readonly result: (result: Result) => void; readonly failure: (failure: FailedMeasurement) => void },
): Promise<void> {
  for (const task of tasks) {
    try {
      report.result(await measure(task));
    } catch (error) {
      const { scenario, connections } = task;
      report.failure({ title: scenario.title, connections, reason: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** Measures in rounds. Each round starts with a different target, so that other work on the machine affects all targets equally. */
async function measureTargets(task: MeasurementTask, targets: readonly LoadTarget[], settings: LoadSettings) {
  for (const target of targets) await warmUp(target, task, settings);
  const results = new Map<TargetName, MeasuredResult[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < settings.rounds; round += 1) {
    const first = round % targets.length;
    for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
      await target.reset(task.scenario);
      const readCpu = () => [readCpuTimes([target.pid]), readCpuTimes(listDatabaseProcessIds(target.clusterDir))] as const;
      const [processBefore, postgresBefore] = readCpu();
      const result = await runTargetLoad(target, task, settings.loadMs);
      const [processAfter, postgresAfter] = readCpu();
      const processCpuMs = calculateCpuTime(processBefore, processAfter);
      const postgresCpuMs = calculateCpuTime(postgresBefore, postgresAfter);
      results.get(target.name)?.push({ ...result, processCpuMs, postgresCpuMs });
    }
  }
  const figures = [...results].map(([target, measured]) => calculateFigures(target, measured));
  return { results, figures };
}

export async function measureScenario(task: MeasurementTask, targets: readonly LoadTarget[], settings: LoadSettings): Promise<Measurement> {
  const { results, figures } = await measureTargets(task, targets, settings);
  const product = results.get('product');
  return {
    scenario: task.scenario.key,
    title: task.scenario.title,
    connections: task.connections,
    figures,
    ratio_to_http: calculateThroughputRatio(product, results.get('http baseline')),
    ratio_to_driver: calculateThroughputRatio(product, results.get('driver baseline')),
    cpu_ratio_to_http: calculateCpuRatio(figures, 'product', 'http baseline'),
  };
}

/** Measures how much longer a read takes in the large database. */
export async function measureGrowth(
  task: MeasurementTask,
  targets: { readonly small: LoadTarget; readonly large: LoadTarget },
  settings: LoadSettings,
): Promise<GrowthMeasurement> {
  const { results, figures } = await measureTargets(task, [targets.small, targets.large], settings);
  const [small, large] = figures;
  const ratio = calculateThroughputRatio(results.get('small'), results.get('large'));
  const cpu_ratio = calculateCpuRatio(figures, 'small', 'large');
  if (!small || !large || ratio === null || cpu_ratio === null) throw new Error('Nothing was measured');
  return { scenario: task.scenario.key, title: task.scenario.title, small, large, ratio, cpu_ratio };
}

/** Sends a minimum number of requests, because JIT compilation depends on the number of calls, not on time. */
async function warmUp(target: LoadTarget, task: MeasurementTask, { warmUpMs, warmUpRequests }: LoadSettings): Promise<void> {
  let requestCount = 0;
  for (let attempt = 0; attempt < MAX_WARM_UPS && requestCount < warmUpRequests; attempt += 1) {
    await target.reset(task.scenario);
    const { latencies } = await runTargetLoad(target, task, warmUpMs);
    requestCount += latencies.length;
  }
}

/** Adds the target's name to an error, because only one of the targets is Callout. */
async function runTargetLoad(target: LoadTarget, { scenario, connections }: MeasurementTask, ms: number): Promise<LoadResult> {
  try {
    return await target.load(scenario, connections, ms);
  } catch (error) {
    throw new Error(`${target.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function calculateFigures(target: TargetName, results: readonly MeasuredResult[]): TargetFigures {
  const latencies = results.flatMap((result) => result.latencies).toSorted((a, b) => a - b);
  const sumBy = (getValue: (result: MeasuredResult) => number) => results.reduce((total, result) => total + getValue(result), 0);
  return {
    target,
    requests: latencies.length,
    per_second: (latencies.length / sumBy(({ ms }) => ms)) * 1000,
    p50_ms: getQuantile(latencies, 0.5),
    p99_ms: getQuantile(latencies, 0.99),
    process_cpu_ms: sumBy(({ processCpuMs }) => processCpuMs) / latencies.length,
    postgres_cpu_ms: sumBy(({ postgresCpuMs }) => postgresCpuMs) / latencies.length,
  };
}

function calculateThroughputRatio(results: readonly LoadResult[] = [], baseline: readonly LoadResult[] = []): number | null {
  const ratios = results.flatMap((result, round) =>
    baseline[round] ? [calculateRequestsPerSecond(result) / calculateRequestsPerSecond(baseline[round])] : [],
  );
  const sorted = ratios.toSorted((a, b) => a - b);
  return sorted.length === 0 ? null : getQuantile(sorted, 0.5);
}

/** Returns how many times the CPU time of `name` the baseline takes per request. */
function calculateCpuRatio(figures: readonly TargetFigures[], name: TargetName, baseline: TargetName): number | null {
  const getCpuMs = (wanted: TargetName) => {
    const figure = figures.find(({ target }) => target === wanted);
    return figure ? figure.process_cpu_ms + figure.postgres_cpu_ms : 0;
  };
  return getCpuMs(name) > 0 && getCpuMs(baseline) > 0 ? getCpuMs(baseline) / getCpuMs(name) : null;
}

export const calculateRequestsPerSecond = ({ latencies, ms }: LoadResult) => (latencies.length / ms) * 1000;

export function getQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
