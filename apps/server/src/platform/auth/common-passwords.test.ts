import { expect, it } from 'vitest';
import { findPasswordProblem } from './common-passwords.ts';

it.each(['123456', 'password', 'PassWord1', 'qwertyuiop', 'letmein', '111111', 'ILOVEYOU', 'p@ssw0rd', 'Summer2025'])(
  'rejects the common password %s',
  (password) => {
    expect(findPasswordProblem(password, 'ana@example.com')).toMatch(/too common/);
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
])('rejects %s as too easy to guess for %s', (password, email) => {
  expect(findPasswordProblem(password, email)).toMatch(/too easy to guess/);
});

it.each(['secret-1', 'correct horse battery', 'tane.walker walks', 'callout-demo', 'h7k2pq', '🧰🧰🧰'])('accepts %s', (password) => {
  expect(findPasswordProblem(password, 'tane.walker@example.com')).toBeUndefined();
});
