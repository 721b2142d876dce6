import { randomUUID } from 'node:crypto';
import type { Category } from '@callout/contract/categories';
import { hasCapability, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const addCategory = (firm: Firm, name: string, id: string = randomUUID()) => firm.people.manager.client.categories.create({ id, name });
const listNames = async (firm: Firm) => (await firm.people.staff.client.categories.list()).rows.map((row) => row.name);

it('lists categories by name, ignoring letter case', async () => {
  const firm = await createFirm(test);
  for (const name of ['heating', 'Drains', 'Bathrooms', 'gas']) await addCategory(firm, name);
  expect(await listNames(firm)).toEqual(['Bathrooms', 'Drains', 'gas', 'heating']);
});

it('trims a name and rejects a blank or overlong one', async () => {
  const firm = await createFirm(test);
  expect(await addCategory(firm, '  Drains ')).toMatchObject({ name: 'Drains' });
  const fields = { name: 'Category name is required' };
  await expect(addCategory(firm, '   ')).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
  await expect(addCategory(firm, 'n'.repeat(500))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(await listNames(firm)).toEqual(['Drains']);
});

it('keeps names unique within a company, even for concurrent requests', async () => {
  const [firm, other] = [await createFirm(test), await createFirm(test)];
  const outcomes = await Promise.allSettled(['Drains', 'drains', 'DRAINS'].map((name) => addCategory(firm, name)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  const rejection = { code: 'NAME_TAKEN', message: 'A category with this name already exists.' };
  await expect(addCategory(firm, 'Drains')).rejects.toMatchObject(rejection);
  await addCategory(other, 'Drains');
  expect(await listNames(firm)).toHaveLength(1);
});

it('treats a retry as the same category, but rejects a different category with the same id', async () => {
  const firm = await createFirm(test);
  const first = await addCategory(firm, 'Drains');
  expect(await addCategory(firm, 'Drains', first.id)).toEqual(first);
  await expect(addCategory(firm, 'Gas', first.id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
});

it('recognizes a retry after a rename, even if another category now has the original name', async () => {
  const firm = await createFirm(test);
  const first = await addCategory(firm, 'Drains');
  const renamed = await firm.people.admin.client.categories.update({ ...first, name: 'Drainage' });
  expect(await addCategory(firm, 'Drains', first.id)).toEqual(renamed);
  await addCategory(firm, 'Drains');
  expect(await addCategory(firm, 'Drains', first.id)).toEqual(renamed);
  expect(await listNames(firm)).toEqual(['Drainage', 'Drains']);
});

it('creates one category if a request arrives several times at once', async () => {
  const firm = await createFirm(test);
  for (const name of ['Drains', 'Gas', 'Roofs', 'Taps', 'Heating']) {
    const id = randomUUID();
    const added = await Promise.all([1, 2, 3, 4].map(() => addCategory(firm, name, id)));
    expect(new Set(added.map((category) => JSON.stringify(category))).size).toBe(1);
  }
  expect(await listNames(firm)).toHaveLength(5);
});

it('distinguishes a taken id from a taken name, and changes nothing in either case', async () => {
  const firm = await createFirm(test);
  const [drains, gas] = [await addCategory(firm, 'Drains'), await addCategory(firm, 'Gas')];
  await expect(addCategory(firm, 'Roofs', drains.id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  await expect(addCategory(firm, 'GAS', drains.id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  await expect(addCategory(firm, 'GAS')).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  expect((await firm.people.staff.client.categories.list()).rows).toEqual([drains, gas]);
});

it('reports a violation of any other constraint as an internal error', async () => {
  const firm = await createFirm(test);
  await addCategory(firm, 'Drains');
  await withOwnerClient(test.database, (owner) =>
    owner.query(`create unique index categories_by_number on categories (company_id) where company_id = '${firm.companyId}'`),
  );
  await expect(addCategory(firm, 'Gas')).rejects.toMatchObject({ code: 'INTERNAL' });
  await withOwnerClient(test.database, (owner) => owner.query('drop index categories_by_number'));
  expect(await listNames(firm)).toEqual(['Drains']);
});

describe('a company with 199 categories', () => {
  const LIMIT = { code: 'LIMIT_REACHED', status: 409, message: 'A company can have at most 200 categories.' };

  it('can add only one more, even with concurrent requests', async () => {
    const [firm, other] = [await createFirm(test), await createFirm(test)];
    await test.owner.query(
      `insert into categories (company_id, id, name) select $1, gen_random_uuid(), 'Category ' || n from generate_series(1, 199) n`,
      [firm.companyId],
    );
    const id = randomUUID();
    const others = ['Taps', 'Roofs', 'Drains'].map((name) => addCategory(firm, name));
    const outcomes = await Promise.allSettled([addCategory(firm, 'Gas', id), ...others]);
    const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(rejections).toMatchObject([LIMIT, LIMIT, LIMIT]);
    expect(await listNames(firm)).toHaveLength(200);
    await addCategory(other, 'Drains');
  });

  it('accepts a retry for the 200th category, and a new category after a deletion', async () => {
    const firm = await createFirm(test);
    await test.owner.query(
      `insert into categories (company_id, id, name) select $1, gen_random_uuid(), 'Category ' || n from generate_series(1, 199) n`,
      [firm.companyId],
    );
    const last = await addCategory(firm, 'Gas');
    expect(await addCategory(firm, 'Gas', last.id)).toEqual(last);
    await expect(addCategory(firm, 'Taps')).rejects.toMatchObject(LIMIT);
    await firm.people.admin.client.categories.remove(last);
    await addCategory(firm, 'Taps');
  });
});

describe('renaming a category', () => {
  const rename = (firm: Firm, category: Category, name: string) => firm.people.manager.client.categories.update({ ...category, name });

  it('keeps its id, trims its name and accepts a change of letter case', async () => {
    const firm = await createFirm(test);
    const drains = await addCategory(firm, 'Drains');
    expect(await rename(firm, drains, ' DRAINS ')).toEqual({ ...drains, name: 'DRAINS', version: 2 });
    expect(await listNames(firm)).toEqual(['DRAINS']);
  });

  it('to a taken name is rejected, and nothing changes', async () => {
    const firm = await createFirm(test);
    const [drains, gas] = [await addCategory(firm, 'Drains'), await addCategory(firm, 'Gas')];
    await expect(rename(firm, drains, 'gas')).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    expect((await firm.people.staff.client.categories.list()).rows).toEqual([drains, gas]);
  });

  it('from an outdated version is rejected with the current record', async () => {
    const firm = await createFirm(test);
    const drains = await addCategory(firm, 'Drains');
    const current = await rename(firm, drains, 'Drainage');
    await expect(rename(firm, drains, 'Pipes')).rejects.toMatchObject({ code: 'STALE_VERSION', data: { current } });
    expect(await listNames(firm)).toEqual(['Drainage']);
  });

  it('is rejected if it was deleted', async () => {
    const firm = await createFirm(test);
    const drains = await addCategory(firm, 'Drains');
    await firm.people.admin.client.categories.remove(drains);
    await expect(rename(firm, drains, 'Pipes')).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Category not found' });
  });

  it('refreshes every open page of the company', async () => {
    const firm = await createFirm(test);
    const drains = await addCategory(firm, 'Drains');
    const stream = await openEventStream(test, firm.people.staff.cookie);
    await rename(firm, drains, 'Drainage');
    // The notice of the new category may arrive first, because notices are sent a moment after their commit.
    await expect.poll(() => stream.events).toContainEqual({ event: 'change', data: { topics: ['categories', 'jobs'] } });
  });
});

it('deletes a category and frees its name', async () => {
  const firm = await createFirm(test);
  const { id } = await addCategory(firm, 'Drains');
  await firm.people.admin.client.categories.remove({ id });
  await expect(firm.people.admin.client.categories.remove({ id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Category not found',
  });
  await addCategory(firm, 'Drains');
  expect(await listNames(firm)).toEqual(['Drains']);
});

const READERS = ROLES.filter((role) => !hasCapability(role, 'categories.edit'));

it.each(READERS)('lets the %s read categories but not change them', async (role) => {
  const firm = await createFirm(test);
  const { id } = await addCategory(firm, 'Drains');
  const { categories } = firm.people[role].client;
  const rejection = { code: 'FORBIDDEN', message: 'You do not have permission to change categories' };
  await expect(categories.create({ id: randomUUID(), name: 'Gas' })).rejects.toMatchObject(rejection);
  await expect(categories.update({ id, version: 1, name: 'Gas' })).rejects.toMatchObject(rejection);
  await expect(categories.remove({ id })).rejects.toMatchObject(rejection);
  expect((await categories.list()).rows.map((row) => row.name)).toEqual(['Drains']);
});

it('publishes a new category to every open page of the company', async () => {
  const firm = await createFirm(test);
  const stream = await openEventStream(test, firm.people.staff.cookie);
  await addCategory(firm, 'Drains');
  expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['categories'] } });
});
