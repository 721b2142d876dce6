import type { Me } from '@callout/contract/company';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { claimCache, findCacheOwner } from '../src/app/offline/cache-owner.ts';
import { deleteStoredData, storeEntries } from '../src/app/offline/persisted-queries.ts';
import { getReader, type StoredEntry } from '../src/app/offline/stored-query.ts';
import { watchSession } from '../src/app/session.ts';
import { deleteCommandStorage } from '../src/lib/commands/command-storage.ts';
import { DATA_VERSION } from '../src/lib/data-version.ts';
import { useOfflineState } from '../src/lib/offline-state.ts';
import { cleanupCallbacks } from './clean-up.ts';
import { ADMIN_USER, JOB } from './fixtures.ts';
import { stubIndexedDb } from './indexed-db.ts';
import { failWith, type MockApi, openPage } from './open-page.tsx';

beforeEach(stubIndexedDb);
afterEach(async () => {
  cleanup();
  await deleteStoredData();
  await deleteCommandStorage();
  useOfflineState.setState(useOfflineState.getInitialState(), true);
  localStorage.clear();
});

const STORED_JOB = { ...JOB, title: 'Leaking tap, as stored' };

/** Stores what earlier visits of this person have read. */
async function store(me: Me, version = DATA_VERSION) {
  const entries = [
    { key: ['me'], data: me },
    { key: ['jobs', 'detail', JOB.id], data: STORED_JOB },
  ];
  claimCache(me.user.id);
  await storeEntries(
    entries.map(
      ({ key, data }): StoredEntry => [JSON.stringify(key), { key, data, read_at: Date.now() - 60_000, ...getReader(me), version }],
    ),
  );
}

const hang = () => new Promise(() => undefined);
const findStoredJob = () => screen.findByRole('heading', { level: 1, name: STORED_JOB.title });

function openJob(responses: MockApi) {
  const page = openPage(`/jobs/${JOB.id}`, { [`GET /jobs/${JOB.id}`]: () => JOB, ...responses });
  cleanupCallbacks.push(watchSession(page.router, page.queryClient));
  return page;
}

it('opens from stored data before the server has said who is signed in, then refreshes', async () => {
  await store(ADMIN_USER);
  const me = Promise.withResolvers<Me>();
  const job = Promise.withResolvers<unknown>();
  openJob({ 'GET /me': () => me.promise, [`GET /jobs/${JOB.id}`]: () => job.promise });
  await findStoredJob();
  await act(async () => {
    me.resolve(ADMIN_USER);
    job.resolve(JOB);
  });
  expect(await screen.findByRole('heading', { level: 1, name: JOB.title })).toBeDefined();
});

it('opens from stored data if the server cannot be reached, and says so', async () => {
  await store(ADMIN_USER);
  const fail = () => {
    throw new TypeError('Failed to fetch');
  };
  openJob({ 'GET /me': fail, [`GET /jobs/${JOB.id}`]: fail });
  await findStoredJob();
  await waitFor(() => expect(useOfflineState.getState().isReachable).toBe(false));
});

it('asks for the person whose data it shows, and leaves for the sign-in form if it is someone else', async () => {
  await store(ADMIN_USER);
  const answer = Promise.withResolvers<never>();
  const page = openJob({ 'GET /me': () => answer.promise, [`GET /jobs/${JOB.id}`]: hang });
  const send = globalThis.fetch;
  const people: (string | null)[] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    people.push(request.headers.get('x-callout-person'));
    return send(request);
  });
  await findStoredJob();
  expect(new Set(people)).toEqual(new Set([ADMIN_USER.user.id]));
  await act(async () => answer.reject(failAsSomeoneElse()));
  await waitFor(() => expect(page.path()).toBe('/auth'));
  await waitFor(() => expect(page.queryClient.getQueryData(['jobs', 'detail', JOB.id])).toBeUndefined());
  expect(findCacheOwner()).toBeUndefined();
});

/** The server rejects requests that name another person than the cookie's. */
function failAsSomeoneElse(): unknown {
  try {
    return failWith('UNAUTHENTICATED');
  } catch (error) {
    return error;
  }
}

it('shows nothing that another person has stored', async () => {
  await store({ ...ADMIN_USER, user: { ...ADMIN_USER.user, id: 'ben' } });
  claimCache(ADMIN_USER.user.id);
  const page = openJob({ 'GET /me': () => ADMIN_USER, [`GET /jobs/${JOB.id}`]: hang });
  await waitFor(() => expect(page.queryClient.getQueryData(['me'])).toEqual(ADMIN_USER));
  await screen.findByRole('navigation', { name: 'Main menu' });
  expect(screen.queryByText(STORED_JOB.title)).toBeNull();
});

it('drops what was read in another role once the server reports a lower one', async () => {
  const { profile } = ADMIN_USER;
  await store(ADMIN_USER);
  const me = Promise.withResolvers<Me>();
  const page = openJob({ 'GET /me': () => me.promise, [`GET /jobs/${JOB.id}`]: hang });
  await findStoredJob();
  await act(async () => me.resolve({ ...ADMIN_USER, profile: profile && { ...profile, role: 'staff' } }));
  await waitFor(() => expect(screen.queryByText(STORED_JOB.title)).toBeNull());
  expect(page.queryClient.getQueryData(['jobs', 'detail', JOB.id])).toBeUndefined();
});

it('drops stored data that a page cannot show, and opens the page with data from the server', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await store(ADMIN_USER);
  const key = ['jobs', 'detail', JOB.id];
  const broken = { key, data: { id: JOB.id }, read_at: Date.now(), ...getReader(ADMIN_USER), version: DATA_VERSION };
  await storeEntries([[JSON.stringify(key), broken]]);
  const job = Promise.withResolvers<unknown>();
  openJob({ 'GET /me': () => ADMIN_USER, [`GET /jobs/${JOB.id}`]: () => job.promise });
  await screen.findByRole('navigation', { name: 'Main menu' });
  await act(async () => job.resolve(JOB));
  expect(await screen.findByRole('heading', { level: 1, name: JOB.title })).toBeDefined();
});
