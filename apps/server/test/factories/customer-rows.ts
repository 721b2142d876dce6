import { randomUUID } from 'node:crypto';
import { storedFields } from '../../src/features/customers/customers.sql.ts';
import type { TestApp } from '../test-app.ts';

export interface CustomerSeed {
  readonly id?: string;
  readonly name: string;
  readonly company_name?: string | null;
  readonly contact_name?: string | null;
  readonly status?: 'active' | 'inactive';
  readonly created_at?: string;
  readonly last_interaction?: string | null;
}

/** Many customers at once, with times of the test's choosing, straight into the table. Gives their ids. */
export async function insertCustomers(test: TestApp, companyId: string, seeds: readonly CustomerSeed[]): Promise<string[]> {
  const rows = seeds.map(({ id = randomUUID(), status = 'active', ...seed }) => {
    const { name, company_name = null, contact_name = null, last_interaction = null } = seed;
    const typed = { email: `${id.slice(0, 8)}@example.com`, phone: '021 555 123', address: '1 Queen Street, Auckland', notes: null };
    const company = { company_name, contact_name, contact_email: null, contact_phone: null };
    const type = company_name === null ? ('individual' as const) : ('company' as const);
    const created_at = seed.created_at ?? '2026-01-01T00:00:00.000Z';
    const times = { created_at, updated_at: created_at, last_interaction, version: 1 };
    return { company_id: companyId, id, ...times, ...storedFields({ type, name, status, ...typed, ...company }) };
  });
  await test.app.platform.pools.system.query('insert into customers select * from json_populate_recordset(null::customers, $1)', [
    JSON.stringify(rows),
  ]);
  return rows.map((row) => row.id);
}
