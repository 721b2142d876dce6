import { expect, it } from 'vitest';
import { getPhoneSuffix, isSamePhoneNumber } from './phone-number.ts';

it.each([
  ['021 555 123', '(021) 555-123'],
  ['+64 9 555 0100', '09 555 0100'],
  ['0064 9 555 0100', '+64 9 555 0100'],
  ['0064 9 555 0100', '09 555 0100'],
  ['+64 (0)9 555 0100', '09 555 0100'],
  ['64 21 555 0100', '021 555 0100'],
  ['+1 (555) 123-4567', '555 123 4567'],
  ['+39 06 1234 5678', '06 1234 5678'],
  ['+353 1 555 0100', '01 555 0100'],
  ['111', '111'],
  // The shortest complete numbers.
  ['+64 3 555 010', '03 555 010'],
  ['+351 912 345 678', '912 345 678'],
])('treats %s and %s as the same number', (a, b) => {
  expect([isSamePhoneNumber(a, b), isSamePhoneNumber(b, a)]).toEqual([true, true]);
  expect(getPhoneSuffix(a)).toBe(getPhoneSuffix(b));
});

it.each([
  ['09 555 0100', '04 555 0100'],
  ['021 555 0100', '555 0100'],
  ['+64 9 555 0100', '555 0100'],
  ['+64 9 555 0100', '+61 9 555 0100'],
  ['+64 21 555 0100', '01 555 0100'],
  ['+6421 9 555 0100', '09 555 0100'],
  ['07 1500', '1500'],
  ['+64 3 555 01', '03 555 01'],
  ['+65 6123 4567', '6123 4567'],
  ['none', ''],
])('treats %s and %s as different numbers', (a, b) => {
  expect([isSamePhoneNumber(a, b), isSamePhoneNumber(b, a)]).toEqual([false, false]);
});
