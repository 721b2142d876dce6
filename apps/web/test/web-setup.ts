import * as React from 'react';
import { setMaxRetryTime } from '../src/lib/request-retries.ts';
import { registerCleanupHook } from './clean-up.ts';
import { configureTestingLibrary } from './configure-testing-library.ts';

// Registers the hook in a setup file, which Vitest runs for each test file. Imported modules run only once, because test files share them.
registerCleanupHook();
configureTestingLibrary();
disableOwnerStacks();
Reflect.set(globalThis, 'EventSource', createSilentEventSource());
// A test whose connection fails must not wait until the page gives up.
setMaxRetryTime(0);

/** Stops React's development build from recording a stack for each element, which took a sixth of the test time. */
function disableOwnerStacks(): void {
  const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object;
  // React stops recording after 10,000 stacks within a second, so always report that many.
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {}, configurable: true });
}

/** happy-dom has no EventSource. Component tests get no live updates, except those that bring their own source. */
function createSilentEventSource() {
  return class extends EventTarget {
    close() {}
  };
}
