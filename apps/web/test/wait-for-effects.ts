import { configure, getConfig, prettyDOM } from '@testing-library/react';

const nextTask = globalThis.setImmediate;
const { asyncWrapper, getElementError } = getConfig();
let waits = 0;

/**
 * Effects run shortly after what they belong to is on screen: a test that has waited for that goes on after them, as a person would.
 * While a test waits, what is not there yet is looked for again and again: the page is printed once, when waiting has failed.
 * The settings of the library are read once, so that calling this again does not wrap them twice.
 */
export function waitForEffects(): void {
  configure({
    getElementError: (message, container) => (waits > 0 ? notFound(message) : getElementError(message, container)),
    asyncWrapper: <Result>(wait: () => Promise<Result>) =>
      asyncWrapper(async (): Promise<Result> => {
        const result = await printPageIfFailed(wait);
        // React gives way after 5 ms, and goes on in the next task.
        for (let task = 0; task < 2; task += 1) await new Promise((resolve) => nextTask(resolve));
        return result;
      }) as Promise<Result>,
  });
}

/** The library names the line of the test only for errors with this name. */
function notFound(message: string | null): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  return error;
}

async function printPageIfFailed<Result>(wait: () => Promise<Result>): Promise<Result> {
  waits += 1;
  try {
    return await wait();
  } catch (error) {
    if (error instanceof Error) error.message += `\n\n${prettyDOM(document.body)}`;
    throw error;
  } finally {
    waits -= 1;
  }
}
