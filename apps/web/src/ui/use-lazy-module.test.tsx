import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from './toasts.tsx';
import { useLazyModule, usePrefetch } from './use-lazy-module.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

interface ExampleProps {
  wanted: boolean;
  load: () => Promise<string>;
  onError?: () => void;
}

function Example({ wanted, load, onError }: ExampleProps) {
  return (
    <>
      <p>{useLazyModule(load, wanted, onError) ?? 'nothing'}</p>
      <Toasts />
    </>
  );
}

const failure = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

test('a module is loaded when it is first wanted, and once', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module'));
  const { rerender } = render(<Example wanted={false} load={load} />);
  expect(load).not.toHaveBeenCalled();
  rerender(<Example wanted load={load} />);
  await pass(0);
  expect(screen.getByText('the module')).toBeDefined();
  rerender(<Example wanted={false} load={load} />);
  rerender(<Example wanted load={load} />);
  expect(load).toHaveBeenCalledTimes(1);
});

test('a part of the page that failed to load is reported and comes back by itself', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module')).mockImplementationOnce(failure);
  render(<Example wanted load={load} />);
  await pass(100);
  expect(screen.getByRole('alert').textContent).toContain("Couldn't load this");
  await pass(5_000);
  expect(screen.getByText('the module')).toBeDefined();
});

test('it comes back at once when the browser is online again', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module')).mockImplementationOnce(failure);
  render(<Example wanted load={load} />);
  await pass(100);
  fireEvent(window, new Event('online'));
  await pass(0);
  expect(screen.getByText('the module')).toBeDefined();
});

test('what is no longer wanted is not tried again until it is wanted again', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module')).mockImplementationOnce(failure);
  const onError = vi.fn<() => void>();
  const { rerender } = render(<Example wanted load={load} onError={onError} />);
  await pass(0);
  expect(onError).toHaveBeenCalledTimes(1);
  rerender(<Example wanted={false} load={load} />);
  await pass(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  rerender(<Example wanted load={load} />);
  await pass(0);
  expect(screen.getByText('the module')).toBeDefined();
});

function Prefetching({ load }: { load: () => Promise<string> }) {
  usePrefetch(load);
  return <Toasts />;
}

test('a module that may be wanted later is loaded some time after the page, in silence', async () => {
  const load = vi.fn<() => Promise<string>>(failure);
  const { rerender } = render(<Prefetching load={load} />);
  await pass(3_000);
  rerender(<Prefetching load={load} />);
  expect(load).not.toHaveBeenCalled();
  await pass(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('nothing is prefetched for a page that was left', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.resolve('the module'));
  render(<Prefetching load={load} />).unmount();
  await pass(60_000);
  expect(load).not.toHaveBeenCalled();
});
