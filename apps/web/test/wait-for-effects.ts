import { configure, getConfig } from '@testing-library/react';

const nextTask = globalThis.setImmediate;
const { asyncWrapper } = getConfig();

/**
 * Effects run shortly after what they belong to is on screen: a test that has waited for that goes on after them, as a person would.
 * The wrapper of the library is read once, so that calling this again does not wrap it twice.
 */
export function waitForEffects(): void {
  configure({
    asyncWrapper: <Result>(wait: () => Promise<Result>) =>
      asyncWrapper(async (): Promise<Result> => {
        const result = await wait();
        // React gives way after 5 ms, and goes on in the next task.
        for (let task = 0; task < 2; task += 1) await new Promise((resolve) => nextTask(resolve));
        return result;
      }) as Promise<Result>,
  });
}
