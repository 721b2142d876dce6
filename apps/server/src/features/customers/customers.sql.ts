import type { Customer, CustomerChange, NewCustomer } from '@callout/contract/customers';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import { and, eq, sql } from 'drizzle-orm';
import { userIdOf } from '../../platform/db/actor.ts';
import { prepareSelect } from '../../platform/db/prepared-select.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from './customers.table.ts';

const customer = {
  id: customers.id,
  name: customers.name,
  email: customers.email,
  phone: customers.phone,
  address: customers.address,
  notes: customers.notes,
  company_name: customers.company_name,
  contact_name: customers.contact_name,
  contact_email: customers.contact_email,
  contact_phone: customers.contact_phone,
  status: customers.status,
  created_at: customers.created_at,
  last_interaction: customers.last_interaction,
  updated_at: customers.updated_at,
  version: customers.version,
};

const own = (scope: TenantScope, id: string) => and(eq(customers.company_id, scope.companyId), eq(customers.id, id));

const ONE_CUSTOMER = prepareSelect('customers.get', customer, (select) =>
  select.from(customers).where(and(eq(customers.company_id, sql.placeholder('company')), eq(customers.id, sql.placeholder('id')))),
);

export async function readCustomer(scope: TenantScope, id: string): Promise<Customer | null> {
  const rows = await scope.run(ONE_CUSTOMER, { company: scope.companyId, id });
  return rows[0] ?? null;
}

/** Null when a customer with this id is there already. */
export async function insertCustomer(scope: TenantScope, input: NewCustomer): Promise<Customer | null> {
  const rows = await scope.db
    .insert(customers)
    .values({
      company_id: scope.companyId,
      id: input.id,
      user_id: userIdOf(scope.actor),
      ...storedFields(input),
      created_at: scope.now,
      updated_at: scope.now,
      version: 1,
    })
    .onConflictDoNothing({ target: [customers.company_id, customers.id] })
    .returning(customer);
  return rows[0] ?? null;
}

/** Null when there is no such customer in this version. */
export async function updateCustomer(scope: TenantScope, input: CustomerChange): Promise<Customer | null> {
  const rows = await scope.db
    .update(customers)
    .set({
      ...storedFields(input),
      last_interaction: scope.now,
      updated_at: scope.now,
      version: sql`${customers.version} + 1`,
    })
    .where(and(own(scope, input.id), eq(customers.version, input.version)))
    .returning(customer);
  return rows[0] ?? null;
}

export async function deleteCustomer(scope: TenantScope, id: string): Promise<boolean> {
  const rows = await scope.db.delete(customers).where(own(scope, id)).returning({ id: customers.id });
  return rows.length > 0;
}

/** What is typed, as it is stored: individuals have no company fields, and the row carries what it is sorted and searched by. */
export function storedFields(input: Omit<NewCustomer, 'id'>) {
  const { name, email, phone, address, notes, status, type } = input;
  const none = { company_name: null, contact_name: null, contact_email: null, contact_phone: null };
  const { company_name, contact_name, contact_email, contact_phone } = type === 'company' ? input : none;
  return {
    name,
    email,
    phone,
    address,
    notes,
    status,
    company_name,
    contact_name,
    contact_email,
    contact_phone,
    name_key: sortKey(name),
    company_name_key: company_name && sortKey(company_name),
    search_text: searchText([name, email, address, company_name, contact_name, contact_email], [phone, contact_phone]),
  };
}
