import { randomUUID } from 'node:crypto';
import { JOB_TYPES, type JobType } from '@callout/domain/jobs/job';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { sumMoney } from '@callout/domain/money/money';
import { getTaxRate } from '@callout/domain/tax/tax';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

interface UninvoicedWork {
  /** The company's GST rate in percent; null means the default rate. */
  readonly rate: string | null;
  readonly jobs: readonly {
    readonly job_type: JobType;
    readonly fixed_amount: string | null;
    readonly tax_rate: string | null;
    readonly lines: readonly { readonly total: string; readonly tax_inclusive: boolean }[];
  }[];
}

/** Generates decimal strings with `digits` digits after the point. */
const arbitraryDecimal = (max: number, digits: number) => fc.integer({ min: 0, max }).map((n) => (n / 10 ** digits).toFixed(digits));
const arbitraryAmount = fc.oneof(arbitraryDecimal(300, 2), arbitraryDecimal(100_000_00, 2), fc.constant('9999999999.99'));
const arbitraryWork: fc.Arbitrary<UninvoicedWork> = fc.record({
  rate: fc.option(arbitraryDecimal(100_000, 3)),
  jobs: fc.array(
    fc.record({
      job_type: fc.constantFrom(...JOB_TYPES),
      fixed_amount: fc.option(arbitraryAmount),
      tax_rate: fc.option(arbitraryDecimal(1_000_000, 4)),
      lines: fc.array(fc.record({ total: arbitraryAmount, tax_inclusive: fc.boolean() }), { maxLength: 6 }),
    }),
    { maxLength: 12 },
  ),
});

async function storeWork({ rate, jobs }: UninvoicedWork): Promise<void> {
  const { companyId } = firm;
  await test.owner.query('delete from jobs where company_id = $1', [companyId]);
  await test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [companyId, rate]);
  const rows = jobs.map((job, index) => ({ ...job, id: randomUUID(), job_number: `T${index}` }));
  await test.owner.query(
    `insert into jobs (company_id, id, job_number, title, description, status, job_type, fixed_amount, tax_rate, title_key, search_text)
     select $1, id, job_number, 'Tap', 'Drips', 'complete', job_type, fixed_amount, tax_rate, 'tap', 'tap'
     from json_populate_recordset(null::jobs, $2)`,
    [companyId, JSON.stringify(rows)],
  );
  const items = rows.flatMap(({ id, lines }) => lines.map(({ total, ...line }) => ({ ...line, job_id: id, total_price: total })));
  await test.owner.query(
    `insert into job_items (company_id, id, job_id, position, name, tax_inclusive, is_service, quantity, unit_price, total_price)
     select $1, gen_random_uuid(), job_id, 0, 'Part', tax_inclusive, false, 1, total_price, total_price
     from json_populate_recordset(null::job_items, $2)`,
    [companyId, JSON.stringify(items)],
  );
}

it('uninvoiced work equals the sum of its job totals to the cent', async () => {
  const property = fc.asyncProperty(arbitraryWork, async ({ rate, jobs }) => {
    await storeWork({ rate, jobs });
    const totals = jobs.map(({ lines, tax_rate, ...job }) => {
      const items = lines.map((line) => ({ name: 'Part', ...line }));
      return calculateJobTotals({ title: 'Tap', ...job }, items, tax_rate ?? getTaxRate(rate)).total_amount;
    });
    const { uninvoiced } = await firm.people.accountant.client.dashboard.money();
    expect(uninvoiced).toEqual({ amount: sumMoney(totals), jobs: jobs.length });
  });
  await fc.assert(property, { numRuns: 150 });
});
