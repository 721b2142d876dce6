import { describe, expect, it } from 'vitest';
import { getStepResult, sumCounts } from './step-result.ts';

const buildVitestReport = (report: object) =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [], ...report });
const buildPlaywrightReport = (stats: object) =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, suites: [] });

const buildBrowserTest = (status: string, ...attachments: object[]) => ({
  projectName: 'desk',
  status,
  results: [{ attachments: [] }, { attachments }],
});

describe('the result of a step', () => {
  it('counts a program without a test report as one check', () => {
    expect(getStepResult(true)).toMatchObject({ passed: 1, failed: 0 });
    expect(getStepResult(false)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('contains the counts from the test report', () => {
    expect(getStepResult(false, 'vitest', buildVitestReport({ numPassedTests: 40, numFailedTests: 2, numPendingTests: 1 }))).toMatchObject({
      passed: 40,
      failed: 2,
      skipped: 1,
    });
    expect(getStepResult(true, 'playwright', buildPlaywrightReport({ expected: 12 }))).toMatchObject({ passed: 12, failed: 0 });
  });

  it('lists failed tests and files that could not be loaded', () => {
    const testResults = [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'adds up', status: 'failed' },
          { fullName: 'rounds', status: 'passed' },
        ],
      },
      { name: 'b.test.ts', status: 'failed', assertionResults: [] },
    ];
    expect(getStepResult(false, 'vitest', buildVitestReport({ numFailedTests: 1, testResults })).failures).toEqual([
      'a.test.ts > adds up',
      'b.test.ts',
    ]);
  });

  it('lists failed and flaky browser tests with the folder of each trace', () => {
    const trace = { name: 'trace', contentType: 'application/zip', path: '/callout/test-results/staff-invite-desk-retry1/trace.zip' };
    const specs = [
      { title: 'sends a mail', ok: false, tests: [buildBrowserTest('unexpected')] },
      { title: 'shows the invitation', ok: true, tests: [buildBrowserTest('flaky', trace), buildBrowserTest('expected')] },
      { title: 'lists everyone', ok: true, tests: [buildBrowserTest('expected'), buildBrowserTest('skipped')] },
    ];
    const suites = [{ title: 'staff.spec.ts', specs: [], suites: [{ title: 'inviting', specs }] }];
    const report = JSON.stringify({ stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 1 }, suites });
    expect(getStepResult(false, 'playwright', report).failures).toEqual([
      'staff.spec.ts > inviting > sends a mail [desk]',
      'staff.spec.ts > inviting > shows the invitation [desk] (flaky), trace in /callout/test-results/staff-invite-desk-retry1',
    ]);
  });

  it('counts a flaky test as failed', () => {
    expect(getStepResult(true, 'playwright', buildPlaywrightReport({ expected: 3, flaky: 1 }))).toMatchObject({ passed: 3, failed: 1 });
  });

  it.each([
    ['the program failed but no test did', false, buildVitestReport({ numPassedTests: 5 })],
    ['no test ran', true, buildVitestReport({})],
    ['no report was written', true, undefined],
  ])('counts one failure when %s', (_, ok, report) => {
    expect(getStepResult(ok, 'vitest', report).failed).toBe(1);
  });

  it('adds to the total of all steps', () => {
    expect(
      sumCounts([getStepResult(true), getStepResult(false), getStepResult(true, 'vitest', buildVitestReport({ numPassedTests: 7 }))]),
    ).toEqual({
      passed: 8,
      failed: 1,
      skipped: 0,
    });
  });
});
