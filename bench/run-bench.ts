import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeProfile, profileClock } from './cpu-profile.ts';
import { databaseProcesses, loadAverage, machineFacts, residentMemory } from './machine.ts';
import { type Measurement, measure, type Pace, perSecond } from './measure.ts';
import { RESULTS_DIR, type Report, reportText, writeReport } from './report.ts';
import { checkAnswers } from './same-answers.ts';
import { SCENARIO_KEYS, type Scenario } from './scenarios.ts';
import { type Sources, startSources } from './sources.ts';
import { type Stage, setStage } from './stage.ts';

const CONNECTIONS = [1, 16];
const PACE: Pace = { rounds: 8, sliceMs: 500, warmUpMs: 1000, warmUpRequests: 5000 };
const QUICK_PACE: Pace = { rounds: 3, sliceMs: 250, warmUpMs: 200, warmUpRequests: 300 };
/** Only the product, and long enough that its start hardly shows. */
const PROFILE_PACE: Pace = { rounds: 16, sliceMs: 500, warmUpMs: 1000, warmUpRequests: 2000 };

const USAGE = `npm run bench -- [--quick] [--only ${SCENARIO_KEYS.join('|')}]... [--profile]`;

interface Options {
  readonly pace: Pace;
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
  if (unknown.length > 0) throw new Error(`There is no scenario ${unknown.join(', ')}.`);
  const at = new Date().toISOString();
  const pace = values.profile ? PROFILE_PACE : values.quick ? QUICK_PACE : PACE;
  return { pace, only, at, profileDir: values.profile ? join(RESULTS_DIR, `profile-${at.replaceAll(':', '-')}`) : undefined };
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function run(given: Options): Promise<void> {
  say('Filling the database...');
  const stage = await setStage();
  try {
    const sources = await startSources(stage, given.profileDir);
    let report: Report;
    const from = profileClock();
    let to = from;
    try {
      report = await measureAll(stage, sources, given);
      to = profileClock();
    } finally {
      await sources.stop();
    }
    process.stdout.write(`${reportText(report)}\n\n`);
    process.stdout.write(given.profileDir ? `${describeProfile(given.profileDir, { from, to })}\n` : `Written to ${writeReport(report)}\n`);
  } finally {
    await stage.strike();
  }
}

async function measureAll(stage: Stage, sources: Sources, { pace, only, profileDir, at }: Options): Promise<Report> {
  const scenarios = stage.scenarios.filter(({ key }) => only.includes(key));
  say('Comparing the answers...');
  await checkAnswers(scenarios, sources, stage.company.cookie);
  const before = loadAverage();
  const measured = profileDir ? sources.all.filter(({ name }) => name === 'product') : sources.all;
  const measurements: Measurement[] = [];
  for (const { scenario, connections } of combinations(scenarios)) {
    say(`Measuring ${scenario.title} at ${connections}...`);
    measurements.push(await measure({ scenario, connections, clusterDir: stage.clusterDir }, measured, pace));
  }
  const ceiling: Report['ceiling'][number][] = [];
  for (const connections of CONNECTIONS) {
    ceiling.push({ connections, per_second: perSecond(await sources.ceiling(connections, pace.sliceMs * 2)) });
  }
  const memory = {
    product_mib: residentMemory([sources.product.pid]),
    postgres_mib: residentMemory(databaseProcesses(stage.clusterDir)),
  };
  return { at, machine: machineFacts(), load_average: { before, after: loadAverage() }, memory, ceiling, measurements };
}

function combinations(scenarios: readonly Scenario[]) {
  return scenarios.flatMap((scenario) => CONNECTIONS.map((connections) => ({ scenario, connections })));
}

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions();
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return undefined;
  }
}

const options = optionsOrUsage();
if (options) await run(options);
else process.exitCode = 1;
