import { type MutationMeta, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Toasts } from '../ui/toasts.tsx';
import { CallError } from './error-messages.ts';
import { DELETING, refetchesLater, updateOptimistically } from './query-cache.ts';
import { createQueryClient, retryDelay, shouldRetry, warnWhileSaving } from './query-client.ts';

test('a read is tried three times more, after 1, 2 and 4 seconds, never waiting longer than 30', () => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, new TypeError('Failed to fetch')))).toEqual([true, true, true, false]);
  expect([0, 1, 2, 10].map(retryDelay)).toEqual([1_000, 2_000, 4_000, 30_000]);
});

test('a refusal is not asked for again', () => {
  expect(shouldRetry(0, new CallError('NOT_FOUND', { status: 404 }))).toBe(false);
  expect(shouldRetry(0, new CallError('INTERNAL', { status: 500 }))).toBe(true);
});

describe('the meta of a mutation', () => {
  beforeEach(() => void render(<Toasts />));
  afterEach(cleanup);
  /** The newest first. */
  const texts = () => [...screen.getByRole('region', { name: 'Messages' }).children].map((toast) => toast.textContent);

  async function run(meta: MutationMeta, error?: Error, queryClient: QueryClient = createQueryClient()): Promise<void> {
    const mutationFn = () => (error ? Promise.reject(error) : Promise.resolve());
    const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn, meta });
    await act(() => mutation.execute(undefined).catch(() => undefined));
  }

  const META = { success: 'Customer added successfully', failure: 'Failed to add customer: {message}' };
  const stale = new CallError('STALE_VERSION', { status: 409, message: 'Changed', data: { current: {} } });
  const wrong = new CallError('INVALID_INPUT', {
    status: 422,
    message: 'Please check the highlighted fields.',
    data: { fields: { id: 'x' } },
  });

  test('says what worked, and what failed with its reason', async () => {
    await run(META);
    await run(META, new CallError('FORBIDDEN', { status: 403, message: 'Not for you' }));
    expect(texts()).toEqual(['Failed to add customer: Not for you', 'Customer added successfully']);
  });

  test('removes what the same command said before when it works, and nothing else', async () => {
    const refused = new CallError('FORBIDDEN', { status: 403, message: 'Not for you' });
    await run(META, refused);
    await run({ success: 'Logo removed', failure: 'Failed to remove logo: {message}' }, refused);
    await run(META);
    await waitFor(() => expect(texts()).toEqual(['Customer added successfully', 'Failed to remove logo: Not for you']));
  });

  test('has words for an answer, or none', async () => {
    await run({ success: (answer: unknown) => (answer === undefined ? 'Nothing came back' : 'Something came back') });
    await run({ success: () => undefined });
    expect(texts()).toEqual(['Nothing came back']);
  });

  test('has words for an error, or none', async () => {
    await run({ failure: (error) => (error === stale ? undefined : 'Not added') }, stale);
    await run({ failure: () => 'Not added' }, wrong);
    expect(texts()).toEqual(['Not added']);
  });

  test('leaves wrong fields and newer versions to a form, and an ended session to whoever notices it', async () => {
    await run({ ...META, inlineErrors: true }, stale);
    await run({ ...META, inlineErrors: true }, wrong);
    await run(META, new CallError('UNAUTHENTICATED', { status: 401 }));
    expect(texts()).toEqual([]);
    await run(META, wrong);
    expect(texts()).toEqual(['Failed to add customer: Please check the highlighted fields.']);
  });

  test('reads again what shows records of the same topic, and not what is being deleted', async () => {
    const queryClient = createQueryClient();
    const read = (queryKey: readonly string[], ...topics: string[]) => queryClient.query({ queryKey, queryFn: () => 1, meta: { topics } });
    await Promise.all([read(['week'], 'visits'), read(['visits', 'detail', 'a']), read(['bills', 'b'], 'visits'), read(['bills', 'c'])]);
    const deletion = queryClient.getMutationCache().build(queryClient, { mutationKey: DELETING, mutationFn: async () => 'deleted' });
    await deletion.execute({ id: 'b' });
    await run({ refreshes: [['visits', 'list']] }, undefined, queryClient);
    const outdated = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
    expect(outdated.map(({ queryKey }) => queryKey)).toEqual([['week']]);
    queryClient.clear();
  });

  test('reads again what it names, whether it worked or not', async () => {
    const queryClient = createQueryClient();
    let reads = 0;
    const observer = new QueryObserver(queryClient, { queryKey: ['customers', 'list'], queryFn: () => ++reads, retry: false });
    const stop = observer.subscribe(() => undefined);
    await observer.refetch();
    const before = reads;
    await run({ refreshes: [['customers']] }, undefined, queryClient);
    await run({ refreshes: [['customers']] }, stale, queryClient);
    await queryClient.refetchQueries({ queryKey: ['other'] });
    expect(reads).toBeGreaterThan(before);
    stop();
    queryClient.clear();
  });
});

test('an optimistic change shows at once, and rolls back in every list it was made in', async () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['tasks', 'mine'], ['a', 'b']);
  queryClient.setQueryData(['tasks', 'all'], ['a', 'b', 'c']);
  const settle = await updateOptimistically<string[]>(queryClient, { queryKey: ['tasks'] }, (rows) => rows.filter((row) => row !== 'a'));
  expect(queryClient.getQueryData(['tasks', 'all'])).toEqual(['b', 'c']);
  settle(new Error('refused'));
  expect(queryClient.getQueryData(['tasks', 'mine'])).toEqual(['a', 'b']);
  expect(queryClient.getQueryData(['tasks', 'all'])).toEqual(['a', 'b', 'c']);
});

