import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchEnvironment, createBenchEnvironment } from './bench-environment.ts';
import { checkAnswers } from './check-answers.ts';
import { describeProfile, profileClockUs } from './cpu-profile.ts';
import { databaseProcesses, loadAverage, machineFacts, residentMemory } from './machine.ts';
import { type LoadSettings, type Measurement, measure, perSecond } from './measure.ts';
import { formatReport, RESULTS_DIR, type Report, writeReport } from './report.ts';
import { SCENARIO_KEYS, type Scenario } from './scenarios.ts';
import { startTargets, type Targets } from './targets.ts';

const CONNECTIONS = [1, 16];
const SETTINGS: LoadSettings = { rounds: 8, loadMs: 500, warmUpMs: 1000, warmUpRequests: 5000 };
const QUICK_SETTINGS: LoadSettings = { rounds: 3, loadMs: 250, warmUpMs: 200, warmUpRequests: 300 };
/** Only the product, and long enough that its start does not distort the profile. */
const PROFILE_SETTINGS: LoadSettings = { rounds: 16, loadMs: 500, warmUpMs: 1000, warmUpRequests: 2000 };

const USAGE = `npm run bench -- [--quick] [--only ${SCENARIO_KEYS.join('|')}]... [--profile]`;

interface Options {
  readonly settings: LoadSettings;
  readonly only: readonly string[];
  readonly profileDir: string | undefined;
  readonly at: string;
}

function readOptions(): Options {
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

async function run(options: Options): Promise<void> {
  log('Filling the database...');
  const environment = await createBenchEnvironment();
  try {
    const targets = await startTargets(environment, options.profileDir);
    let report: Report;
    const from = profileClockUs();
    let to = from;
    try {
      report = await measureAll(environment, targets, options);
      to = profileClockUs();
    } finally {
      await targets.stop();
    }
    process.stdout.write(`${formatReport(report)}\n\n`);
    process.stdout.write(
      options.profileDir ? `${describeProfile(options.profileDir, { from, to })}\n` : `Written to ${writeReport(report)}\n`,
    );
  } finally {
    await environment.tearDown();
  }
}

async function measureAll(environment: BenchEnvironment, targets: Targets, { settings, only, profileDir, at }: Options): Promise<Report> {
  const scenarios = environment.scenarios.filter(({ key }) => only.includes(key));
  log('Comparing the answers...');
  await checkAnswers(scenarios, targets, environment.company.cookie);
  const before = loadAverage();
  const measured = profileDir ? targets.all.filter(({ name }) => name === 'product') : targets.all;
  const reset = async (scenario: Scenario) => {
    if (scenario.reset) await environment.execute(scenario.reset);
  };
  const measurements: Measurement[] = [];
  for (const { scenario, connections } of combinations(scenarios)) {
    log(`Measuring ${scenario.title} at ${connections}...`);
    measurements.push(await measure({ scenario, connections, clusterDir: environment.clusterDir, reset }, measured, settings));
  }
  const ceiling: Report['ceiling'][number][] = [];
  for (const connections of CONNECTIONS) {
    ceiling.push({ connections, per_second: perSecond(await targets.measureCeiling(connections, settings.loadMs * 2)) });
  }
  const memory = {
    product_mib: residentMemory([targets.product.pid]),
    postgres_mib: residentMemory(databaseProcesses(environment.clusterDir)),
  };
  return { at, machine: machineFacts(), load_average: { before, after: loadAverage() }, memory, ceiling, measurements };
}

function combinations(scenarios: readonly Scenario[]) {
  return scenarios.flatMap((scenario) => CONNECTIONS.map((connections) => ({ scenario, connections })));
}

function parseOptions(): Options | undefined {
  try {
    return readOptions();
  } catch (error) {
    log(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return undefined;
  }
}

const parsed = parseOptions();
if (parsed) await run(parsed);
else process.exitCode = 1;
