import { randomUUID } from 'node:crypto';
import { NewCustomer } from '@callout/contract/customers';
import { toStoredCustomer } from '../../src/features/customers/customers.sql.ts';
import type { TestApp } from '../test-app.ts';
import { buildCustomer } from './inputs.ts';

export interface CustomerSeed {
  readonly id?: string;
  readonly name: string;
  readonly phone?: string;
  readonly company_name?: string | null;
  readonly contact_name?: string | null;
  readonly status?: 'active' | 'inactive';
  readonly created_at?: string;
  readonly last_interaction?: string | null;
}

/** Inserts many customers in a single statement and returns their ids. */
export async function insertCustomers(test: TestApp, companyId: string, seeds: readonly CustomerSeed[]): Promise<string[]> {
  const rows = seeds.map(({ id = randomUUID(), status = 'active', ...seed }) => {
    const {
      name,
      phone,
      company_name = null,
      contact_name = null,
      created_at = '2026-01-01T00:00:00.000Z',
      last_interaction = null,
    } = seed;
    const type = company_name === null ? ('individual' as const) : ('company' as const);
    const input = NewCustomer.parse({
      ...buildCustomer(phone === undefined ? {} : { phone }),
      id,
      type,
      name,
      company_name,
      contact_name,
      status,
      email: `${id.slice(0, 8)}@example.com`,
    });
    return { company_id: companyId, ...toStoredCustomer(input), created_at, updated_at: created_at, last_interaction, version: 1 };
  });
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await test.app.platform.pools.system.query(
    `insert into customers (${columns}) select ${columns} from json_populate_recordset(null::customers, $1)`,
    [JSON.stringify(rows)],
  );
  return rows.map((row) => row.id);
}
