import { randomUUID } from 'node:crypto';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import type { TestApp } from '../test-app.ts';

export interface CustomerSeed {
  readonly id?: string;
  readonly name: string;
  readonly company_name?: string | null;
  readonly status?: 'active' | 'inactive';
  readonly created_at?: string;
  readonly last_interaction?: string | null;
}

/** Many customers at once, with times of the test's choosing, straight into the table. Gives their ids. */
export async function insertCustomers(test: TestApp, companyId: string, seeds: readonly CustomerSeed[]): Promise<string[]> {
  const rows = seeds.map((seed) => {
    const { id = randomUUID(), name, company_name = null, status = 'active', last_interaction = null } = seed;
    const created_at = seed.created_at ?? '2026-01-01T00:00:00.000Z';
    const email = `${id.slice(0, 8)}@example.com`;
    const address = '1 Queen Street, Auckland';
    const name_key = sortKey(name);
    const company_name_key = company_name && sortKey(company_name);
    const search_text = searchText([name, email, address, company_name], ['021 555 123']);
    return { id, name, email, address, company_name, status, created_at, last_interaction, name_key, company_name_key, search_text };
  });
  await test.app.platform.pools.system.query(
    `insert into customers (company_id, id, name, email, phone, address, company_name, status, created_at, last_interaction, name_key, company_name_key, search_text)
      select $1, id, name, email, '021 555 123', address, company_name, status, created_at, last_interaction, name_key, company_name_key, search_text
      from json_to_recordset($2) as r (id uuid, name text, email text, address text, company_name text, status text,
        created_at timestamptz, last_interaction timestamptz, name_key text, company_name_key text, search_text text)`,
    [companyId, JSON.stringify(rows)],
  );
  return rows.map((row) => row.id);
}
