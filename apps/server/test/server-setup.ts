import { registerCleanupHook } from './clean-up.ts';

// Registers the hook in a setup file, which runs for each test file. Imported modules are shared by all test files and run only once.
registerCleanupHook();
