import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

const MIGRATION = '0078_paid_jobs_without_invoice.sql';

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore(MIGRATION);
  database = created.database;
  return created.drop;
});

/** Title of the job, total of its open invoice, states of its invoices, and whether its last invoice was canceled. */
const JOBS = [
  ['never invoiced', null, [], false],
  ['invoiced', '115.00', ['open'], false],
  ['canceled', null, ['credited'], true],
  ['corrected', '115.00', ['credited', 'open'], false],
] as const;

it('finds the jobs of which the last invoice was canceled', async () => {
  await withOwnerClient(database, async (owner) => {
    const companyId = randomUUID();
    await owner.query(`insert into companies (company_id, company_name) values ($1, 'Firm')`, [companyId]);
    for (const [index, [title, billedAmount, states]] of JOBS.entries()) {
      const jobId = randomUUID();
      await owner.query(
        `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text, billed_amount)
          values ($1, $2, $3, $4, '', 'paid', 'fixed', $4, $4, $5)`,
        [companyId, jobId, `J2605000${index}`, title, billedAmount],
      );
      for (const [place, state] of states.entries())
        await owner.query(
          `insert into invoices (company_id, id, kind, year, number, invoice_number, job_id, job_number, title, customer_name, customer_key,
              issued_on, late_after, subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text, state)
            values ($1, gen_random_uuid(), 'invoice', 2026, $2::integer, 'INV-' || $2::integer, $3, 'J', 'Tap', 'Helen', 'helen', '2026-05-04',
              '2026-05-11', 100, 15, 115, '{}', $4, 'Mia', now(), 'x', $5)`,
          [companyId, index * 10 + place + 1, jobId, createHash('sha256').update('{}').digest('hex'), state],
        );
    }
    expect(await migrate(database)).toContain(MIGRATION);
    const { rows } = await owner.query<{ title: string }>('select title, is_invoice_canceled from jobs order by job_number');
    expect(rows).toEqual(JOBS.map(([title, , , is_invoice_canceled]) => ({ title, is_invoice_canceled })));
  });
});
