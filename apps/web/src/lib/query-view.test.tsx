import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallError } from './error-messages.ts';
import { QueryView } from './query-view.tsx';
import { NO_CONNECTION, TOOK_TOO_LONG } from './request.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

interface Shown {
  data?: string[];
  error?: Error;
  fetchStatus?: 'fetching' | 'paused';
  isPlaceholderData?: boolean;
  known?: string;
  holdBack?: boolean;
}

const view = (
  refetch: () => Promise<void>,
  { data, error, fetchStatus = 'fetching', isPlaceholderData = false, known, holdBack = false }: Shown,
) => (
  <main tabIndex={-1}>
    <QueryView
      query={{ data, error: error ?? null, isFetching: !error && data === undefined, fetchStatus, isPlaceholderData, refetch }}
      skeleton="Loading"
      known={known}
      holdBack={holdBack}
      notFound="Not found"
      isEmpty={(rows) => rows.length === 0}
      empty="Nothing here"
    >
      {(rows) => rows.join()}
    </QueryView>
  </main>
);

function show(shown: Shown) {
  const refetch = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { rerender } = render(view(refetch, shown));
  return { refetch, rerender: (next: Shown) => rerender(view(refetch, next)), text: () => screen.getByRole('main').textContent };
}

it('shows what was read, or that there is nothing', () => {
  expect(show({ data: ['Ana', 'Ben'] }).text()).toBe('Ana,Ben');
  cleanup();
  expect(show({ data: [] }).text()).toBe('Nothing here');
});

it('does not take an earlier answer without rows for an empty list', () => {
  expect(show({ data: [], isPlaceholderData: true }).text()).toBe('Loading');
});

it('comes with what stands above it, and without it after a second', () => {
  const { rerender, text } = show({ data: ['Ana'], holdBack: true });
  expect(text()).toBe('Loading');
  act(() => rerender({ data: ['Ana'] }));
  expect(text()).toBe('Ana');
  cleanup();
  const other = show({ data: ['Ben'], holdBack: true });
  act(() => void vi.advanceTimersByTime(999));
  expect(other.text()).toBe('Loading');
  act(() => void vi.advanceTimersByTime(1));
  expect(other.text()).toBe('Ben');
});

it('stays once it has shown, also when what stands above it is read again', () => {
  const { rerender, text } = show({ data: ['Ana'] });
  act(() => rerender({ data: ['Ana'], holdBack: true }));
  expect(text()).toBe('Ana');
});

it('gives up looking at a stalled connection after ten seconds, and tries again when asked', async () => {
  const { refetch, text } = show({});
  act(() => void vi.advanceTimersByTime(9_999));
  expect(text()).toBe('Loading');
  act(() => void vi.advanceTimersByTime(1));
  expect(text()).toBe(`${TOOK_TOO_LONG}Retry`);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Retry' })));
  expect(refetch).toHaveBeenCalledWith({ cancelRefetch: true });
  expect(text()).toBe(`${TOOK_TOO_LONG}Retry`);
  expect(screen.getByRole('button').getAttribute('aria-busy')).toBe('true');
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('button').getAttribute('aria-busy')).toBeNull();
});

it('keeps the focus while it tries again, and afterwards', () => {
  const { rerender } = show({ error: new CallError('INTERNAL', { status: 500 }) });
  const button = screen.getByRole('button', { name: 'Retry' });
  button.focus();
  fireEvent.click(button);
  rerender({});
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  rerender({ error: new CallError('INTERNAL', { status: 500 }) });
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-busy')).toBeNull();
  fireEvent.click(button);
  rerender({});
  rerender({ data: ['Ana'] });
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

it('shows the skeleton of the next read, not what an earlier one said', () => {
  const { rerender, text } = show({ error: new CallError('INTERNAL', { status: 500 }) });
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  rerender({});
  rerender({ data: ['Ana'] });
  rerender({});
  expect(text()).toBe('Loading');
});

it('says at once that there is no connection, unless another screen knows something', () => {
  expect(show({ fetchStatus: 'paused' }).text()).toBe(`${NO_CONNECTION}Retry`);
  cleanup();
  expect(show({ fetchStatus: 'paused', known: 'Ana, 021 555' }).text()).toBe('Ana, 021 555');
});

it('keeps what another screen knows beside a failure of the connection, not beside a refusal', () => {
  const known = 'Ana, 021 555';
  expect(show({ error: new TypeError('Failed to fetch'), known }).text()).toBe(`${known}${NO_CONNECTION}Retry`);
  cleanup();
  expect(show({ error: new CallError('FORBIDDEN', { status: 403, message: 'Not for you' }), known }).text()).toBe('Not for youRetry');
});

it('tells a record that is not there from a read that failed', () => {
  expect(show({ error: new CallError('NOT_FOUND', { status: 404 }) }).text()).toBe('Not found');
  cleanup();
  expect(show({ error: new CallError('FORBIDDEN', { status: 403, message: 'Not for you' }) }).text()).toBe('Not for youRetry');
});

it('renders what comes first after everything urgent, and what changes later at once', () => {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const showAtOnce = (shown: Shown) => flushSync(() => root.render(view(() => Promise.resolve(), shown)));
  // Within act everything would be rendered before it ends.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  showAtOnce({});
  showAtOnce({ data: ['Ana'] });
  expect(container.textContent).toBe('Loading');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  act(() => root.render(view(() => Promise.resolve(), { data: ['Ana'] })));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  showAtOnce({ data: ['Ana', 'Ben'] });
  expect(container.textContent).toBe('Ana,Ben');
  flushSync(() => root.unmount());
  container.remove();
  vi.unstubAllGlobals();
});

it('waits for the next record when another one is shown in the same place', () => {
  const message = vi.fn<() => string>(() => 'Failed');
  const record = (data: string | undefined) => (
    <QueryView
      query={{ data, error: null, isFetching: data === undefined, fetchStatus: 'fetching', refetch: () => Promise.resolve() }}
      skeleton="Loading"
      message={message}
    >
      {(text) => text}
    </QueryView>
  );
  const { rerender, container } = render(record('Ana'));
  rerender(record(undefined));
  expect(container.textContent).toBe('Loading');
  expect(message).not.toHaveBeenCalled();
});
