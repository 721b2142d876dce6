import { randomUUID } from 'node:crypto';
import type { JobView, JobViewFilter } from '@callout/contract/job-views';
import { formatPermissionError, type Role } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const PARTS: JobViewFilter = { search: 'parts', status: 'booked', booked: 'this-week', sort: 'booking_date', order: 'asc' };
const getViews = (role: Role) => firm.people[role].client.jobViews;
const saveView = (name: string, filter: JobViewFilter = PARTS, role: Role = 'staff', id: string = randomUUID()) =>
  getViews(role).create({ id, name, filter });
const listViews = async (role: Role = 'staff') => (await getViews(role).list()).rows;

const NAME_TAKEN = { code: 'NAME_TAKEN', message: 'You already have a view with this name.' };
const NOT_FOUND = { code: 'NOT_FOUND', message: 'View not found' };

it('lists views by name with relative dates, ignoring letter case', async () => {
  const parts = await saveView('waiting for parts');
  expect(parts).toMatchObject({ name: 'waiting for parts', filter: PARTS, version: 1 });
  const agenda = await saveView('Agenda', { booked: 'custom', from: '2026-11-01', to: '2026-11-30' });
  expect(await listViews()).toEqual([agenda, parts]);
});

it("are shown to their owner only, and can't be changed by a colleague or another company", async () => {
  const view = await saveView('Parts');
  const neighbor = await createFirm(test, 'Neighbor');
  const others = [getViews('admin'), neighbor.people.staff.client.jobViews, neighbor.people.admin.client.jobViews];
  for (const views of others) {
    expect((await views.list()).rows).toEqual([]);
    await expect(views.update({ ...view, name: 'Mine' })).rejects.toMatchObject(NOT_FOUND);
    await expect(views.remove({ id: view.id })).rejects.toMatchObject(NOT_FOUND);
  }
  await expect(saveView('Parts', PARTS, 'admin', view.id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  expect(await listViews()).toEqual([view]);
});

it('have names that are unique per person, and never the name of a built-in view', async () => {
  const [parts, today] = [await saveView('Parts'), await saveView('Today')];
  await expect(saveView('PARTS')).rejects.toMatchObject(NAME_TAKEN);
  for (const name of ['my jobs TODAY', 'All Jobs']) await expect(saveView(name)).rejects.toMatchObject(NAME_TAKEN);
  await expect(getViews('staff').update({ ...today, name: 'parts' })).rejects.toMatchObject(NAME_TAKEN);
  await expect(getViews('staff').update({ ...today, name: 'My jobs today' })).rejects.toMatchObject(NAME_TAKEN);
  await saveView('Parts', PARTS, 'admin');
  expect(await listViews()).toEqual([parts, today]);
  await expect(saveView(' ')).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: { name: 'Name is required' } } });
});

it('treats a retry as the same view', async () => {
  const view = await saveView('Parts');
  expect(await saveView('Parts', PARTS, 'staff', view.id)).toEqual(view);
  expect(await listViews()).toEqual([view]);
});

it('can be renamed without changing the filter, and get another filter', async () => {
  const view = await saveView('Parts');
  const renamed = await getViews('staff').update({ id: view.id, version: 1, name: 'Spare parts' });
  expect(renamed).toEqual({ ...view, name: 'Spare parts', version: 2 });
  const replaced = await getViews('staff').update({ ...renamed, filter: { booked: 'overdue' } });
  expect(replaced).toEqual({ ...renamed, filter: { booked: 'overdue' }, version: 3 });
  await expect(getViews('staff').update({ ...view, name: 'Old tab' })).rejects.toMatchObject({
    code: 'STALE_VERSION',
    data: { current: replaced },
  });
  await getViews('staff').remove({ id: view.id });
  await expect(getViews('staff').remove({ id: view.id })).rejects.toMatchObject(NOT_FOUND);
});

it('can be renamed after the category in the filter was deleted, but not saved with it', async () => {
  const { categories } = firm.people.admin.client;
  const category = await categories.create({ id: randomUUID(), name: 'Gas' });
  const view = await saveView('Gas jobs', { category_id: category.id });
  await categories.remove({ id: category.id });
  expect(await getViews('staff').update({ id: view.id, version: 1, name: 'Old gas jobs' })).toMatchObject({ filter: view.filter });
  const fields = { 'filter.category_id': 'This category no longer exists. Please choose another one.' };
  await expect(saveView('Gas', view.filter)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
});

it('reject parameters that the jobs list would not accept', async () => {
  const filters = [{ status: 'sleeping' }, { sort: 'weight' }, { booked: 'someday' }, { from: 'yesterday' }, { staff_id: 'me' }];
  for (const filter of filters) await expect(saveView('Odd', filter as JobViewFilter)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const message = formatPermissionError('payments.manage');
  await expect(saveView('Unbilled', { group: 'uninvoiced' })).rejects.toMatchObject({ code: 'FORBIDDEN', message });
  await saveView('Unbilled', { group: 'uninvoiced' }, 'accountant');
});

it('are limited to 20 per person, even for concurrent requests', async () => {
  for (let index = 0; index < 19; index += 1) await saveView(`View ${index}`);
  const outcomes = await Promise.allSettled(['Gas', 'Drains', 'Taps'].map((name) => saveView(name)));
  const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const limit = { code: 'LIMIT_REACHED', message: 'You can save at most 20 views.' };
  expect(rejections).toMatchObject([limit, limit]);
  const views = await listViews();
  expect(views).toHaveLength(20);
  const [first] = views as [JobView];
  expect(await saveView(first.name, PARTS, 'staff', first.id)).toEqual(first);
  await saveView('Gas', PARTS, 'admin');
});

describe('live updates', () => {
  it('reach only the tabs and devices of the person who saved the view', async () => {
    const [mine, colleagues] = [
      await openEventStream(test, firm.people.staff.cookie),
      await openEventStream(test, firm.people.admin.cookie),
    ];
    await saveView('Parts');
    expect(await mine.next()).toEqual({ event: 'change', data: { topics: ['job-views'] } });
    await firm.people.admin.client.categories.create({ id: randomUUID(), name: 'Gas' });
    expect(await colleagues.next()).toEqual({ event: 'change', data: { topics: ['categories'] } });
  });
});

it('are deleted with the person', async () => {
  await saveView('Parts');
  await saveView('Admin parts', PARTS, 'admin');
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [firm.people.staff.userId]);
  await firm.people.admin.client.staff.remove({ id: rows[0]?.id ?? '' });
  const left = await test.owner.query('select name from job_views where company_id = $1', [firm.companyId]);
  expect(left.rows).toEqual([{ name: 'Admin parts' }]);
});
