import { expect, test } from 'vitest';
import { CallError } from './call-error.ts';
import { retryDelay, shouldRetry } from './query-client.ts';

test('a read is tried three times more, after 1, 2 and 4 seconds, never waiting longer than 30', () => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, new TypeError('Failed to fetch')))).toEqual([true, true, true, false]);
  expect([0, 1, 2, 10].map(retryDelay)).toEqual([1_000, 2_000, 4_000, 30_000]);
});

test('a refusal is not asked for again', () => {
  expect(shouldRetry(0, new CallError('NOT_FOUND', { status: 404 }))).toBe(false);
  expect(shouldRetry(0, new CallError('INTERNAL', { status: 500 }))).toBe(true);
});
