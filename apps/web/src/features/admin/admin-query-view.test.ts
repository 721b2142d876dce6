import { expect, test } from 'vitest';
import { CallError } from '../../lib/error-messages.ts';
import { adminMessage } from './admin-query-view.tsx';

test('offline, it is the connection', () => {
  expect(adminMessage(new TypeError('Failed to fetch'), false)).toBe(
    'No internet connection available. Please check your connection and try again.',
  );
});

test.each([new TypeError('Failed to fetch'), new CallError('UNREADABLE_ANSWER', { status: 502 })])(
  'online, it is the server: %s',
  (error) => {
    expect(adminMessage(error, true)).toBe('Unable to connect to the server. Please try again later.');
  },
);

test('other errors read as they do everywhere', () => {
  expect(adminMessage(new CallError('FORBIDDEN', { status: 403, message: 'Not yours' }), true)).toBe('Not yours');
});
