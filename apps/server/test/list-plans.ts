import { SORT_ORDERS } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import { getTableName } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRecords, type ListInput, listRecords } from '../src/platform/db/keyset-list.ts';
import type { KeysetList, ListColumns, ListFilters } from '../src/platform/db/list-statements.ts';
import { SAMPLE_SIZE } from '../src/platform/db/search-plan.ts';
import { runTenantQuery, type TenantScope } from '../src/platform/db/tenant-scope.ts';
import { createFirm, toTenant } from './factories/people.ts';
import { captureQueryPlans } from './query-plans.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/** For example, all twelve colors of staff members. */
const MAX_LOOKUPS_PER_ROW = 20;
/** Runs the query often enough to also check the generic plan, to which PostgreSQL may switch after five executions. */
const EXECUTION_COUNT = 7;

export interface ListPlanExpectations<Sort extends string, Filters extends ListFilters> {
  readonly list: KeysetList<ListColumns, Sort, Filters, string>;
  /**
   * Inserts thousands of rows with varied values in every sortable column. Also called for a second company, to check that its rows are
   * never read.
   */
  readonly insertRows: (test: TestApp, companyId: string) => Promise<unknown>;
  /** Filters that the app always applies to this list. */
  readonly baseInput?: Partial<ListInput<Sort, Filters>>;
  /** Filters that match at most one page of rows. Unless a filter specifies a sort, the ranked sort applies, or else the first sort. */
  readonly rareFilters: readonly Partial<ListInput<Sort, Filters>>[];
  /** Like `rareFilters`, but PostgreSQL may also find the few matching rows through an index for the filter and then sort them. */
  readonly sortedFilters?: readonly Partial<ListInput<Sort, Filters>>[];
  /** A word that only a few rows contain. Omit it if the list has no search. */
  readonly rareWord?: string;
  /** A prefix that more rows start with than fit on one page. */
  readonly commonPrefix?: string;
  /** A word that many rows contain, but no name starts with. */
  readonly commonWord?: string;
  /** Checks of other statements on the same table, keyed by test name. */
  readonly otherStatements?: Readonly<Record<string, (capturePlan: CapturePlan) => Promise<void>>>;
}

/** Runs `work` and returns the plans of all its statements that use the list's table. */
export type CapturePlan = (work: (scope: TenantScope) => Promise<unknown>) => Promise<string>;

