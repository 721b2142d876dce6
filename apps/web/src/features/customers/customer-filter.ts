import type { CustomerSort } from '@callout/contract/customers';
import type { SortOrder } from '@callout/contract/fields';
import type { CustomerStatus } from '@callout/domain/customers/customer';

/** What the address of the list may hold; what is absent is the default. */
export interface CustomersSearch {
  search?: string | undefined;
  status?: CustomerStatus | undefined;
  sort?: CustomerSort | undefined;
  order?: SortOrder | undefined;
}

export interface CustomerFilter {
  search?: string;
  status?: CustomerStatus;
  sort: CustomerSort;
  order: SortOrder;
}

const DEFAULT_SORT: CustomerSort = 'name';

/** The newest come first where a date sorts, because that is what a person looks for. */
export function naturalOrder(sort: CustomerSort): SortOrder {
  return sort === 'created_at' || sort === 'last_interaction' ? 'desc' : 'asc';
}

/** The contract has the same lists, but with it comes the weight of its schemas. */
export const CUSTOMER_SORT_CHOICES: readonly { value: CustomerSort; label: string }[] = [
  { value: 'name', label: 'Name' },
  { value: 'company_name', label: 'Company name' },
  { value: 'created_at', label: 'Date added' },
  { value: 'last_interaction', label: 'Last interaction' },
];

export const ORDER_CHOICES: readonly { value: SortOrder; label: string }[] = [
  { value: 'asc', label: 'Ascending' },
  { value: 'desc', label: 'Descending' },
];

export const CUSTOMER_STATUS_CHOICES: readonly { value: CustomerStatus; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];

export function customerFilter(params: CustomersSearch): CustomerFilter {
  const search = params.search?.trim();
  const sort = params.sort ?? DEFAULT_SORT;
  return { ...(search ? { search } : {}), ...(params.status ? { status: params.status } : {}), sort, order: params.order ?? 'asc' };
}

/** Leaves the defaults out, so that a plain list has a plain address. */
export function customersSearch(filter: CustomerFilter): CustomersSearch {
  return {
    ...(filter.search ? { search: filter.search } : {}),
    ...(filter.status ? { status: filter.status } : {}),
    ...(filter.sort === DEFAULT_SORT ? {} : { sort: filter.sort }),
    ...(filter.order === 'asc' ? {} : { order: filter.order }),
  };
}

export function isFiltered(filter: CustomerFilter): boolean {
  return filter.search !== undefined || filter.status !== undefined;
}

/** How many of the three controls behind the filter toggle are not at their default. */
export function changedFilters({ status, sort, order }: CustomerFilter): number {
  return [status !== undefined, sort !== DEFAULT_SORT, order !== naturalOrder(sort)].filter(Boolean).length;
}
