import * as React from 'react';
import { registerCleanupHook } from './clean-up.ts';
import { configureTestingLibrary } from './configure-testing-library.ts';

// Test files share modules and a window, so the hook is registered in a setup file, which Vitest runs again for each test file.
registerCleanupHook();
configureTestingLibrary();
disableOwnerStacks();

/** Skips the stack that React's development build records per element for its warnings, which took a sixth of the test time. */
function disableOwnerStacks(): void {
  const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object;
  // React stops recording once it has recorded 10,000 stacks within a second.
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {}, configurable: true });
}
