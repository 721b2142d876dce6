import { expect, it } from 'vitest';
import { getPathAfterSignIn } from './path-after-sign-in.ts';

it('returns the requested path, or the dashboard if none was requested', () => {
  expect(getPathAfterSignIn('/customers?search=ana#row')).toBe('/customers?search=ana#row');
  expect(getPathAfterSignIn(undefined)).toBe('/dashboard');
  expect(getPathAfterSignIn('/auth?mode=sign-in')).toBe('/dashboard');
});

it('returns the dashboard for a URL that would leave the site', () => {
  const hostile = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '',
  ];
  for (const next of hostile) expect(getPathAfterSignIn(next), next).toBe('/dashboard');
});
