import { beforeAll } from 'vitest';

const cleanups: (() => Promise<unknown>)[] = [];

/** Runs after all tests of the file, latest first. Also works within `beforeAll` or a test, where vitest ignores an `afterAll`. */
export function cleanUpAfterTests(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

/** For the setup of each test file: what the first `beforeAll` returns runs last, after what the tests themselves clean up. */
export function registerCleanUp(): void {
  beforeAll(() => async () => {
    await runAll(cleanups.splice(0).toReversed());
  });
}

/** Runs all of them, one after the other, even if some fail; then throws what failed. */
export async function runAll(runs: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const run of runs) {
    try {
      await run();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, `${failures.length} cleanups failed`);
}
