import { CONTRACT_CALLS } from './contract-calls.ts';
import { testHostileInputs } from './hostile-input.ts';

testHostileInputs(CONTRACT_CALLS.filter((_, index) => index % 2 === 1));
