import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

const MIGRATION = '0036_invoices_and_payments.sql';

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore(MIGRATION);
  database = created.database;
  return created.drop;
});

interface OldJob {
  readonly title: string;
  readonly status: string;
  readonly job_type?: string;
  readonly fixed_amount?: string | null;
  readonly tax_rate?: string | null;
  readonly lines?: readonly (readonly [total: string, taxInclusive: boolean])[];
}

const JOBS: readonly OldJob[] = [
  { title: 'a fixed price', status: 'paid', fixed_amount: '115.00' },
  {
    title: 'items instead of the fixed price',
    status: 'paid',
    fixed_amount: '999.00',
    lines: [
      ['115.00', true],
      ['100.00', false],
    ],
  },
  { title: 'half a cent', status: 'paid', job_type: 'hourly', lines: [['0.10', false]] },
  { title: 'the rate of its quote', status: 'paid', tax_rate: '10', lines: [['100.00', false]] },
  {
    title: 'too large to store',
    status: 'paid',
    lines: [
      ['9999999999.99', true],
      ['0.01', true],
    ],
  },
  { title: 'nothing', status: 'paid', job_type: 'hourly', fixed_amount: '50.00' },
  { title: 'not paid', status: 'invoiced', fixed_amount: '115.00' },
];

it('creates one payment of the total for each paid job, and none for other jobs', async () => {
  await withOwnerClient(database, async (owner) => {
    const companyId = randomUUID();
    await owner.query(
      `insert into companies (company_id, company_name, gst_percentage, timezone) values ($1, 'Firm', null, 'Pacific/Auckland')`,
      [companyId],
    );
    for (const [index, { lines = [], job_type = 'fixed', fixed_amount = null, tax_rate = null, title, status }] of JOBS.entries()) {
      const id = randomUUID();
      await owner.query(
        `insert into jobs (company_id, id, job_number, title, description, status, job_type, fixed_amount, tax_rate, updated_at, title_key, search_text)
          values ($1, $2, $3, $4, '', $5, $6, $7, $8, '2026-05-04T13:00Z', $4, $4)`,
        [companyId, id, `J2605000${index}`, title, status, job_type, fixed_amount, tax_rate],
      );
      for (const [position, [total, taxInclusive]] of lines.entries())
        await owner.query(
          `insert into job_items (company_id, id, job_id, position, name, tax_inclusive, is_service, quantity, unit_price, total_price)
            values ($1, $2, $3, $4, 'Pipe', $5, false, 1, $6, $6)`,
          [companyId, randomUUID(), id, position, taxInclusive, total],
        );
    }
    expect(await migrate(database)).toContain(MIGRATION);
    const { rows } = await owner.query<{ title: string; paid: string; payments: string | null; dates: string | null }>(
      `select title, paid_amount::text as paid, string_agg(amount::text, ' ') as payments, string_agg(paid_on::text, ' ') as dates
        from jobs j left join payments p on p.company_id = j.company_id and p.job_id = j.id group by title, paid_amount, job_number order by job_number`,
    );
    expect(rows.map(({ title, paid, payments, dates }) => [title, paid, payments, dates])).toEqual([
      ['a fixed price', '115.00', '115.00', '2026-05-05'],
      ['items instead of the fixed price', '230.00', '230.00', '2026-05-05'],
      ['half a cent', '0.12', '0.12', '2026-05-05'],
      ['the rate of its quote', '110.00', '110.00', '2026-05-05'],
      ['too large to store', '9999999999.99', '9999999999.99', '2026-05-05'],
      ['nothing', '0.00', null, null],
      ['not paid', '0.00', null, null],
    ]);
    const rates = await owner.query<{ title: string; rate: string }>(
      'select title, trim_scale(tax_rate)::text as rate from jobs where tax_rate is not null order by job_number',
    );
    const paid = JOBS.filter(({ status }) => status === 'paid');
    expect(rates.rows).toEqual(paid.map(({ title, tax_rate }) => ({ title, rate: tax_rate ?? '15' })));
  });
});
