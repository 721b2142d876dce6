import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSubscriber } from './subscriber.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createTestSubscriber() {
  const events: unknown[] = [];
  const subscriber = createSubscriber({
    companyId: 'ours',
    userId: 'me',
    sessionId: 'mine',
    write: (_, data) => void events.push(data),
    close: vi.fn(),
  });
  return { events, subscriber };
}

it('sends the first change of a burst immediately and batches the rest', () => {
  const { events, subscriber } = createTestSubscriber();
  for (const topic of ['customers', 'jobs', 'jobs', 'quotes']) subscriber.queueTopics([topic]);
  expect(events).toEqual([{ topics: ['customers'] }]);
  vi.advanceTimersByTime(100);
  expect(events).toEqual([{ topics: ['customers'] }, { topics: ['jobs', 'quotes'] }]);
});

it('sends at most ten events per second without dropping a change', () => {
  const { events, subscriber } = createTestSubscriber();
  for (let change = 0; change < 1000; change += 1) {
    subscriber.queueTopics([`topic ${change}`]);
    vi.advanceTimersByTime(1);
  }
  expect(events.length).toBeLessThanOrEqual(11);
  vi.advanceTimersByTime(100);
  const topics = events.flatMap((data) => (data as { topics: string[] }).topics);
  expect(topics).toHaveLength(1000);
});

it('sends a change immediately after a quiet period', () => {
  const { events, subscriber } = createTestSubscriber();
  subscriber.queueTopics(['customers']);
  vi.advanceTimersByTime(1000);
  subscriber.queueTopics(['jobs']);
  expect(events).toHaveLength(2);
});

it('sends nothing after its stream has ended', () => {
  const { events, subscriber } = createTestSubscriber();
  subscriber.queueTopics(['customers']);
  subscriber.queueTopics(['jobs']);
  subscriber.dispose();
  vi.advanceTimersByTime(1000);
  expect(events).toHaveLength(1);
});
