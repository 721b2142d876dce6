import * as fake from 'fake-indexeddb';
import { vi } from 'vitest';

/** Gives a test file a browser that stores. Call it in `beforeEach`: all other test files run in one that doesn't, like a private window. */
export function stubIndexedDb(): void {
  for (const [name, value] of Object.entries(fake)) if (name !== 'default' && name !== 'forceCloseDatabase') vi.stubGlobal(name, value);
}
