import type { ItemChoice } from '@callout/contract/items';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fetchDayPack } from '../src/app/offline/day-pack.ts';
import { deleteStoredData } from '../src/app/offline/persisted-queries.ts';
import { PACK_KEY, type PackContent, selectUsable, toStoredEntries } from '../src/app/offline/stored-query.ts';
import { deleteCommandStorage } from '../src/lib/commands/command-storage.ts';
import { createQueryClient } from '../src/lib/query-client.ts';
import { setSignedInPerson } from '../src/lib/request-identity.ts';
import { ADMIN_USER, CUSTOMER, JOB, TASK, USER_WITHOUT_COMPANY } from './fixtures.ts';
import { stubIndexedDb } from './indexed-db.ts';
import { DASHBOARD_RESPONSES, type MockApi, openPage } from './open-page.tsx';

beforeEach(stubIndexedDb);
afterEach(async () => {
  cleanup();
  await deleteStoredData();
  await deleteCommandStorage();
  localStorage.clear();
});

const STAFF_ID = ADMIN_USER.user.staff_id ?? '';
const COLLEAGUE = { id: 'staff-2', name: 'Sam', hex_code: null };
const ME = { id: STAFF_ID, name: 'Mia', hex_code: null };
const NOON = new Date();
NOON.setUTCHours(12, 0, 0, 0);
const inDays = (days: number) => new Date(NOON.getTime() + days * 86_400_000).toISOString();

const buildEvent = (id: string, days: number, staff: typeof ME) => ({
  id,
  job_number: id,
  title: id,
  status: 'booked',
  booking_date: inDays(days),
  duration: '1',
  address: null,
  customer: null,
  staff,
  timer_status: null,
});

const COMMENT = {
  id: 'comment-1',
  content: 'The key is under the mat',
  mentions: [],
  created_at: inDays(-1),
  made_at: null,
  edited_at: null,
  version: 1,
  author: { staff_id: STAFF_ID, name: 'Mia', avatar_url: null, hex_code: null },
  attachments: [],
};

const price = (id: string, name: string, sku: string) => ({
  id,
  name,
  sku,
  tax_inclusive: false,
  is_service: false,
  selling_price: '20.00',
  supplier: { id: 'supplier-1', company_name: 'Reece' },
});
const PRICE_LIST = [price('1', 'Basin tap', 'BT-1'), price('2', 'Tap washer', 'W-9'), price('3', 'Washing powder', 'TAP-3')];

const PACK_RESPONSES: MockApi = {
  ...DASHBOARD_RESPONSES,
  'GET /me': () => ADMIN_USER,
  'GET /calendar/pack?from={instant}&to={instant}': () => ({
    jobs: [JOB],
    customers: [CUSTOMER],
    comments: [{ job_id: JOB.id, rows: [COMMENT] }],
  }),
  'GET /calendar?from={instant}&to={instant}': () => ({
    jobs: [buildEvent('today', 0, ME), buildEvent('tomorrow', 1, ME), buildEvent('of Sam', 1, COLLEAGUE)],
    tasks: [],
    is_cut: false,
  }),
  'GET /board': () => ({ columns: [] }),
  'GET /staff-names': () => ({ rows: [] }),
  'GET /categories': () => ({ rows: [] }),
  'GET /tasks?status=active': () => ({ rows: [TASK], next_cursor: null }),
  'GET /customers?*': () => ({ rows: [CUSTOMER], next_cursor: null }),
  'GET /items/price-list': () => ({ revision: '1', items: PRICE_LIST }),
  'GET /items/price-list?revision=1': () => ({ revision: '1', items: null }),
};

async function openWithPack() {
  const page = openPage('/dashboard', PACK_RESPONSES);
  await screen.findByRole('heading', { level: 1 });
  setSignedInPerson(ADMIN_USER.user.id);
  await fetchDayPack(page.queryClient);
  return page;
}

