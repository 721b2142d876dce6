import { expect, it } from 'vitest';
import { CallError } from '../../lib/error-messages.ts';
import { authFailure } from './auth-failure.ts';

it('says that e-mail and password do not belong together', () => {
  expect(authFailure(new CallError('INVALID_CREDENTIALS'), 'Failed to sign in')).toBe('Invalid email or password. Please try again.');
});

it('says how long to wait after too many attempts', () => {
  const limited = (data: unknown) => authFailure(new CallError('TOO_MANY_ATTEMPTS', { data }), 'Failed to sign in');
  expect(limited({ retry_after: 1 })).toBe('Too many attempts. Please try again in 1 second.');
  expect(limited({ retry_after: 41.2 })).toBe('Too many attempts. Please try again in 42 seconds.');
  expect(limited({ retry_after: 61 })).toBe('Too many attempts. Please try again in 2 minutes.');
  expect(limited(undefined)).toBe('Too many attempts. Please try again in a moment.');
});

it('falls back to the text of the place for everything else', () => {
  expect(authFailure(new CallError('INTERNAL'), 'Failed to create account')).toBe('Failed to create account');
  expect(authFailure(new TypeError('Failed to fetch'), 'Failed to sign in')).toBe('Failed to sign in');
});
