import { expect, test } from 'vitest';
import { CallError, callErrorFrom } from '../../lib/error-messages.ts';
import { invitationFailure } from './staff.api.ts';

test.each([
  [
    'no connection',
    new TypeError('Failed to fetch'),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  [
    'an address that is taken',
    new CallError('EMAIL_TAKEN', { status: 409, message: 'This email address already belongs to a company.' }),
    'This email address already belongs to a company.',
  ],
  ['a role that may not', new CallError('FORBIDDEN', { status: 403 }), 'You do not have permission to add staff members'],
  ['no session', new CallError('UNAUTHENTICATED', { status: 401 }), 'No access token available'],
  ['a fault of ours', new CallError('INTERNAL', { status: 500 }), 'An unexpected error occurred. Please try again.'],
  ['anything else', new Error('boom'), 'An unexpected error occurred. Please try again.'],
])('%s has the words of the spec', (_what, error, words) => {
  expect(invitationFailure(error)).toBe(words);
});

test('an error without a text shows its status', () => {
  expect(invitationFailure(callErrorFrom(undefined, 500))).toBe('Server error: 500');
});
