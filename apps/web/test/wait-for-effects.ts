import { configure, getConfig } from '@testing-library/react';

const nextTask = globalThis.setImmediate;
const { asyncWrapper } = getConfig();

// Effects run shortly after what they belong to is on screen: a test that has waited for that goes on after them, as a person would.
// Once for all test files, which share their modules.
configure({
  asyncWrapper: (wait) =>
    asyncWrapper(async () => {
      const result = await wait();
      // React gives way after 5 ms, and goes on in the next task.
      for (let task = 0; task < 2; task += 1) await new Promise((resolve) => nextTask(resolve));
      return result;
    }),
});
