import type { SortOrder } from '@callout/contract/fields';
import type { PaymentMethod, PaymentSort } from '@callout/domain/invoices/invoice';
import { withoutEmptyValues } from '../../lib/period-filter.tsx';

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

/** Initial sort order of each column: people look for the newest payments and the largest amounts first. */
const NATURAL_ORDERS: Readonly<Record<PaymentSort, SortOrder>> = { paid_on: 'desc', amount: 'desc', customer: 'asc' };

export function fromSearchParams({ method, from, to, search, sort = 'paid_on', order }: PaymentSearchParams): PaymentListFilter {
  const criteria = withoutEmptyValues({ method, from, to, search: search?.trim() }) as PaymentCriteria;
  return { ...criteria, sort, order: order ?? NATURAL_ORDERS[sort] };
}

export function toSearchParams({ sort, order, ...criteria }: PaymentListFilter): PaymentSearchParams {
  return {
    ...withoutEmptyValues(criteria),
    ...(sort === 'paid_on' ? {} : { sort }),
    ...(order === NATURAL_ORDERS[sort] ? {} : { order }),
  };
}

export const withoutSort = ({ sort: _sort, order: _order, ...criteria }: PaymentListFilter): PaymentCriteria => criteria;

/** Selecting the current sort column again reverses the order. */
export function withSort(filter: PaymentListFilter, sort: PaymentSort): PaymentListFilter {
  const reversed = filter.order === 'asc' ? 'desc' : 'asc';
  return { ...filter, sort, order: filter.sort === sort ? reversed : NATURAL_ORDERS[sort] };
}

/** Builds the URL of a CSV export of the filtered payments. The server always sorts the export by date. */
export const buildPaymentCsvUrl = (filter: PaymentListFilter) => `/api/payments.csv?${new URLSearchParams({ ...withoutSort(filter) })}`;
