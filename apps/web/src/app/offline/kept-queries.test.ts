import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { markKept } from './kept-mark.ts';
import { fillIn, isMarked, type KeptQuery, keeperShown, toKept, usable } from './kept-queries.ts';

const clients: QueryClient[] = [];

function newClient(): QueryClient {
  const client = new QueryClient();
  clients.push(client);
  return client;
}

afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

/** What a browser keeps of all that a client has read. */
const keptOf = (client: QueryClient, person = 'mia') =>
  client
    .getQueryCache()
    .getAll()
    .flatMap((query) => toKept(query, person));

const keysOf = (kept: readonly [string, KeptQuery][]) => kept.map(([, { key }]) => key);

test('what was read is there again, and counts as outdated', () => {
  const before = newClient();
  before.setQueryData(['customers', 'detail', '1'], { name: 'Mere Tamihana' });
  const after = newClient();
  fillIn(after, usable(keptOf(before), 'mia'));
  const query = after.getQueryCache().find({ queryKey: ['customers', 'detail', '1'] });
  expect(query?.state.data).toEqual({ name: 'Mere Tamihana' });
  expect(query?.isStaleByTime(Number.POSITIVE_INFINITY)).toBe(true);
});

test('what is there already is newer, and stays', () => {
  const before = newClient();
  before.setQueryData(['jobs'], 'kept');
  const after = newClient();
  after.setQueryData(['jobs'], 'just read');
  fillIn(after, keptOf(before));
  expect(after.getQueryData(['jobs'])).toBe('just read');
});

test('a browser without room for the mark keeps nothing, and nothing stops', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(isMarked('mia')).toBe(false);
  vi.unstubAllGlobals();
  expect(isMarked('mia')).toBe(true);
  localStorage.clear();
});

test('a page that shows nobody, or somebody else, fills in nothing', () => {
  markKept('mia');
  const client = newClient();
  client.setQueryData(['jobs'], 'kept');
  expect(keeperShown(client)).toBeUndefined();
  expect(usable(keptOf(client), keeperShown(client))).toEqual([]);
  client.setQueryData(['me'], { user: { id: 'sam' } });
  expect(keeperShown(client)).toBeUndefined();
  client.setQueryData(['me'], { user: { id: 'mia' } });
  expect(keeperShown(client)).toBe('mia');
  localStorage.clear();
});

test('of a list the first page is kept', () => {
  const client = newClient();
  client.setQueryData(['jobs', 'list'], { pages: [{ rows: [1] }, { rows: [2] }], pageParams: [undefined, 'next'] });
  expect(keptOf(client).map(([, { data }]) => data)).toEqual([{ pages: [{ rows: [1] }], pageParams: [undefined] }]);
});

test('nothing is kept that opens a door, is too long, or failed', async () => {
  const client = newClient();
  client.setQueryData(['calendar feed'], { url: '/api/public/calendar/secret.ics' });
  client.setQueryData(['devices'], { rows: [] });
  client.setQueryData(['admin', 'outbox'], { rows: [] });
  client.setQueryData(['jobs', 'detail', '1'], 'long '.repeat(100_000));
  await client.query({ queryKey: ['quotes'], queryFn: () => Promise.reject(new Error('on purpose')), retry: false }).catch(() => undefined);
  client.setQueryData(['jobs', 'detail', '2'], 'short');
  expect(keysOf(keptOf(client))).toEqual([['jobs', 'detail', '2']]);
});

test('nobody sees what somebody else has read, nor anything older than a week or of another build', () => {
  const client = newClient();
  client.setQueryData(['jobs'], 'this week');
  client.setQueryData(['quotes'], 'long ago', { updatedAt: Date.now() - 8 * 24 * 60 * 60 * 1000 });
  const kept = keptOf(client);
  expect(keysOf(usable(kept, 'mia'))).toEqual([['jobs']]);
  expect(usable(kept, 'ben')).toEqual([]);
  expect(usable(kept, undefined)).toEqual([]);
  expect(
    usable(
      kept.map(([hash, query]) => [hash, { ...query, build: 'older' }]),
      'mia',
    ),
  ).toEqual([]);
});

test('the newest two hundred stay', () => {
  const client = newClient();
  for (let id = 0; id < 250; id += 1) client.setQueryData(['jobs', 'detail', id], id, { updatedAt: Date.now() - 1000 + id });
  const stays = usable(keptOf(client), 'mia').map(([, { data }]) => data);
  expect([stays.length, stays[0], stays.at(-1)]).toEqual([200, 249, 50]);
});
