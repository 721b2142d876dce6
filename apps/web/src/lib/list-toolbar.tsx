import { SearchX, X } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { DebouncedSearchField } from '../ui/debounced-search-field.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FilterToggle } from '../ui/filter-toggle.tsx';
import { type Choice, SelectField } from '../ui/select-field.tsx';
import type { defineListFilter, ListFilter, SortOrder } from './list-filter.ts';

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
