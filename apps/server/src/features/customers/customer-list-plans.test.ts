import { randomUUID } from 'node:crypto';
import type { CustomerSort } from '@callout/contract/customers';
import type { SortOrder } from '@callout/contract/fields';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CustomerSeed, insertCustomers } from '../../../test/factories/customer-rows.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { hearPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

/** After five executions PostgreSQL may settle on one plan for all values: it must be the same good one. */
const EXECUTIONS = 7;

let test: TestApp;
let firm: Firm;
let plans: Awaited<ReturnType<typeof hearPlans>>;

const customer = (index: number): CustomerSeed => ({
  name: `Customer ${(index * 7919) % 5000}`,
  company_name: index % 3 === 0 ? `Company ${(index * 104_729) % 1000}` : null,
  status: index % 10 === 0 ? 'inactive' : 'active',
  created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
  last_interaction: index % 2 === 0 ? new Date(Date.UTC(2026, 5, 1, 0, index)).toISOString() : null,
});

beforeAll(async () => {
  test = await startTestApp();
  plans = await hearPlans(test, 'customers');
  firm = await createFirm(test);
  const neighbour = await createFirm(test, 'Neighbour');
  const rows = Array.from({ length: 5000 }, (_, index) => customer(index));
  await insertCustomers(test, firm.companyId, [...rows, { name: 'Xylander', id: randomUUID() }]);
  await insertCustomers(test, neighbour.companyId, rows);
  await test.owner.query('vacuum analyze customers');
});

const list = (input: Parameters<Firm['people']['admin']['client']['customers']['list']>[0]) =>
  firm.people.admin.client.customers.list(input);

const INDEXES: readonly (readonly [CustomerSort, SortOrder, string])[] = [
  ['name', 'asc', 'customers_by_name'],
  ['name', 'desc', 'customers_by_name'],
  ['company_name', 'asc', 'customers_by_company_up'],
  ['company_name', 'desc', 'customers_by_company_down'],
  ['created_at', 'asc', 'customers_by_age'],
  ['created_at', 'desc', 'customers_by_age'],
  ['last_interaction', 'asc', 'customers_by_interaction_up'],
  ['last_interaction', 'desc', 'customers_by_interaction_down'],
];

describe.each(INDEXES)('the list by %s, %s', (sort, order, index) => {
  it(`walks ${index} on its first page and on the ones after, and sorts nothing`, async () => {
    const { next_cursor } = await list({ sort, order });
    // A later page starts where the last one ended, and reads nothing that comes before.
    const pages = [
      { cursor: {}, from: /Index Cond: \(company_id = / },
      { cursor: { cursor: next_cursor ?? '' }, from: /Index Cond: .*\(ROW\(.*name_key, id\) [<>] ROW\(/ },
    ];
    for (const { cursor, from } of pages) {
      for (let execution = 0; execution < EXECUTIONS; execution += 1) {
        const plan = await plans.during(() => list({ sort, order, ...cursor }));
        expect(plan).toContain(` using ${index} `);
        expect(plan).not.toMatch(/Seq Scan|Sort Key/);
        expect(plan).toMatch(from);
      }
    }
  });
});

it('the list of the few inactive ones by name walks the index of the status', async () => {
  const plan = await plans.during(() => list({ status: 'inactive' }));
  expect(plan).toContain(' using customers_by_status ');
  expect(plan).not.toMatch(/Seq Scan|Sort Key/);
});

it('a search for a rare word reads the text index, although row-level security stands before it', async () => {
  const plan = await plans.during(() => list({ search: 'xylander' }));
  expect(plan).toContain('customers_by_text');
  expect(plan).not.toContain('Seq Scan');
});

it('a count of a rare word reads the text index too', async () => {
  const plan = await plans.during(() => firm.people.admin.client.customers.count({ search: 'xylander' }));
  expect(plan).toContain('customers_by_text');
});
