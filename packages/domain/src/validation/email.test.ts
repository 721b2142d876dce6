import { expect, it } from 'vitest';
import { containsUrl } from './contains-url.ts';
import { isEmail, nameFromEmail } from './email.ts';

it.each(['a@b.co', 'first.last+tag@sub.example.nz', 'ü@b.de'])('accepts %s', (text) => {
  expect(isEmail(text)).toBe(true);
});

it.each(['abc', 'a@b', 'a b@c.d', '@b.co', 'a@', '', `${'a'.repeat(250)}@b.co`])('refuses %j', (text) => {
  expect(isEmail(text)).toBe(false);
});

it.each([
  ['mia.tane@example.com', 'mia tane'],
  ['olivia@example.com', 'olivia'],
])('gives %s the name %s, which is not a URL', (email, name) => {
  expect(nameFromEmail(email)).toBe(name);
  expect(containsUrl(nameFromEmail(email))).toBe(false);
});
