import { beforeAll } from 'vitest';

const cleanups: (() => Promise<unknown>)[] = [];

/**
 * Runs the cleanup once every test in the file has finished. Cleanups run in reverse order of registration. Unlike `afterAll`, this also
 * works inside a test or `beforeAll`.
 */
export function cleanUpAfterTests(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

/** Call this before any other hook in the file. The function returned by the first `beforeAll` runs last, after the tests' own cleanup. */
export function registerCleanupHook(): void {
  beforeAll(() => async () => {
    await runCleanups(cleanups.splice(0).toReversed());
  });
}

/** Runs all cleanups one after the other, even if some fail, and then throws the failures. */
export async function runCleanups(cleanupsToRun: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanupsToRun) {
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, `${failures.length} cleanups failed`);
}
