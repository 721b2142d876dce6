import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchEnvironment, createBenchEnvironment, openLargeEnvironment } from './bench-environment.ts';
import {
  type BenchmarkReport,
  formatFailure,
  formatGrowth,
  formatMeasurement,
  formatPair,
  formatRow,
  formatSummary,
  GROWTH_HEADINGS,
  HEADINGS,
  isOverGrowthLimit,
  keepServerLog,
  RESULTS_DIR,
  UNNAMED_HEADINGS,
  writeReport,
} from './benchmark-report.ts';
import { formatProfile, readProfileClockUs } from './cpu-profile.ts';
import { getLoadAverage, getMachineInfo, listDatabaseProcessIds, readResidentMemoryMib } from './machine.ts';
import {
  calculateRequestsPerSecond,
  type FailedMeasurement,
  type GrowthMeasurement,
  type LoadSettings,
  type Measurement,
  type MeasurementTask,
  measureAllTasks,
  measureGrowth,
  measureScenario,
} from './measure.ts';
import { requireEqualRows } from './require-equal-rows.ts';
import { READ_KEYS, SCENARIO_KEYS, type Scenario } from './scenarios.ts';
import { measureSizing } from './sizing.ts';
import { startGrowthTargets, startTargets } from './targets.ts';

const CONNECTION_COUNTS = [1, 16];
const SETTINGS: LoadSettings = { rounds: 8, loadMs: 500, warmUpMs: 1000, warmUpRequests: 5000 };
const QUICK_SETTINGS: LoadSettings = { rounds: 3, loadMs: 250, warmUpMs: 200, warmUpRequests: 300 };
/** Settings for profiling, which runs only the Callout server. The run is long enough that startup doesn't distort the profile. */
const PROFILE_SETTINGS: LoadSettings = { rounds: 16, loadMs: 500, warmUpMs: 1000, warmUpRequests: 2000 };
const LARGE_DATABASE_DIR = join(RESULTS_DIR, 'large-database');

const USAGE = `npm run bench -- [--quick] [--only ${SCENARIO_KEYS.join('|')}]... [--profile] [--large [--data <folder>] | --unnamed]\nnpm run bench -- --sizing [--quick] [--firms <count>]...`;

interface BenchmarkOptions {
  readonly settings: LoadSettings;
  readonly only: readonly string[];
  readonly profileDir: string | undefined;
  /** The folder of the large database, if reads are to be compared with it. */
  readonly largeDir: string | undefined;
  /** How many firms of ten people to measure, if that is what is wanted. */
  readonly firmCounts: readonly number[] | undefined;
  readonly isQuick: boolean;
  /** Whether to compare the server with itself without named statements. */
  readonly isUnnamed: boolean;
  readonly at: string;
}

function readOptions(): BenchmarkOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string', multiple: true },
      profile: { type: 'boolean' },
      large: { type: 'boolean' },
      data: { type: 'string' },
      unnamed: { type: 'boolean' },
      sizing: { type: 'boolean' },
      firms: { type: 'string', multiple: true, default: ['1', '10', '1000'] },
    },
  });
  const only = values.only ?? (values.profile ? ['list'] : values.large ? READ_KEYS : SCENARIO_KEYS);
  const unknown = only.filter((key) => !SCENARIO_KEYS.some((known) => known === key));
  if (unknown.length > 0) throw new Error(`Unknown scenario: ${unknown.join(', ')}.`);
  const at = new Date().toISOString();
  return {
    settings: values.profile ? PROFILE_SETTINGS : values.quick ? QUICK_SETTINGS : SETTINGS,
    only,
    at,
    firmCounts: values.sizing ? values.firms.map(parseFirmCount) : undefined,
    isQuick: values.quick ?? false,
    isUnnamed: values.unnamed ?? false,
    profileDir: values.profile ? join(RESULTS_DIR, `profile-${at.replaceAll(':', '-')}`) : undefined,
    largeDir: values.large ? resolve(values.data ?? LARGE_DATABASE_DIR) : undefined,
  };
}

function parseFirmCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error('--firms must be a number from 1 to 9999.');
  return Number(text);
}

const log = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Prints each result and writes it to the report file as soon as it exists. */
function startReport<Result extends Measurement | GrowthMeasurement>(
  at: string,
  headings: readonly string[],
  format: (result: Result) => string,
) {
  const measurements: Result[] = [];
  const failures: FailedMeasurement[] = [];
  const before = getLoadAverage();
  const write = (extra: Pick<BenchmarkReport, 'memory' | 'ceiling'> = {}) => {
    const load_average = { before, after: getLoadAverage() };
    const report: BenchmarkReport = { at, machine: getMachineInfo(), load_average, ...extra, measurements, failures };
    return { report, file: writeReport(report) };
  };
  print(formatRow(headings));
  return {
    measurements,
    failures,
    result(result: Result) {
      measurements.push(result);
      print(format(result));
      write();
    },
    failure(failure: FailedMeasurement) {
      failures.push(failure);
      print(formatFailure(failure));
      write();
    },
    finish(extra?: Pick<BenchmarkReport, 'memory' | 'ceiling'>) {
      const { report, file } = write(extra);
      print(`${formatSummary(report)}\nReport written to ${file}`);
    },
  };
}

