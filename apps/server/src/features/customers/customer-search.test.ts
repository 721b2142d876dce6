import { CUSTOMER_SORTS, type CustomerRow } from '@callout/contract/customers';
import { SORT_ORDERS } from '@callout/contract/fields';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type CustomerSeed, insertCustomers } from '../../../test/factories/customer-rows.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
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

const admin = () => firm.people.admin.client.customers;
const getNames = (rows: readonly CustomerRow[]) => rows.map((row) => row.name);
const ORDERS = CUSTOMER_SORTS.flatMap((sort) => SORT_ORDERS.map((order) => [sort, order] as const));
const searchRanked = async (search: string) => (await admin().list({ search })).rows.map(({ name, matched }) => [name, matched]);

it('ranks matches in names first, then companies, contacts and other text, and returns which field matched', async () => {
  await insertCustomers(test, firm.companyId, [
    { name: 'Aaron', company_name: 'Harbour Cafe', contact_name: 'Zoë Tane' },
    { name: 'Bea', company_name: 'Mezoeta Ltd' },
    { name: 'Anna-Zoe King' },
    { name: 'Carl Zoeller' },
    { name: 'Zoë Young' },
    { name: 'Mezoe' },
    { name: 'zoe adams', company_name: 'Zoe Ltd', contact_name: 'Zoe' },
  ]);
  await admin().create(buildCustomer({ name: 'Abe', email: 'zoe@example.com' }));
  expect(await searchRanked('zoe')).toEqual([
    ['zoe adams', 'name'],
    ['Zoë Young', 'name'],
    ['Anna-Zoe King', 'name'],
    ['Carl Zoeller', 'name'],
    ['Bea', 'company'],
    ['Aaron', 'contact'],
    ['Mezoe', 'name'],
    ['Abe', 'other'],
  ]);
});

it('ranks several words by their weakest match, regardless of word order', async () => {
  await insertCustomers(test, firm.companyId, [
    { name: 'Aaron King', company_name: 'Ana King Ltd' },
    { name: 'Abe', company_name: 'King & Co', contact_name: 'Ana' },
    { name: 'Ana King', company_name: 'Acme' },
    { name: 'Ana Maria King' },
    { name: 'King Ana' },
  ]);
  const rest = [
    ['Aaron King', 'company'],
    ['Abe', 'contact'],
  ];
  expect(await searchRanked('ana king')).toEqual([['Ana King', 'name'], ['Ana Maria King', 'name'], ['King Ana', 'name'], ...rest]);
  expect(await searchRanked('king ANA')).toEqual([['King Ana', 'name'], ['Ana King', 'name'], ['Ana Maria King', 'name'], ...rest]);
  expect(await searchRanked('ana acme')).toEqual([['Ana King', 'company']]);
});

it.each([
  ['smith-j', 'Bob Smith-Jones', 'name'],
  ['-jones', 'Bob Smith-Jones', 'name'],
  ['-', 'Bob Smith-Jones', 'name'],
  ['100%', '100% Pipes', 'name'],
  ['_', 'under_score', 'name'],
])('matches the characters of %j literally', async (search, name, matched) => {
  await insertCustomers(test, firm.companyId, [{ name: 'Bob Smith-Jones' }, { name: '100% Pipes' }, { name: 'under_score' }]);
  expect((await searchRanked(search))[0]).toEqual([name, matched]);
});

it('keeps a requested sort order and still returns which field matched', async () => {
  await insertCustomers(test, firm.companyId, [
    { name: 'Zoe', created_at: '2026-01-01T00:00:00.000Z' },
    { name: 'Abe', company_name: 'Zoe Ltd', created_at: '2026-01-02T00:00:00.000Z' },
  ]);
  for (const [sort, order] of ORDERS.filter((other) => other.join() !== 'name,asc')) {
    const { rows } = await admin().list({ search: 'zoe', sort, order });
    const unsearched = await admin().list({ sort, order });
    expect(getNames(rows)).toEqual(getNames(unsearched.rows));
    expect(rows.map(({ name, matched }) => `${name}: ${matched}`).toSorted()).toEqual(['Abe: company', 'Zoe: name']);
  }
  expect((await admin().list({})).rows.map(({ matched }) => matched)).toEqual([null, null]);
});

it('returns each row of a ranked search once, in order, across pages', async () => {
  const buildSeedsPerRank = (index: number): CustomerSeed[] => [
    { name: `Zoe ${index}` },
    { name: `Ann Zoe ${index}` },
    { name: `Ben ${index}`, company_name: 'Zoe Ltd' },
    { name: `Cas ${index % 3}`, company_name: 'Acme', contact_name: 'Zoe' },
  ];
  const ids = await insertCustomers(test, firm.companyId, Array.from({ length: 33 }, (_, index) => buildSeedsPerRank(index)).flat());
  const visited: CustomerRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await admin().list({ search: 'zoe', ...(cursor && { cursor }) });
    visited.push(...page.rows);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(visited.map((row) => row.id).toSorted()).toEqual(ids.toSorted());
  const kinds = visited.map(({ name }) => name.slice(0, 3));
  expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual(['Zoe', 'Ann', 'Ben', 'Cas']);
});

it('rejects a cursor from the unranked list or another search in a ranked search', async () => {
  await insertCustomers(
    test,
    firm.companyId,
    Array.from({ length: 60 }, (_, index) => ({ name: `Customer ${index}` })),
  );
  const [plain, ranked] = [await admin().list({}), await admin().list({ search: 'example' })];
  const invalidInput = { code: 'INVALID_INPUT' };
  await expect(admin().list({ search: 'example', cursor: plain.next_cursor ?? '' })).rejects.toMatchObject(invalidInput);
  await expect(admin().list({ cursor: ranked.next_cursor ?? '' })).rejects.toMatchObject(invalidInput);
  await expect(admin().list({ search: 'customer', cursor: ranked.next_cursor ?? '' })).rejects.toMatchObject(invalidInput);
  expect((await admin().list({ search: ' EXAMPLE ', cursor: ranked.next_cursor ?? '' })).rows).toHaveLength(10);
});
