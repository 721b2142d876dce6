import { registerCleanUp } from './clean-up.ts';
import { waitForEffects } from './wait-for-effects.ts';

// Test files share their modules and their window, so this is done by a setup file, which runs anew for each of them.
registerCleanUp();
waitForEffects();
