import * as React from 'react';
import { registerCleanUp } from './clean-up.ts';
import { waitForEffects } from './wait-for-effects.ts';

// Test files share their modules and their window, so this is done by a setup file, which runs anew for each of them.
registerCleanUp();
waitForEffects();
recordNoStacks();

/** React in development records a stack for each element it makes, so that a warning can name the line: a sixth of the time of these tests. */
function recordNoStacks(): void {
  const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object;
  // The number of stacks it has recorded within a second; it records no more than this.
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {}, configurable: true });
}
