import { CUSTOMER_SORTS, type CustomerRow, type CustomerSort } from '@callout/contract/customers';
import { SORT_ORDERS, type SortOrder } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('the order of the list', () => {
  it('is by name, ascending, by default', async () => {
    await insertCustomers(test, firm.companyId, [{ name: 'B' }, { name: 'A' }, { name: 'C' }]);
    expect(names((await admin().list({})).rows)).toEqual(['A', 'B', 'C']);
  });

  it('ignores letter case and accents', async () => {
    await insertCustomers(test, firm.companyId, [{ name: 'bob' }, { name: 'Émile' }, { name: 'ALICE' }, { name: 'eve' }, { name: 'Zoë' }]);
    expect(names((await admin().list({ sort: 'name', order: 'asc' })).rows)).toEqual(['ALICE', 'bob', 'Émile', 'eve', 'Zoë']);
    expect(names((await admin().list({ sort: 'name', order: 'desc' })).rows)).toEqual(['Zoë', 'eve', 'Émile', 'bob', 'ALICE']);
  });

  it.each([
    ['asc', ['Acme', 'beta', 'Čapek', null, null]],
    ['desc', ['Čapek', 'beta', 'Acme', null, null]],
  ] as const)('by company, %s, puts customers without one last', async (order, expected) => {
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
  ] as const)('by last interaction, %s, puts customers without one last', async (order, expected) => {
    await insertCustomers(test, firm.companyId, [
      { name: 'never' },
      { name: 'new', last_interaction: '2026-03-01T08:00:00.001Z' },
      { name: 'old', last_interaction: '2026-03-01T08:00:00.000Z' },
    ]);
    expect(names((await admin().list({ sort: 'last_interaction', order })).rows)).toEqual(expected);
  });

  it.each([
    ['company_name', 'asc', ['Ana Acme', 'Zoë Acme', 'Ben Beta', 'Ana', 'Émile', 'Zoë']],
    ['company_name', 'desc', ['Ben Beta', 'Zoë Acme', 'Ana Acme', 'Zoë', 'Émile', 'Ana']],
    ['last_interaction', 'asc', ['Zoë', 'Ana Acme', 'Zoë Acme', 'Ana', 'Ben Beta', 'Émile']],
    ['last_interaction', 'desc', ['Zoë Acme', 'Ana Acme', 'Zoë', 'Émile', 'Ben Beta', 'Ana']],
    ['created_at', 'asc', ['Émile', 'Ana', 'Ana Acme', 'Ben Beta', 'Zoë', 'Zoë Acme']],
    ['created_at', 'desc', ['Zoë Acme', 'Zoë', 'Ben Beta', 'Ana Acme', 'Ana', 'Émile']],
  ] as const)('by %s, %s, sorts ties by name in the same direction', async (sort, order, expected) => {
    const [early, late] = ['2026-03-01T08:00:00.000Z', '2026-03-02T08:00:00.000Z'];
    await insertCustomers(test, firm.companyId, [
      { name: 'Zoë Acme', company_name: 'acme', last_interaction: late },
      { name: 'Zoë', last_interaction: early },
      { name: 'Émile', created_at: '2025-01-01T00:00:00.000Z' },
      { name: 'Ben Beta', company_name: 'Beta' },
      { name: 'Ana Acme', company_name: 'Acme', last_interaction: late },
      { name: 'Ana' },
    ]);
    expect(names((await admin().list({ sort, order })).rows)).toEqual(expected);
  });

  it('by age distinguishes milliseconds', async () => {
    await insertCustomers(test, firm.companyId, [
      { name: 'second', created_at: '2026-01-01T00:00:00.002Z' },
      { name: 'first', created_at: '2026-01-01T00:00:00.001Z' },
    ]);
    expect(names((await admin().list({ sort: 'created_at', order: 'asc' })).rows)).toEqual(['first', 'second']);
    expect(names((await admin().list({ sort: 'created_at', order: 'desc' })).rows)).toEqual(['second', 'first']);
  });
});

