import { SearchX, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { DebouncedSearchField } from '../ui/debounced-search-field.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { type Choice, SelectField } from '../ui/select-field.tsx';

type SortOrder = 'asc' | 'desc';

export interface ListFilter<Sort extends string, Status extends string> {
  search?: string;
  status?: Status;
  sort: Sort;
  order: SortOrder;
}

/** The same in an address, which leaves out what is the default: a plain list has a plain address. */
export type ListParams<Sort extends string, Status extends string> = {
  [Name in keyof ListFilter<Sort, Status>]?: ListFilter<Sort, Status>[Name] | undefined;
};

interface ListFilterOptions<Sort extends string, Status extends string> {
  /** What the list holds: 'customers'. */
  what: string;
  /** The first is the default. Dates sort the newest first, because that is what a person looks for. */
  sorts: readonly (Choice<Sort> & { isDate?: boolean })[];
  /** Empty: the list has no filter by status. */
  statuses: readonly Choice<Status>[];
}

/** How a list is searched, filtered and sorted, in its address and in its toolbar. */
export function defineListFilter<Sort extends string, Status extends string>(options: ListFilterOptions<Sort, Status>) {
  type Filter = ListFilter<Sort, Status>;
  const [{ value: defaultSort } = { value: 'name' as Sort }] = options.sorts;
  const naturalOrder = (sort: Sort): SortOrder => (options.sorts.find(({ value }) => value === sort)?.isDate ? 'desc' : 'asc');
  return {
    ...options,
    read: ({ search = '', status, sort = defaultSort, order = 'asc' }: ListParams<Sort, Status>): Filter => ({
      ...(search.trim() ? { search: search.trim() } : {}),
      ...(status ? { status } : {}),
      // A link may name a sort that its reader is not offered.
      sort: options.sorts.some(({ value }) => value === sort) ? sort : defaultSort,
      order,
    }),
    write: ({ sort, order, ...found }: Filter): ListParams<Sort, Status> => ({
      ...found,
      ...(sort === defaultSort ? {} : { sort }),
      ...(order === 'asc' ? {} : { order }),
    }),
    /** Sorting by the current column again reverses the order. */
    sortBy: (filter: Filter, sort: Sort): Filter => {
      const reversed = filter.order === 'asc' ? 'desc' : 'asc';
      return { ...filter, sort, order: filter.sort === sort ? reversed : naturalOrder(sort) };
    },
    /** How many of the three controls behind the filter toggle are not at their default. */
    countChanged: ({ status, sort, order }: Filter): number =>
      [status !== undefined, sort !== defaultSort, order !== naturalOrder(sort)].filter(Boolean).length,
  };
}

export function isFiltered({ search, status }: { search?: string; status?: string }): boolean {
  return search !== undefined || status !== undefined;
}

interface FilterProps<Sort extends string, Status extends string> {
  definition: ReturnType<typeof defineListFilter<Sort, Status>>;
  filter: ListFilter<Sort, Status>;
  onFilter: (filter: ListFilter<Sort, Status>) => void;
}

/** The search stays in reach however far the list is scrolled; the rest is behind the toggle. */
export function ListToolbar<Sort extends string, Status extends string>(props: FilterProps<Sort, Status>) {
  const { definition, filter, onFilter } = props;
  const changed = definition.countChanged(filter);
  const [open, setOpen] = useState(changed > 0);
  const panel = useId();
  const { search = '', ...others } = filter;
  const label = `Search ${definition.what}`;
  return (
    <>
      <div className="sticky top-(--header-height) z-20 -mx-4 flex flex-wrap gap-2 bg-canvas px-4 py-2 lg:-mx-1 lg:px-1">
        <DebouncedSearchField
          label={label}
          placeholder={label}
          maxLength={200}
          value={search}
          onChange={(term) => onFilter(term ? { ...others, search: term } : others)}
          className="flex-1 basis-36 lg:max-w-md"
        />
        <Button aria-expanded={open} aria-controls={panel} onClick={() => setOpen(!open)}>
          <SlidersHorizontal aria-hidden="true" />
          Filters
          {changed > 0 && (
            <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent-soft px-1.5 text-xs text-accent-ink">
              {changed}
            </span>
          )}
        </Button>
      </div>
      <div id={panel} hidden={!open} className="pt-1 pb-3">
        <FilterFields {...props} />
      </div>
    </>
  );
}

const ORDERS: readonly Choice<SortOrder>[] = [
  { value: 'asc', label: 'Ascending' },
  { value: 'desc', label: 'Descending' },
];

const chosen = <Value extends string>(choices: readonly Choice<Value>[], text: string) =>
  choices.find(({ value }) => value === text)?.value;

function FilterFields<Sort extends string, Status extends string>({ definition, filter, onFilter }: FilterProps<Sort, Status>) {
  const { what, sorts, statuses, sortBy } = definition;
  const { status = 'all', sort, order, ...others } = filter;
  const chooseStatus = (next: Status | undefined) => onFilter({ ...others, sort, order, ...(next ? { status: next } : {}) });
  return (
    <div className="grid grid-cols-2 gap-3 lg:max-w-2xl lg:grid-cols-3">
      {statuses.length > 0 && (
        <SelectField
          label="Status"
          className="col-span-2 lg:col-span-1"
          choices={[{ value: 'all', label: `All ${what}` }, ...statuses]}
          value={status}
          onChange={({ target }) => chooseStatus(chosen(statuses, target.value))}
        />
      )}
      <SelectField
        label="Sort by"
        choices={sorts}
        value={sort}
        onChange={({ target }) => onFilter(sortBy(filter, chosen(sorts, target.value) ?? sort))}
      />
      <SelectField
        label="Order"
        choices={ORDERS}
        value={order}
        onChange={({ target }) => onFilter({ ...filter, order: chosen(ORDERS, target.value) ?? order })}
      />
    </div>
  );
}

interface ListCountProps {
  /** Of how many, in words: 'customer', 'customers'. */
  one: string;
  many: string;
  all: number | undefined;
  /** How many the filter finds; left out without a filter. */
  found?: number | undefined;
}

/** '92 of 2,000 customers' beside a title. Its place is kept while it is read; on a phone it is only the numbers, so that the title never wraps. */
export function ListCount({ one, many, all, found }: ListCountProps) {
  if (all === undefined) return <span aria-hidden="true">&nbsp;</span>;
  return (
    <span className="tabular-nums">
      {found !== undefined && `${found.toLocaleString('en-US')} of `}
      {all.toLocaleString('en-US')}
      <span className="max-sm:sr-only">{` ${all === 1 ? one : many}`}</span>
    </span>
  );
}

interface NoMatchesProps<Sort extends string, Status extends string> extends FilterProps<Sort, Status> {
  sentence: string;
  /** Adds what was not found. */
  add: ReactNode;
}

/** For a filter without results: says so, and offers to clear it. */
export function NoMatches<Sort extends string, Status extends string>({
  definition,
  filter,
  onFilter,
  sentence,
  add,
}: NoMatchesProps<Sort, Status>) {
  const { search, status, sort, order } = filter;
  const { what } = definition;
  const among = status ? ` among ${status} ${what}` : '';
  return (
    <EmptyState
      icon={SearchX}
      sentence={sentence}
      hint={search ? `Nothing matches “${search}”${among}.` : `There are no ${status} ${what}.`}
      action={
        <>
          <Button tone="primary" onClick={() => onFilter({ sort, order })}>
            Clear search and filter
          </Button>
          {add}
        </>
      }
    />
  );
}
