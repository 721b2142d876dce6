import { randomUUID } from 'node:crypto';
import type { Category } from '@callout/contract/categories';
import { can, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const add = (firm: Firm, name: string, id: string = randomUUID()) => firm.people.manager.client.categories.create({ id, name });
const namesOf = async (firm: Firm) => (await firm.people.staff.client.categories.list()).rows.map((row) => row.name);

it('lists categories by name, ignoring letter case', async () => {
  const firm = await createFirm(test);
  for (const name of ['heating', 'Drains', 'Bathrooms', 'gas']) await add(firm, name);
  expect(await namesOf(firm)).toEqual(['Bathrooms', 'Drains', 'gas', 'heating']);
});

it('a name is trimmed, and must not be only spaces', async () => {
  const firm = await createFirm(test);
  expect(await add(firm, '  Drains ')).toMatchObject({ name: 'Drains' });
  await expect(add(firm, '   ')).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: { name: 'Category name is required' } } });
  await expect(add(firm, 'n'.repeat(500))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(await namesOf(firm)).toEqual(['Drains']);
});

it('a name is unique in a company, also when two people add it at once', async () => {
  const [firm, other] = [await createFirm(test), await createFirm(test)];
  const outcomes = await Promise.allSettled(['Drains', 'drains', 'DRAINS'].map((name) => add(firm, name)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(add(firm, 'Drains')).rejects.toMatchObject({ code: 'NAME_TAKEN', message: 'A category with this name already exists.' });
  await add(other, 'Drains');
  expect(await namesOf(firm)).toHaveLength(1);
});

it('treats a repeated request as the same category, and refuses a different one under its id', async () => {
  const firm = await createFirm(test);
  const first = await add(firm, 'Drains');
  expect(await add(firm, 'Drains', first.id)).toEqual(first);
  await expect(add(firm, 'Gas', first.id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
});

it('recognizes a repeated request after a rename, even if another category has the name by now', async () => {
  const firm = await createFirm(test);
  const first = await add(firm, 'Drains');
  const renamed = await firm.people.admin.client.categories.update({ ...first, name: 'Drainage' });
  expect(await add(firm, 'Drains', first.id)).toEqual(renamed);
  await add(firm, 'Drains');
  expect(await add(firm, 'Drains', first.id)).toEqual(renamed);
  expect(await namesOf(firm)).toEqual(['Drainage', 'Drains']);
});

it('treats a request that arrives several times at once as one category', async () => {
  const firm = await createFirm(test);
  for (const name of ['Drains', 'Gas', 'Roofs', 'Taps', 'Heating']) {
    const id = randomUUID();
    const added = await Promise.all([1, 2, 3, 4].map(() => add(firm, name, id)));
    expect(new Set(added.map((category) => JSON.stringify(category))).size).toBe(1);
  }
  expect(await namesOf(firm)).toHaveLength(5);
});

it('distinguishes a taken id from a taken name, and changes nothing for either', async () => {
  const firm = await createFirm(test);
  const [drains, gas] = [await add(firm, 'Drains'), await add(firm, 'Gas')];
  await expect(add(firm, 'Roofs', drains.id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  await expect(add(firm, 'GAS', drains.id)).rejects.toMatchObject({ code: 'ID_TAKEN' });
  await expect(add(firm, 'GAS')).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  expect((await firm.people.staff.client.categories.list()).rows).toEqual([drains, gas]);
});

it('a violation of any other constraint is reported as neither', async () => {
  const firm = await createFirm(test);
  await add(firm, 'Drains');
  await withOwner(test.database, (owner) =>
    owner.query(`create unique index categories_by_number on categories (company_id) where company_id = '${firm.companyId}'`),
  );
  await expect(add(firm, 'Gas')).rejects.toMatchObject({ code: 'INTERNAL' });
  await withOwner(test.database, (owner) => owner.query('drop index categories_by_number'));
  expect(await namesOf(firm)).toEqual(['Drains']);
});

describe('a company with 199 categories', () => {
  const LIMIT = { code: 'LIMIT_REACHED', status: 409, message: 'A company can have at most 200 categories.' };

  it('can have one more, also when several people add one at once', async () => {
    const [firm, other] = [await createFirm(test), await createFirm(test)];
    await test.owner.query(
      `insert into categories (company_id, id, name) select $1, gen_random_uuid(), 'Category ' || n from generate_series(1, 199) n`,
      [firm.companyId],
    );
    const id = randomUUID();
    const outcomes = await Promise.allSettled([add(firm, 'Gas', id), ...['Taps', 'Roofs', 'Drains'].map((name) => add(firm, name))]);
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refusals).toMatchObject([LIMIT, LIMIT, LIMIT]);
    expect(await namesOf(firm)).toHaveLength(200);
    await add(other, 'Drains');
  });

  it('treats the last one as the same when its request is sent again, and can replace one that was deleted', async () => {
    const firm = await createFirm(test);
    await test.owner.query(
      `insert into categories (company_id, id, name) select $1, gen_random_uuid(), 'Category ' || n from generate_series(1, 199) n`,
      [firm.companyId],
    );
    const last = await add(firm, 'Gas');
    expect(await add(firm, 'Gas', last.id)).toEqual(last);
    await expect(add(firm, 'Taps')).rejects.toMatchObject(LIMIT);
    await firm.people.admin.client.categories.remove(last);
    await add(firm, 'Taps');
  });
});

describe('renaming', () => {
  const rename = (firm: Firm, category: Category, name: string) => firm.people.manager.client.categories.update({ ...category, name });

  it('keeps the category, trims the name, and lets its case change', async () => {
    const firm = await createFirm(test);
    const drains = await add(firm, 'Drains');
    expect(await rename(firm, drains, ' DRAINS ')).toEqual({ ...drains, name: 'DRAINS', version: 2 });
    expect(await namesOf(firm)).toEqual(['DRAINS']);
  });

  it('to a name that another one has is refused, and nothing changes', async () => {
    const firm = await createFirm(test);
    const [drains, gas] = [await add(firm, 'Drains'), await add(firm, 'Gas')];
    await expect(rename(firm, drains, 'gas')).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    expect((await firm.people.staff.client.categories.list()).rows).toEqual([drains, gas]);
  });

  it('from an old version is refused, with the name it has now', async () => {
    const firm = await createFirm(test);
    const drains = await add(firm, 'Drains');
    const current = await rename(firm, drains, 'Drainage');
    await expect(rename(firm, drains, 'Pipes')).rejects.toMatchObject({ code: 'STALE_VERSION', data: { current } });
    expect(await namesOf(firm)).toEqual(['Drainage']);
  });

  it('of one that was deleted is refused', async () => {
    const firm = await createFirm(test);
    const drains = await add(firm, 'Drains');
    await firm.people.admin.client.categories.remove(drains);
    await expect(rename(firm, drains, 'Pipes')).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Category not found' });
  });

  it('is published to every open page', async () => {
    const firm = await createFirm(test);
    const drains = await add(firm, 'Drains');
    const stream = await openStream(test, firm.people.staff.cookie);
    await rename(firm, drains, 'Drainage');
    expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['categories', 'jobs'] } });
  });
});

it('a deleted one is gone, and its name can be used again', async () => {
  const firm = await createFirm(test);
  const { id } = await add(firm, 'Drains');
  await firm.people.admin.client.categories.remove({ id });
  await expect(firm.people.admin.client.categories.remove({ id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Category not found',
  });
  await add(firm, 'Drains');
  expect(await namesOf(firm)).toEqual(['Drains']);
});

it.each(ROLES.filter((role) => !can(role, 'categories.edit')))('lets the %s read categories but not change them', async (role) => {
  const firm = await createFirm(test);
  const { id } = await add(firm, 'Drains');
  const { categories } = firm.people[role].client;
  const refusal = { code: 'FORBIDDEN', message: 'You do not have permission to change categories' };
  await expect(categories.create({ id: randomUUID(), name: 'Gas' })).rejects.toMatchObject(refusal);
  await expect(categories.update({ id, version: 1, name: 'Gas' })).rejects.toMatchObject(refusal);
  await expect(categories.remove({ id })).rejects.toMatchObject(refusal);
  expect((await categories.list()).rows.map((row) => row.name)).toEqual(['Drains']);
});

it('a new one is published to every open page', async () => {
  const firm = await createFirm(test);
  const stream = await openStream(test, firm.people.staff.cookie);
  await add(firm, 'Drains');
  expect(await stream.next()).toEqual({ event: 'change', data: { topics: ['categories'] } });
});
