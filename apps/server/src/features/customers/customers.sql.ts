import {
  Customer,
  type CustomerContact,
  type CustomerDuplicate,
  CustomerSummary,
  customerNotFound,
  type NewCustomer,
} from '@callout/contract/customers';
import { digitsOf, isSamePhone, phoneTail } from '@callout/domain/customers/phone-number';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { defineList } from '../../platform/db/keyset-list.ts';
import { columnsOf, defineRecord, inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from './customers.table.ts';

export const customerRecord = defineRecord(customers, columnsOf(customers, Customer), { notFound: customerNotFound });

export const customerList = defineList({
  table: customers,
  columns: columnsOf(customers, CustomerSummary),
  sorts: {
    name: [customers.name_key],
    company_name: [customers.company_name_key, customers.name_key],
    created_at: [customers.created_at, customers.name_key],
    last_interaction: [customers.last_interaction, customers.name_key],
  },
  filters: { status: customers.status },
  search: {
    text: customers.search_text,
    ranked: { name: customers.name_key, company: customers.company_name_key, contact: customers.contact_name_key },
    rankedSort: 'name',
  },
});

/** Two of each, the oldest first: one of them may be the customer that is being edited. */
const MAX_DUPLICATES = 2;
/** Other numbers may end in the same seven digits: those that agree in one more, of the area code, come first. */
const MAX_CANDIDATES = 50;
const COMPARED_DIGITS = 8;

export async function findDuplicates(scope: TenantScope, { phone, email }: CustomerContact): Promise<CustomerDuplicate[]> {
  const find = (hasSame: SQL, ...bestFirst: SQL[]) =>
    scope.db
      .select({ id: customers.id, name: customers.name, company_name: customers.company_name, phone: customers.phone })
      .from(customers)
      .where(and(inCompany(scope, customers), hasSame))
      .orderBy(...bestFirst, asc(customers.created_at), asc(customers.id));
  const typedPhone = phone ?? '';
  const tail = phoneTail(typedPhone);
  const lastDigits = sql`right(regexp_replace(${customers.phone}, '[^0-9]', '', 'g'), ${COMPARED_DIGITS})`;
  const agreesInMore = sql`${lastDigits} = ${digitsOf(typedPhone).slice(-COMPARED_DIGITS)}`;
  const byPhone = tail ? await find(eq(customers.phone_tail, tail), desc(agreesInMore)).limit(MAX_CANDIDATES) : [];
  const byEmail = email ? await find(eq(customers.email_key, sql`lower(${email})`)).limit(MAX_DUPLICATES) : [];
  const samePhone = byPhone.filter((row) => isSamePhone(row.phone, typedPhone)).slice(0, MAX_DUPLICATES);
  return [
    ...samePhone.map(({ id, name, company_name }) => ({ id, name, company_name, same: 'phone' as const })),
    ...byEmail.map(({ id, name, company_name }) => ({ id, name, company_name, same: 'email' as const })),
  ];
}

const NO_COMPANY = { company_name: null, contact_name: null, contact_email: null, contact_phone: null };

/** The stored columns of a form: an individual has no company fields, and sort and search keys are added. */
export function storedFields<Input extends Omit<NewCustomer, 'id'>>({ type, ...input }: Input) {
  const fields = type === 'company' ? input : { ...input, ...NO_COMPANY };
  const { name, email, phone, address, company_name, contact_name, contact_email, contact_phone } = fields;
  return {
    ...fields,
    name_key: sortKey(name),
    company_name_key: company_name && sortKey(company_name),
    contact_name_key: contact_name && sortKey(contact_name),
    search_text: searchText([name, email, address, company_name, contact_name, contact_email], [phone, contact_phone]),
  };
}

/** Work for a customer counts as an interaction. */
export async function touchCustomer(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(customers)
    .set({ last_interaction: scope.now })
    .where(inCompany(scope, customers, id));
}
