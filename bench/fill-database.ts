import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { storedFields } from '../apps/server/src/features/customers/customers.sql.ts';
import type { DatabaseConnection } from '../apps/server/src/platform/db/pools.ts';
import { type GeneratedCustomer, generateCustomers } from './customers.ts';

const SEED = 20_000;
const CUSTOMERS = 20_000;
/** Tenancy has to cost what it costs: the measured company is one of many in every index. */
const OTHER_COMPANIES = 20;
const CUSTOMERS_OF_OTHERS = 500;
const ROWS_AT_ONCE = 1000;

/** The customers of the measured company. */
export async function fillDatabase(address: DatabaseConnection, companyId: string): Promise<GeneratedCustomer[]> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    const customers = generateCustomers(SEED, CUSTOMERS);
    await insert(client, companyId, customers);
    for (let other = 1; other <= OTHER_COMPANIES; other += 1) {
      const id = randomUUID();
      await client.query('insert into companies (company_id, company_name, onboarding_completed) values ($1, $2, true)', [
        id,
        `Firm ${other}`,
      ]);
      await insert(client, id, generateCustomers(SEED + other, CUSTOMERS_OF_OTHERS));
    }
    // As it is after a while in use: statistics known, the search index merged, nothing left for the background to do meanwhile.
    await client.query('vacuum (freeze, analyze)');
    await client.query('checkpoint');
    return customers;
  } finally {
    await client.end();
  }
}

async function insert(client: pg.Client, companyId: string, customers: readonly GeneratedCustomer[]): Promise<void> {
  for (let start = 0; start < customers.length; start += ROWS_AT_ONCE) {
    const rows = customers.slice(start, start + ROWS_AT_ONCE).map((customer) => storedRow(companyId, customer));
    await client.query('insert into customers select * from jsonb_populate_recordset(null::customers, $1)', [JSON.stringify(rows)]);
  }
}

function storedRow(companyId: string, customer: GeneratedCustomer) {
  return { company_id: companyId, updated_at: customer.last_interaction ?? customer.created_at, version: 1, ...storedFields(customer) };
}
