import { CUSTOMER_SORTS, type CustomerRow, type CustomerSort } from '@callout/contract/customers';
import { SORT_ORDERS, type SortOrder } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('the order of the customer list', () => {
  it('is ascending by name by default', async () => {
    await insertCustomers(test, firm.companyId, [{ name: 'B' }, { name: 'A' }, { name: 'C' }]);
    expect(getNames((await admin().list({})).rows)).toEqual(['A', 'B', 'C']);
  });

  it('ignores letter case and accents', async () => {
    await insertCustomers(test, firm.companyId, [{ name: 'bob' }, { name: 'Émile' }, { name: 'ALICE' }, { name: 'eve' }, { name: 'Zoë' }]);
    expect(getNames((await admin().list({ sort: 'name', order: 'asc' })).rows)).toEqual(['ALICE', 'bob', 'Émile', 'eve', 'Zoë']);
    expect(getNames((await admin().list({ sort: 'name', order: 'desc' })).rows)).toEqual(['Zoë', 'eve', 'Émile', 'bob', 'ALICE']);
  });

  it.each([
    ['asc', ['Acme', 'beta', 'Čapek', null, null]],
    ['desc', ['Čapek', 'beta', 'Acme', null, null]],
  ] as const)('puts customers without a company last when sorted by company, %s', async (order, expected) => {
    const companies = [null, 'beta', 'Acme', null, 'Čapek'];
    await insertCustomers(
      test,
      firm.companyId,
      companies.map((company_name) => ({ name: 'Same', company_name })),
    );
    expect((await admin().list({ sort: 'company_name', order })).rows.map((row) => row.company_name)).toEqual(expected);
  });

  it.each([
    ['asc', ['old', 'new', 'never']],
    ['desc', ['new', 'old', 'never']],
  ] as const)('puts customers without an interaction last when sorted by last interaction, %s', async (order, expected) => {
    await insertCustomers(test, firm.companyId, [
      { name: 'never' },
      { name: 'new', last_interaction: '2026-03-01T08:00:00.001Z' },
      { name: 'old', last_interaction: '2026-03-01T08:00:00.000Z' },
    ]);
    expect(getNames((await admin().list({ sort: 'last_interaction', order })).rows)).toEqual(expected);
  });

  it.each([
    ['company_name', 'asc', ['Ana Acme', 'Zoë Acme', 'Ben Beta', 'Ana', 'Émile', 'Zoë']],
    ['company_name', 'desc', ['Ben Beta', 'Zoë Acme', 'Ana Acme', 'Zoë', 'Émile', 'Ana']],
    ['last_interaction', 'asc', ['Zoë', 'Ana Acme', 'Zoë Acme', 'Ana', 'Ben Beta', 'Émile']],
    ['last_interaction', 'desc', ['Zoë Acme', 'Ana Acme', 'Zoë', 'Émile', 'Ben Beta', 'Ana']],
    ['created_at', 'asc', ['Émile', 'Ana', 'Ana Acme', 'Ben Beta', 'Zoë', 'Zoë Acme']],
    ['created_at', 'desc', ['Zoë Acme', 'Zoë', 'Ben Beta', 'Ana Acme', 'Ana', 'Émile']],
  ] as const)('breaks ties by name in the same direction when sorted by %s %s', async (sort, order, expected) => {
    const [early, late] = ['2026-03-01T08:00:00.000Z', '2026-03-02T08:00:00.000Z'];
    await insertCustomers(test, firm.companyId, [
      { name: 'Zoë Acme', company_name: 'acme', last_interaction: late },
      { name: 'Zoë', last_interaction: early },
      { name: 'Émile', created_at: '2025-01-01T00:00:00.000Z' },
      { name: 'Ben Beta', company_name: 'Beta' },
      { name: 'Ana Acme', company_name: 'Acme', last_interaction: late },
      { name: 'Ana' },
    ]);
    expect(getNames((await admin().list({ sort, order })).rows)).toEqual(expected);
  });

  it('is precise to the millisecond when sorted by creation time', async () => {
    await insertCustomers(test, firm.companyId, [
      { name: 'second', created_at: '2026-01-01T00:00:00.002Z' },
      { name: 'first', created_at: '2026-01-01T00:00:00.001Z' },
    ]);
    expect(getNames((await admin().list({ sort: 'created_at', order: 'asc' })).rows)).toEqual(['first', 'second']);
    expect(getNames((await admin().list({ sort: 'created_at', order: 'desc' })).rows)).toEqual(['second', 'first']);
  });
});

