import { registerCleanupHook } from './clean-up.ts';

// Test files share their modules, so a plain import would register the hook only once. A setup file runs for each test file.
registerCleanupHook();
