import type { Exception } from './structure.ts';

/** Grows never, shrinks only: code that breaks a rule is changed, not listed here. */
export const EXCEPTIONS: readonly Exception[] = [];
