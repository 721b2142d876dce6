import { expect, test } from 'vitest';
import { CallError } from '../../lib/error-messages.ts';
import { formatAdminError } from './admin-query-view.tsx';

test('reports a missing internet connection while offline', () => {
  expect(formatAdminError(new TypeError('Failed to fetch'), false)).toBe(
    'No internet connection available. Please check your connection and try again.',
  );
});

test.each([new TypeError('Failed to fetch'), new CallError('UNREADABLE_RESPONSE', { status: 502 })])(
  'reports an unreachable server while online: %s',
  (error) => {
    expect(formatAdminError(error, true)).toBe('Unable to connect to the server. Please try again later.');
  },
);

test("uses the server's message for other errors", () => {
  expect(formatAdminError(new CallError('FORBIDDEN', { status: 403, message: 'Not yours' }), true)).toBe('Not yours');
});
