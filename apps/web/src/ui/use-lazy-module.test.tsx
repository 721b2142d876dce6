import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from './toasts.tsx';
import { useLazyModule, usePrefetch } from './use-lazy-module.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

interface ExampleProps {
  isNeeded: boolean;
  load: () => Promise<string>;
  onError?: () => void;
}

function Example({ isNeeded, load, onError }: ExampleProps) {
  return (
    <>
      <p>{useLazyModule(load, isNeeded, onError) ?? 'nothing'}</p>
      <Toasts />
    </>
  );
}

const failToLoad = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

test('loads a module once, when it is first needed', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module'));
  const { rerender } = render(<Example isNeeded={false} load={load} />);
  expect(load).not.toHaveBeenCalled();
  rerender(<Example isNeeded load={load} />);
  await advanceTime(0);
  expect(screen.getByText('the module')).toBeDefined();
  rerender(<Example isNeeded={false} load={load} />);
  rerender(<Example isNeeded load={load} />);
  expect(load).toHaveBeenCalledTimes(1);
});

test('reports a failed load and retries it', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module')).mockImplementationOnce(failToLoad);
  render(<Example isNeeded load={load} />);
  await advanceTime(100);
  expect(screen.getByRole('alert').textContent).toContain("Couldn't load this");
  await advanceTime(5_000);
  expect(screen.getByText('the module')).toBeDefined();
});

test('retries immediately when the browser is back online', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module')).mockImplementationOnce(failToLoad);
  render(<Example isNeeded load={load} />);
  await advanceTime(100);
  fireEvent(window, new Event('online'));
  await advanceTime(0);
  expect(screen.getByText('the module')).toBeDefined();
});

test('does not retry a module that is no longer needed until it is needed again', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module')).mockImplementationOnce(failToLoad);
  const onError = vi.fn<() => void>();
  const { rerender } = render(<Example isNeeded load={load} onError={onError} />);
  await advanceTime(0);
  expect(onError).toHaveBeenCalledTimes(1);
  rerender(<Example isNeeded={false} load={load} />);
  await advanceTime(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  rerender(<Example isNeeded load={load} />);
  await advanceTime(0);
  expect(screen.getByText('the module')).toBeDefined();
});

function PrefetchExample({ load }: { load: () => Promise<string> }) {
  usePrefetch(load);
  return <Toasts />;
}

test('prefetches a module a while after the page has loaded and ignores failures', async () => {
  const load = vi.fn<() => Promise<string>>(failToLoad);
  const { rerender } = render(<PrefetchExample load={load} />);
  await advanceTime(3_000);
  rerender(<PrefetchExample load={load} />);
  expect(load).not.toHaveBeenCalled();
  await advanceTime(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('does not prefetch after the user leaves the page', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module'));
  render(<PrefetchExample load={load} />).unmount();
  await advanceTime(60_000);
  expect(load).not.toHaveBeenCalled();
});
