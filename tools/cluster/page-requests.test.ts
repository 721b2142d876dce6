import { expect, test } from 'vitest';
import { CallError } from '../../apps/web/src/lib/error-messages.ts';
import { createQueryClient, getRetryDelayMs as getPageDelayMs, shouldRetry } from '../../apps/web/src/lib/query-client.ts';
import { getRetryDelayMs, shouldSendAgain } from './page-requests.ts';

const FAILURE_COUNTS = [0, 1, 2, 3, 4];
const STATUSES = [0, 400, 401, 404, 409, 429, 500, 502, 503, 504];

const createPageError = (status: number) => (status === 0 ? new TypeError('fetch failed') : new CallError('UNAVAILABLE', { status }));

test('the load reads again exactly when the page does', () => {
  for (const failures of FAILURE_COUNTS) {
    for (const status of STATUSES)
      expect([failures, status, shouldSendAgain('read', failures, status)]).toEqual([
        failures,
        status,
        shouldRetry(failures, createPageError(status)),
      ]);
    expect(getRetryDelayMs(failures)).toBe(getPageDelayMs(failures));
  }
});

test('like the page, the load leaves it to the person to save again', () => {
  expect(createQueryClient().getDefaultOptions().mutations?.retry).toBe(false);
  for (const status of STATUSES) expect(shouldSendAgain('write', 0, status)).toBe(false);
});
