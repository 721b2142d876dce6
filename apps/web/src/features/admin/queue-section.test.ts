import type { QueueHealth } from '@callout/contract/admin';
import { expect, test } from 'vitest';
import { getQueueStatus } from './queue-section.tsx';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const HEALTHY: QueueHealth = { waiting: 0, running: 0, failed: 0, oldest_waiting: null, sends_mail: true, errors: [] };
const getStatusText = (health: Partial<QueueHealth>) => getQueueStatus({ ...HEALTHY, ...health }, NOW).text;

test('describes the health of the queue in one sentence', () => {
  expect(getStatusText({})).toBe('Queue healthy, nothing waiting.');
  expect(getStatusText({ waiting: 1, oldest_waiting: '2026-03-01T09:59:00Z' })).toBe('Queue healthy, 1 task in progress.');
  expect(getStatusText({ waiting: 3, oldest_waiting: '2026-03-01T09:48:00Z' })).toBe('3 tasks waiting, the oldest for 12 minutes.');
  expect(getStatusText({ waiting: 3, failed: 1 })).toBe("1 task failed and won't be retried. See the errors below.");
});
