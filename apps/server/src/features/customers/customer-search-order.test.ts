import { randomUUID } from 'node:crypto';
import { PAGE_SIZE } from '@callout/contract/lists';
import { buildSearchText, buildSortKey, parseSearchWords } from '@callout/domain/search/search-text';
import { MAX_COUNT } from '@callout/domain/text/count-format';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type CustomerSeed, insertCustomers } from '../../../test/factories/customer-rows.ts';
import { createFirm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { countRecords, defineList, type ListInput, listFirstPagePerGroup, listRecords } from '../../platform/db/keyset-list.ts';
import { planSearch } from '../../platform/db/search-plan.ts';
import { runTenantQuery, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { customerList } from './customers.sql.ts';

type Input = ListInput<'name' | 'company_name' | 'created_at' | 'last_interaction', typeof customerList.filters>;
type Seed = Required<Pick<CustomerSeed, 'id' | 'name' | 'company_name' | 'contact_name' | 'status' | 'created_at'>>;

/** Enough rows that the search samples them, in a company of its own and in one that has most rows of the table. */
const COMPANY_SIZES = { small: 300, large: 2000 };
const PHONE = '+64 21 555 123';
/** The first words are in many names, the last ones in few or none. */
const WORDS = [
  'smith',
  'service',
  'anna',
  'ter',
  'water',
  'smith-jones',
  'a',
  'el',
  'électro',
  'o’neil',
  '50%',
  'a/c',
  'x-a/c',
  'müller',
  'xylo',
  'zz',
  'q',
  '李',
];

const pickWord = (random: () => number) => WORDS[Math.floor(random() ** 2.5 * WORDS.length)] ?? 'smith';
const pickWords = (random: () => number, count: number) => Array.from({ length: count }, () => pickWord(random)).join(' ');

/** Ids start with the time, and some words belong to one time: the name Riverside, and the companies Foundry and Midway. */
function buildSeeds(count: number, random: () => number): Seed[] {
  return Array.from({ length: count }, (_, index) => {
    const age = index / count;
    const name = pickWords(random, 1 + Math.floor(random() * 3));
    const wordOfItsTime = age < 0.4 ? ' Foundry' : age > 0.6 && age < 0.65 ? ' Midway' : '';
    const isCompany = random() < 0.5;
    return {
      id: index.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-') + randomUUID().slice(13),
      name: age > 0.875 ? 'Riverside' : name,
      company_name: isCompany ? pickWords(random, 2) + wordOfItsTime : null,
      contact_name: isCompany && random() < 0.6 ? pickWords(random, 1) : null,
      status: random() < 0.1 ? 'inactive' : 'active',
      created_at: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(index / 3))).toISOString(),
    };
  });
}

/** The specification of the order, written without indexes or plans: rank first, then name, then id. */
function listNaively(seeds: readonly Seed[], { search = '', status, sort, order }: Input): string[] {
  const words = parseSearchWords(search);
  const contains = (text: string, word: string) =>
    /^[a-z\d]{1,2}$/.test(word) ? new RegExp(`(^|[-\\s+(/.@,&#"])${word}`).test(text) : text.includes(word);
  const getKeys = ({ id, name, company_name, contact_name, created_at }: Seed) => {
    const key = buildSortKey(name);
    const email = `${id.slice(0, 8)}@example.com`;
    const others = [company_name, contact_name].map((text) => (text === null ? '' : buildSortKey(text)));
    const text = buildSearchText([name, email, '1 Queen Street, Auckland', company_name, contact_name], [PHONE]);
    const ranks = words.map((word) => {
      if ([word, ` ${word}`, `-${word}`].some((start, index) => (index === 0 ? key.startsWith(start) : key.includes(start)))) return 1;
      const position = [...others, key].findIndex((other) => contains(other, word));
      if (position >= 0) return position + 2;
      return contains(text, word) ? others.length + 3 : Number.POSITIVE_INFINITY;
    });
    const rank = key.startsWith(words.join(' ')) ? 0 : Math.max(0, ...ranks);
    return { id, rank, name: key, created_at, company_name: company_name === null ? null : buildSortKey(company_name) };
  };
  const isRanked = words.length > 0 && sort === 'name' && order === 'asc';
  const direction = order === 'asc' ? 1 : -1;
  const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
  return seeds
    .filter((seed) => status === undefined || seed.status === status)
    .map(getKeys)
    .filter(({ rank }) => words.length === 0 || rank < Number.POSITIVE_INFINITY)
    .toSorted((one, other) => {
      const byTime = sort === 'created_at' ? compare(one.created_at, other.created_at) : 0;
      const last = order === 'asc' ? '\u{10FFFF}' : '';
      const byCompany = sort === 'company_name' ? compare(one.company_name ?? last, other.company_name ?? last) : 0;
      const byRank = isRanked ? compare(one.rank, other.rank) : 0;
      return direction * (byRank || byTime || byCompany || compare(one.name, other.name) || compare(one.id, other.id));
    })
    .map(({ id }) => id);
}

