import { DAY_MS } from '@callout/domain/time/time-units';
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { DATA_VERSION } from '../../lib/data-version.ts';
import {
  findReader,
  MAX_STORED_QUERIES,
  MAX_STORED_SEARCHES,
  PACK_KEY,
  type StoredEntry,
  selectUsable,
  toStoredEntries,
} from './stored-query.ts';

const MIA = { person: 'mia', access: 'manager in tane' };
const client = new QueryClient();
afterEach(() => client.clear());

const storeAll = () =>
  client
    .getQueryCache()
    .getAll()
    .flatMap((query) => toStoredEntries(query, MIA));
const getKeys = (stored: readonly StoredEntry[]) => stored.map(([, { key }]) => key);
const listUsableKeys = () => getKeys(selectUsable(storeAll(), MIA));
/** Adds data that was read this many milliseconds ago. */
const addRead = (key: QueryKey, agoMs = 0, data: unknown = 'data') => client.setQueryData(key, data, { updatedAt: Date.now() - agoMs });

test('stores only the first page of a list', () => {
  addRead(['jobs', 'list'], 0, { pages: [{ rows: [1] }, { rows: [2] }], pageParams: [undefined, 'next'] });
  expect(storeAll().map(([, { data }]) => data)).toEqual([{ pages: [{ rows: [1] }], pageParams: [undefined] }]);
});

test('does not store data that grants access, is too large, or failed to load', async () => {
  addRead(['calendar feed'], 0, { url: '/api/public/calendar/secret.ics' });
  addRead(['devices']);
  addRead(['admin', 'outbox']);
  addRead(['jobs', 'detail', '1'], 0, 'long '.repeat(100_000));
  await client.query({ queryKey: ['quotes'], queryFn: () => Promise.reject(new Error('on purpose')), retry: false }).catch(() => undefined);
  addRead(['jobs', 'detail', '2'], 0, 'short');
  expect(getKeys(storeAll())).toEqual([['jobs', 'detail', '2']]);
});

test('an update keeps stored data, unless it raises the data version', () => {
  addRead(['jobs']);
  const stored = storeAll();
  expect(getKeys(selectUsable(stored, MIA))).toEqual([['jobs']]);
  const fromOtherVersion = stored.map(([hash, query]): StoredEntry => [hash, { ...query, version: DATA_VERSION - 1 }]);
  expect(selectUsable(fromOtherVersion, MIA)).toEqual([]);
});

test('does not show data of another person or of a former role, or that is older than a week', () => {
  addRead(['jobs']);
  addRead(['quotes'], 8 * DAY_MS);
  const stored = storeAll();
  expect(getKeys(selectUsable(stored, MIA))).toEqual([['jobs']]);
  expect(selectUsable(stored, { ...MIA, person: 'sam' })).toEqual([]);
  expect(selectUsable(stored, { ...MIA, access: 'staff in tane' })).toEqual([]);
  expect(selectUsable(stored, undefined)).toEqual([]);
});

test('finds out from the stored profile who may read', () => {
  addRead(['me'], 0, { user: { id: 'mia' }, profile: { role: 'manager', company_id: 'tane' } });
  addRead(['me', 'details'], 0, { name: 'Mia' });
  expect(findReader(storeAll(), 'mia')).toEqual(MIA);
  expect(findReader(storeAll(), 'sam')).toBeUndefined();
  expect(findReader(storeAll(), undefined)).toBeUndefined();
});

test('searches are removed before records, and records before what the day pack contained', () => {
  addRead(['me'], 3 * DAY_MS);
  addRead(['jobs', 'detail', 'today'], 2 * DAY_MS);
  addRead(['suppliers', 'search', 'tap']);
  addRead(['customers', 'list', { search: 'ana' }]);
  addRead(['jobs', 'find', 'tap']);
  addRead(['jobs', 'detail', 'other'], DAY_MS);
  addRead(['suppliers', 'search', ''], DAY_MS + 1);
  addRead(PACK_KEY, 2 * DAY_MS, { hashes: [JSON.stringify(['jobs', 'detail', 'today'])] });
  expect(listUsableKeys()).toEqual([
    ['jobs', 'detail', 'today'],
    PACK_KEY,
    ['me'],
    ['jobs', 'detail', 'other'],
    ['suppliers', 'search', ''],
    ['suppliers', 'search', 'tap'],
    ['customers', 'list', { search: 'ana' }],
    ['jobs', 'find', 'tap'],
  ]);
});

test('a day of searching removes nothing of the day pack', () => {
  addRead(['jobs', 'detail', 'today'], DAY_MS);
  addRead(PACK_KEY, DAY_MS, { hashes: [JSON.stringify(['jobs', 'detail', 'today'])] });
  for (let index = 0; index < MAX_STORED_QUERIES; index += 1) {
    addRead(['suppliers', 'search', `tap ${index}`], index);
    addRead(['customers', 'detail', index], index);
  }
  const keys = listUsableKeys();
  expect(keys.length).toBe(MAX_STORED_QUERIES);
  expect(keys).toContainEqual(['jobs', 'detail', 'today']);
  expect(keys.filter(([topic]) => topic === 'suppliers').length).toBeLessThanOrEqual(MAX_STORED_SEARCHES);
});
