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
  toRow: ({ name }: Tool) => ({ name }),
});

const LIST = tools.listQueryOptions({});
const META = { success: 'Done', failure: 'Failed', invalidates: [] };

async function openList(): Promise<QueryClient> {
  const queryClient = createQueryClient();
  await queryClient.infiniteQuery(LIST);
  return queryClient;
}

function render<Result>(queryClient: QueryClient, use: () => Result): Result {
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
  return renderHook(use, { wrapper }).result.current;
}

async function runMutation(
  queryClient: QueryClient,
  use: () => { mutateAsync: (tool: Tool) => Promise<unknown> },
  tool: Tool,
): Promise<void> {
  const mutation = render(queryClient, use);
  await act(() => mutation.mutateAsync(tool));
}

const getListedRows = (queryClient: QueryClient) => queryClient.getQueryData(LIST.queryKey)?.pages.flatMap(({ rows }) => rows);
const getCachedRecord = (queryClient: QueryClient, id: string) => queryClient.getQueryData(tools.detailQueryOptions(id).queryKey);

afterEach(cleanup);

test('caches a new record before its page opens', async () => {
  const queryClient = await openList();
  const pick = { id: '3', name: 'Pick', note: '' };
  await runMutation(queryClient, () => tools.useCreate(META), pick);
  expect(getCachedRecord(queryClient, '3')).toEqual(pick);
});

test('updates the cached record and its list rows after a save', async () => {
  const queryClient = await openList();
  const changed = { ...SAW, name: 'Hacksaw', note: 'new' };
  await runMutation(queryClient, () => tools.useUpdate(META), changed);
  expect(getCachedRecord(queryClient, SAW.id)).toEqual(changed);
  expect(tools.findCachedRow(queryClient, SAW.id)).toEqual({ ...SAW, name: 'Hacksaw' });
});

test('removes a deleted record from the lists, and from the cache unless it is on screen', async () => {
  const queryClient = await openList();
  await queryClient.query(tools.detailQueryOptions(AXE.id));
  render(queryClient, () => useQuery({ ...tools.detailQueryOptions(SAW.id), initialData: SAW }));
  await runMutation(queryClient, () => tools.useDelete(META), AXE);
  await runMutation(queryClient, () => tools.useDelete(META), SAW);
  expect(getListedRows(queryClient)).toEqual([]);
  expect([getCachedRecord(queryClient, AXE.id), getCachedRecord(queryClient, SAW.id)]).toEqual([undefined, SAW]);
  tools.evictRecord(queryClient, SAW.id);
  expect(getCachedRecord(queryClient, SAW.id)).toBeUndefined();
});

test('invalidates lists and counts after a deletion, and everything after an update', async () => {
  const queryClient = await openList();
  await queryClient.query(tools.detailQueryOptions(AXE.id));
  const messages = { success: 'Done', failure: 'Failed' };
  const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;
  await runMutation(queryClient, () => tools.useDelete(messages), SAW);
  expect([isStale(LIST.queryKey), isStale(tools.keys.detail(AXE.id))]).toEqual([true, false]);
  await runMutation(queryClient, () => tools.useUpdate(messages), AXE);
  expect([isStale(LIST.queryKey), isStale(tools.keys.detail(AXE.id))]).toEqual([true, true]);
});
