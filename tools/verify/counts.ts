export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export type ReportKind = 'vitest' | 'playwright';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number; readonly skipped: number };
}

const READ: Record<ReportKind, (report: string) => Counts> = {
  vitest: (report) => {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(report) as VitestReport;
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  },
  playwright: (report) => {
    const { stats } = JSON.parse(report) as PlaywrightReport;
    // A test that needed a second try is not a passing test.
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
  },
};

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * What a step amounts to in the last line. A step without a report is one check; a step whose tests never ran, or that ended badly
 * although no test failed, is one failure, however green its report looks.
 */
export function countsOf(ok: boolean, kind?: ReportKind, report?: string): Counts {
  if (kind === undefined) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  const counts = report === undefined ? NOTHING : READ[kind](report);
  const silent = counts.failed === 0 && (!ok || counts.passed === 0);
  return silent ? { ...counts, failed: 1 } : counts;
}

export function sum(all: readonly Counts[]): Counts {
  const total = (of: keyof Counts) => all.reduce((so, counts) => so + counts[of], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
}
