import { describe, expect, it } from 'vitest';
import { countsOf, sum } from './counts.ts';

const vitest = (report: object) =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [], ...report });
const playwright = (stats: object) => JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, suites: [] });

const browserTest = (status: string, ...attachments: object[]) => ({
  projectName: 'desk',
  status,
  results: [{ attachments: [] }, { attachments }],
});

describe('the counts of a step', () => {
  it('count a program without tests as one check', () => {
    expect(countsOf(true)).toMatchObject({ passed: 1, failed: 0 });
    expect(countsOf(false)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('come from the report', () => {
    expect(countsOf(false, 'vitest', vitest({ numPassedTests: 40, numFailedTests: 2, numPendingTests: 1 }))).toMatchObject({
      passed: 40,
      failed: 2,
      skipped: 1,
    });
    expect(countsOf(true, 'playwright', playwright({ expected: 12 }))).toMatchObject({ passed: 12, failed: 0 });
  });

  it('name failed tests and files that could not be loaded', () => {
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
    expect(countsOf(false, 'vitest', vitest({ numFailedTests: 1, testResults })).failures).toEqual(['a.test.ts > adds up', 'b.test.ts']);
  });

  it('name failed and flaky browser tests with the folder of their trace', () => {
    const trace = { name: 'trace', contentType: 'application/zip', path: '/callout/test-results/staff-invite-desk-retry1/trace.zip' };
    const specs = [
      { title: 'sends a mail', ok: false, tests: [browserTest('unexpected')] },
      { title: 'shows the invitation', ok: true, tests: [browserTest('flaky', trace), browserTest('expected')] },
      { title: 'lists everyone', ok: true, tests: [browserTest('expected'), browserTest('skipped')] },
    ];
    const suites = [{ title: 'staff.spec.ts', specs: [], suites: [{ title: 'inviting', specs }] }];
    const report = JSON.stringify({ stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 1 }, suites });
    expect(countsOf(false, 'playwright', report).failures).toEqual([
      'staff.spec.ts > inviting > sends a mail [desk]',
      'staff.spec.ts > inviting > shows the invitation [desk] (flaky), trace in /callout/test-results/staff-invite-desk-retry1',
    ]);
  });

  it('count a flaky test as failed', () => {
    expect(countsOf(true, 'playwright', playwright({ expected: 3, flaky: 1 }))).toMatchObject({ passed: 3, failed: 1 });
  });

  it.each([
    ['the program failed although no test did', false, vitest({ numPassedTests: 5 })],
    ['no test ran', true, vitest({})],
    ['no report was written', true, undefined],
  ])('are one failure when %s', (_, ok, report) => {
    expect(countsOf(ok, 'vitest', report).failed).toBe(1);
  });

  it('add up over the steps', () => {
    expect(sum([countsOf(true), countsOf(false), countsOf(true, 'vitest', vitest({ numPassedTests: 7 }))])).toEqual({
      passed: 8,
      failed: 1,
      skipped: 0,
    });
  });
});
