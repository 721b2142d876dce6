import type { Choice } from '../ui/select-field.tsx';

export type SortOrder = 'asc' | 'desc';

export type ListFilter<Sort extends string, Status extends string, Reference extends string = never> = {
  search?: string;
  status?: Status;
  sort: Sort;
  order: SortOrder;
} & { [Name in Reference]?: string };

/** The same in an address, which leaves out what is the default: a plain list has a plain address. */
export type ListParams<Sort extends string, Status extends string, Reference extends string = never> = {
  [Name in keyof ListFilter<Sort, Status, Reference>]?: ListFilter<Sort, Status, Reference>[Name] | undefined;
};

interface ListFilterOptions<Sort extends string, Status extends string, Reference extends string> {
  /** What the list holds: 'customers'. */
  what: string;
  /** In the empty search; without it 'Search customers'. */
  placeholder?: string;
  /** The first is the default. Dates sort the newest first, because that is what a person looks for. */
  sorts: readonly (Choice<Sort> & { isDate?: boolean })[];
  /** Empty: the list has no filter by status. */
  statuses: readonly Choice<Status>[];
  /** Without it 'All customers'. */
  allStatuses?: string;
  /** Filters by other records, whose choices the page reads; `all` is the choice of no filter. */
  references?: readonly { name: Reference; label: string; all: string }[];
  /** Filters that only links set, with the words for each value: they show as chips that can be removed. */
  linked?: readonly { name: Reference; words: Readonly<Record<string, string>> }[];
}

/** How a list is searched, filtered and sorted, in its address and in its toolbar. */
export function defineListFilter<Sort extends string, Status extends string, Reference extends string = never>(
  options: ListFilterOptions<Sort, Status, Reference>,
) {
  type Filter = ListFilter<Sort, Status, Reference>;
  type Params = ListParams<Sort, Status, Reference>;
  const { references = [], linked = [] } = options;
  const [{ value: defaultSort } = { value: 'name' as Sort }] = options.sorts;
  const naturalOrder = (sort: Sort): SortOrder => (options.sorts.find(({ value }) => value === sort)?.isDate ? 'desc' : 'asc');
  const defaultOrder = naturalOrder(defaultSort);
  const chosenReferences = (filter: Params) => references.filter(({ name }) => filter[name] !== undefined);
  const chosenLinked = (filter: Params) => linked.filter(({ name }) => filter[name] !== undefined);
  return {
    ...options,
    references,
    chips: (filter: Filter) => chosenLinked(filter).map(({ name, words }) => ({ name, text: words[filter[name] ?? ''] ?? '' })),
    read: (params: Params): Filter => {
      const { search = '', status, sort: asked = defaultSort, order = defaultOrder }: ListParams<Sort, Status> = params;
      // A link may name a sort that its reader is not offered.
      const sort = options.sorts.some(({ value }) => value === asked) ? asked : defaultSort;
      const chosen = Object.fromEntries([...chosenReferences(params), ...chosenLinked(params)].map(({ name }) => [name, params[name]]));
      return { ...(search.trim() ? { search: search.trim() } : {}), ...(status ? { status } : {}), ...chosen, sort, order };
    },
    write: ({ sort, order, ...found }: Filter): Params =>
      ({ ...found, ...(sort === defaultSort ? {} : { sort }), ...(order === defaultOrder ? {} : { order }) }) as Params,
    /** Sorting by the current column again reverses the order. */
    sortBy: (filter: Filter, sort: Sort): Filter => {
      const reversed = filter.order === 'asc' ? 'desc' : 'asc';
      return { ...filter, sort, order: filter.sort === sort ? reversed : naturalOrder(sort) };
    },
    /** How many of the controls behind the filter toggle are not at their default. */
    countChanged: (filter: Filter): number => {
      const { status, sort, order }: ListFilter<Sort, Status> = filter;
      const others = [status !== undefined, sort !== defaultSort, order !== naturalOrder(sort)].filter(Boolean);
      return others.length + chosenReferences(filter).length;
    },
    /** What decides which rows are found; the rest is their order. */
    criteria: ({ sort: _sort, order: _order, ...criteria }: Filter) => criteria,
  };
}

export function isFiltered({ sort: _sort, order: _order, ...criteria }: { sort: string; order: SortOrder; search?: string }): boolean {
  return Object.values(criteria).some((value) => value !== undefined);
}
