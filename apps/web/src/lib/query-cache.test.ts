import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { getUniqueRows, patchCachedRows } from './query-cache.ts';

const row = (id: string, name: string) => ({ id, name });

const KEY = ['people', 'list', {}];

function getNamesAfter(change: (queryClient: QueryClient) => void): string[] {
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
  return getUniqueRows(pages).map(({ name }) => name);
}

it('removes a deleted row from its page and keeps the others', () => {
  expect(getNamesAfter((queryClient) => patchCachedRows(queryClient, ['people', 'list'], '2'))).toEqual(['Ana', 'Cleo']);
});

it('updates a changed row in place', () => {
  expect(
    getNamesAfter((queryClient) =>
      patchCachedRows<{ id: string; name: string }>(queryClient, ['people', 'list'], '3', { name: 'Cleopatra' }),
    ),
  ).toEqual(['Ana', 'Ben', 'Cleopatra']);
});

it('drops the duplicate of a row that moved to the next page between two reads', () => {
  expect(getUniqueRows([{ rows: [row('1', 'Ana')] }, { rows: [row('1', 'Zoe'), row('2', 'Ben')] }]).map(({ name }) => name)).toEqual([
    'Ana',
    'Ben',
  ]);
});
