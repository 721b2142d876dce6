import type { QueueHealth } from '@callout/contract/admin';
import { expect, test } from 'vitest';
import { queueVerdict } from './queue-words.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const WELL: QueueHealth = { waiting: 0, running: 0, given_up: 0, oldest_waiting: null, sends_mail: true, troubles: [] };
const says = (health: Partial<QueueHealth>) => queueVerdict({ ...WELL, ...health }, NOW).says;

test('the queue says in words how it is doing', () => {
  expect(says({})).toBe('The queue is well: everything is done.');
  expect(says({ waiting: 1, oldest_waiting: '2026-03-01T09:59:00Z' })).toBe('The queue is at work: 1 piece of work to do.');
  expect(says({ waiting: 3, oldest_waiting: '2026-03-01T09:48:00Z' })).toBe('3 pieces of work waiting, the oldest for 12 minutes.');
  expect(says({ waiting: 3, given_up: 1 })).toBe('1 piece of work failed too often and will not be tried again. See below why.');
});
