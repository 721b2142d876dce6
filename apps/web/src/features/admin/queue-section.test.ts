import type { QueueHealth } from '@callout/contract/admin';
import { expect, test } from 'vitest';
import { queueStatus } from './queue-section.tsx';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const HEALTHY: QueueHealth = { waiting: 0, running: 0, failed: 0, oldest_waiting: null, sends_mail: true, errors: [] };
const statusOf = (health: Partial<QueueHealth>) => queueStatus({ ...HEALTHY, ...health }, NOW).text;

test('the health of the queue is one sentence', () => {
  expect(statusOf({})).toBe('Queue healthy, nothing waiting.');
  expect(statusOf({ waiting: 1, oldest_waiting: '2026-03-01T09:59:00Z' })).toBe('Queue healthy, 1 task in progress.');
  expect(statusOf({ waiting: 3, oldest_waiting: '2026-03-01T09:48:00Z' })).toBe('3 tasks waiting, the oldest for 12 minutes.');
  expect(statusOf({ waiting: 3, failed: 1 })).toBe("1 task failed and won't be retried. See the errors below.");
});
