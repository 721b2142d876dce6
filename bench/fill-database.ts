import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { storedFields } from '../apps/server/src/features/customers/customers.sql.ts';
import type { DatabaseConnection } from '../apps/server/src/platform/db/pools.ts';
import { type GeneratedCustomer, generateCustomers } from './customers.ts';

const SEED = 20_000;
const CUSTOMERS = 20_000;
/** Other companies in every index, so that the cost of tenancy is part of the result. */
const OTHER_COMPANIES = 20;
const CUSTOMERS_PER_OTHER_COMPANY = 500;
const BATCH_SIZE = 1000;

/** Returns the customers of the measured company. */
export async function fillDatabase(database: DatabaseConnection, companyId: string): Promise<GeneratedCustomer[]> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const customers = generateCustomers(SEED, CUSTOMERS);
    await insertCustomers(client, companyId, customers);
    for (let other = 1; other <= OTHER_COMPANIES; other += 1) {
      const id = randomUUID();
      await client.query('insert into companies (company_id, company_name, onboarding_completed) values ($1, $2, true)', [
        id,
        `Firm ${other}`,
      ]);
      await insertCustomers(client, id, generateCustomers(SEED + other, CUSTOMERS_PER_OTHER_COMPANY));
    }
    // As after some time in use: statistics gathered, the search index merged, no background work left to disturb the measurement.
    await client.query('vacuum (freeze, analyze)');
    await client.query('checkpoint');
    return customers;
  } finally {
    await client.end();
  }
}

async function insertCustomers(client: pg.Client, companyId: string, customers: readonly GeneratedCustomer[]): Promise<void> {
  for (let start = 0; start < customers.length; start += BATCH_SIZE) {
    const rows = customers.slice(start, start + BATCH_SIZE).map((customer) => rowOf(companyId, customer));
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await client.query(`insert into customers (${columns}) select ${columns} from jsonb_populate_recordset(null::customers, $1)`, [
      JSON.stringify(rows),
    ]);
  }
}

function rowOf(companyId: string, customer: GeneratedCustomer) {
  return { company_id: companyId, updated_at: customer.last_interaction ?? customer.created_at, version: 1, ...storedFields(customer) };
}
