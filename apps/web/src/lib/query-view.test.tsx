import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallError } from './error-messages.ts';
import { QueryView } from './query-view.tsx';
import { NO_CONNECTION_MESSAGE, TIMEOUT_MESSAGE } from './request.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

interface ViewState {
  data?: string[];
  error?: Error;
  fetchStatus?: 'fetching' | 'paused';
  isPlaceholderData?: boolean;
  cached?: string;
  delayDisplay?: boolean;
}

const buildView = (
  refetch: () => Promise<void>,
  { data, error, fetchStatus = 'fetching', isPlaceholderData = false, cached, delayDisplay = false }: ViewState,
) => (
  <main tabIndex={-1}>
    <QueryView
      query={{ data, error: error ?? null, isFetching: !error && data === undefined, fetchStatus, isPlaceholderData, refetch }}
      skeleton="Loading"
      cached={cached}
      delayDisplay={delayDisplay}
      notFound="Not found"
      isEmpty={(rows) => rows.length === 0}
      empty="Nothing here"
    >
      {(rows) => rows.join()}
    </QueryView>
  </main>
);

function openView(state: ViewState) {
  const refetch = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { rerender } = render(buildView(refetch, state));
  return { refetch, rerender: (next: ViewState) => rerender(buildView(refetch, next)), text: () => screen.getByRole('main').textContent };
}

it('shows the data, or the empty state if there is none', () => {
  expect(openView({ data: ['Ana', 'Ben'] }).text()).toBe('Ana,Ben');
  cleanup();
  expect(openView({ data: [] }).text()).toBe('Nothing here');
});

it('shows the skeleton instead of the empty state while placeholder data is empty', () => {
  expect(openView({ data: [], isPlaceholderData: true }).text()).toBe('Loading');
});

it('delays the data until the content above has loaded, but by no more than a second', () => {
  const { rerender, text } = openView({ data: ['Ana'], delayDisplay: true });
  expect(text()).toBe('Loading');
  act(() => rerender({ data: ['Ana'] }));
  expect(text()).toBe('Ana');
  cleanup();
  const other = openView({ data: ['Ben'], delayDisplay: true });
  act(() => void vi.advanceTimersByTime(999));
  expect(other.text()).toBe('Loading');
  act(() => void vi.advanceTimersByTime(1));
  expect(other.text()).toBe('Ben');
});

it('keeps showing the data when the content above reloads', () => {
  const { rerender, text } = openView({ data: ['Ana'] });
  act(() => rerender({ data: ['Ana'], delayDisplay: true }));
  expect(text()).toBe('Ana');
});

it('shows a timeout error after ten seconds and refetches on Retry', async () => {
  const { refetch, text } = openView({});
  act(() => void vi.advanceTimersByTime(9_999));
  expect(text()).toBe('Loading');
  act(() => void vi.advanceTimersByTime(1));
  expect(text()).toBe(`${TIMEOUT_MESSAGE}Retry`);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Retry' })));
  expect(refetch).toHaveBeenCalledWith({ cancelRefetch: true });
  expect(text()).toBe(`${TIMEOUT_MESSAGE}Retry`);
  expect(screen.getByRole('button').getAttribute('aria-busy')).toBe('true');
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('button').getAttribute('aria-busy')).toBeNull();
});

it('keeps the focus during and after a retry', () => {
  const { rerender } = openView({ error: new CallError('INTERNAL', { status: 500 }) });
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

it("shows the skeleton for the next read, not the previous read's error", () => {
  const { rerender, text } = openView({ error: new CallError('INTERNAL', { status: 500 }) });
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  rerender({});
  rerender({ data: ['Ana'] });
  rerender({});
  expect(text()).toBe('Loading');
});

it('reports a missing connection immediately unless there is cached data', () => {
  expect(openView({ fetchStatus: 'paused' }).text()).toBe(`${NO_CONNECTION_MESSAGE}Retry`);
  cleanup();
  expect(openView({ fetchStatus: 'paused', cached: 'Ana, 021 555' }).text()).toBe('Ana, 021 555');
});

it('keeps cached data on screen if the connection fails, but hides it if the server rejects the request', () => {
  const cached = 'Ana, 021 555';
  expect(openView({ error: new TypeError('Failed to fetch'), cached }).text()).toBe(`${cached}${NO_CONNECTION_MESSAGE}Retry`);
  cleanup();
  expect(openView({ error: new CallError('FORBIDDEN', { status: 403, message: 'Not for you' }), cached }).text()).toBe('Not for youRetry');
});

it('distinguishes a missing record from a failed read', () => {
  expect(openView({ error: new CallError('NOT_FOUND', { status: 404 }) }).text()).toBe('Not found');
  cleanup();
  expect(openView({ error: new CallError('FORBIDDEN', { status: 403, message: 'Not for you' }) }).text()).toBe('Not for youRetry');
});

it('renders the first data at low priority and later changes immediately', () => {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const renderSync = (state: ViewState) => flushSync(() => root.render(buildView(() => Promise.resolve(), state)));
  // Off, because `act` would flush the deferred render before this test can observe it.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  renderSync({});
  renderSync({ data: ['Ana'] });
  expect(container.textContent).toBe('Loading');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  act(() => root.render(buildView(() => Promise.resolve(), { data: ['Ana'] })));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  renderSync({ data: ['Ana', 'Ben'] });
  expect(container.textContent).toBe('Ana,Ben');
  flushSync(() => root.unmount());
  container.remove();
  vi.unstubAllGlobals();
});

it('shows the skeleton when the page switches to another record', () => {
  const message = vi.fn<() => string>(() => 'Failed');
  const record = (data: string | undefined) => (
    <QueryView
      query={{ data, error: null, isFetching: data === undefined, fetchStatus: 'fetching', refetch: () => Promise.resolve() }}
      skeleton="Loading"
      formatError={message}
    >
      {(text) => text}
    </QueryView>
  );
  const { rerender, container } = render(record('Ana'));
  rerender(record(undefined));
  expect(container.textContent).toBe('Loading');
  expect(message).not.toHaveBeenCalled();
});
