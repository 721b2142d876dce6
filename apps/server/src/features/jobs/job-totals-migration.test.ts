import { randomUUID } from 'node:crypto';
import { JOB_TYPES } from '@callout/domain/jobs/job';
import { calculateJobTotals } from '@callout/domain/jobs/job-price';
import { getTaxRate } from '@callout/domain/tax/tax';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore('0062_stored_totals.sql');
  database = created.database;
  return created.drop;
});

/** Generates decimal strings with `digits` digits after the point. */
const arbitraryDecimal = (max: number, digits: number) => fc.integer({ min: 0, max }).map((n) => (n / 10 ** digits).toFixed(digits));
const arbitraryAmount = fc.oneof(arbitraryDecimal(300, 2), arbitraryDecimal(100_000_00, 2), fc.constant('9999999999.99'));
const arbitraryCompany = fc.record({
  gst_percentage: fc.option(arbitraryDecimal(100_000, 3)),
  jobs: fc.array(
    fc.record({
      job_type: fc.constantFrom(...JOB_TYPES),
      fixed_amount: fc.option(arbitraryAmount),
      tax_rate: fc.option(arbitraryDecimal(1_000_000, 4)),
      lines: fc.array(fc.record({ total_price: arbitraryAmount, tax_inclusive: fc.boolean() }), { maxLength: 8 }),
    }),
    { minLength: 20, maxLength: 40 },
  ),
});

/** The number of one job per company that was created from a quote. Its customer accepted the quote in another currency. */
const ACCEPTED_JOB = 'T0';

it('stores the totals of existing jobs, exactly as new ones are calculated, in the currency that was accepted', async () => {
  const companies = fc.sample(arbitraryCompany, 60).map((company) => ({
    ...company,
    company_id: randomUUID(),
    jobs: company.jobs.map((job, index) => ({ ...job, id: randomUUID(), job_number: `T${index}` })),
  }));
  const jobs = companies.flatMap(({ company_id, gst_percentage, jobs: priced }) =>
    priced.map((job) => ({ ...job, company_id, gst_percentage })),
  );
  const items = jobs.flatMap(({ company_id, id, lines }) => lines.map((line) => ({ ...line, company_id, job_id: id })));
  await withOwnerClient(database, async (owner) => {
    await owner.query(
      `insert into companies (company_id, company_name, currency, gst_percentage)
       select company_id, 'Firm', 'NZD', gst_percentage from json_populate_recordset(null::companies, $1)`,
      [JSON.stringify(companies)],
    );
    await owner.query(
      `insert into jobs (company_id, id, job_number, title, description, status, job_type, fixed_amount, tax_rate, title_key, search_text)
       select company_id, id, job_number, 'Tap', 'Drips', 'complete', job_type, fixed_amount, tax_rate, 'tap', 'tap'
       from json_populate_recordset(null::jobs, $1)`,
      [JSON.stringify(jobs)],
    );
    await owner.query(
      `insert into job_items (company_id, id, job_id, position, name, tax_inclusive, is_service, quantity, unit_price, total_price)
       select company_id, gen_random_uuid(), job_id, 0, 'Part', tax_inclusive, false, 1, total_price, total_price
       from json_populate_recordset(null::job_items, $1)`,
      [JSON.stringify(items)],
    );
    await owner.query(
      `insert into quote_acceptances (company_id, quote_id, job_id, job_number, section_ids, total_amount, accepted_by, by_customer, accepted_at,
         record, sha256)
       select company_id, gen_random_uuid(), id, job_number, '{}', 1, 'Ann', true, now(), '{"document":{"currency":"EUR"}}', repeat('0', 64)
       from json_populate_recordset(null::jobs, $1) where job_number = $2`,
      [JSON.stringify(jobs), ACCEPTED_JOB],
    );
    await migrate(database);
    const { rows } = await owner.query(
      'select id, subtotal, tax_amount, total_amount, trim_scale(priced_rate)::text as rate, currency from jobs',
    );
    const expected = jobs.map(({ id, lines, gst_percentage, tax_rate, ...job }) => {
      const rate = tax_rate ?? getTaxRate(gst_percentage);
      const totals = calculateJobTotals(job, lines, rate);
      return { id, ...totals, rate: String(Number(rate)), currency: job.job_number === ACCEPTED_JOB ? 'EUR' : 'NZD' };
    });
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect(rows.toSorted(byId)).toEqual(expected.toSorted(byId));
  });
});
