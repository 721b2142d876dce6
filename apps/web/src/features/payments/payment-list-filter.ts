import type { SortOrder } from '@callout/contract/fields';
import type { PaymentMethod, PaymentSort } from '@callout/domain/invoices/invoice';
import { buildSortChoices, defineListSorting, withoutEmptyValues } from '../../lib/list-filter.ts';

/** The part of the list filter that selects payments, without the sort order. Dates are 'yyyy-MM-dd'. */
export interface PaymentCriteria {
  method?: PaymentMethod;
  from?: string;
  to?: string;
  search?: string;
}

export interface PaymentListFilter extends PaymentCriteria {
  sort: PaymentSort;
  order: SortOrder;
}

/** The filter as URL search params, which omit default values. */
export type PaymentSearchParams = { [Name in keyof PaymentListFilter]?: PaymentListFilter[Name] | undefined };

/** People look for the newest payments and the largest amounts first. */
const sorting = defineListSorting<PaymentSort>('paid_on', { paid_on: 'desc', amount: 'desc', customer: 'asc' });
export const { withSort } = sorting;

/** For phones, which have no column headers. */
export const PAYMENT_SORT_CHOICES = buildSortChoices<PaymentSort>([
  ['paid_on', 'desc', 'Newest first'],
  ['paid_on', 'asc', 'Oldest first'],
  ['amount', 'desc', 'Largest amount first'],
  ['amount', 'asc', 'Smallest amount first'],
  ['customer', 'asc', 'Customer A to Z'],
  ['customer', 'desc', 'Customer Z to A'],
]);

export function fromSearchParams({ method, from, to, search, ...sorted }: PaymentSearchParams): PaymentListFilter {
  const criteria = withoutEmptyValues({ method, from, to, search: search?.trim() }) as PaymentCriteria;
  return { ...criteria, ...sorting.fromParams(sorted) };
}

export const toSearchParams = (filter: PaymentListFilter): PaymentSearchParams => ({
  ...withoutEmptyValues(withoutSort(filter)),
  ...sorting.toParams(filter),
});

export const withoutSort = ({ sort: _sort, order: _order, ...criteria }: PaymentListFilter): PaymentCriteria => criteria;

/** Builds the URL of a CSV export of the filtered payments. The server always sorts the export by date. */
export const buildPaymentCsvUrl = (filter: PaymentListFilter) => `/api/payments.csv?${new URLSearchParams({ ...withoutSort(filter) })}`;
