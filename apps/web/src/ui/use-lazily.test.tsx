import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useToasts } from './toast.ts';
import { useLazily } from './use-lazily.ts';

beforeEach(() => useToasts.setState({ toasts: [] }));
afterEach(cleanup);

function Example({ wanted, load, failed }: { wanted: boolean; load: () => Promise<string>; failed?: () => void }) {
  return <p>{useLazily(load, wanted, failed) ?? 'nothing'}</p>;
}

test('a piece is asked for when it is first wanted', async () => {
  let asked = 0;
  const load = () => {
    asked += 1;
    return Promise.resolve('the piece');
  };
  const { rerender } = render(<Example wanted={false} load={load} />);
  expect(asked).toBe(0);
  rerender(<Example wanted load={load} />);
  expect(await screen.findByText('the piece')).toBeDefined();
  rerender(<Example wanted={false} load={load} />);
  rerender(<Example wanted load={load} />);
  expect(asked).toBe(1);
});

test('a piece that fails says so and can be asked for again', async () => {
  const answers = [() => Promise.reject(new TypeError('Failed to fetch')), () => Promise.resolve('the piece')];
  const load = () => answers.shift()?.() ?? Promise.resolve('too often');
  const told = Promise.withResolvers<void>();
  const { rerender } = render(<Example wanted load={load} failed={told.resolve} />);
  await told.promise;
  expect(useToasts.getState().toasts.map(({ kind }) => kind)).toEqual(['error']);
  rerender(<Example wanted={false} load={load} />);
  rerender(<Example wanted load={load} />);
  expect(await screen.findByText('the piece')).toBeDefined();
});
