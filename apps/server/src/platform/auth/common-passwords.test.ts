import { expect, it } from 'vitest';
import { passwordProblem } from './common-passwords.ts';

it.each(['123456', 'password', 'PassWord1', 'qwertyuiop', 'letmein', '111111', 'ILOVEYOU', 'p@ssw0rd', 'Summer2025'])(
  '%s is too common',
  (password) => {
    expect(passwordProblem(password, 'ana@example.com')).toMatch(/too common/);
  },
);

it.each([
  ['tane.walker', 'tane.walker@example.com'],
  ['Tane.Walker1', 'tane.walker@example.com'],
  ['tane.walker@example.com', 'Tane.Walker@example.com'],
  ['callout', 'ana@example.com'],
  ['Callout123!', 'ana@example.com'],
  ['ana2026!', 'ana@example.com'],
  ['tane99', 'tane99@example.com'],
])('%s is too easy to guess for %s', (password, email) => {
  expect(passwordProblem(password, email)).toMatch(/too easy to guess/);
});

it.each(['secret-1', 'correct horse battery', 'tane.walker walks', 'callout-demo', 'h7k2pq', '🧰🧰🧰'])('%s is allowed', (password) => {
  expect(passwordProblem(password, 'tane.walker@example.com')).toBeUndefined();
});
