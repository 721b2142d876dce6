import { runSteps } from './run-steps.ts';
import { testSteps } from './steps.ts';

process.exitCode = await runSteps(testSteps());
