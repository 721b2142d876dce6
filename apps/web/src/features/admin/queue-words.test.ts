import type { QueueHealth } from '@callout/contract/admin';
import { expect, test } from 'vitest';
import { queueVerdict } from './queue-words.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const WELL: QueueHealth = { waiting: 0, running: 0, given_up: 0, oldest_waiting: null, sends_mail: true, troubles: [] };
const says = (health: Partial<QueueHealth>) => queueVerdict({ ...WELL, ...health }, NOW).says;

test('the queue says in words how it is doing', () => {
  expect(says({})).toBe('Queue healthy, nothing waiting.');
  expect(says({ waiting: 1, oldest_waiting: '2026-03-01T09:59:00Z' })).toBe('Queue healthy, 1 task in progress.');
  expect(says({ waiting: 3, oldest_waiting: '2026-03-01T09:48:00Z' })).toBe('3 tasks waiting, the oldest for 12 minutes.');
  expect(says({ waiting: 3, given_up: 1 })).toBe("1 task failed and won't be retried. See the errors below.");
});
