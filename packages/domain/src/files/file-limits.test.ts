import { expect, it } from 'vitest';
import { isFileSizeAllowed, isLogoSizeAllowed } from './file-limits.ts';

it('accepts a logo under 2 MB and refuses one of exactly 2 MB', () => {
  expect([2_097_151, 2_097_152, 2_097_153].map(isLogoSizeAllowed)).toEqual([true, false, false]);
});

it('accepts a file of 25 MB and refuses one more byte', () => {
  expect([26_214_400, 26_214_401].map(isFileSizeAllowed)).toEqual([true, false]);
});
