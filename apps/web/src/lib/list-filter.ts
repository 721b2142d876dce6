import type { Choice } from '../ui/select-field.tsx';

export type SortOrder = 'asc' | 'desc';

export type ListFilter<Sort extends string, Status extends string, Reference extends string = never> = {
  search?: string;
  status?: Status;
  sort: Sort;
  order: SortOrder;
} & { [Name in Reference]?: string };

/** A list filter as URL search parameters. Default values are left out to keep URLs short. */
export type ListSearchParams<Sort extends string, Status extends string, Reference extends string = never> = {
  [Name in keyof ListFilter<Sort, Status, Reference>]?: ListFilter<Sort, Status, Reference>[Name] | undefined;
};

interface ListFilterOptions<Sort extends string, Status extends string, Reference extends string> {
  /** Plural name of the list's rows, e.g. 'customers'. */
  pluralNoun: string;
  /** Placeholder in the search field. Defaults to 'Search' and the plural noun, e.g. 'Search customers'. */
  placeholder?: string;
  /** Available sort keys; the first is the default. Dates sort newest first, because people usually look for recent rows. */
  sorts: readonly (Choice<Sort> & { isDate?: boolean /** True if its column fits only on wide desktops. */; isWideOnly?: boolean })[];
  /** Empty if the list can't be filtered by status. */
  statuses: readonly Choice<Status>[];
  /** Label of the choice that shows every status. Defaults to 'All' and the plural noun, e.g. 'All customers'. */
  allStatusesLabel?: string;
  /** Filters by a related record, with choices that the page loads. `all` is the label of the choice that shows every row. */
  references?: readonly { name: Reference; label: string; all: string; isFullWidthOnPhone?: boolean }[];
  /** The names of two dates ('yyyy-MM-dd') that someone picks while the filter `reference` has the given value. */
  dateRange?: { reference: Reference; value: string; from: Reference; to: Reference };
  /** Filters that only a link can set, with a label per value. They appear as removable chips. */
  linkFilters?: readonly { name: Reference; labels: Readonly<Record<string, string>> }[];
}

/** Defines how a list is searched, filtered and sorted, both in the URL and in the toolbar. */
export function defineListFilter<Sort extends string, Status extends string, Reference extends string = never>(
  options: ListFilterOptions<Sort, Status, Reference>,
) {
  type Filter = ListFilter<Sort, Status, Reference>;
  type Params = ListSearchParams<Sort, Status, Reference>;
  const { references = [], linkFilters = [], dateRange } = options;
  const [{ value: defaultSort } = { value: 'name' as Sort }] = options.sorts;
  const getNaturalOrder = (sort: Sort): SortOrder => (options.sorts.find(({ value }) => value === sort)?.isDate ? 'desc' : 'asc');
  const defaultOrder = getNaturalOrder(defaultSort);
  const getActiveReferences = (filter: Params) => references.filter(({ name }) => filter[name] !== undefined);
  const getActiveLinkFilters = (filter: Params) => linkFilters.filter(({ name }) => filter[name] !== undefined);
  const countPanelFilters = (filter: Filter) => Number(filter.status !== undefined) + getActiveReferences(filter).length;
  const dateNames: readonly string[] = dateRange ? [dateRange.from, dateRange.to] : [];
  const withoutInactiveDates = (filter: Params): Params => {
    if (dateRange && filter[dateRange.reference] === dateRange.value) return filter;
    return Object.fromEntries(Object.entries(filter).filter(([name]) => !dateNames.includes(name))) as Params;
  };
  return {
    ...options,
    references,
    getChips: (filter: Filter) =>
      getActiveLinkFilters(filter).map(({ name, labels }) => ({ name, text: labels[filter[name] ?? ''] ?? '' })),
    fromParams: (params: Params): Filter => {
      const { search = '', status, sort: requestedSort = defaultSort, order = defaultOrder }: ListSearchParams<Sort, Status> = params;
      // A shared link may contain a sort that isn't available to this user, so fall back to the default.
      const sort = options.sorts.some(({ value }) => value === requestedSort) ? requestedSort : defaultSort;
      const active = [...getActiveReferences(params), ...getActiveLinkFilters(params)].map(({ name }) => name);
      const dates = Object.entries(withoutInactiveDates(params)).filter(([name, date]) => dateNames.includes(name) && date !== undefined);
      const chosen = Object.fromEntries([...active.map((name) => [name, params[name]] as const), ...dates]);
      return { ...(search.trim() ? { search: search.trim() } : {}), ...(status ? { status } : {}), ...chosen, sort, order };
    },
    toParams: ({ sort, order, ...criteria }: Filter): Params => ({
      ...withoutInactiveDates(criteria as Params),
      ...(sort === defaultSort ? {} : { sort }),
      ...(order === defaultOrder ? {} : { order }),
    }),
    /** Returns the filter with its list sorted by `sort`. Choosing the current sort column again reverses the order. */
    withSort: (filter: Filter, sort: Sort): Filter => {
      const reversed = filter.order === 'asc' ? 'desc' : 'asc';
      return { ...filter, sort, order: filter.sort === sort ? reversed : getNaturalOrder(sort) };
    },
    /** Counts what decides which rows match, except the search: the order of the rows hides none of them. */
    countActive: (filter: Filter): number => countPanelFilters(filter) + getActiveLinkFilters(filter).length,
    /** Returns true if the panel should be open from the start, because it has something to show that a chip doesn't. */
    isPanelOpenAtStart: (filter: Filter): boolean => countPanelFilters(filter) > 0,
    /** Returns only the criteria that decide which rows match, without the sort order. */
    withoutSort: ({ sort: _sort, order: _order, ...criteria }: Filter) => criteria,
  };
}

export function isFiltered({ sort: _sort, order: _order, ...criteria }: { sort: string; order: SortOrder; search?: string }): boolean {
  return Object.values(criteria).some((value) => value !== undefined);
}

/** Drops empty values, so that equal filters share one cached query. */
export function withoutEmptyValues<Params extends object>(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== '')) as Params;
}

export interface Sorting<Sort extends string> {
  sort: Sort;
  order: SortOrder;
}

/** Builds the choices of a `SortSelect`. */
export const buildSortChoices = <Sort extends string>(choices: readonly (readonly [Sort, SortOrder, label: string])[]) =>
  choices.map(([sort, order, label]) => ({ value: `${sort} ${order}`, label, sorting: { sort, order } }));

/** Defines how a list with a toolbar of its own is sorted. URLs leave out the default column and each column's natural order. */
export function defineListSorting<Sort extends string>(defaultSort: Sort, naturalOrders: Readonly<Record<Sort, SortOrder>>) {
  return {
    fromParams: ({ sort = defaultSort, order }: { [Name in keyof Sorting<Sort>]?: Sorting<Sort>[Name] | undefined }): Sorting<Sort> => ({
      sort,
      order: order ?? naturalOrders[sort],
    }),
    toParams: ({ sort, order }: Sorting<Sort>): Partial<Sorting<Sort>> => ({
      ...(sort === defaultSort ? {} : { sort }),
      ...(order === naturalOrders[sort] ? {} : { order }),
    }),
    /** Returns a filter that sorts the list by `sort`. Selecting the current sort column again reverses the order. */
    withSort: <Filter extends Sorting<Sort>>(filter: Filter, sort: Sort): Filter => {
      const reversed = filter.order === 'asc' ? 'desc' : 'asc';
      return { ...filter, sort, order: filter.sort === sort ? reversed : naturalOrders[sort] };
    },
  };
}
