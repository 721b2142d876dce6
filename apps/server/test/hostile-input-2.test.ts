import { everyCall } from './every-call.ts';
import { guardInputsOf } from './hostile-input.ts';

guardInputsOf(everyCall.filter((_, index) => index % 2 === 1));