/** Few values for many rows: most have duplicates and some are empty. The seed is fixed, so that failures can be reproduced. */
function seeds(count: number): CustomerSeed[] {
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

/** Walks the list to its end and does something between the pages. */
async function walk(sort: CustomerSort, order: SortOrder, between: (page: number, rows: readonly CustomerRow[]) => Promise<void>) {
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

describe.each(ORDERS)('paging by %s, %s', (sort, order) => {
  it('visits each row once, including ties', async () => {
    const ids = await insertCustomers(test, firm.companyId, seeds(120));
    const { visited, pages } = await walk(sort, order, async () => undefined);
    expect(pages).toBe(3);
    expect(visited.map((row) => row.id).toSorted()).toEqual(ids.toSorted());
  });

  it('visits each remaining row once while others are added and deleted', async () => {
    const ids = await insertCustomers(test, firm.companyId, seeds(130));
    const gone = new Set<string>();
    const { visited } = await walk(sort, order, async (page, rows) => {
      // The last row of the page, where the next page starts, and a row that was not reached yet.
      const seen = new Set(rows.map((row) => row.id));
      const doomed = [rows.at(-1)?.id, ids.find((id) => !seen.has(id) && !gone.has(id))].filter((id) => id !== undefined);
      for (const id of doomed) {
        gone.add(id);
        await admin().remove({ id });
      }
      await insertCustomers(test, firm.companyId, seeds(10 * page));
    });
    const times = Map.groupBy(visited, (row) => row.id);
    expect(visited.length).toBe(times.size);
    expect(ids.filter((id) => !gone.has(id) && !times.has(id))).toEqual([]);
  });
});

/** Names whose folded form is the longest in bytes, in characters and in UTF-16. */
describe.each([
  ['Hangul', fc.integer({ min: 0xac00, max: 0xd7a3 }), 200],
  ['a ligature of 18 letters', fc.constant(0xfdfa), 200],
  ['Japanese units', fc.integer({ min: 0x3300, max: 0x3357 }), 200],
  ['emoji', fc.integer({ min: 0x1f400, max: 0x1f4ff }), 100],
] as const)('names of the maximum length, of %s', (_, character, length) => {
  it('can be added and paged through in every order', async () => {
    const longName = fc.array(character, { minLength: length, maxLength: length }).map((codes) => String.fromCodePoint(...codes));
    const added = fc.sample(fc.record({ name: longName, company_name: longName }), { numRuns: PAGE_SIZE + 1, seed: 20_260_101 });
    for (const { name, company_name } of added) await admin().create(newCustomer({ type: 'company', name, company_name }));
    for (const [sort, order] of ORDERS) {
      const { visited, pages } = await walk(sort, order, async () => undefined);
      expect([pages, new Set(visited.map((row) => row.id)).size]).toEqual([2, added.length]);
    }
  });
});

describe('a page', () => {
  it('that is exactly full is the last', async () => {
    await insertCustomers(test, firm.companyId, seeds(PAGE_SIZE));
    const { rows, next_cursor } = await admin().list({});
    expect([rows.length, next_cursor]).toEqual([PAGE_SIZE, null]);
  });

  it('of an empty list has no rows and no next page', async () => {
    expect(await admin().list({})).toEqual({ rows: [], next_cursor: null });
  });

  it('has the fields of a row and nothing more', async () => {
    await admin().create(newCustomer({ notes: 'Secret' }));
    const { rows } = await admin().list({});
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(
      'address company_name contact_name created_at email id last_interaction matched name phone status'.split(' '),
    );
  });

  it.each(['garbage', 'bm90IGpzb24', '', 'W10'])('refuses the invalid cursor %j', async (cursor) => {
    await expect(admin().list({ cursor })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { cursor: expect.any(String) } },
    });
  });

  it('refuses a cursor of another order, which would skip rows', async () => {
    await insertCustomers(test, firm.companyId, seeds(60));
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

describe('searching', () => {
  beforeEach(async () => {
    await admin().create(
      newCustomer({ name: 'Zoë Müller', email: 'zoe@muller.example', phone: '+64 (21) 555-123', address: '5 Ōrewa Road' }),
    );
    await admin().create(
      newCustomer({
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
    await admin().create(newCustomer({ name: `100% Pipes_Co \\ O'Neil`, email: 'o@neil.example', phone: '1', address: '1' }));
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
    expect(names((await admin().list({ search })).rows)).toEqual([name]);
  });

  it.each(['%', '_', '%%%'])('takes %j literally', async (search) => {
    const { rows } = await admin().list({ search });
    expect(rows.every((row) => row.name.includes(search))).toBe(true);
  });

  it.each(['nobody', 'ben nobody', 'Benharbour', '1=1 --'])('for %j finds nothing', async (search) => {
    expect(await admin().list({ search })).toEqual({ rows: [], next_cursor: null });
  });

  it.each(['', '   '])('for %j counts as no search', async (search) => {
    expect((await admin().list({ search })).rows).toHaveLength(3);
  });

  it('is paged in every order', async () => {
    await insertCustomers(
      test,
      firm.companyId,
      seeds(70).map((seed) => ({ ...seed, name: `Needle ${seed.name}` })),
    );
    for (const [sort, order] of ORDERS) {
      const first = await admin().list({ search: 'needle', sort, order });
      const second = await admin().list({ search: 'needle', sort, order, cursor: first.next_cursor ?? '' });
      expect(new Set([...first.rows, ...second.rows].map((row) => row.id)).size).toBe(70);
      expect(second.next_cursor).toBeNull();
    }
  });
});

describe('the status filter', () => {
  beforeEach(async () => {
    await insertCustomers(test, firm.companyId, seeds(70));
  });

  it.each(['active', 'inactive'] as const)('shows only %s customers, page by page, and the count agrees', async (status) => {
    for (const [sort, order] of ORDERS) {
      const first = await admin().list({ status, sort, order });
      expect(first.rows.every((row) => row.status === status)).toBe(true);
    }
    const { total } = await admin().count({ status });
    const { total: others } = await admin().count({ status: status === 'active' ? 'inactive' : 'active' });
    expect(total).toBe((await admin().list({ status })).rows.length);
    expect(total + others).toBe(70);
  });

  it('combines with the search, and the count agrees with the list', async () => {
    for (const search of ['ana', 'zoe', '100%', 'acme', "o'neil ana"]) {
      for (const status of [undefined, 'active', 'inactive'] as const) {
        const filter = { search, ...(status && { status }) };
        expect(await admin().count(filter)).toEqual({ total: (await admin().list(filter)).rows.length });
      }
    }
  });

  it('refuses an unknown status', async () => {
    const { statusCode } = await test.request('GET', '/api/customers?status=foo', { cookie: firm.people.admin.cookie });
    expect(statusCode).toBe(422);
  });
});
