import type { Customer, CustomerContact, CustomerInput, NewCustomer, UpdateCustomerInput } from '@callout/contract/customers';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineCommand } from '../../lib/commands/define-command.ts';
import { applyUpdate, defineRecordQueries, type RecordCreation, type RecordUpdate, useSaveRecord } from '../../lib/record-queries.ts';
import type { CustomerFilter } from './customer-list-filter.ts';

const customers = defineRecordQueries({ key: ['customers'], calls: api.customers, toRow: (customer) => customer });

export const customerListQueryOptions = customers.listQueryOptions;
export const useCustomers = customers.useList;
export const useCustomer = customers.useRecord;
export const useUnsentCustomer = customers.useUnsentCreation;
export const customerQueryOptions = customers.detailQueryOptions;
export const findCachedCustomer = customers.findCachedRow;
export const evictCustomer = customers.evictRecord;

const QUERY_META = { inlineErrors: true };

export function customerCountQueryOptions({ search, status }: Pick<CustomerFilter, 'search' | 'status'> = {}) {
  const filter = { ...(search ? { search } : {}), ...(status ? { status } : {}) };
  return queryOptions({
    queryKey: [...customers.keys.counts, filter],
    queryFn: ({ signal }) => api.customers.count(filter, { signal }),
    placeholderData: keepPreviousData,
    meta: QUERY_META,
  });
}

export function customerDuplicatesQueryOptions(contact: Partial<CustomerContact>) {
  return queryOptions({
    queryKey: ['customers', 'duplicates', contact],
    queryFn: ({ signal }) => api.customers.duplicates(contact, { signal }),
    meta: QUERY_META,
  });
}

export const findKnownCustomer = customers.findKnown;

/** Whatever belongs to a customer waits for the customer, who may be new. */
export const getCustomerLane = (id: string) => `customer:${id}`;
const getHref = (id: string) => `/customers/${id}`;

const NO_COMPANY_FIELDS = { company_name: null, contact_name: null, contact_email: null, contact_phone: null };

/** Returns what the server stores. Individuals have no company. */
const toStoredFields = ({ type, ...fields }: CustomerInput) => (type === 'company' ? fields : { ...fields, ...NO_COMPANY_FIELDS });

export const createCustomer = defineCommand<'customers.create', RecordCreation<NewCustomer, Customer>>({
  ...customers.creation,
  call: 'customers.create',
  lane: ({ record }) => getCustomerLane(record.id),
  describe: ({ record }) => `Add customer ${formatCustomerName(record)}`,
  href: ({ record }) => getHref(record.id),
  success: 'Customer added successfully',
  failure: 'Failed to add customer: {message}',
});

export const updateCustomer = defineCommand<'customers.update', RecordUpdate<UpdateCustomerInput, Customer>>({
  ...customers.update,
  call: 'customers.update',
  lane: ({ before }) => getCustomerLane(before.id),
  describe: ({ before }) => `Change customer ${formatCustomerName(before)}`,
  href: ({ before }) => getHref(before.id),
  success: 'Customer updated successfully',
  failure: 'Failed to update customer: {message}',
});

/** Returns a function that adds a customer under an id that is created once per form, so that saving again doesn't add another one. */
export function useCreateCustomer(): (id: string, input: CustomerInput) => Promise<Customer> {
  const save = useSaveRecord(createCustomer, ({ record }) => record);
  return (id, input) => {
    const now = new Date().toISOString();
    const stamps = { created_at: now, updated_at: now, last_interaction: null, version: 1 };
    return save({ input: { id, ...input }, record: { id, ...toStoredFields(input), ...stamps } });
  };
}

/** Returns a function that saves a customer based on the given version. */
export function useUpdateCustomer(): (before: Customer, version: number, input: CustomerInput) => Promise<Customer> {
  const save = useSaveRecord(updateCustomer, ({ before, changes }) => applyUpdate(before, changes));
  return (before, version, input) => save({ input: { id: before.id, version, ...input }, before, changes: toStoredFields(input) });
}

export const useDeleteCustomer = () =>
  customers.useDelete({ success: 'Customer deleted successfully', failure: 'Failed to delete customer: {message}' });
