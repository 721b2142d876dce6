import { type MutationMeta, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Toasts } from '../ui/toasts.tsx';
import { CallError } from './error-messages.ts';
import { DELETE_MUTATION_KEY } from './query-cache.ts';
import { createQueryClient, preventUnloadWhileSaving, shouldRetry } from './query-client.ts';

test('retries a read longer without a connection than after an unexpected error', () => {
  const failures = [0, 2, 3, 5, 6];
  expect(failures.map((count) => shouldRetry(count, new TypeError('Failed to fetch')))).toEqual([true, true, true, true, false]);
  expect(failures.map((count) => shouldRetry(count, new CallError('INTERNAL', { status: 500 })))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('does not retry a client error', () => {
  expect(shouldRetry(0, new CallError('NOT_FOUND', { status: 404 }))).toBe(false);
});

describe('mutation meta', () => {
  beforeEach(() => void render(<Toasts />));
  afterEach(cleanup);
  /** Returns the visible toasts, newest first. */
  const getToastTexts = () => [...screen.getByRole('region', { name: 'Messages' }).children].map((toast) => toast.textContent);

  async function run(meta: MutationMeta, error?: Error, queryClient: QueryClient = createQueryClient()): Promise<void> {
    const mutationFn = () => (error ? Promise.reject(error) : Promise.resolve());
    const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn, meta });
    await act(() => mutation.execute(undefined).catch(() => undefined));
  }

  const META = { success: 'Customer added successfully', failure: 'Failed to add customer: {message}' };
  const stale = new CallError('STALE_VERSION', { status: 409, message: 'Changed', data: { current: {} } });
  const invalidInput = new CallError('INVALID_INPUT', {
    status: 422,
    message: 'Please check the highlighted fields.',
    data: { fields: { id: 'x' } },
  });

  test('shows a success toast, and an error toast with the reason', async () => {
    await run(META);
    await run(META, new CallError('FORBIDDEN', { status: 403, message: 'Not for you' }));
    expect(getToastTexts()).toEqual(['Failed to add customer: Not for you', 'Customer added successfully']);
  });

  test('replaces only the error toast of the same mutation when it succeeds', async () => {
    const refused = new CallError('FORBIDDEN', { status: 403, message: 'Not for you' });
    await run(META, refused);
    await run({ success: 'Logo removed', failure: 'Failed to remove logo: {message}' }, refused);
    await run(META);
    await waitFor(() => expect(getToastTexts()).toEqual(['Customer added successfully', 'Failed to remove logo: Not for you']));
  });

  test('builds the success toast from the output, or shows none', async () => {
    await run({ success: (output: unknown) => (output === undefined ? 'Nothing came back' : 'Something came back') });
    await run({ success: () => undefined });
    expect(getToastTexts()).toEqual(['Nothing came back']);
  });

  test('builds the error toast from the error, or shows none', async () => {
    await run({ failure: (error) => (error === stale ? undefined : 'Not added') }, stale);
    await run({ failure: () => 'Not added' }, invalidInput);
    expect(getToastTexts()).toEqual(['Not added']);
  });

  test('shows no toast for errors that a form shows inline, or for an ended session', async () => {
    await run({ ...META, inlineErrors: true }, stale);
    await run({ ...META, inlineErrors: true }, invalidInput);
    await run(META, new CallError('UNAUTHENTICATED', { status: 401 }));
    expect(getToastTexts()).toEqual([]);
    await run(META, invalidInput);
    expect(getToastTexts()).toEqual(['Failed to add customer: Please check the highlighted fields.']);
  });

  test('shows the reference of an unexpected error long enough to write it down', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await run({ failure: 'Failed to add customer: {message}' }, new CallError('FORBIDDEN', { status: 403, message: 'Not for you' }));
    await run(META, new CallError('INTERNAL', { status: 500, data: { reference: '4f1c2a9b8d3e' } }));
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(getToastTexts()).toEqual([expect.stringMatching(/Reference: 4f1c2a9b8d3e$/)]);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(getToastTexts()).toEqual([]);
  });

  test('invalidates queries that depend on the same topic, except records being deleted', async () => {
    const queryClient = createQueryClient();
    const read = (queryKey: readonly string[], ...topics: string[]) => queryClient.query({ queryKey, queryFn: () => 1, meta: { topics } });
    await Promise.all([read(['week'], 'visits'), read(['visits', 'detail', 'a']), read(['bills', 'b'], 'visits'), read(['bills', 'c'])]);
    const deletion = queryClient
      .getMutationCache()
      .build(queryClient, { mutationKey: DELETE_MUTATION_KEY, mutationFn: async () => 'deleted' });
    await deletion.execute({ id: 'b' });
    await run({ invalidates: [['visits', 'list']] }, undefined, queryClient);
    const invalidated = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
    expect(invalidated.map(({ queryKey }) => queryKey)).toEqual([['week']]);
    queryClient.clear();
  });

  test('refetches the invalidated keys after success and failure', async () => {
    const queryClient = createQueryClient();
    let reads = 0;
    const observer = new QueryObserver(queryClient, { queryKey: ['customers', 'list'], queryFn: () => ++reads, retry: false });
    const stop = observer.subscribe(() => undefined);
    await observer.refetch();
    const before = reads;
    await run({ invalidates: [['customers']] }, undefined, queryClient);
    await run({ invalidates: [['customers']] }, stale, queryClient);
    await queryClient.refetchQueries({ queryKey: ['other'] });
    expect(reads).toBeGreaterThan(before);
    stop();
    queryClient.clear();
  });
});

test('makes the browser ask before a reload while changes are being sent that are not stored', async () => {
  const queryClient = createQueryClient();
  preventUnloadWhileSaving(queryClient);
  const isPrevented = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const response = Promise.withResolvers<void>();
  const move = () => queryClient.getMutationCache().build(queryClient, { mutationFn: () => response.promise });
  expect(isPrevented()).toBe(false);
  const moves = [move().execute(undefined), move().execute(undefined)];
  expect(isPrevented()).toBe(true);
  response.resolve();
  await Promise.all(moves);
  expect(isPrevented()).toBe(false);
});
