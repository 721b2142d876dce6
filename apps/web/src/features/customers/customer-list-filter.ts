import type { CustomerSort } from '@callout/contract/customers';
import type { CustomerStatus } from '@callout/domain/customers/customer';
import { defineListFilter, type ListFilter, type ListSearchParams } from '../../lib/list-filter.ts';

export type CustomerSearchParams = ListSearchParams<CustomerSort, CustomerStatus>;
export type CustomerFilter = ListFilter<CustomerSort, CustomerStatus>;

/** Repeats the contract's sorts and statuses, because importing the contract would add its schemas to the bundle. */
export const customerListFilter = defineListFilter<CustomerSort, CustomerStatus>({
  pluralNoun: 'customers',
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
