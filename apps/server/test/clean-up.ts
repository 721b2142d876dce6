import { beforeAll } from 'vitest';

const works: (() => Promise<unknown>)[] = [];

/** When all tests of the file have ended, the latest first. Also from within `beforeAll` or a test, where vitest ignores an `afterAll`. */
export function cleanUpAfterTests(work: () => Promise<unknown>): void {
  works.push(work);
}

// What the first `beforeAll` returns is done last, after what the tests themselves clean up.
beforeAll(() => async () => {
  for (const work of works.toReversed()) await work();
});
