import { expect, it } from 'vitest';
import { CallError } from '../../lib/error-messages.ts';
import { authMessage } from './auth.api.ts';

it('reports a wrong email or password', () => {
  expect(authMessage(new CallError('INVALID_CREDENTIALS'), 'Failed to sign in')).toBe('Invalid email or password. Please try again.');
});

it('tells how long to wait after too many attempts', () => {
  const limited = (data: unknown) => authMessage(new CallError('TOO_MANY_ATTEMPTS', { data }), 'Failed to sign in');
  expect(limited({ retry_after: 1 })).toBe('Too many attempts. Please try again in 1 second.');
  expect(limited({ retry_after: 41.2 })).toBe('Too many attempts. Please try again in 42 seconds.');
  expect(limited({ retry_after: 61 })).toBe('Too many attempts. Please try again in 2 minutes.');
  expect(limited(undefined)).toBe('Too many attempts. Please try again in a moment.');
});

it('falls back to the given text for other errors', () => {
  expect(authMessage(new CallError('INTERNAL'), 'Failed to create account')).toBe('Failed to create account');
});

it('says that there is no connection', () => {
  const down = 'Unable to connect to the server. Please check your internet connection and try again.';
  expect(authMessage(new TypeError('Failed to fetch'), 'Failed to sign in')).toBe(down);
  expect(authMessage(new CallError('UNREADABLE_ANSWER', { status: 504 }), 'Failed to sign in')).toBe(down);
});
