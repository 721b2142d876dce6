import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';
import { defineRecordQueries } from './record-queries.ts';

interface Tool {
  id: string;
  name: string;
  note: string;
}

const SAW: Tool = { id: '1', name: 'Saw', note: 'sharp' };
const AXE: Tool = { id: '2', name: 'Axe', note: 'blunt' };

const tools = defineRecordQueries({
  key: ['tools'],
  calls: {
    list: async ({ search = '' }: { search?: string }) => ({
      rows: [SAW, AXE].filter(({ name }) => name.includes(search)),
      next_cursor: null,
    }),
    get: async ({ id }) => (id === SAW.id ? SAW : AXE),
    create: async (tool: Tool) => tool,
    update: async (tool: Tool) => tool,
    remove: async () => undefined,
  },
  rowOf: ({ name }: Tool) => ({ name }),
});

const LIST = tools.listOptions({});
const META = { success: 'Done', failure: 'Failed', refreshes: [] };

async function openList(): Promise<QueryClient> {
  const queryClient = createQueryClient();
  await queryClient.infiniteQuery(LIST);
  return queryClient;
}

function render<Result>(queryClient: QueryClient, use: () => Result): Result {
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
  return renderHook(use, { wrapper }).result.current;
}

async function send(queryClient: QueryClient, use: () => { mutateAsync: (tool: Tool) => Promise<unknown> }, tool: Tool): Promise<void> {
  const mutation = render(queryClient, use);
  await act(() => mutation.mutateAsync(tool));
}

const listed = (queryClient: QueryClient) => queryClient.getQueryData(LIST.queryKey)?.pages.flatMap(({ rows }) => rows);
const cached = (queryClient: QueryClient, id: string) => queryClient.getQueryData(tools.detailOptions(id).queryKey);

afterEach(cleanup);

test('a new record is known before its page reads it', async () => {
  const queryClient = await openList();
  const pick = { id: '3', name: 'Pick', note: '' };
  await send(queryClient, () => tools.useCreate(META), pick);
  expect(cached(queryClient, '3')).toEqual(pick);
});

test('a saved record shows in its page, and in lists with what they show of it', async () => {
  const queryClient = await openList();
  const changed = { ...SAW, name: 'Hacksaw', note: 'new' };
  await send(queryClient, () => tools.useUpdate(META), changed);
  expect(cached(queryClient, SAW.id)).toEqual(changed);
  expect(tools.known(queryClient, SAW.id)).toEqual({ ...SAW, name: 'Hacksaw' });
});

test('a deleted record leaves the lists, and is forgotten unless it is on screen', async () => {
  const queryClient = await openList();
  await queryClient.query(tools.detailOptions(AXE.id));
  render(queryClient, () => useQuery({ ...tools.detailOptions(SAW.id), initialData: SAW }));
  await send(queryClient, () => tools.useDelete(META), AXE);
  await send(queryClient, () => tools.useDelete(META), SAW);
  expect(listed(queryClient)).toEqual([]);
  expect([cached(queryClient, AXE.id), cached(queryClient, SAW.id)]).toEqual([undefined, SAW]);
  tools.forget(queryClient, SAW.id);
  expect(cached(queryClient, SAW.id)).toBeUndefined();
});

test('lists and counts are read again after a deletion, everything after an update', async () => {
  const queryClient = await openList();
  await queryClient.query(tools.detailOptions(AXE.id));
  const words = { success: 'Done', failure: 'Failed' };
  const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;
  await send(queryClient, () => tools.useDelete(words), SAW);
  expect([isStale(LIST.queryKey), isStale(tools.keys.detail(AXE.id))]).toEqual([true, false]);
  await send(queryClient, () => tools.useUpdate(words), AXE);
  expect([isStale(LIST.queryKey), isStale(tools.keys.detail(AXE.id))]).toEqual([true, true]);
});
