import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

const MIGRATION = '0065_sums_by_day_and_list_of_payments.sql';

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore(MIGRATION);
  database = created.database;
  return created.drop;
});

/** Day, kind, state, tax and total of earlier documents. */
const DOCUMENTS = [
  ['2026-03-31', 'invoice', 'open', '15.00', '115.00'],
  ['2026-03-31', 'invoice', 'open', '0.02', '0.17'],
  ['2026-03-31', 'invoice', 'credited', '30.00', '230.00'],
  ['2026-03-31', 'invoice', 'replaced', '1.50', '11.50'],
  ['2026-04-01', 'credit_note', 'open', '30.00', '230.00'],
] as const;

it('adds up earlier documents and payments by day, and names the customers, notes and invoices of earlier payments', async () => {
  await withOwnerClient(database, async (owner) => {
    const [companyId, customerId] = [randomUUID(), randomUUID()];
    await owner.query(`insert into companies (company_id, company_name) values ($1, 'Firm')`, [companyId]);
    await owner.query(
      `insert into customers (company_id, id, name, email, phone, address, status, name_key, search_text, company_name, company_name_key)
        values ($1, $2, 'Ana Ruiz', '', '', '', 'active', 'ana ruiz', 'ana ruiz', 'Ōrākei Dental', 'orakei dental')`,
      [companyId, customerId],
    );
    for (const [index, [issuedOn, kind, state, tax, total]] of DOCUMENTS.entries()) {
      const jobId = randomUUID();
      await owner.query(
        `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text, customer_id)
          values ($1, $2, $3, 'Tap', '', 'complete', 'fixed', 'tap', 'tap ' || $3, $4)`,
        [companyId, jobId, `j2605000${index}`, index === 0 ? customerId : null],
      );
      await owner.query(
        `insert into invoices (company_id, id, kind, year, number, invoice_number, job_id, job_number, title, customer_name, customer_key,
            issued_on, late_after, subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text, state)
          values ($1, gen_random_uuid(), $2, 2026, $3::integer, 'INV-' || $3::integer, $4, 'J', 'Tap', 'Helen', 'helen', $5, $5,
            $7::numeric - $6::numeric, $6, $7, '{}', $8, 'Mia', now(), 'x', $9)`,
        [companyId, kind, index + 1, jobId, issuedOn, tax, total, createHash('sha256').update('{}').digest('hex'), state],
      );
      if (index > 1) continue;
      const payment = `insert into payments (company_id, id, job_id, amount, fee, paid_on, method, recorded_by, recorded_at, reverses, note)
        values ($1, $2, $3, $4, $5, '2026-04-02', 'paypal', 'Mia', now(), $6, $7)`;
      const paymentId = randomUUID();
      await owner.query(payment, [companyId, paymentId, jobId, '50.00', '1.50', null, index === 0 ? 'Māia’s Ref – 4711' : null]);
      if (index === 1) await owner.query(payment, [companyId, randomUUID(), jobId, '-50.00', '-1.50', paymentId, 'Bounced']);
    }
    expect(await migrate(database)).toContain(MIGRATION);
    const read = async (statement: string) => (await owner.query({ text: statement, rowMode: 'array' })).rows;
    expect(
      await read(`select issued_on::text, invoices, credit_notes, tax_amount, total_amount, open_invoices, open_tax_amount, open_total_amount
        from invoice_days order by 1`),
    ).toEqual([
      ['2026-03-31', 4, 0, '45.02', '345.17', 2, '15.02', '115.17'],
      ['2026-04-01', 0, 1, '-30.00', '-230.00', 0, '0.00', '0.00'],
    ]);
    expect(await read('select paid_on::text, method, entries, reversals, amount, fee from payment_days')).toEqual([
      ['2026-04-02', 'paypal', 3, 1, '50.00', '1.50'],
    ]);
    expect(
      await read(`select customer_name, customer_key, replace(search_text, E'\\n', ' ') from payments order by customer_name desc, amount`),
    ).toEqual([
      ['Ōrākei Dental', 'orakei dental', 'tap j26050000 orakei dental ana ruiz helen maias ref - 4711 inv-1'],
      ['Helen', 'helen', 'tap j26050001 helen bounced inv-2'],
      ['Helen', 'helen', 'tap j26050001 helen inv-2'],
    ]);
  });
});
