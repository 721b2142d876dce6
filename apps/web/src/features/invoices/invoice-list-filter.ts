import type { SortOrder } from '@callout/contract/fields';
import type { DebtAge, InvoiceFilter, InvoiceSort } from '@callout/domain/invoices/invoice-list';
import { buildSortChoices, defineListSorting, withoutEmptyValues } from '../../lib/list-filter.ts';

/** The part of the list filter that selects invoices, without the sort order. Dates are 'yyyy-MM-dd'. */
export interface InvoiceCriteria {
  filter?: InvoiceFilter;
  age?: DebtAge;
  from?: string;
  to?: string;
  customer_id?: string;
  search?: string;
}

export interface InvoiceListFilter extends InvoiceCriteria {
  sort: InvoiceSort;
  order: SortOrder;
}

/** The filter as URL search params, which omit default values. */
export type InvoiceSearchParams = { [Name in keyof InvoiceListFilter]?: InvoiceListFilter[Name] | undefined };

/** People look for the largest amounts and the newest invoices first. */
const sorting = defineListSorting<InvoiceSort>('late_after', {
  late_after: 'asc',
  invoice_number: 'desc',
  customer: 'asc',
  total_amount: 'desc',
});
export const { withSort } = sorting;

export function fromSearchParams({ filter, age, from, to, customer_id, search, ...sorted }: InvoiceSearchParams): InvoiceListFilter {
  const criteria = withoutEmptyValues({ filter, age, from, to, customer_id, search: search?.trim() }) as InvoiceCriteria;
  return { ...criteria, ...sorting.fromParams(sorted) };
}

export const toSearchParams = (filter: InvoiceListFilter): InvoiceSearchParams => ({
  ...withoutEmptyValues(withoutSort(filter)),
  ...sorting.toParams(filter),
});

export const withoutSort = ({ sort: _sort, order: _order, ...criteria }: InvoiceListFilter): InvoiceCriteria => criteria;

/** Removes the tab and the age. The tabs and the strip count with this filter, so that selecting one doesn't change the numbers. */
export const withoutTabAndAge = ({ filter: _filter, age: _age, ...criteria }: InvoiceCriteria): InvoiceCriteria => criteria;

export const isFiltered = (filter: InvoiceListFilter) => Object.keys(withoutSort(filter)).length > 0;

export const withTab = ({ age: _age, filter: _filter, ...rest }: InvoiceListFilter, tab: InvoiceFilter | undefined): InvoiceListFilter => ({
  ...rest,
  ...(tab ? { filter: tab } : {}),
});

/** Sets the age and clears the tab: only unpaid invoices have an age, so combining it with the Paid tab would find nothing. */
export const withAge = ({ age: _age, filter: _filter, ...rest }: InvoiceListFilter, age: DebtAge | undefined): InvoiceListFilter => ({
  ...rest,
  ...(age ? { age } : {}),
});

export const INVOICE_TABS: readonly { value: InvoiceFilter | undefined; count: 'all' | InvoiceFilter; label: string }[] = [
  { value: undefined, count: 'all', label: 'All' },
  { value: 'unpaid', count: 'unpaid', label: 'Unpaid' },
  { value: 'overdue', count: 'overdue', label: 'Overdue' },
  { value: 'paid', count: 'paid', label: 'Paid' },
  { value: 'unsent', count: 'unsent', label: 'Not sent' },
];

export const getActiveTab = ({ filter, age }: InvoiceCriteria): InvoiceFilter | undefined => filter ?? (age ? 'unpaid' : undefined);

export const INVOICE_SORT_CHOICES = buildSortChoices<InvoiceSort>([
  ['late_after', 'asc', 'Oldest unpaid first'],
  ['late_after', 'desc', 'Oldest unpaid last'],
  ['invoice_number', 'desc', 'Newest first'],
  ['invoice_number', 'asc', 'Oldest first'],
  ['total_amount', 'desc', 'Largest amount first'],
  ['total_amount', 'asc', 'Smallest amount first'],
  ['customer', 'asc', 'Customer A to Z'],
  ['customer', 'desc', 'Customer Z to A'],
]);

/** Builds the URL of a CSV export of the filtered invoices. The server always sorts the export by invoice number. */
export const buildInvoiceCsvUrl = (filter: InvoiceListFilter) => `/api/invoices.csv?${new URLSearchParams({ ...filter })}`;
