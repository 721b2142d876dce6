import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { patchRows, uniqueRows } from './query-cache.ts';

const row = (id: string, name: string) => ({ id, name });

const KEY = ['people', 'list', {}];

function listed(change: (queryClient: QueryClient) => void): string[] {
  const queryClient = new QueryClient();
  queryClient.setQueryData(KEY, {
    pages: [
      { rows: [row('1', 'Ana'), row('2', 'Ben')], next_cursor: 'c' },
      { rows: [row('3', 'Cleo')], next_cursor: null },
    ],
    pageParams: [undefined, 'c'],
  });
  change(queryClient);
  const { pages } = queryClient.getQueryData<{ pages: { rows: { id: string; name: string }[] }[] }>(KEY) ?? { pages: [] };
  return uniqueRows(pages).map(({ name }) => name);
}

it('takes a deleted row out of its page and leaves the others', () => {
  expect(listed((queryClient) => patchRows(queryClient, ['people', 'list'], '2'))).toEqual(['Ana', 'Cleo']);
});

it('shows a change where the row stands', () => {
  expect(
    listed((queryClient) => patchRows<{ id: string; name: string }>(queryClient, ['people', 'list'], '3', { name: 'Cleopatra' })),
  ).toEqual(['Ana', 'Ben', 'Cleopatra']);
});

it('shows a row once that moved from one page to the next between two reads', () => {
  expect(uniqueRows([{ rows: [row('1', 'Ana')] }, { rows: [row('1', 'Zoe'), row('2', 'Ben')] }]).map(({ name }) => name)).toEqual([
    'Ana',
    'Ben',
  ]);
});
