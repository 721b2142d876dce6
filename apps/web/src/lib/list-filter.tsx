import { formatCount } from '@callout/domain/text/count-text';
import { SearchX, X } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { DebouncedSearchField } from '../ui/debounced-search-field.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FilterToggle } from '../ui/filter-toggle.tsx';
import { type Choice, SelectField } from '../ui/select-field.tsx';

type SortOrder = 'asc' | 'desc';

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

interface FilterProps<Sort extends string, Status extends string, Reference extends string> {
  definition: ReturnType<typeof defineListFilter<Sort, Status, Reference>>;
  filter: ListFilter<Sort, Status, Reference>;
  onFilter: (filter: ListFilter<Sort, Status, Reference>) => void;
}

interface ToolbarProps<Sort extends string, Status extends string, Reference extends string> extends FilterProps<Sort, Status, Reference> {
  /** The choices of each reference, once they are read. */
  choices?: Readonly<Partial<Record<Reference, readonly Choice[]>>>;
  /** From here on the choices are needed; a filter that is set opens the toolbar by itself. */
  onOpen?: () => void;
}

/** The search stays in reach however far the list is scrolled; the rest is behind the toggle. */
export function ListToolbar<Sort extends string, Status extends string, Reference extends string = never>(
  props: ToolbarProps<Sort, Status, Reference>,
) {
  const { definition, filter, onFilter, onOpen } = props;
  const changed = definition.countChanged(filter);
  const [open, setOpen] = useState(changed > 0);
  const panel = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const { search = '' }: ListFilter<Sort, Status> = filter;
  const label = `Search ${definition.what}`;
  return (
    <>
      <div className="sticky top-(--header-height) z-20 -mx-4 flex flex-wrap gap-2 bg-canvas px-4 py-2 lg:-mx-1 lg:px-1">
        <DebouncedSearchField
          label={label}
          placeholder={definition.placeholder ?? label}
          maxLength={200}
          value={search}
          onChange={(term) => onFilter(changeOf(filter, 'search', term || undefined))}
          className="flex-1 basis-36 lg:max-w-md"
        />
        <FilterToggle
          ref={toggle}
          open={open}
          panel={panel}
          changed={changed}
          onClick={() => {
            setOpen(!open);
            onOpen?.();
          }}
        />
      </div>
      <div id={panel} hidden={!open} className="pt-1 pb-3">
        <FilterFields {...props} />
      </div>
      <FilterChips {...props} afterLast={toggle} />
    </>
  );
}

interface FilterChipsProps<Sort extends string, Status extends string, Reference extends string>
  extends FilterProps<Sort, Status, Reference> {
  /** Gets the focus when no chip is left. */
  afterLast: RefObject<HTMLElement | null>;
}

/** What a link has chosen, with a way to take it back. The focus goes to the chip beside the removed one. */
function FilterChips<Sort extends string, Status extends string, Reference extends string>({
  definition,
  filter,
  onFilter,
  afterLast,
}: FilterChipsProps<Sort, Status, Reference>) {
  const chips = definition.chips(filter);
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters from this link" className="flex flex-wrap gap-2 pb-3">
      {chips.map(({ name, text }) => (
        <li
          key={name}
          className="flex min-h-11 items-center rounded-full bg-accent-soft pl-4 text-base font-medium text-accent-ink lg:min-h-9 lg:pl-3.5"
        >
          {text}
          <IconButton
            label={`Remove filter: ${text}`}
            tone="accent"
            className="rounded-full"
            onClick={({ currentTarget }) => {
              const chip = currentTarget.closest('li');
              const beside = (chip?.nextElementSibling ?? chip?.previousElementSibling)?.querySelector('button');
              (beside ?? afterLast.current)?.focus();
              onFilter(changeOf(filter, name, undefined));
            }}
          >
            <X aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const ORDERS: readonly Choice<SortOrder>[] = [
  { value: 'asc', label: 'Ascending' },
  { value: 'desc', label: 'Descending' },
];

const chosen = <Value extends string>(choices: readonly Choice<Value>[], text: string) =>
  choices.find(({ value }) => value === text)?.value;

/** The filter with another value, or without one. */
function changeOf<Filter extends object>(filter: Filter, name: string, value: string | undefined): Filter {
  const others = Object.fromEntries(Object.entries(filter).filter(([other]) => other !== name));
  return (value === undefined ? others : { ...others, [name]: value }) as Filter;
}

function FilterFields<Sort extends string, Status extends string, Reference extends string>({
  definition,
  filter,
  onFilter,
  choices,
}: ToolbarProps<Sort, Status, Reference>) {
  const { what, sorts, statuses, allStatuses = `All ${what}`, references, sortBy } = definition;
  const { status, sort, order }: ListFilter<Sort, Status> = filter;
  // A desk sorts by the heads of the columns; the row is kept for the filters.
  const sortWidth = references.length > 0 ? 'lg:hidden' : undefined;
  return (
    <div className="grid grid-cols-2 gap-3 lg:max-w-2xl lg:grid-cols-3">
      {statuses.length > 0 && (
        <SelectField
          label="Status"
          className="col-span-2 lg:col-span-1"
          choices={[{ value: 'all', label: allStatuses }, ...statuses]}
          value={status ?? 'all'}
          onChange={({ target }) => onFilter(changeOf(filter, 'status', chosen(statuses, target.value)))}
        />
      )}
      {references.map(({ name, label, all }) => (
        <SelectField
          key={name}
          label={label}
          choices={[{ value: '', label: all }, ...(choices?.[name] ?? [])]}
          value={filter[name] ?? ''}
          onChange={({ target }) => onFilter(changeOf(filter, name, target.value || undefined))}
        />
      ))}
      <SelectField
        label="Sort by"
        className={sortWidth}
        choices={sorts}
        value={sort}
        onChange={({ target }) => onFilter(sortBy(filter, chosen(sorts, target.value) ?? sort))}
      />
      <SelectField
        label="Order"
        className={sortWidth}
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
      {found !== undefined && `${formatCount(found)} of `}
      {formatCount(all)}
      <span className="max-sm:sr-only">{` ${all === 1 ? one : many}`}</span>
    </span>
  );
}

interface NoMatchesProps<Sort extends string, Status extends string, Reference extends string>
  extends FilterProps<Sort, Status, Reference> {
  sentence: string;
  /** Adds what was not found. */
  add: ReactNode;
}

/** For a filter without results: says so, and offers to clear it. */
export function NoMatches<Sort extends string, Status extends string, Reference extends string = never>({
  definition: { what, references, chips },
  filter,
  onFilter,
  sentence,
  add,
}: NoMatchesProps<Sort, Status, Reference>) {
  const { search, status, sort, order }: ListFilter<Sort, Status> = filter;
  const isReferenced = references.some(({ name }) => filter[name] !== undefined) || chips(filter).length > 0;
  const among = isReferenced ? ' with these filters' : status ? ` among ${status} ${what}` : '';
  const none = isReferenced ? `No ${what} match these filters.` : `There are no ${status} ${what}.`;
  return (
    <EmptyState
      icon={SearchX}
      sentence={sentence}
      hint={search ? `Nothing matches “${search}”${among}.` : none}
      action={
        <>
          <Button tone="primary" onClick={() => onFilter({ sort, order })}>
            Clear search and filters
          </Button>
          {add}
        </>
      }
    />
  );
}
