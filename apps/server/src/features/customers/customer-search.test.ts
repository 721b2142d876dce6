import { CUSTOMER_SORTS, type CustomerRow } from '@callout/contract/customers';
import { SORT_ORDERS } from '@callout/contract/fields';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type CustomerSeed, insertCustomers } from '../../../test/factories/customer-rows.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
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
const names = (rows: readonly CustomerRow[]) => rows.map((row) => row.name);
const ORDERS = CUSTOMER_SORTS.flatMap((sort) => SORT_ORDERS.map((order) => [sort, order] as const));
const found = async (search: string) => (await admin().list({ search })).rows.map(({ name, matched }) => [name, matched]);

it('ranks the start of a name first, then its other words, companies, contacts and the rest, and says what matched', async () => {
  await insertCustomers(test, firm.companyId, [
    { name: 'Aaron', company_name: 'Harbour Cafe', contact_name: 'Zoë Tane' },
    { name: 'Bea', company_name: 'Mezoeta Ltd' },
    { name: 'Anna-Zoe King' },
    { name: 'Carl Zoeller' },
    { name: 'Zoë Young' },
    { name: 'Mezoe' },
    { name: 'zoe adams', company_name: 'Zoe Ltd', contact_name: 'Zoe' },
  ]);
  await admin().create(newCustomer({ name: 'Abe', email: 'zoe@example.com' }));
  expect(await found('zoe')).toEqual([
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

it('ranks several words by the weakest match, in any order', async () => {
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
  expect(await found('ana king')).toEqual([['Ana King', 'name'], ['Ana Maria King', 'name'], ['King Ana', 'name'], ...rest]);
  expect(await found('king ANA')).toEqual([['King Ana', 'name'], ['Ana King', 'name'], ['Ana Maria King', 'name'], ...rest]);
  expect(await found('ana acme')).toEqual([['Ana King', 'company']]);
});

it.each([
  ['smith-j', 'Bob Smith-Jones', 'name'],
  ['-jones', 'Bob Smith-Jones', 'name'],
  ['-', 'Bob Smith-Jones', 'name'],
  ['100%', '100% Pipes', 'name'],
  ['_', 'under_score', 'name'],
])('takes the characters of %j literally', async (search, name, matched) => {
  await insertCustomers(test, firm.companyId, [{ name: 'Bob Smith-Jones' }, { name: '100% Pipes' }, { name: 'under_score' }]);
  expect((await found(search))[0]).toEqual([name, matched]);
});

it('keeps a requested sort order and still says what matched', async () => {
  await insertCustomers(test, firm.companyId, [
    { name: 'Zoe', created_at: '2026-01-01T00:00:00.000Z' },
    { name: 'Abe', company_name: 'Zoe Ltd', created_at: '2026-01-02T00:00:00.000Z' },
  ]);
  for (const [sort, order] of ORDERS.filter((other) => other.join() !== 'name,asc')) {
    const { rows } = await admin().list({ search: 'zoe', sort, order });
    const unsearched = await admin().list({ sort, order });
    expect(names(rows)).toEqual(names(unsearched.rows));
    expect(rows.map(({ name, matched }) => `${name}: ${matched}`).toSorted()).toEqual(['Abe: company', 'Zoe: name']);
  }
  expect((await admin().list({})).rows.map(({ matched }) => matched)).toEqual([null, null]);
});

it('continues a ranked search over its pages, each row once and each rank once', async () => {
  const called = (index: number): CustomerSeed[] => [
    { name: `Zoe ${index}` },
    { name: `Ann Zoe ${index}` },
    { name: `Ben ${index}`, company_name: 'Zoe Ltd' },
    { name: `Cas ${index % 3}`, company_name: 'Acme', contact_name: 'Zoe' },
  ];
  const ids = await insertCustomers(test, firm.companyId, Array.from({ length: 33 }, (_, index) => called(index)).flat());
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

it('refuses a cursor of the unranked list, or of other words, in a ranked search', async () => {
  await insertCustomers(
    test,
    firm.companyId,
    Array.from({ length: 60 }, (_, index) => ({ name: `Customer ${index}` })),
  );
  const [plain, ranked] = [await admin().list({}), await admin().list({ search: 'example' })];
  const refused = { code: 'INVALID_INPUT' };
  await expect(admin().list({ search: 'example', cursor: plain.next_cursor ?? '' })).rejects.toMatchObject(refused);
  await expect(admin().list({ cursor: ranked.next_cursor ?? '' })).rejects.toMatchObject(refused);
  await expect(admin().list({ search: 'customer', cursor: ranked.next_cursor ?? '' })).rejects.toMatchObject(refused);
  expect((await admin().list({ search: ' EXAMPLE ', cursor: ranked.next_cursor ?? '' })).rows).toHaveLength(10);
});
