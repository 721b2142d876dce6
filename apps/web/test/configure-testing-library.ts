import { configure, getConfig, prettyDOM } from '@testing-library/react';

const scheduleTask = globalThis.setImmediate;
const { asyncWrapper, getElementError } = getConfig();
let pendingWaits = 0;

/**
 * Lets pending effects run after every wait, so that a test continues with what a user would see. While a test waits, failed lookups skip
 * the expensive dump of the page, which is added once if the wait fails. The library's original settings are read only once, so calling
 * this again doesn't wrap them twice.
 */
export function configureTestingLibrary(): void {
  configure({
    getElementError: (message, container) => (pendingWaits > 0 ? createNotFoundError(message) : getElementError(message, container)),
    asyncWrapper: <Result>(wait: () => Promise<Result>) =>
      asyncWrapper(async (): Promise<Result> => {
        const result = await withPageInError(wait);
        // Wait for two more tasks, because React yields after 5 ms of work and continues in the next task.
        for (let task = 0; task < 2; task += 1) await new Promise((resolve) => scheduleTask(resolve));
        return result;
      }) as Promise<Result>,
  });
}

/** Creates an error with the name for which Testing Library reports the failing line of the test. */
function createNotFoundError(message: string | null): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  return error;
}

async function withPageInError<Result>(wait: () => Promise<Result>): Promise<Result> {
  pendingWaits += 1;
  try {
    return await wait();
  } catch (error) {
    if (error instanceof Error) error.message += `\n\n${prettyDOM(document.body)}`;
    throw error;
  } finally {
    pendingWaits -= 1;
  }
}
