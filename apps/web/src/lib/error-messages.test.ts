import { expect, test } from 'vitest';
import { CallError, centralMessage, fieldErrors, isSignedOut, messageOf, retryAfter } from './error-messages.ts';

const signedOut = new CallError('UNAUTHENTICATED', { status: 401, message: 'No authenticated user' });
const wrongPassword = new CallError('INVALID_CREDENTIALS', { status: 401, message: 'Invalid email or password. Please try again.' });
const noDatabase = new CallError('UNAVAILABLE', { status: 503, message: 'The service is not available right now.' });
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
  ['an ended session', signedOut, 'Your session has expired. Please sign in again.'],
  ['a 401 from a proxy', new CallError('UNREADABLE_ANSWER', { status: 401 }), 'Your session has expired. Please sign in again.'],
  ['a failed fetch', offline, 'Unable to connect to the server. Please check your internet connection and try again.'],
  [
    'a line that broke while reading',
    new Error('unreadable', { cause: offline }),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  [
    'a proxy that reaches no server',
    new CallError('UNREADABLE_ANSWER', { status: 502 }),
    'Unable to connect to the server. Please check your internet connection and try again.',
  ],
  ['a request that took too long', timeout, 'The request took too long to complete. Please try again.'],
  ['an aborted request', new DOMException('aborted', 'AbortError'), 'The request took too long to complete. Please try again.'],
  ['a 406', new CallError('NOT_ACCEPTABLE', { status: 406 }), 'Invalid data format. Please check your input and try again.'],
  ['a message of the backend', { message: 'x' }, 'Database error: x'],
  ['an unreachable database', noDatabase, 'Database error: The service is not available right now.'],
  ['a refusal that says enough', notFound, 'Customer not found'],
  ['a fault of ours, without its text', fault, 'An unexpected error occurred. Please try again later.'],
  ['anything else', new Error('boom'), 'An unexpected error occurred. Please try again later.'],
  ['nothing at all', undefined, 'An unexpected error occurred. Please try again later.'],
])('a read shows %s in the words of the spec', (_what, error, words) => {
  expect(centralMessage(error)).toBe(words);
});

test.each([
  [noDatabase, 'The service is not available right now.'],
  [offline, 'Unable to connect to the server. Please check your internet connection and try again.'],
  [fault, 'An unexpected error occurred. Please try again later.'],
])('a save puts the bare message behind its own words', (error, words) => {
  expect(messageOf(error)).toBe(words);
});

test.each([lastAdmin, wrongCurrent, nameTaken, notConfirmed, emailTaken, overQuota, diskFull])(
  'a refusal of $code stands in its own words, bare and behind a save',
  (error) => {
    expect(centralMessage(error)).toBe(error.message);
    expect(messageOf(error)).toBe(error.message);
  },
);

test('a wrong password does not end a session', () => {
  expect(isSignedOut(wrongPassword)).toBe(false);
  expect(isSignedOut(wrongCurrent)).toBe(false);
  expect(isSignedOut(signedOut)).toBe(true);
});

test('each wrong field comes with its sentence', () => {
  const wrong = new CallError('INVALID_INPUT', { status: 422, data: { fields: { name: 'Name is required', odd: 1 } } });
  expect(fieldErrors(wrong)).toEqual({ name: 'Name is required' });
  expect(fieldErrors(notFound)).toEqual({});
});

test('too many attempts say how long to wait', () => {
  expect(retryAfter(new CallError('TOO_MANY_ATTEMPTS', { status: 429, data: { retry_after: 30 } }))).toBe(30);
  expect(retryAfter(notFound)).toBeUndefined();
});
