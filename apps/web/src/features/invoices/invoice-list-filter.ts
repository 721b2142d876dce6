import type { SortOrder } from '@callout/contract/fields';
import type { DebtAge, InvoiceFilter, InvoiceSort } from '@callout/domain/invoices/invoice-list';
import { CALENDAR_PERIODS, type CalendarPeriod, calendarPeriod } from '@callout/domain/time/calendar-period';
import type { Choice } from '../../ui/select-field.tsx';

/** Which invoices; the rest of a filter is their order. Days are 'yyyy-MM-dd'. */
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

/** The same in an address, which leaves out what is the default. */
export type InvoicesSearch = { [Name in keyof InvoiceListFilter]?: InvoiceListFilter[Name] | undefined };

const DEFAULT_SORT = { sort: 'late_after', order: 'asc' } as const;

/** The largest and the newest first, because that is what a person looks for. */
const NATURAL_ORDER: Readonly<Record<InvoiceSort, SortOrder>> = {
  late_after: 'asc',
  invoice_number: 'desc',
  customer: 'asc',
  total_amount: 'desc',
};

/** Without what is absent, so that the same filter is the same request. */
function definedOnly<Params extends object>(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== '')) as Params;
}

export function readFilter({
  filter,
  age,
  from,
  to,
  customer_id,
  search,
  sort = DEFAULT_SORT.sort,
  order,
}: InvoicesSearch): InvoiceListFilter {
  const criteria = definedOnly({ filter, age, from, to, customer_id, search: search?.trim() }) as InvoiceCriteria;
  return { ...criteria, sort, order: order ?? NATURAL_ORDER[sort] };
}

export function writeFilter({ sort, order, ...criteria }: InvoiceListFilter): InvoicesSearch {
  return {
    ...definedOnly(criteria),
    ...(sort === DEFAULT_SORT.sort ? {} : { sort }),
    ...(order === NATURAL_ORDER[sort] ? {} : { order }),
  };
}

export const criteriaOf = ({ sort: _sort, order: _order, ...criteria }: InvoiceListFilter): InvoiceCriteria => criteria;

/** Of these the strip and the tabs speak: both stay as they are while one of their parts is chosen. */
export const strippedOf = ({ filter: _filter, age: _age, ...criteria }: InvoiceCriteria): InvoiceCriteria => criteria;

export const isFiltered = (filter: InvoiceListFilter) => Object.keys(criteriaOf(filter)).length > 0;

/** Sorting by the current column again reverses the order. */
export function sortedBy(filter: InvoiceListFilter, sort: InvoiceSort): InvoiceListFilter {
  const reversed = filter.order === 'asc' ? 'desc' : 'asc';
  return { ...filter, sort, order: filter.sort === sort ? reversed : NATURAL_ORDER[sort] };
}

/** A tab is chosen instead of an age. */
export const withTab = ({ age: _age, filter: _filter, ...rest }: InvoiceListFilter, tab: InvoiceFilter | undefined): InvoiceListFilter => ({
  ...rest,
  ...(tab ? { filter: tab } : {}),
});

/** An age is chosen instead of a tab: only what is unpaid has one. */
export const withAge = ({ age: _age, filter: _filter, ...rest }: InvoiceListFilter, age: DebtAge | undefined): InvoiceListFilter => ({
  ...rest,
  ...(age ? { age } : {}),
});

export const TABS: readonly { value: InvoiceFilter | undefined; count: 'all' | InvoiceFilter; label: string }[] = [
  { value: undefined, count: 'all', label: 'All' },
  { value: 'unpaid', count: 'unpaid', label: 'Unpaid' },
  { value: 'overdue', count: 'overdue', label: 'Overdue' },
  { value: 'paid', count: 'paid', label: 'Paid' },
];

export const shownTab = ({ filter, age }: InvoiceCriteria): InvoiceFilter | undefined => filter ?? (age ? 'unpaid' : undefined);

type SortChoice = `${InvoiceSort} ${SortOrder}`;

export const SORTS: readonly (Choice<SortChoice> & { by: Pick<InvoiceListFilter, 'sort' | 'order'> })[] = (
  [
    ['late_after', 'asc', 'Oldest unpaid first'],
    ['late_after', 'desc', 'Oldest unpaid last'],
    ['invoice_number', 'desc', 'Newest first'],
    ['invoice_number', 'asc', 'Oldest first'],
    ['total_amount', 'desc', 'Largest amount first'],
    ['total_amount', 'asc', 'Smallest amount first'],
    ['customer', 'asc', 'Customer A to Z'],
    ['customer', 'desc', 'Customer Z to A'],
  ] as const
).map(([sort, order, label]) => ({ value: `${sort} ${order}` as const, label, by: { sort, order } }));

export type PeriodChoice = CalendarPeriod | 'all-time' | 'own-dates';

const PERIOD_WORDS: Readonly<Record<CalendarPeriod, string>> = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-quarter': 'This quarter',
  'this-year': 'This year',
};

export const PERIODS: readonly Choice<PeriodChoice>[] = [
  { value: 'all-time', label: 'All time' },
  ...CALENDAR_PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] })),
  { value: 'own-dates', label: 'Custom dates' },
];

/** An address names days, so that a link shows what its sender saw, also next month. */
export function periodOf({ from, to }: InvoiceCriteria, today: string): PeriodChoice {
  if (from === undefined && to === undefined) return 'all-time';
  const isChosen = (period: CalendarPeriod) => {
    const range = calendarPeriod(period, today);
    return range.from === from && range.to === to;
  };
  return CALENDAR_PERIODS.find(isChosen) ?? 'own-dates';
}

export function withPeriod({ from, to, ...rest }: InvoiceListFilter, period: PeriodChoice, today: string): InvoiceListFilter {
  if (period === 'all-time') return rest;
  // The days that were chosen before are where own ones start from.
  if (period === 'own-dates') return definedOnly({ ...rest, from, to } as InvoiceListFilter);
  return { ...rest, ...calendarPeriod(period, today) };
}

/** The file with the same rows, always in the order of their numbers. */
export function csvUrl(filter: InvoiceListFilter): string {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]));
  return `/api/invoices.csv?${query}`;
}
