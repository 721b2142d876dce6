import { dirname } from 'node:path';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface StepResult extends TestCounts {
  readonly failures: readonly string[];
}

export type ReportKind = 'vitest' | 'playwright';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

interface PlaywrightSpec {
  readonly title: string;
  /** One entry for each Playwright project. */
  readonly tests: readonly {
    readonly projectName: string;
    readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
    readonly results: readonly { readonly attachments: readonly { readonly name: string; readonly path?: string }[] }[];
  }[];
}

interface PlaywrightSuite {
  readonly title: string;
  readonly specs: readonly PlaywrightSpec[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number };
  readonly suites: readonly PlaywrightSuite[];
}

function listFailedSpecs({ title, specs, suites = [] }: PlaywrightSuite): string[] {
  return [...specs.flatMap(formatFailedTests), ...suites.flatMap(listFailedSpecs)].map((name) => `${title} > ${name}`);
}

function formatFailedTests({ title, tests }: PlaywrightSpec): string[] {
  const failed = tests.filter(({ status }) => status === 'unexpected' || status === 'flaky');
  return failed.map(({ projectName, status, results }) => {
    const trace = results.flatMap(({ attachments }) => attachments).find(({ name }) => name === 'trace')?.path;
    return `${title} [${projectName}]${status === 'flaky' ? ' (flaky)' : ''}${trace ? `, trace in ${dirname(trace)}` : ''}`;
  });
}

const REPORT_PARSERS: Record<ReportKind, (report: string) => StepResult> = {
  vitest: (report) => {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report) as VitestReport;
    const failures = testResults.flatMap(({ name, status, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => `${name} > ${test.fullName}`);
      return status === 'failed' && failed.length === 0 ? [name] : failed;
    });
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests, failures };
  },
  playwright: (report) => {
    const { stats, suites } = JSON.parse(report) as PlaywrightReport;
    // A test that fails and then passes on retry has a race condition, so a flaky test counts as failed.
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
      failures: suites.flatMap(listFailedSpecs),
    };
  },
};

const NO_TESTS: StepResult = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** A step without a report counts as one check. A step that failed without a failed test, or that ran no tests, counts as one failure. */
export function getStepResult(ok: boolean, kind?: ReportKind, report?: string): StepResult {
  if (kind === undefined) return { ...NO_TESTS, passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  const counts = report === undefined ? NO_TESTS : REPORT_PARSERS[kind](report);
  const hasUnreportedFailure = counts.failed === 0 && (!ok || counts.passed === 0);
  return hasUnreportedFailure ? { ...counts, failed: 1 } : counts;
}

export function sumCounts(all: readonly TestCounts[]): TestCounts {
  const total = (key: keyof TestCounts) => all.reduce((sum, counts) => sum + counts[key], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
}