test('an optimistic change that throws in one list shows in none, and they can be read again', async () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['tasks', 'mine'], ['a', 'b']);
  queryClient.setQueryData(['tasks', 'old'], 'of another shape');
  const change = updateOptimistically<string[]>(queryClient, { queryKey: ['tasks'] }, (rows) => rows.filter((row) => row !== 'a'));
  await expect(change).rejects.toThrow(TypeError);
  expect(queryClient.getQueryData(['tasks', 'mine'])).toEqual(['a', 'b']);
  const queries = queryClient.getQueryCache().findAll({ queryKey: ['tasks'] });
  expect(queries.map(refetchesLater)).toEqual([false, false]);
});

describe('what is being read when an optimistic change begins', () => {
  /** A list that is on screen; its first read, or the next one of what is known, is under way. */
  function startRead(known?: string) {
    const queryClient = createQueryClient();
    const answers: PromiseWithResolvers<string>[] = [];
    const queryFn = () => {
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      return answer.promise;
    };
    if (known !== undefined) queryClient.setQueryData(['tasks'], known);
    const stop = new QueryObserver(queryClient, { queryKey: ['tasks'], queryFn, staleTime: 0 }).subscribe(() => undefined);
    onTestFinished(() => {
      stop();
      queryClient.clear();
    });
    const change = (text: string) => updateOptimistically<string>(queryClient, { queryKey: ['tasks'] }, (shown) => `${shown} ${text}`);
    return { answers, change, shown: () => queryClient.getQueryData(['tasks']) };
  }

  test.each([
    ['for the first time, which goes on', undefined, 'sent before the change'],
    ['again, which is cancelled', 'old', 'old changed'],
  ])('%s is read again once that has ended', async (_how, known, shownMeanwhile) => {
    const { answers, change, shown } = startRead(known);
    const settle = await change('changed');
    answers[0]?.resolve('sent before the change');
    await waitFor(() => expect(shown()).toBe(shownMeanwhile));
    expect(answers).toHaveLength(1);
    settle(null);
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.resolve('of the server');
    await waitFor(() => expect(shown()).toBe('of the server'));
  });

  test('for the first time is read again, also when its answer comes after the end of the change', async () => {
    const { answers, change, shown } = startRead();
    const settle = await change('changed');
    settle(null);
    answers[0]?.resolve('sent before the change');
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.resolve('of the server');
    await waitFor(() => expect(shown()).toBe('of the server'));
  });

  test('for the first time is read again after the last change: earlier it would lack the others', async () => {
    const { answers, change, shown } = startRead();
    const settleFirst = await change('once');
    answers[0]?.resolve('old');
    await waitFor(() => expect(shown()).toBe('old'));
    const settleSecond = await change('twice');
    settleFirst(null);
    await new Promise((resolve) => setTimeout(resolve));
    expect([answers.length, shown()]).toEqual([1, 'old twice']);
    settleSecond(null);
    await waitFor(() => expect(answers).toHaveLength(2));
  });
});

test('an optimistic change that fails after the session has ended brings nothing back', async () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['me'], 'Ana');
  const settle = await updateOptimistically<string>(queryClient, { queryKey: ['me'] }, (name) => `${name} Rossi`);
  queryClient.clear();
  settle(new Error('refused'));
  expect(queryClient.getQueryData(['me'])).toBeUndefined();
});

describe('several optimistic changes at once', () => {
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

  test('that all fail leave what the server said last, which is then read again', async () => {
    const { moveToEnd, order, isStale, queryClient } = await openOrder();
    const [first, second] = [await moveToEnd('a'), await moveToEnd('b')];
    expect(order()).toBe('cab');
    first(new Error('refused'));
    expect([order(), isStale()]).toEqual(['acb', false]);
    second(new Error('refused'));
    expect([order(), isStale()]).toEqual(['abc', true]);
    expect(queryClient.getQueryData([...KEY, 'details'])).toBe('something else');
  });

  test('keep the one that worked, whichever ends first', async () => {
    for (const isFirstToEnd of [true, false]) {
      const { moveToEnd, order } = await openOrder();
      const [works, fails] = [await moveToEnd('a'), await moveToEnd('b')];
      if (isFirstToEnd) works(null);
      fails(new Error('refused'));
      if (!isFirstToEnd) works(null);
      expect(order()).toBe('bca');
    }
  });

  test('do not take back what the server said meanwhile', async () => {
    const { moveToEnd, order, queryClient } = await openOrder();
    const settle = await moveToEnd('a');
    queryClient.setQueryData(KEY, ['c', 'b', 'a']);
    settle(new Error('refused'));
    expect(order()).toBe('cba');
  });
});

test('the browser asks before a reload loses changes that are being saved or wait for their turn', async () => {
  const queryClient = createQueryClient();
  warnWhileSaving(queryClient);
  const asks = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const answer = Promise.withResolvers<void>();
  const move = () => queryClient.getMutationCache().build(queryClient, { scope: { id: 'order' }, mutationFn: () => answer.promise });
  expect(asks()).toBe(false);
  const moves = [move().execute(undefined), move().execute(undefined)];
  expect(asks()).toBe(true);
  answer.resolve();
  await Promise.all(moves);
  expect(asks()).toBe(false);
});