const companies: Record<string, { seeds: Seed[]; run: <Result>(work: (scope: TenantScope) => Promise<Result>) => Promise<Result> }> = {};

beforeAll(async () => {
  const test = await startTestApp();
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (const [size, count] of Object.entries(COMPANY_SIZES)) {
    const firm = await createFirm(test, size);
    const seeds = buildSeeds(count, random);
    await insertCustomers(
      test,
      firm.companyId,
      seeds.map((seed) => ({ ...seed, phone: PHONE })),
    );
    companies[size] = { seeds, run: (work) => runTenantQuery(test.app.platform.pools.app, toTenant(firm), work) };
  }
  await test.owner.query('vacuum analyze customers');
});

if (!customerList.search) throw new Error('Customers have no search');
/** Searches of the large company exceed these limits. */
const listWithLimits = defineList({ ...customerList, search: { ...customerList.search, limits: { walked: 200, found: 100, first: 80 } } });

async function listAll(scope: TenantScope, list: typeof customerList, input: Input): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await listRecords(scope, list, { ...input, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

const search = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS),
      fc.constantFrom(
        's',
        'an',
        'mit',
        'ate',
        'ones',
        'nobody',
        'riverside',
        'foundry',
        'midway',
        'queen',
        'com',
        '555',
        '&',
        '2',
        '1/2',
        '/c',
      ),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((words) => words.join(' '));
const input = fc.record({
  search,
  sort: fc.constantFrom('name' as const, 'name' as const, 'created_at' as const, 'company_name' as const),
  order: fc.constantFrom('asc' as const, 'asc' as const, 'desc' as const),
  status: fc.constantFrom(undefined, undefined, 'inactive' as const),
});

it.each([
  ['small', 'the usual', customerList],
  ['large', 'the usual', customerList],
  ['large', 'narrow', listWithLimits],
] as const)(
  'lists and counts the same customers in the same order as a naive search, in a %s company with %s limits',
  async (size, _limits, list) => {
    const { seeds, run } = companies[size] ?? { seeds: [], run: () => Promise.reject(new Error('There is no company')) };
    await run(async (scope) => {
      await fc.assert(
        fc.asyncProperty(input, async (given) => {
          const expected = listNaively(seeds, given);
          const listed = await listAll(scope, list, given);
          const different = Array.from({ length: Math.max(listed.length, expected.length) }, (_, index) => index).find(
            (index) => listed[index] !== expected[index],
          );
          const [found, missed] = [listed, expected].map((ids) => seeds.find(({ id }) => id === ids[different ?? -1]));
          expect({ ...given, found, missed }).toEqual({ ...given, found: undefined, missed: undefined });
          expect(await countRecords(scope, list, given)).toBe(Math.min(expected.length, MAX_COUNT + 1));
        }),
        { numRuns: 30, seed: 7 },
      );
    });
  },
);

it.each([
  ['usual', customerList],
  ['narrow', listWithLimits],
] as const)('lists and counts the same customers by status as a naive search, with %s limits', async (_limits, list) => {
  const { seeds, run } = companies['large'] ?? { seeds: [], run: () => Promise.reject(new Error('There is no company')) };
  await run(async (scope) => {
    const timeInput = fc.record({
      search,
      sort: fc.constant('created_at' as const),
      order: fc.constantFrom('asc' as const, 'desc' as const),
    });
    await fc.assert(
      fc.asyncProperty(timeInput, async (given) => {
        const groups = await listFirstPagePerGroup(scope, list, 'status', ['active', 'inactive', 'archived'], given);
        const listed = groups.map(({ value, total, page }) => [value, total, page.rows.map(({ id }) => id), page.next_cursor !== null]);
        const expected = (['active', 'inactive', 'archived'] as const).map((value) => {
          const ids = listNaively(seeds, { ...given, status: value as Seed['status'] });
          return [value, Math.min(ids.length, MAX_COUNT + 1), ids.slice(0, PAGE_SIZE), ids.length > PAGE_SIZE];
        });
        expect({ ...given, listed }).toEqual({ ...given, listed: expected });
      }),
      {
        numRuns: 40,
        seed: 7,
        examples: ['riverside', 'foundry', 'midway', 'smith'].map((word) => [{ search: word, sort: 'created_at', order: 'asc' }]),
      },
    );
  });
});

it.each([
  ['smith', 'common', 1],
  ['ate', 'common', 4],
  ['queen', 'common', 5],
  ['xylo nobody', 'rare', undefined],
  ['a/b', 'rare', undefined],
  ['smith nobody', 'rare', undefined],
  ['riverside', 'common', 1],
  ['midway', 'rare', undefined],
])('plans the search for %s as %s', async (text, kind, rank) => {
  const plan = await companies['large']?.run((scope) =>
    planSearch(scope, { ...customerList.search, table: customerList.table } as never, parseSearchWords(text), PAGE_SIZE),
  );
  expect(plan).toMatchObject({ kind, ...(rank !== undefined && { rank }) });
});