/** Builds customers with many duplicate and some empty values. The random seed is fixed, so failures can be reproduced. */
function buildSeeds(count: number): CustomerSeed[] {
  const instant = fc.integer({ min: 0, max: 20 }).map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString());
  const seed = fc.record({
    name: fc.constantFrom('Ana', 'ana', 'Ben', "O'Neil", 'Zoë', '100% Pipes', 'under_score'),
    company_name: fc.option(fc.constantFrom('Acme', 'acme', 'Beta', 'Čapek')),
    status: fc.constantFrom('active' as const, 'inactive' as const),
    created_at: instant,
    last_interaction: fc.option(instant),
  });
  return fc.sample(seed, { numRuns: count, seed: 20_260_101 });
}

/** Reads the list page by page, calling `between` after every page except the last. */
async function readAllPages(sort: CustomerSort, order: SortOrder, between: (page: number, rows: readonly CustomerRow[]) => Promise<void>) {
  const visited: CustomerRow[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await admin().list({ sort, order, ...(cursor && { cursor }) });
    visited.push(...page.rows);
    pages += 1;
    cursor = page.next_cursor ?? undefined;
    if (cursor) await between(pages, page.rows);
  } while (cursor);
  return { visited, pages };
}

describe.each(ORDERS)('paging through customers by %s, %s', (sort, order) => {
  it('visits each row once, including rows with equal values', async () => {
    const ids = await insertCustomers(test, firm.companyId, buildSeeds(120));
    const { visited, pages } = await readAllPages(sort, order, async () => undefined);
    expect(pages).toBe(3);
    expect(visited.map((row) => row.id).toSorted()).toEqual(ids.toSorted());
  });

  it('visits each remaining row once while other rows are added and deleted', async () => {
    const ids = await insertCustomers(test, firm.companyId, buildSeeds(130));
    const deletedIds = new Set<string>();
    const { visited } = await readAllPages(sort, order, async (page, rows) => {
      // Delete the cursor's row and a row that hasn't been reached yet.
      const seen = new Set(rows.map((row) => row.id));
      const idsToDelete = [rows.at(-1)?.id, ids.find((id) => !seen.has(id) && !deletedIds.has(id))].filter((id) => id !== undefined);
      for (const id of idsToDelete) {
        deletedIds.add(id);
        await admin().remove({ id });
      }
      await insertCustomers(test, firm.companyId, buildSeeds(10 * page));
    });
    const times = Map.groupBy(visited, (row) => row.id);
    expect(visited.length).toBe(times.size);
    expect(ids.filter((id) => !deletedIds.has(id) && !times.has(id))).toEqual([]);
  });
});

/** Characters that produce the longest keys, in bytes, characters or UTF-16 units, when case and accents are folded. */
describe.each([
  ['Hangul', fc.integer({ min: 0xac00, max: 0xd7a3 }), 200],
  ['a ligature of 18 letters', fc.constant(0xfdfa), 200],
  ['Japanese units', fc.integer({ min: 0x3300, max: 0x3357 }), 200],
  ['emoji', fc.integer({ min: 0x1f400, max: 0x1f4ff }), 100],
] as const)('customer names of the maximum length in %s', (_, character, length) => {
  it('can be added and paged through in every order', async () => {
    const longName = fc.array(character, { minLength: length, maxLength: length }).map((codes) => String.fromCodePoint(...codes));
    const added = fc.sample(fc.record({ name: longName, company_name: longName }), { numRuns: PAGE_SIZE + 1, seed: 20_260_101 });
    for (const { name, company_name } of added) await admin().create(buildCustomer({ type: 'company', name, company_name }));
    for (const [sort, order] of ORDERS) {
      const { visited, pages } = await readAllPages(sort, order, async () => undefined);
      expect([pages, new Set(visited.map((row) => row.id)).size]).toEqual([2, added.length]);
    }
  });
});

describe('a page of customers', () => {
  it("has no next page if its last row is also the list's last row", async () => {
    await insertCustomers(test, firm.companyId, buildSeeds(PAGE_SIZE));
    const { rows, next_cursor } = await admin().list({});
    expect([rows.length, next_cursor]).toEqual([PAGE_SIZE, null]);
  });

  it('has no rows and no next page if the list is empty', async () => {
    expect(await admin().list({})).toEqual({ rows: [], next_cursor: null });
  });

  it('contains only the fields that the list displays', async () => {
    await admin().create(buildCustomer({ notes: 'Secret' }));
    const { rows } = await admin().list({});
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(
      'address company_name contact_name created_at email id last_interaction matched name phone status'.split(' '),
    );
  });

  it.each(['garbage', 'bm90IGpzb24', '', 'W10'])('rejects the invalid cursor %j', async (cursor) => {
    await expect(admin().list({ cursor })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { cursor: expect.any(String) } },
    });
  });

  it('rejects a cursor from another sort order, because it would skip rows', async () => {
    await insertCustomers(test, firm.companyId, buildSeeds(60));
    for (const [sort, order] of ORDERS) {
      const { next_cursor } = await admin().list({ sort, order });
      if (!next_cursor) throw new Error('There is no second page');
      for (const [otherSort, otherOrder] of ORDERS.filter((other) => other.join() !== [sort, order].join())) {
        const other = admin().list({ sort: otherSort, order: otherOrder, cursor: next_cursor });
        await expect(other).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      }
    }
  });
});

