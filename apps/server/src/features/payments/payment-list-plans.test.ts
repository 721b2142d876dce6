import { expect } from 'vitest';
import { insertJobs } from '../../../test/factories/job-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { paymentList, readPaymentSummary, withSearchedAmount } from './payment-list.sql.ts';

const PAYMENT_COUNT = 3000;

/** Inserts years of payments, three a day, each for a job of its own. Few were made in cash. */
async function insertYearsOfPayments(test: TestApp, companyId: string): Promise<void> {
  await insertJobs(
    test,
    companyId,
    Array.from({ length: PAYMENT_COUNT }, (_, index) => ({
      title: `Tap ${index}`,
      status: 'paid',
      created_at: '2020-01-01T00:00:00.000Z',
    })),
  );
  // Adding up the payments of thousands of jobs takes long and doesn't matter here.
  await test.owner.query('alter table payments disable trigger payments_are_summed');
  await test.app.platform.pools.system.query(
    `insert into payments (company_id, id, job_id, amount, paid_on, method, recorded_by, recorded_at, customer_name, customer_key, search_text)
      select company_id, gen_random_uuid(), id, 1 + n * 7919 % 100000, date '2020-01-01' + (n / 3)::int,
          case when n % 150 = 0 then 'cash' else 'bank_transfer' end, 'Mia', now() + make_interval(secs => n), 'Customer ' || n % 900,
          'customer ' || n % 900, case when n = 5 then 'xylophone' else 'tap customer ' || n % 900 end
        from (select company_id, id, row_number() over (order by job_number) as n from jobs where company_id = $1) numbered`,
    [companyId],
  );
  await test.owner.query('vacuum analyze');
}

testListPlans({
  list: paymentList,
  insertRows: insertYearsOfPayments,
  rareFilters: [],
  sortedFilters: [
    { sort: 'paid_on', order: 'desc', method: 'cash' },
    { sort: 'paid_on', order: 'desc', from: '2021-03-01', to: '2021-03-10' },
  ],
  rareWord: 'xylophone',
  commonPrefix: 'customer',
  otherStatements: {
    async 'summing any period reads days instead of payments'(capturePlan) {
      const sums: unknown[] = [];
      for (const query of [{}, { from: '2021-03-01', to: '2021-03-31' }, { method: 'cash' } as const]) {
        expect(await capturePlan(async (scope) => sums.push(await readPaymentSummary(scope, query)))).not.toMatch(/Scan.* on payments\b/);
      }
      expect(sums).toMatchObject([{ entries: PAYMENT_COUNT }, { entries: 93 }, { entries: PAYMENT_COUNT / 150 }]);
    },
    async 'an exact amount is found in the index of amounts'(capturePlan) {
      const input = withSearchedAmount({ search: '4,711.00', sort: 'paid_on', order: 'desc' } as const);
      expect(await capturePlan((scope) => listRecords(scope, paymentList, input))).toContain('payments_by_amount');
      expect(await capturePlan((scope) => readPaymentSummary(scope, { search: '4,711.00' }))).toContain('payments_by_amount');
    },
    async 'summing a rare word uses the text index'(capturePlan) {
      expect(await capturePlan((scope) => readPaymentSummary(scope, { search: 'xylophone' }))).toContain('payments_by_text');
    },
  },
});
