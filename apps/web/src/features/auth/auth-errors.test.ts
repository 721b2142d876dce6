import { expect, it } from 'vitest';
import { CallError } from '../../lib/error-messages.ts';
import { formatAuthError } from './auth.api.ts';

it('reports a wrong email or password', () => {
  expect(formatAuthError(new CallError('INVALID_CREDENTIALS'), 'Failed to sign in')).toBe('Invalid email or password. Please try again.');
});

it('says how long to wait after too many attempts', () => {
  const formatRateLimit = (data: unknown) => formatAuthError(new CallError('TOO_MANY_ATTEMPTS', { data }), 'Failed to sign in');
  expect(formatRateLimit({ retry_after: 1 })).toBe('Too many attempts. Please try again in 1 second.');
  expect(formatRateLimit({ retry_after: 41.2 })).toBe('Too many attempts. Please try again in 42 seconds.');
  expect(formatRateLimit({ retry_after: 61 })).toBe('Too many attempts. Please try again in 2 minutes.');
  expect(formatRateLimit(undefined)).toBe('Too many attempts. Please try again in a moment.');
});

it('uses the fallback text for other errors', () => {
  expect(formatAuthError(new CallError('INTERNAL'), 'Failed to create account')).toBe('Failed to create account');
});

it('reports an unreachable server', () => {
  const unreachable = 'Unable to connect to the server. Please check your internet connection and try again.';
  expect(formatAuthError(new TypeError('Failed to fetch'), 'Failed to sign in')).toBe(unreachable);
  expect(formatAuthError(new CallError('UNREADABLE_RESPONSE', { status: 504 }), 'Failed to sign in')).toBe(unreachable);
});