/** Tests that listing stays fast for any number of rows: each sort, in both directions, reads only one page from an index. */
export function testListPlans<Sort extends string, Filters extends ListFilters>(expectations: ListPlanExpectations<Sort, Filters>): void {
  const {
    list,
    insertRows,
    baseInput = {},
    rareFilters,
    sortedFilters = [],
    rareWord,
    commonPrefix,
    commonWord,
    otherStatements = {},
  } = expectations;
  const table = getTableName(list.table);
  const sorts = (Object.keys(list.sorts) as Sort[]).flatMap((sort) => SORT_ORDERS.map((order) => ({ sort, order })));
  const [firstSort] = Object.keys(list.sorts) as Sort[];
  if (firstSort === undefined) throw new Error(`${table} has no sort`);
  const rankedSort = { ...baseInput, sort: list.search?.rankedSort ?? firstSort, order: 'asc' } as const;
  let runInFirm: <Result>(work: (scope: TenantScope) => Promise<Result>) => Promise<Result>;
  let plans: Awaited<ReturnType<typeof captureQueryPlans>>;

  const readPage = (input: ListInput<Sort, Filters>) => runInFirm((scope) => listRecords(scope, list, input));
  const capturePlan = async (input: ListInput<Sort, Filters>) => {
    const plan = await plans.during(() => readPage(input));
    if (plan === '') throw new Error(`No query plan for ${table} was captured`);
    return stripSubPlans(plan);
  };

  beforeAll(async () => {
    const test = await startTestApp();
    plans = await captureQueryPlans(test, table);
    const [firm, neighbor] = [await createFirm(test), await createFirm(test, 'Neighbor')];
    for (const { companyId } of [firm, neighbor]) await insertRows(test, companyId);
    await test.owner.query(`vacuum analyze ${table}`);
    runInFirm = (work) => runTenantQuery(test.app.platform.pools.app, toTenant(firm), work);
  });

  describe.each(sorts)(`listing ${table} by $sort, $order`, ({ sort, order }) => {
    it.each(['first', 'second'])('reads the %s page from an index without sorting', async (which) => {
      const input = { ...baseInput, sort, order } as ListInput<Sort, Filters>;
      const { next_cursor } = await readPage(input);
      if (next_cursor === null) throw new Error('There are too few rows for a second page');
      const requested = which === 'first' ? input : { ...input, cursor: next_cursor };
      for (let execution = 0; execution < EXECUTION_COUNT; execution += 1) {
        const plan = await capturePlan(requested);
        expect(plan).toMatch(/Index (Only )?Scan/);
        expect(plan).not.toMatch(/Seq Scan|Sort Key|Bitmap/);
        expect(countRowsRead(plan, table)).toBe(PAGE_SIZE + 1);
      }
    });
  });

  it(`listing ${table} looks up related rows only for the page`, async () => {
    const plan = await plans.during(() => readPage(rankedSort as ListInput<Sort, Filters>));
    const scans = [...plan.matchAll(/Scan .*\(actual .*rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops));
    expect(Math.max(...scans), plan).toBeLessThanOrEqual(MAX_LOOKUPS_PER_ROW * (PAGE_SIZE + 1));
  });

  it.each(rareFilters)(`listing ${table} with the filter %j uses an index for the filter`, async (filter) => {
    const plan = await capturePlan({ ...rankedSort, ...filter });
    expect(plan).not.toMatch(/Seq Scan|Sort Key/);
    expect(countRowsRead(plan, table)).toBeLessThanOrEqual(PAGE_SIZE + 1);
  });

  it.each(sortedFilters)(`listing ${table} with the filter %j reads only matching rows`, async (filter) => {
    const plan = await capturePlan({ ...rankedSort, ...filter });
    expect(plan).not.toContain('Seq Scan');
    expect(countRowsRead(plan, table)).toBeLessThanOrEqual(PAGE_SIZE + 1);
  });

  it.each(toCases(commonPrefix))(`searching ${table} for the common prefix %s reads one page and no other rows`, async (search) => {
    const input = { ...rankedSort, search } as ListInput<Sort, Filters>;
    const { next_cursor } = await readPage(input);
    for (const requested of [input, { ...input, cursor: next_cursor ?? '' }]) {
      // The rows of the page are found in the index and then read by id.
      const plan = await capturePlan(requested);
      expect(countRowsRead(plan, table), plan).toBe(2 * (PAGE_SIZE + 1));
    }
  });

  it.each(toCases(commonWord))(`searching ${table} for the common word %s walks an index until the page is full`, async (search) => {
    const input = { ...rankedSort, search } as ListInput<Sort, Filters>;
    const { next_cursor } = await readPage(input);
    for (const requested of [input, { ...input, cursor: next_cursor ?? '' }]) {
      const plan = await capturePlan(requested);
      expect(plan).not.toContain('Seq Scan');
      expect(countRowsRead(plan, table), plan).toBeLessThanOrEqual(SAMPLE_SIZE + 5 * PAGE_SIZE);
    }
  });

  it.each(toCases(rareWord))(`searching ${table} for the rare word %s uses the text index despite row-level security`, async (word) => {
    const search = { ...baseInput, search: word } as Partial<ListInput<Sort, Filters>>;
    const listed = await capturePlan({ ...rankedSort, ...search });
    const counted = await plans.during(() => runInFirm((scope) => countRecords(scope, list, search as ListInput<Sort, Filters>)));
    for (const plan of [listed, counted]) {
      expect(plan).toContain(`Bitmap Index Scan on ${table}_by_text`);
      expect(plan).not.toContain('Seq Scan');
      expect(countRowsRead(plan, table)).toBeLessThanOrEqual(SAMPLE_SIZE + PAGE_SIZE);
    }
  });

  it.each(rareWord ? ['\ua7cc\ua7cc\ua7cc'] : [])(
    `searching ${table} for %s, which has no trigram, reads no entries of other companies`,
    async (search) => {
      const plan = await capturePlan({ ...rankedSort, search } as ListInput<Sort, Filters>);
      expect(plan).not.toContain(`${table}_by_text`);
    },
  );

  it.each(Object.keys(otherStatements))(`${table}: %s`, async (name) => {
    expect.hasAssertions();
    await otherStatements[name]?.((work) => plans.during(() => runInFirm(work)));
  });
}

const toCases = (word: string | undefined) => (word === undefined ? [] : [word]);

/** Removes subplans from the plan. They only look up data in other tables for the rows on the page. */
export function stripSubPlans(plan: string): string {
  let subPlanIndent = Number.POSITIVE_INFINITY;
  const outerLines = plan.split('\n').filter((line) => {
    const indent = line.search(/\S/);
    if (indent <= subPlanIndent) subPlanIndent = /^\s*SubPlan /.test(line) ? indent : Number.POSITIVE_INFINITY;
    return subPlanIndent === Number.POSITIVE_INFINITY;
  });
  return outerLines.join('\n');
}

/** Counts the rows that scans of the table returned or filtered out. */
export function countRowsRead(plan: string, table: string): number {
  const returned = [...plan.matchAll(new RegExp(`Scan .*\\bon ${table}\\b.*\\(actual .*rows=([\\d.]+) loops=(\\d+)`, 'g'))];
  const discarded = [...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)];
  return [...returned, ...discarded].reduce((sum, [, rows, loops = 1]) => sum + Number(rows) * Number(loops), 0);
}
