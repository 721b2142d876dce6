import { SORT_ORDERS } from '@callout/contract/fields';
import { PAGE_SIZE } from '@callout/contract/lists';
import { getTableName } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  countRecords,
  type KeysetList,
  type ListColumns,
  type ListFilters,
  type ListInput,
  listRecords,
} from '../src/platform/db/keyset-list.ts';
import { readAs, type TenantScope } from '../src/platform/db/tenant-scope.ts';
import { createFirm, tenantOf } from './factories/people.ts';
import { capturePlans } from './query-plans.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/** After five executions PostgreSQL may switch to one plan for all values, which must be as good. */
const EXECUTIONS = 7;

export interface PlannedList<Sort extends string, Filters extends ListFilters> {
  readonly list: KeysetList<ListColumns, Sort, Filters, string>;
  /** Inserts thousands of rows with many values in every sort. Called for a second company too, whose rows must not be read. */
  readonly insertRows: (test: TestApp, companyId: string) => Promise<unknown>;
  /** Filters that every read of this list has. */
  readonly always?: Partial<ListInput<Sort, Filters>>;
  /** Each matches a page of them or less. They are read in the order of a search, if the list has one, unless they name a sort. */
  readonly rareFilters: readonly Partial<ListInput<Sort, Filters>>[];
  /** The same, in a sort where so few rows may be found by an index and sorted, whichever PostgreSQL takes for cheaper. */
  readonly sortedFilters?: readonly Partial<ListInput<Sort, Filters>>[];
  /** A word in only a few of the rows, of a list that is searched. */
  readonly rareWord?: string;
  /** The start of more than a page of names. */
  readonly commonStart?: string;
  /** Statements besides the list that read many of its rows, by name, and what their plans must be like. */
  readonly others?: Readonly<Record<string, (planOf: PlanOf) => Promise<void>>>;
}

/** How PostgreSQL executed the statements of this work on the list's table. */
export type PlanOf = (work: (scope: TenantScope) => Promise<unknown>) => Promise<string>;

/** Tests that a list stays fast at any length: every sort, in both directions, reads only a page from an index. */
export function testListPlans<Sort extends string, Filters extends ListFilters>(planned: PlannedList<Sort, Filters>): void {
  const { list, insertRows, always = {}, rareFilters, sortedFilters = [], rareWord, commonStart, others = {} } = planned;
  const table = getTableName(list.table);
  const sorts = (Object.keys(list.sorts) as Sort[]).flatMap((sort) => SORT_ORDERS.map((order) => ({ sort, order })));
  const [firstSort] = Object.keys(list.sorts) as Sort[];
  if (firstSort === undefined) throw new Error(`${table} has no sort`);
  const rankedSort = { ...always, sort: list.search?.rankedSort ?? firstSort, order: 'asc' } as const;
  let inFirm: <Result>(work: (scope: TenantScope) => Promise<Result>) => Promise<Result>;
  let plans: Awaited<ReturnType<typeof capturePlans>>;

  const page = (input: ListInput<Sort, Filters>) => inFirm((scope) => listRecords(scope, list, input));
  const planOf = async (input: ListInput<Sort, Filters>) => {
    const plan = await plans.during(() => page(input));
    if (plan === '') throw new Error(`No plan of ${table} was captured`);
    return withoutSubPlans(plan);
  };

  beforeAll(async () => {
    const test = await startTestApp();
    plans = await capturePlans(test, table);
    const [firm, neighbor] = [await createFirm(test), await createFirm(test, 'Neighbor')];
    for (const { companyId } of [firm, neighbor]) await insertRows(test, companyId);
    await test.owner.query(`vacuum analyze ${table}`);
    inFirm = (work) => readAs(test.app.platform.pools.app, tenantOf(firm), work);
  });

  describe.each(sorts)(`${table} by $sort, $order`, ({ sort, order }) => {
    it.each(['first', 'second'])('reads the %s page from an index without sorting', async (which) => {
      const input = { ...always, sort, order } as ListInput<Sort, Filters>;
      const { next_cursor } = await page(input);
      if (next_cursor === null) throw new Error('There are too few rows for a second page');
      const asked = which === 'first' ? input : { ...input, cursor: next_cursor };
      for (let execution = 0; execution < EXECUTIONS; execution += 1) {
        const plan = await planOf(asked);
        expect(plan).toMatch(/Index (Only )?Scan/);
        expect(plan).not.toMatch(/Seq Scan|Sort Key|Bitmap/);
        expect(rowsReadIn(plan, table)).toBe(PAGE_SIZE + 1);
      }
    });
  });

  it.each(rareFilters)(`${table} with the filter %j uses an index on it`, async (filter) => {
    const plan = await planOf({ ...rankedSort, ...filter });
    expect(plan).not.toMatch(/Seq Scan|Sort Key/);
    expect(rowsReadIn(plan, table)).toBeLessThanOrEqual(PAGE_SIZE + 1);
  });

  it.each(sortedFilters)(`${table} with the filter %j reads no other rows`, async (filter) => {
    const plan = await planOf({ ...rankedSort, ...filter });
    expect(plan).not.toContain('Seq Scan');
    expect(rowsReadIn(plan, table)).toBeLessThanOrEqual(PAGE_SIZE + 1);
  });

  it.each(ifAny(commonStart))(
    `a search in ${table} for a common start of names, %s, reads one page and ranks nothing else`,
    async (search) => {
      const input = { ...rankedSort, search } as ListInput<Sort, Filters>;
      const { next_cursor } = await page(input);
      for (const asked of [input, { ...input, cursor: next_cursor ?? '' }]) {
        const plan = await planOf(asked);
        expect(plan).toContain('never executed');
        expect(rowsReadIn(plan, table)).toBe(PAGE_SIZE + 1);
      }
    },
  );

  it.each(ifAny(rareWord))(`a search in ${table} for the rare word %s uses the text index despite row-level security`, async (word) => {
    const search = { ...always, search: word } as Partial<ListInput<Sort, Filters>>;
    const listed = await planOf({ ...rankedSort, ...search });
    const counted = await plans.during(() => inFirm((scope) => countRecords(scope, list, search as ListInput<Sort, Filters>)));
    for (const plan of [listed, counted]) {
      expect(plan).toContain('Bitmap Index Scan');
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it.each(Object.keys(others))(`${table}: %s`, async (name) => {
    expect.hasAssertions();
    await others[name]?.((work) => plans.during(() => inFirm(work)));
  });
}

const ifAny = (word: string | undefined) => (word === undefined ? [] : [word]);

/** Without what other tables know about each row of the page: it is looked up for these rows only. */
export function withoutSubPlans(plan: string): string {
  let subPlanIndent = Number.POSITIVE_INFINITY;
  const kept = plan.split('\n').filter((line) => {
    const indent = line.search(/\S/);
    if (indent <= subPlanIndent) subPlanIndent = /^\s*SubPlan /.test(line) ? indent : Number.POSITIVE_INFINITY;
    return subPlanIndent === Number.POSITIVE_INFINITY;
  });
  return kept.join('\n');
}

/** The rows that the scans of a table returned and discarded. */
function rowsReadIn(plan: string, table: string): number {
  const given = [...plan.matchAll(new RegExp(`Scan .*\\bon ${table}\\b.*\\(actual .*rows=([\\d.]+)`, 'g'))];
  const discarded = [...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)];
  return [...given, ...discarded].reduce((sum, [, rows]) => sum + Number(rows), 0);
}