it('caches its data under the keys of the pages, and marks it as part of the pack', async () => {
  const { queryClient } = await openWithPack();
  expect(queryClient.getQueryData(['jobs', 'detail', JOB.id])).toEqual(JOB);
  expect(queryClient.getQueryData(['customers', 'detail', CUSTOMER.id])).toEqual(CUSTOMER);
  expect(queryClient.getQueryData(['comments', 'job', JOB.id])).toEqual([COMMENT]);
  expect(queryClient.getQueryState(['jobs', 'detail', JOB.id])?.isInvalidated).toBe(true);
  const { hashes } = queryClient.getQueryData<PackContent>(PACK_KEY) ?? { hashes: [] };
  expect(hashes).toContain(JSON.stringify(['jobs', 'detail', JOB.id]));
  const reader = { person: 'admin', access: '' };
  const cached = queryClient.getQueryCache().getAll();
  const stored = cached.flatMap((query) => toStoredEntries(query, reader));
  expect(selectUsable(stored, reader).length).toBe(stored.length);
});

it('splits the calendar into the days that the calendar shows, for everyone and for me', async () => {
  const { queryClient } = await openWithPack();
  const days = queryClient.getQueriesData<{ jobs: { id: string }[] }>({ queryKey: ['calendar', 'events'] });
  const withTitles = days.map(([key, data]) => {
    const { from, to, staff_id } = key[2] as { from: string; to: string; staff_id?: string };
    const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000;
    return { isDay: hours <= 25, isMine: staff_id === STAFF_ID, from, to, ids: data?.jobs.map(({ id }) => id) };
  });
  const findDay = (isMine: boolean, at: string) =>
    withTitles.find((day) => day.isDay && day.isMine === isMine && day.from <= at && day.to > at);
  expect(findDay(false, inDays(1))?.ids).toEqual(['tomorrow', 'of Sam']);
  expect(findDay(true, inDays(1))?.ids).toEqual(['tomorrow']);
  expect(findDay(true, inDays(2))?.ids).toEqual([]);
});

it('opens a job that was never opened, without a connection', async () => {
  const page = await openWithPack();
  const fail = () => {
    throw new TypeError('Failed to fetch');
  };
  cleanup();
  const offline = openPage(`/jobs/${JOB.id}`, { 'GET /me': () => ADMIN_USER, [`GET /jobs/${JOB.id}`]: fail });
  offline.queryClient.setQueryData(['jobs', 'detail', JOB.id], page.queryClient.getQueryData(['jobs', 'detail', JOB.id]));
  expect(await screen.findByRole('heading', { level: 1, name: JOB.title })).toBeDefined();
});

it('does not replace data on screen or data that was read since', async () => {
  const page = openPage('/dashboard', {
    ...PACK_RESPONSES,
    'GET /calendar/pack?from={instant}&to={instant}': () => {
      page.queryClient.setQueryData(['jobs', 'detail', JOB.id], { ...JOB, title: 'Newer' }, { updatedAt: Date.now() + 1 });
      return { jobs: [JOB], customers: [], comments: [] };
    },
  });
  await screen.findByRole('heading', { level: 1 });
  setSignedInPerson(ADMIN_USER.user.id);
  await fetchDayPack(page.queryClient);
  expect(page.queryClient.getQueryData(['jobs', 'detail', JOB.id])).toMatchObject({ title: 'Newer' });
});

it('fetches nothing for a system administrator without a company', async () => {
  const queryClient = createQueryClient();
  queryClient.setQueryData(['me'], USER_WITHOUT_COMPANY);
  await fetchDayPack(queryClient);
  expect(queryClient.getQueryData(PACK_KEY)).toBeUndefined();
});

const listChoices = () =>
  within(screen.getByRole('list', { name: 'Items to add' }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('[data-item] span span')?.textContent);

it('finds items in the stored price list while the server cannot be reached, those that start with the term first', async () => {
  const { queryClient } = await openWithPack();
  await fetchDayPack(queryClient);
  cleanup();
  const fail = (): { rows: ItemChoice[]; next_cursor: null } => {
    throw new TypeError('Failed to fetch');
  };
  openPage(`/jobs/${JOB.id}/items/add`, {
    'GET /me': () => ADMIN_USER,
    [`GET /jobs/${JOB.id}`]: () => JOB,
    'GET /items/search': fail,
    'GET /items/search?search=tap': fail,
  });
  const field = await screen.findByRole('searchbox', { name: 'Search items' });
  await screen.findByText('Washing powder');
  fireEvent.change(field, { target: { value: 'tap' } });
  await waitFor(() => expect(listChoices()).toEqual(['Tap washer', 'Washing powder', 'Basin tap']));
});
