import type { JobStatus } from '@callout/domain/jobs/job';
import { beforeAll, expect, it } from 'vitest';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const CREATED_AT = '2026-11-01T00:00:00.000Z';
type Filter = Parameters<Firm['people']['staff']['client']['jobs']['list']>[0];

async function listTitles({ people }: Firm, filter: Filter): Promise<string[]> {
  const { jobs } = people.staff.client;
  const titles: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await jobs.list({ ...filter, ...(cursor ? { cursor } : {}) });
    titles.push(...page.rows.map(({ title }) => title));
    cursor = page.next_cursor;
  } while (cursor);
  const { sort: _sort, order: _order, ...criteria } = filter;
  expect(await jobs.count(criteria)).toEqual({ total: titles.length });
  return titles;
}

it('sorts by booking date with jobs without a date last in both directions, across pages', async () => {
  const firm = await createFirm(test);
  const booked = Array.from({ length: 60 }, (_, day) => `Booked ${String(day).padStart(2, '0')}`);
  const undated = Array.from({ length: 60 }, (_, index) => `Undated ${String(index).padStart(2, '0')}`);
  await insertJobs(test, firm.companyId, [
    ...booked.map((title, day) => ({ title, created_at: CREATED_AT, booking_date: new Date(Date.UTC(2026, 10, 1 + day)).toISOString() })),
    ...undated.map((title, minute) => ({ title, created_at: new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString() })),
  ]);
  expect(await listTitles(firm, { sort: 'booking_date', order: 'asc' })).toEqual([...booked, ...undated]);
  expect(await listTitles(firm, { sort: 'booking_date', order: 'desc' })).toEqual([...booked.toReversed(), ...undated.toReversed()]);
});

it('filters by booking date with inclusive bounds, and finds jobs without a date or overdue', async () => {
  const firm = await createFirm(test);
  const buildSeed = (title: string, booking_date: string | null, status: JobStatus = 'booked') => ({
    title,
    status,
    created_at: CREATED_AT,
    booking_date,
  });
  await insertJobs(test, firm.companyId, [
    buildSeed('First', '2026-11-17T11:00:00.000Z'),
    buildSeed('Last', '2026-11-18T10:59:59.999Z'),
    buildSeed('Day after', '2026-11-18T11:00:00.000Z'),
    buildSeed('Done before', '2026-11-17T10:59:59.999Z', 'complete'),
    buildSeed('Open before', '2026-11-17T10:59:59.999Z'),
    buildSeed('Undated', null, 'pending'),
  ]);
  const list = async (filter: Filter) => (await listTitles(firm, { ...filter, sort: 'booking_date', order: 'asc' })).toSorted();
  const day = { booked_from: '2026-11-17T11:00:00.000Z', booked_to: '2026-11-18T10:59:59.999Z' };
  expect(await list(day)).toEqual(['First', 'Last']);
  expect(await list({ booked_from: day.booked_from })).toEqual(['Day after', 'First', 'Last']);
  expect(await list({ booking: 'none' })).toEqual(['Undated']);
  expect(await list({ booking: 'unfinished', booked_to: '2026-11-17T10:59:59.999Z' })).toEqual(['Open before']);
  expect(await list({ ...day, booking: 'none' })).toEqual([]);
  await expect(firm.people.staff.client.jobs.list({ booked_from: 'today' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