describe('searching customers', () => {
  beforeEach(async () => {
    await admin().create(
      buildCustomer({ name: 'Zoë Müller', email: 'zoe@muller.example', phone: '+64 (21) 555-123', address: '5 Ōrewa Road' }),
    );
    await admin().create(
      buildCustomer({
        name: 'Ben',
        email: 'ben@x.example',
        phone: '09 1',
        address: 'Level 2',
        type: 'company',
        company_name: 'Harbour Cafe',
        contact_name: 'Mere',
        contact_email: 'mere@tane.example',
        contact_phone: '0800 777',
      }),
    );
    await admin().create(buildCustomer({ name: `100% Pipes_Co \\ O'Neil`, email: 'o@neil.example', phone: '1', address: '1' }));
  });

  it.each([
    ['a name', 'müll', 'Zoë Müller'],
    ['a name without its accents', 'ZOE', 'Zoë Müller'],
    ['an email', 'zoe@muller', 'Zoë Müller'],
    ['a phone number as written', '(21) 555-123', 'Zoë Müller'],
    ['a phone number without its spaces', '+6421555', 'Zoë Müller'],
    ['an address', 'orewa', 'Zoë Müller'],
    ['a company', 'harbour', 'Ben'],
    ['a contact', 'mere', 'Ben'],
    ['the email of a contact', 'tane.example', 'Ben'],
    ['the phone of a contact', '0800777', 'Ben'],
    ['several words in any order and field', 'cafe ben level', 'Ben'],
    ['a percent sign', '100%', `100% Pipes_Co \\ O'Neil`],
    ['an underscore', 's_c', `100% Pipes_Co \\ O'Neil`],
    ['a backslash', '\\', `100% Pipes_Co \\ O'Neil`],
    ['a quote', "o'n", `100% Pipes_Co \\ O'Neil`],
    ['a typographic quote', 'o’neil', `100% Pipes_Co \\ O'Neil`],
    ['a name without its quote', 'ONeil', `100% Pipes_Co \\ O'Neil`],
    ['a typographic dash', '555–123', 'Zoë Müller'],
  ])('finds %s', async (_, search, name) => {
    expect(getNames((await admin().list({ search })).rows)).toEqual([name]);
  });

  it.each(['%', '_', '%%%'])('matches %j literally', async (search) => {
    const { rows } = await admin().list({ search });
    expect(rows.every((row) => row.name.includes(search))).toBe(true);
  });

  it.each(['nobody', 'ben nobody', 'Benharbour', '1=1 --'])('finds nothing for %j', async (search) => {
    expect(await admin().list({ search })).toEqual({ rows: [], next_cursor: null });
  });

  it.each(['', '   '])('returns every customer for the blank search %j', async (search) => {
    expect((await admin().list({ search })).rows).toHaveLength(3);
  });

  it('can be paged through in every order', async () => {
    await insertCustomers(
      test,
      firm.companyId,
      buildSeeds(70).map((seed) => ({ ...seed, name: `Needle ${seed.name}` })),
    );
    for (const [sort, order] of ORDERS) {
      const first = await admin().list({ search: 'needle', sort, order });
      const second = await admin().list({ search: 'needle', sort, order, cursor: first.next_cursor ?? '' });
      expect(new Set([...first.rows, ...second.rows].map((row) => row.id)).size).toBe(70);
      expect(second.next_cursor).toBeNull();
    }
  });
});

describe('the customer status filter', () => {
  beforeEach(async () => {
    await insertCustomers(test, firm.companyId, buildSeeds(70));
  });

  it.each(['active', 'inactive'] as const)('returns only %s customers, and the same number is counted', async (status) => {
    for (const [sort, order] of ORDERS) {
      const first = await admin().list({ status, sort, order });
      expect(first.rows.every((row) => row.status === status)).toBe(true);
    }
    const { total } = await admin().count({ status });
    const { total: others } = await admin().count({ status: status === 'active' ? 'inactive' : 'active' });
    expect(total).toBe((await admin().list({ status })).rows.length);
    expect(total + others).toBe(70);
  });

  it('combines with the search, and the count matches the listed rows', async () => {
    for (const search of ['ana', 'zoe', '100%', 'acme', "o'neil ana"]) {
      for (const status of [undefined, 'active', 'inactive'] as const) {
        const filter = { search, ...(status && { status }) };
        expect(await admin().count(filter)).toEqual({ total: (await admin().list(filter)).rows.length });
      }
    }
  });

  it('rejects an unknown status', async () => {
    const { statusCode } = await test.request('GET', '/api/customers?status=foo', { cookie: firm.people.admin.cookie });
    expect(statusCode).toBe(422);
  });
});
