import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast, useToasts } from './toast.ts';

const texts = () => useToasts.getState().toasts.map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
  useToasts.setState({ toasts: [] });
});
afterEach(() => vi.useRealTimers());

test('success goes after 2 seconds, error and blank after 4, loading stays', () => {
  toast.success('saved');
  toast.error('failed');
  toast.blank('moved');
  toast.loading('sending');
  vi.advanceTimersByTime(2_000);
  expect(texts()).toEqual(['sending', 'moved', 'failed']);
  vi.advanceTimersByTime(2_000);
  expect(texts()).toEqual(['sending']);
  vi.advanceTimersByTime(600_000);
  expect(texts()).toEqual(['sending']);
});

test('at most twenty show, the newest first', () => {
  for (let index = 1; index <= 25; index += 1) toast.error(`failure ${index}`);
  expect(texts()).toHaveLength(20);
  expect(texts()[0]).toBe('failure 25');
});

test('the same id is one toast, with a new clock', () => {
  toast.error('no connection', { id: 'line' });
  vi.advanceTimersByTime(3_000);
  toast.error('no connection', { id: 'line' });
  vi.advanceTimersByTime(3_000);
  expect(texts()).toEqual(['no connection']);
});
