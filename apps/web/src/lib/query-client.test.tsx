import { type MutationMeta, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Toasts } from '../ui/toasts.tsx';
import { CallError } from './error-messages.ts';
import { DELETE_MUTATION_KEY, deferRefetch, updateOptimistically } from './query-cache.ts';
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

test('an optimistic change appears immediately and is rolled back in every list', async () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['tasks', 'mine'], ['a', 'b']);
  queryClient.setQueryData(['tasks', 'all'], ['a', 'b', 'c']);
  const settle = await updateOptimistically<string[]>(queryClient, { queryKey: ['tasks'] }, (rows) => rows.filter((row) => row !== 'a'));
  expect(queryClient.getQueryData(['tasks', 'all'])).toEqual(['b', 'c']);
  settle(new Error('refused'));
  expect(queryClient.getQueryData(['tasks', 'mine'])).toEqual(['a', 'b']);
  expect(queryClient.getQueryData(['tasks', 'all'])).toEqual(['a', 'b', 'c']);
});

test('an optimistic change that throws in one list is applied to none and blocks no refetch', async () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['tasks', 'mine'], ['a', 'b']);
  queryClient.setQueryData(['tasks', 'old'], 'of another shape');
  const change = updateOptimistically<string[]>(queryClient, { queryKey: ['tasks'] }, (rows) => rows.filter((row) => row !== 'a'));
  await expect(change).rejects.toThrow(TypeError);
  expect(queryClient.getQueryData(['tasks', 'mine'])).toEqual(['a', 'b']);
  const queries = queryClient.getQueryCache().findAll({ queryKey: ['tasks'] });
  expect(queries.map(deferRefetch)).toEqual([false, false]);
});

describe('a query that is fetching when an optimistic change starts', () => {
  /** Starts fetching a list on screen: the first fetch, or a refetch if `cached` is given. */
  function startFetch(cached?: string) {
    const queryClient = createQueryClient();
    const responses: PromiseWithResolvers<string>[] = [];
    const queryFn = () => {
      const response = Promise.withResolvers<string>();
      responses.push(response);
      return response.promise;
    };
    if (cached !== undefined) queryClient.setQueryData(['tasks'], cached);
    const stop = new QueryObserver(queryClient, { queryKey: ['tasks'], queryFn, staleTime: 0 }).subscribe(() => undefined);
    onTestFinished(() => {
      stop();
      queryClient.clear();
    });
    const change = (text: string) =>
      updateOptimistically<string>(queryClient, { queryKey: ['tasks'] }, (displayed) => `${displayed} ${text}`);
    return { responses, change, displayed: () => queryClient.getQueryData(['tasks']) };
  }

  test.each([
    ['the first fetch keeps running', undefined, 'sent before the change'],
    ['a refetch is canceled', 'old', 'old changed'],
  ])('is refetched after the change settles: %s', async (_kind, cached, displayedBefore) => {
    const { responses, change, displayed } = startFetch(cached);
    const settle = await change('changed');
    responses[0]?.resolve('sent before the change');
    await waitFor(() => expect(displayed()).toBe(displayedBefore));
    expect(responses).toHaveLength(1);
    settle(null);
    await waitFor(() => expect(responses).toHaveLength(2));
    responses[1]?.resolve('of the server');
    await waitFor(() => expect(displayed()).toBe('of the server'));
  });

  test('is refetched if the first response arrives after the change has settled', async () => {
    const { responses, change, displayed } = startFetch();
    const settle = await change('changed');
    settle(null);
    responses[0]?.resolve('sent before the change');
    await waitFor(() => expect(responses).toHaveLength(2));
    responses[1]?.resolve('of the server');
    await waitFor(() => expect(displayed()).toBe('of the server'));
  });

  test('is refetched only after the last of several changes settles', async () => {
    const { responses, change, displayed } = startFetch();
    const settleFirst = await change('once');
    responses[0]?.resolve('old');
    await waitFor(() => expect(displayed()).toBe('old'));
    const settleSecond = await change('twice');
    settleFirst(null);
    await new Promise((resolve) => setTimeout(resolve));
    expect([responses.length, displayed()]).toEqual([1, 'old twice']);
    settleSecond(null);
    await waitFor(() => expect(responses).toHaveLength(2));
  });
});

test('an optimistic change that fails after the session has ended does not restore the old data', async () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['me'], 'Ana');
  const settle = await updateOptimistically<string>(queryClient, { queryKey: ['me'] }, (name) => `${name} Rossi`);
  queryClient.clear();
  settle(new Error('refused'));
  expect(queryClient.getQueryData(['me'])).toBeUndefined();
});

describe('several pending optimistic changes', () => {
  const KEY = ['order'];

  async function openOrder() {
    const queryClient = createQueryClient();
    queryClient.setQueryData(KEY, ['a', 'b', 'c']);
    queryClient.setQueryData([...KEY, 'details'], 'something else');
    const moveToEnd = (moved: string) =>
      updateOptimistically<string[]>(queryClient, { queryKey: KEY, exact: true }, (order) => [
        ...order.filter((id) => id !== moved),
        moved,
      ]);
    const isStale = () => queryClient.getQueryState(KEY)?.isInvalidated;
    return { queryClient, moveToEnd, isStale, order: () => queryClient.getQueryData<string[]>(KEY)?.join('') };
  }

  test('restore the server data and refetch it if all of them fail', async () => {
    const { moveToEnd, order, isStale, queryClient } = await openOrder();
    const [first, second] = [await moveToEnd('a'), await moveToEnd('b')];
    expect(order()).toBe('cab');
    first(new Error('refused'));
    expect([order(), isStale()]).toEqual(['acb', false]);
    second(new Error('refused'));
    expect([order(), isStale()]).toEqual(['abc', true]);
    expect(queryClient.getQueryData([...KEY, 'details'])).toBe('something else');
  });

  test('keep the change that succeeds, whichever settles first', async () => {
    for (const settlesFirst of [true, false]) {
      const { moveToEnd, order } = await openOrder();
      const [works, fails] = [await moveToEnd('a'), await moveToEnd('b')];
      if (settlesFirst) works(null);
      fails(new Error('refused'));
      if (!settlesFirst) works(null);
      expect(order()).toBe('bca');
    }
  });

  test('do not overwrite newer server data when rolling back', async () => {
    const { moveToEnd, order, queryClient } = await openOrder();
    const settle = await moveToEnd('a');
    queryClient.setQueryData(KEY, ['c', 'b', 'a']);
    settle(new Error('refused'));
    expect(order()).toBe('cba');
  });
});

test('makes the browser ask before a reload while mutations are in flight or queued', async () => {
  const queryClient = createQueryClient();
  preventUnloadWhileSaving(queryClient);
  const isPrevented = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const response = Promise.withResolvers<void>();
  const move = () => queryClient.getMutationCache().build(queryClient, { scope: { id: 'order' }, mutationFn: () => response.promise });
  expect(isPrevented()).toBe(false);
  const moves = [move().execute(undefined), move().execute(undefined)];
  expect(isPrevented()).toBe(true);
  response.resolve();
  await Promise.all(moves);
  expect(isPrevented()).toBe(false);
});
