import { expect, test } from 'vitest';
import {
  CallError,
  getErrorMessage,
  getFieldErrors,
  getReadErrorMessage,
  getRetryAfterSeconds,
  isSignedOutError,
} from './error-messages.ts';

const signedOut = new CallError('UNAUTHENTICATED', { status: 401, message: 'No authenticated user' });
const wrongPassword = new CallError('INVALID_CREDENTIALS', { status: 401, message: 'Invalid email or password. Please try again.' });
const unavailable = new CallError('UNAVAILABLE', { status: 503, message: 'The service is not available right now.' });
const notFound = new CallError('NOT_FOUND', { status: 404, message: 'Customer not found' });
const fault = new CallError('INTERNAL', { status: 500, message: 'select * from users' });
const lastAdmin = new CallError('LAST_ADMIN', { status: 409, message: 'Cannot delete the last admin' });
const wrongCurrent = new CallError('WRONG_PASSWORD', { status: 403, message: 'Current password is incorrect' });
const nameTaken = new CallError('NAME_TAKEN', { status: 409, message: 'A category with this name already exists' });
const notConfirmed = new CallError('NOT_CONFIRMED', { status: 409, message: 'The name does not match' });
const emailTaken = new CallError('EMAIL_TAKEN', { status: 409, message: 'This email address already belongs to a company.' });
const overQuota = new CallError('QUOTA_EXCEEDED', { status: 413, message: 'Your company has no file storage left.' });
const diskFull = new CallError('DISK_FULL', { status: 507, message: 'Files cannot be uploaded right now.' });
const offline = new TypeError('Failed to fetch');
const timeout = new DOMException('signal timed out', 'TimeoutError');

test.each([
  ['an expired session', signedOut, 'Your session has expired. Please sign in again.'],
  ['a 401 from a proxy', new CallError('UNREADABLE_RESPONSE', { status: 401 }), 'Your session has expired. Please sign in again.'],
  ['a failed fetch', offline, 'Unable to connect to the server. Please check your internet connection and try again.'],
  [
    'a connection that broke while reading',
    new Error('unreadable', { cause: offline }),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  [
    'a proxy that cannot reach the server',
    new CallError('UNREADABLE_RESPONSE', { status: 502 }),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  ['a request that took too long', timeout, 'The request took too long to complete. Please try again.'],
  ['an aborted request', new DOMException('aborted', 'AbortError'), 'The request took too long to complete. Please try again.'],
  ['a 406', new CallError('NOT_ACCEPTABLE', { status: 406 }), 'Invalid data format. Please check your input and try again.'],
  ['a message from the backend', { message: 'x' }, 'Database error: x'],
  ['a busy server or an unreachable database', unavailable, 'The service is not available right now.'],
  ['a self-explanatory error', notFound, 'Customer not found'],
  ['a server fault, without its message', fault, 'An unexpected error occurred. Please try again later.'],
  [
    'a server fault with a reference',
    new CallError('INTERNAL', { status: 500, data: { reference: '4f1c2a9b8d3e' } }),
    'An unexpected error occurred. Please try again later. Reference: 4f1c2a9b8d3e',
  ],
  ['anything else', new Error('boom'), 'An unexpected error occurred. Please try again later.'],
  ['undefined', undefined, 'An unexpected error occurred. Please try again later.'],
])('returns the specified message when a read fails with %s', (_kind, error, message) => {
  expect(getReadErrorMessage(error)).toBe(message);
});

test.each([
  [unavailable, 'The service is not available right now.'],
  [offline, 'Unable to connect to the server. Please check your internet connection and try again.'],
  [fault, 'An unexpected error occurred. Please try again later.'],
])('returns the message without a prefix for a failed save', (error, message) => {
  expect(getErrorMessage(error)).toBe(message);
});

test.each([lastAdmin, wrongCurrent, nameTaken, notConfirmed, emailTaken, overQuota, diskFull])(
  "returns the server's message for $code after both reads and saves",
  (error) => {
    expect(getReadErrorMessage(error)).toBe(error.message);
    expect(getErrorMessage(error)).toBe(error.message);
  },
);

test('does not treat a wrong password as signed out', () => {
  expect(isSignedOutError(wrongPassword)).toBe(false);
  expect(isSignedOutError(wrongCurrent)).toBe(false);
  expect(isSignedOutError(signedOut)).toBe(true);
});

test('returns the message of each invalid field', () => {
  const invalidInput = new CallError('INVALID_INPUT', { status: 422, data: { fields: { name: 'Name is required', odd: 1 } } });
  expect(getFieldErrors(invalidInput)).toEqual({ name: 'Name is required' });
  expect(getFieldErrors(notFound)).toEqual({});
});

test('returns how many seconds to wait after too many attempts', () => {
  expect(getRetryAfterSeconds(new CallError('TOO_MANY_ATTEMPTS', { status: 429, data: { retry_after: 30 } }))).toBe(30);
  expect(getRetryAfterSeconds(notFound)).toBeUndefined();
});
