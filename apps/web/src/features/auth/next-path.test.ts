import { expect, it } from 'vitest';
import { nextPath } from './auth-page.tsx';

it('leads to the page that was asked for', () => {
  expect(nextPath('/customers?search=ana#row')).toBe('/customers?search=ana#row');
  expect(nextPath(undefined)).toBe('/dashboard');
  expect(nextPath('/auth?mode=sign-in')).toBe('/dashboard');
});

it('never leads to another site', () => {
  const hostile = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '',
  ];
  for (const next of hostile) expect(nextPath(next), next).toBe('/dashboard');
});