type MeasuredEnvironment = BenchEnvironment & { readonly scenarios: readonly Scenario[] };

async function measureRatios(environment: MeasuredEnvironment, { settings, profileDir, at }: BenchmarkOptions): Promise<void> {
  const targets = await startTargets(environment, profileDir);
  const { scenarios, clusterDir } = environment;
  const from = readProfileClockUs();
  let to = from;
  try {
    const measured = profileDir ? targets.all.filter(({ name }) => name === 'product') : targets.all;
    const tasks = scenarios.flatMap((scenario) => CONNECTION_COUNTS.map((connections) => ({ scenario, connections })));
    const report = startReport(at, HEADINGS, formatMeasurement);
    const measure = async (task: MeasurementTask) => {
      await requireEqualRows(task.scenario, targets, environment.company.cookie);
      return measureScenario(task, measured, settings);
    };
    await measureAllTasks(tasks, measure, report);
    to = readProfileClockUs();
    const ceiling: { connections: number; per_second: number }[] = [];
    for (const connections of CONNECTION_COUNTS) {
      ceiling.push({ connections, per_second: calculateRequestsPerSecond(await targets.measureCeiling(connections, settings.loadMs * 2)) });
    }
    const memory = {
      product_mib: readResidentMemoryMib([targets.server.pid]),
      postgres_mib: readResidentMemoryMib(listDatabaseProcessIds(clusterDir)),
    };
    report.finish({ memory, ceiling });
    if (report.failures.length > 0) {
      log(`Some scenarios failed. Server log: ${keepServerLog({ at }, targets.server.logFile)}`);
      process.exitCode = 1;
    }
  } finally {
    await targets.stop();
  }
  if (profileDir) print(formatProfile(profileDir, { from, to }));
}

/** Measures the requests on two servers in turns, and prints both side by side. */
async function measurePair(
  [small, large]: readonly [BenchEnvironment, BenchEnvironment],
  scenarios: readonly Scenario[],
  { headings, format }: { readonly headings: readonly string[]; readonly format: (pair: GrowthMeasurement) => string },
  { settings, at }: BenchmarkOptions,
) {
  const { targets, stop } = await startGrowthTargets(small, large);
  try {
    const tasks = scenarios.map((scenario) => ({ scenario, connections: 1 }));
    const report = startReport(at, headings, format);
    await measureAllTasks(tasks, (task) => measureGrowth(task, targets, settings), report);
    report.finish();
    return report;
  } finally {
    await stop();
  }
}

/** Measures every read in the small and the large database. */
async function measureGrowthOfReads(small: MeasuredEnvironment, largeDir: string, options: BenchmarkOptions): Promise<void> {
  log(`Opening the large database in ${largeDir}. The first run seeds it, which takes several minutes...`);
  const large = await openLargeEnvironment(largeDir);
  try {
    const reads = small.scenarios.filter(({ method }) => method === 'GET');
    const report = await measurePair([small, large], reads, { headings: GROWTH_HEADINGS, format: formatGrowth }, options);
    const slower = report.measurements.filter(isOverGrowthLimit);
    if (slower.length > 0) log(`Too slow in the large database: ${slower.map(({ title }) => title).join('; ')}.`);
    if (slower.length + report.failures.length > 0) process.exitCode = 1;
  } finally {
    await large.tearDown();
  }
}

/** Measures what it costs that PostgreSQL parses and plans each statement every time, as behind a PgBouncer before 1.21. */
async function measureUnnamedStatements(named: MeasuredEnvironment, options: BenchmarkOptions): Promise<void> {
  const unnamed = { ...named, env: { ...named.env, DATABASE_NAMED_STATEMENTS: '0' } };
  await measurePair([named, unnamed], named.scenarios, { headings: UNNAMED_HEADINGS, format: formatPair }, options);
}

async function runBenchmark(options: BenchmarkOptions): Promise<void> {
  const { firmCounts, isQuick, at } = options;
  if (firmCounts) return measureSizing({ firmCounts, isQuick, at });
  log('Seeding the database...');
  const environment = await createBenchEnvironment((key) => options.only.includes(key));
  try {
    if (options.largeDir !== undefined) await measureGrowthOfReads(environment, options.largeDir, options);
    else if (options.isUnnamed) await measureUnnamedStatements(environment, options);
    else await measureRatios(environment, options);
  } finally {
    await environment.tearDown();
  }
}

function tryReadOptions(): BenchmarkOptions | undefined {
  try {
    return readOptions();
  } catch (error) {
    log(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return undefined;
  }
}

const parsed = tryReadOptions();
if (parsed) await runBenchmark(parsed);
else process.exitCode = 1;
