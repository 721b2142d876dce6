import {
  Customer,
  type CustomerContact,
  type CustomerDuplicate,
  CustomerSummary,
  customerNotFoundError,
  type NewCustomer,
} from '@callout/contract/customers';
import { extractDigits, getPhoneSuffix, isSamePhoneNumber } from '@callout/domain/customers/phone-number';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { defineList } from '../../platform/db/keyset-list.ts';
import { defineRecord, inCompany, pickColumns } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { customers } from './customers.table.ts';

export const customerRecordType = defineRecord(customers, pickColumns(customers, Customer), { notFound: customerNotFoundError });

export async function listCustomersById(scope: TenantScope, ids: readonly string[]): Promise<Customer[]> {
  if (ids.length === 0) return [];
  return scope.db
    .select(pickColumns(customers, Customer))
    .from(customers)
    .where(and(inCompany(scope, customers), inArray(customers.id, [...ids])));
}

export const customerList = defineList({
  table: customers,
  columns: pickColumns(customers, CustomerSummary),
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

/** Two, because one of the matches may be the customer being edited. */
const MAX_DUPLICATES_PER_FIELD = 2;
/** Candidates have the same last seven digits. Those with the same eighth digit, which is part of the area code, come first. */
const MAX_PHONE_CANDIDATES = 50;
const RANKED_PHONE_DIGITS = 8;

export async function listDuplicates(scope: TenantScope, { phone, email }: CustomerContact): Promise<CustomerDuplicate[]> {
  const find = (matches: SQL, ...bestFirst: SQL[]) =>
    scope.db
      .select({ id: customers.id, name: customers.name, company_name: customers.company_name, phone: customers.phone })
      .from(customers)
      .where(and(inCompany(scope, customers), matches))
      .orderBy(...bestFirst, asc(customers.created_at), asc(customers.id));
  const typedPhone = phone ?? '';
  const suffix = getPhoneSuffix(typedPhone);
  const lastDigits = sql`right(regexp_replace(${customers.phone}, '[^0-9]', '', 'g'), ${RANKED_PHONE_DIGITS})`;
  const sharesMoreDigits = sql`${lastDigits} = ${extractDigits(typedPhone).slice(-RANKED_PHONE_DIGITS)}`;
  const byPhone = suffix ? await find(eq(customers.phone_tail, suffix), desc(sharesMoreDigits)).limit(MAX_PHONE_CANDIDATES) : [];
  const byEmail = email ? await find(eq(customers.email_key, sql`lower(${email})`)).limit(MAX_DUPLICATES_PER_FIELD) : [];
  const samePhone = byPhone.filter((row) => isSamePhoneNumber(row.phone, typedPhone)).slice(0, MAX_DUPLICATES_PER_FIELD);
  return [
    ...samePhone.map(({ id, name, company_name }) => ({ id, name, company_name, same: 'phone' as const })),
    ...byEmail.map(({ id, name, company_name }) => ({ id, name, company_name, same: 'email' as const })),
  ];
}

const NO_COMPANY_FIELDS = { company_name: null, contact_name: null, contact_email: null, contact_phone: null };

/** Adds the sort and search keys, and clears the company fields if the customer is an individual. */
export function toStoredCustomer<Input extends Omit<NewCustomer, 'id'>>({ type, ...input }: Input) {
  const fields = type === 'company' ? input : { ...input, ...NO_COMPANY_FIELDS };
  const { name, email, phone, address, company_name, contact_name, contact_email, contact_phone } = fields;
  return {
    ...fields,
    name_key: buildSortKey(name),
    company_name_key: company_name && buildSortKey(company_name),
    contact_name_key: contact_name && buildSortKey(contact_name),
    search_text: buildSearchText([name, email, address, company_name, contact_name, contact_email], [phone, contact_phone]),
  };
}

export async function updateLastInteraction(scope: TenantScope, id: string): Promise<void> {
  await scope.db
    .update(customers)
    .set({ last_interaction: scope.now })
    .where(inCompany(scope, customers, id));
}
