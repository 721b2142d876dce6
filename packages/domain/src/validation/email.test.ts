import { expect, it } from 'vitest';
import { isEmail } from './email.ts';

it.each(['a@b.co', 'first.last+tag@sub.example.nz', 'ü@b.de'])('accepts %s', (text) => {
  expect(isEmail(text)).toBe(true);
});

it.each(['abc', 'a@b', 'a b@c.d', '@b.co', 'a@', '', `${'a'.repeat(250)}@b.co`])('refuses %j', (text) => {
  expect(isEmail(text)).toBe(false);
});
