import type { CustomerSort } from '@callout/contract/customers';
import type { CustomerStatus } from '@callout/domain/customers/customer';
import { defineListFilter, type ListFilter, type ListParams } from '../../lib/list-filter.ts';

export type CustomersSearch = ListParams<CustomerSort, CustomerStatus>;
export type CustomerFilter = ListFilter<CustomerSort, CustomerStatus>;

/** The contract has the same lists, but with it comes the weight of its schemas. */
export const customerFilter = defineListFilter<CustomerSort, CustomerStatus>({
  what: 'customers',
  sorts: [
    { value: 'name', label: 'Name' },
    { value: 'company_name', label: 'Company name' },
    { value: 'created_at', label: 'Date added', isDate: true },
    { value: 'last_interaction', label: 'Last interaction', isDate: true },
  ],
  statuses: [
    { value: 'active', label: 'Active' },
    { value: 'inactive', label: 'Inactive' },
  ],
});
