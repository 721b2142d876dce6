import { runSteps } from './run-steps.ts';
import { checkSteps } from './steps.ts';

process.exitCode = await runSteps(checkSteps());
