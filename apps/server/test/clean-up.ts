import { beforeAll } from 'vitest';

const works: (() => Promise<unknown>)[] = [];

/** Runs after all tests of the file, latest first. Also works within `beforeAll` or a test, where vitest ignores an `afterAll`. */
export function cleanUpAfterTests(work: () => Promise<unknown>): void {
  works.push(work);
}

/** For the setup of each test file: what the first `beforeAll` returns runs last, after what the tests themselves clean up. */
export function registerCleanUp(): void {
  beforeAll(() => async () => {
    for (const work of works.splice(0).toReversed()) await work();
  });
}
