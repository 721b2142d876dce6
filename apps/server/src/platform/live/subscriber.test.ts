import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSubscriber } from './subscriber.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function subscribe() {
  const written: unknown[] = [];
  const subscriber = createSubscriber({
    companyId: 'ours',
    userId: 'me',
    sessionId: 'mine',
    write: (_, data) => void written.push(data),
    close: vi.fn(),
  });
  return { written, subscriber };
}

it('sends the first change at once and the rest of a burst together', () => {
  const { written, subscriber } = subscribe();
  for (const topic of ['customers', 'jobs', 'jobs', 'quotes']) subscriber.changed([topic]);
  expect(written).toEqual([{ topics: ['customers'] }]);
  vi.advanceTimersByTime(100);
  expect(written).toEqual([{ topics: ['customers'] }, { topics: ['jobs', 'quotes'] }]);
});

it('sends at most ten times a second, and never drops the last change', () => {
  const { written, subscriber } = subscribe();
  for (let change = 0; change < 1000; change += 1) {
    subscriber.changed([`topic ${change}`]);
    vi.advanceTimersByTime(1);
  }
  expect(written.length).toBeLessThanOrEqual(11);
  vi.advanceTimersByTime(100);
  const topics = written.flatMap((data) => (data as { topics: string[] }).topics);
  expect(topics).toHaveLength(1000);
});

it('sends a change after a pause at once', () => {
  const { written, subscriber } = subscribe();
  subscriber.changed(['customers']);
  vi.advanceTimersByTime(1000);
  subscriber.changed(['jobs']);
  expect(written).toHaveLength(2);
});

it('sends nothing after its stream has ended', () => {
  const { written, subscriber } = subscribe();
  subscriber.changed(['customers']);
  subscriber.changed(['jobs']);
  subscriber.end();
  vi.advanceTimersByTime(1000);
  expect(written).toHaveLength(1);
});
