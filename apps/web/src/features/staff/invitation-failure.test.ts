import { expect, test } from 'vitest';
import { CallError, toCallError } from '../../lib/error-messages.ts';
import { formatInvitationFailure } from './staff.api.ts';

test.each([
  [
    'no connection',
    new TypeError('Failed to fetch'),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  [
    'an email that is already taken',
    new CallError('EMAIL_TAKEN', { status: 409, message: 'This email address already belongs to a company.' }),
    'This email address already belongs to a company.',
  ],
  ['a role without permission', new CallError('FORBIDDEN', { status: 403 }), 'You do not have permission to add staff members'],
  ['no session', new CallError('UNAUTHENTICATED', { status: 401 }), 'No access token available'],
  ['a server fault', new CallError('INTERNAL', { status: 500 }), 'An unexpected error occurred. Please try again.'],
  [
    'a server fault with a reference',
    new CallError('INTERNAL', { status: 500, data: { reference: '4f1c2a9b8d3e' } }),
    'An unexpected error occurred. Please try again. Reference: 4f1c2a9b8d3e',
  ],
  ['an unknown error', new Error('boom'), 'An unexpected error occurred. Please try again.'],
])("formats %s with the specification's wording", (_case, error, text) => {
  expect(formatInvitationFailure(error)).toBe(`Failed to add staff member: ${text}`);
});

test('formats an error response that has no message with its HTTP status', () => {
  expect(formatInvitationFailure(toCallError(undefined, 500))).toBe('Failed to add staff member: Server error: 500');
});
