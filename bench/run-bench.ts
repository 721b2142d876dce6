import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchEnvironment, createBenchEnvironment } from './bench-environment.ts';
import { type BenchmarkReport, formatReport, keepServerLog, RESULTS_DIR, writeReport } from './benchmark-report.ts';
import { formatProfile, readProfileClockUs } from './cpu-profile.ts';
import { getLoadAverage, getMachineInfo, listDatabaseProcessIds, readResidentMemoryMib } from './machine.ts';
import { calculateRequestsPerSecond, type LoadSettings, measureAllTasks, measureScenario } from './measure.ts';
import { requireEqualRows } from './require-equal-rows.ts';
import { SCENARIO_KEYS, type Scenario } from './scenarios.ts';
import { type LoadTargets, startTargets } from './targets.ts';

const CONNECTION_COUNTS = [1, 16];
const SETTINGS: LoadSettings = { rounds: 8, loadMs: 500, warmUpMs: 1000, warmUpRequests: 5000 };
const QUICK_SETTINGS: LoadSettings = { rounds: 3, loadMs: 250, warmUpMs: 200, warmUpRequests: 300 };
/** Settings for profiling, which runs only the Callout server. The run is long enough that startup doesn't distort the profile. */
const PROFILE_SETTINGS: LoadSettings = { rounds: 16, loadMs: 500, warmUpMs: 1000, warmUpRequests: 2000 };

const USAGE = `npm run bench -- [--quick] [--only ${SCENARIO_KEYS.join('|')}]... [--profile]`;

interface BenchmarkOptions {
  readonly settings: LoadSettings;
  readonly only: readonly string[];
  readonly profileDir: string | undefined;
  readonly at: string;
}

function readOptions(): BenchmarkOptions {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, only: { type: 'string', multiple: true }, profile: { type: 'boolean' } },
  });
  const only = values.only ?? (values.profile ? ['list'] : [...SCENARIO_KEYS]);
  const unknown = only.filter((key) => !SCENARIO_KEYS.some((known) => known === key));
  if (unknown.length > 0) throw new Error(`Unknown scenario: ${unknown.join(', ')}.`);
  const at = new Date().toISOString();
  const settings = values.profile ? PROFILE_SETTINGS : values.quick ? QUICK_SETTINGS : SETTINGS;
  return { settings, only, at, profileDir: values.profile ? join(RESULTS_DIR, `profile-${at.replaceAll(':', '-')}`) : undefined };
}

const log = (line: string) => void process.stderr.write(`${line}\n`);

async function runBenchmark(options: BenchmarkOptions): Promise<void> {
  log('Seeding the database...');
  const environment = await createBenchEnvironment();
  try {
    const targets = await startTargets(environment, options.profileDir);
    let report: BenchmarkReport;
    const from = readProfileClockUs();
    let to = from;
    try {
      report = await measureAll(environment, targets, options);
      to = readProfileClockUs();
    } finally {
      await targets.stop();
    }
    process.stdout.write(`${formatReport(report)}\n\n`);
    process.stdout.write(
      options.profileDir ? `${formatProfile(options.profileDir, { from, to })}\n` : `Report written to ${writeReport(report)}\n`,
    );
    if (report.failures.length > 0) {
      log(`Some scenarios failed. Server log: ${keepServerLog(report, targets.server.logFile)}`);
      process.exitCode = 1;
    }
  } finally {
    await environment.tearDown();
  }
}

async function measureAll(
  environment: BenchEnvironment,
  targets: LoadTargets,
  { settings, only, profileDir, at }: BenchmarkOptions,
): Promise<BenchmarkReport> {
  const scenarios = environment.scenarios.filter(({ key }) => only.includes(key));
  log('Comparing the responses...');
  await requireEqualRows(scenarios, targets, environment.company.cookie);
  const before = getLoadAverage();
  const measured = profileDir ? targets.all.filter(({ name }) => name === 'product') : targets.all;
  const reset = async (scenario: Scenario) => {
    if (scenario.reset) await environment.execute(scenario.reset);
  };
  const { measurements, failures } = await measureAllTasks(listMeasurementTasks(scenarios), ({ scenario, connections }) => {
    log(`Measuring ${scenario.title} over ${connections} connection(s)...`);
    return measureScenario({ scenario, connections, clusterDir: environment.clusterDir, reset }, measured, settings);
  });
  const ceiling: BenchmarkReport['ceiling'][number][] = [];
  for (const connections of CONNECTION_COUNTS) {
    ceiling.push({ connections, per_second: calculateRequestsPerSecond(await targets.measureCeiling(connections, settings.loadMs * 2)) });
  }
  const memory = {
    product_mib: readResidentMemoryMib([targets.server.pid]),
    postgres_mib: readResidentMemoryMib(listDatabaseProcessIds(environment.clusterDir)),
  };
  return { at, machine: getMachineInfo(), load_average: { before, after: getLoadAverage() }, memory, ceiling, measurements, failures };
}

function listMeasurementTasks(scenarios: readonly Scenario[]) {
  return scenarios.flatMap((scenario) => CONNECTION_COUNTS.map((connections) => ({ scenario, connections })));
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
