import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { getStepResult, type StepResult, sumCounts, type TestCounts } from './step-result.ts';
import { listCheckSteps, listTestSteps, root, type Step, type StepGroup } from './steps.ts';

const STEP_TIMEOUT_MS = 15 * 60 * 1000;
const NAME_WIDTH = 28;
const reports = join(root, '.cache', 'reports');

interface ProgramOutcome {
  readonly ok: boolean;
  readonly output: string;
}

function runProgram(step: Step, report: string): Promise<ProgramOutcome> {
  const withReport = (text: string) => text.replace('$REPORT', report);
  const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, withReport(value)]));
  const child = spawn(process.execPath, step.node.map(withReport), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Put the pinned version of `node` on the PATH, for programs that start `node` by name.
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`, NO_COLOR: '1', ...env },
    timeout: STEP_TIMEOUT_MS,
    killSignal: 'SIGINT',
  });
  // Forward every signal as SIGINT, the only one on which Playwright stops the test server.
  const onSignal = () => child.kill('SIGINT');
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  let output = '';
  const collect = (chunk: string) => {
    output += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  return new Promise<ProgramOutcome>((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}` }));
    child.on('close', (code, signal) => resolve({ ok: code === 0, output: signal ? `${output}\nkilled by ${signal}` : output }));
  }).finally(() => process.off('SIGINT', onSignal).off('SIGTERM', onSignal));
}

async function runStep(step: Step): Promise<{ counts: StepResult; output: string }> {
  const report = join(reports, `${step.name.replaceAll(/[^a-z]+/g, '-')}.json`);
  // Delete the report of an earlier run, which would otherwise be counted if this run writes none.
  rmSync(report, { force: true });
  const { ok, output } = await runProgram(step, report);
  return { counts: getStepResult(ok, step.report, existsSync(report) ? readFileSync(report, 'utf8') : undefined), output };
}

function formatResult(step: Step, counts: TestCounts, seconds: number): string {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  const numbers = step.report ? `  ${counts.passed} passed, ${counts.failed} failed${skipped}` : '';
  return `${counts.failed === 0 ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(NAME_WIDTH)} ${seconds.toFixed(1).padStart(6)} s${numbers}`;
}

async function runAndReport(step: Step, results: Map<string, TestCounts>): Promise<void> {
  if (step.after && results.get(step.after)?.failed) {
    results.set(step.name, getStepResult(false));
    console.log(`FAIL  ${step.name.padEnd(NAME_WIDTH)} not run: ${step.after} failed`);
    return;
  }
  const start = performance.now();
  const { counts, output } = await runStep(step);
  results.set(step.name, counts);
  console.log(formatResult(step, counts, (performance.now() - start) / 1000));
  for (const failure of counts.failures) console.log(`      ${failure.replace(`${root}/`, '')}`);
  if (counts.failed > 0) console.log(`\n${output.trimEnd().replaceAll(/^/gm, '    ')}\n`);
}

/** Runs all steps, even if some fail. Prints the totals on the last line and returns the exit code. */
async function runSteps(groups: readonly StepGroup[]): Promise<number> {
  mkdirSync(reports, { recursive: true });
  const results = new Map<string, TestCounts>();
  let interrupted = false;
  const onSignal = () => {
    interrupted = true;
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  for (const steps of groups) {
    if (interrupted) {
      results.set('remaining steps', getStepResult(false));
      console.log('FAIL  interrupted');
      break;
    }
    await Promise.all(steps.map((step) => runAndReport(step, results)));
  }
  const { passed, failed } = sumCounts([...results.values()]);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await runSteps(process.argv[2] === 'check' ? listCheckSteps() : listTestSteps());
