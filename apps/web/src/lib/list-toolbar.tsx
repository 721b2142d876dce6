import { SearchX, X } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { DateFilterField } from '../ui/date-filter-field.tsx';
import { DebouncedSearchField } from '../ui/debounced-search-field.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FilterToggle } from '../ui/filter-toggle.tsx';
import { type Choice, SelectField } from '../ui/select-field.tsx';
import type { buildSortChoices, defineListFilter, ListFilter, Sorting, SortOrder } from './list-filter.ts';

interface FilterProps<Sort extends string, Status extends string, Reference extends string> {
  definition: ReturnType<typeof defineListFilter<Sort, Status, Reference>>;
  filter: ListFilter<Sort, Status, Reference>;
  onFilter: (filter: ListFilter<Sort, Status, Reference>) => void;
}

interface ToolbarProps<Sort extends string, Status extends string, Reference extends string> extends FilterProps<Sort, Status, Reference> {
  /** Choices of each reference filter, once they have loaded. */
  choices?: Readonly<Partial<Record<Reference, readonly Choice[]>>>;
  /** Called when the user opens the filters, to load the choices. Not called if an active filter keeps them open from the start. */
  onOpen?: () => void;
  /** Further buttons next to the filter toggle. */
  actions?: ReactNode;
}

/** Search field that sticks to the top while scrolling, with filters behind a toggle. */
export function ListToolbar<Sort extends string, Status extends string, Reference extends string = never>(
  props: ToolbarProps<Sort, Status, Reference>,
) {
  const { definition, filter, onFilter, onOpen, actions } = props;
  const [open, setOpen] = useState(definition.isPanelOpenAtStart(filter));
  const panel = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const { search = '' }: ListFilter<Sort, Status> = filter;
  const label = `Search ${definition.pluralNoun}`;
  return (
    <>
      <div className="sticky top-(--header-height) z-20 -mx-4 flex flex-wrap gap-2 bg-canvas px-4 py-2 lg:-mx-1 lg:px-1">
        <DebouncedSearchField
          label={label}
          placeholder={definition.placeholder ?? label}
          maxLength={200}
          value={search}
          onChange={(term) => onFilter(withFilterValue(filter, 'search', term || undefined))}
          // With another button, a narrower field keeps all of them in one row on small phones.
          className={classNames('flex-1 lg:max-w-md', actions ? 'basis-28' : 'basis-36')}
        />
        <FilterToggle
          ref={toggle}
          open={open}
          panelId={panel}
          activeCount={definition.countActive(filter)}
          isSortOnly={definition.statuses.length + definition.references.length === 0}
          onClick={() => {
            setOpen(!open);
            onOpen?.();
          }}
        />
        {actions}
      </div>
      <div id={panel} hidden={!open} className="pt-1 pb-3">
        <FilterFields {...props} />
      </div>
      <FilterChips {...props} fallbackFocus={toggle} />
    </>
  );
}

interface FilterChipsProps<Sort extends string, Status extends string, Reference extends string>
  extends FilterProps<Sort, Status, Reference> {
  /** Receives the focus when the last chip is removed. */
  fallbackFocus: RefObject<HTMLElement | null>;
}

/** Removable chips for filters without a control, set by a link or a view. Removing a chip moves the focus to the next chip. */
function FilterChips<Sort extends string, Status extends string, Reference extends string>({
  definition,
  filter,
  onFilter,
  fallbackFocus,
}: FilterChipsProps<Sort, Status, Reference>) {
  const chips = definition.getChips(filter);
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2 pb-3">
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
              const neighbor = (chip?.nextElementSibling ?? chip?.previousElementSibling)?.querySelector('button');
              (neighbor ?? fallbackFocus.current)?.focus();
              onFilter(withFilterValue(filter, name, undefined));
            }}
          >
            <X aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const SORT_ORDERS: readonly Choice<SortOrder>[] = [
  { value: 'asc', label: 'Ascending' },
  { value: 'desc', label: 'Descending' },
];

const findChoice = <Value extends string>(choices: readonly Choice<Value>[], text: string) =>
  choices.find(({ value }) => value === text)?.value;

/** Returns the filter with one value replaced, or removed if `value` is undefined. */
function withFilterValue<Filter extends object>(filter: Filter, name: string, value: string | undefined): Filter {
  const others = Object.fromEntries(Object.entries(filter).filter(([other]) => other !== name));
  return (value === undefined ? others : { ...others, [name]: value }) as Filter;
}

function FilterFields<Sort extends string, Status extends string, Reference extends string>({
  definition,
  filter,
  onFilter,
  choices,
}: ToolbarProps<Sort, Status, Reference>) {
  const { pluralNoun, sorts, statuses, allStatusesLabel = `All ${pluralNoun}`, references, dateRange, withSort } = definition;
  const { status, sort, order }: ListFilter<Sort, Status> = filter;
  // On desktop, column headers sort the list, so the sort control is hidden to leave room for the filters.
  const hiddenClass = sorts.some(({ isWideOnly }) => isWideOnly) ? 'xl:hidden' : 'lg:hidden';
  const sortClassName = references.length > 0 ? hiddenClass : undefined;
  return (
    <div
      className={classNames(
        'grid grid-cols-2 gap-3',
        references.length > 2 ? 'lg:max-w-4xl lg:grid-cols-4' : 'lg:max-w-2xl lg:grid-cols-3',
      )}
    >
      {statuses.length > 0 && (
        <SelectField
          label="Status"
          className="col-span-2 lg:col-span-1"
          choices={[{ value: 'all', label: allStatusesLabel }, ...statuses]}
          value={status ?? 'all'}
          onChange={({ target }) => onFilter(withFilterValue(filter, 'status', findChoice(statuses, target.value)))}
        />
      )}
      {references.map(({ name, label, all, isFullWidthOnPhone }) => (
        <SelectField
          key={name}
          label={label}
          className={isFullWidthOnPhone ? 'max-lg:col-span-2' : undefined}
          choices={[{ value: '', label: all }, ...(choices?.[name] ?? [])]}
          value={filter[name] ?? ''}
          onChange={({ target }) => onFilter(withFilterValue(filter, name, target.value || undefined))}
        />
      ))}
      {dateRange && filter[dateRange.reference] === dateRange.value && (
        <DateRangeFields
          from={filter[dateRange.from]}
          to={filter[dateRange.to]}
          onFrom={(date) => onFilter(withFilterValue(filter, dateRange.from, date))}
          onTo={(date) => onFilter(withFilterValue(filter, dateRange.to, date))}
        />
      )}
      <SelectField
        label="Sort by"
        className={sortClassName}
        choices={sorts}
        value={sort}
        onChange={({ target }) => onFilter(withSort(filter, findChoice(sorts, target.value) ?? sort))}
      />
      <SelectField
        label="Order"
        className={sortClassName}
        choices={SORT_ORDERS}
        value={order}
        onChange={({ target }) => onFilter({ ...filter, order: findChoice(SORT_ORDERS, target.value) ?? order })}
      />
    </div>
  );
}

interface SortSelectProps<Sort extends string, Filter extends Sorting<Sort>> {
  choices: ReturnType<typeof buildSortChoices<Sort>>;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  className: string;
}

/** Selects the column and the order in one step. */
export function SortSelect<Sort extends string, Filter extends Sorting<Sort>>(props: SortSelectProps<Sort, Filter>) {
  const { choices, filter, onFilter, className } = props;
  return (
    <SelectField
      label="Sort by"
      hideLabel
      className={className}
      choices={choices}
      value={`${filter.sort} ${filter.order}`}
      onChange={({ target }) => onFilter({ ...filter, ...choices.find(({ value }) => value === target.value)?.sorting })}
    />
  );
}

interface DateRangeFieldsProps {
  from: string | undefined;
  to: string | undefined;
  onFrom: (date: string | undefined) => void;
  onTo: (date: string | undefined) => void;
}

function DateRangeFields({ from, to, onFrom, onTo }: DateRangeFieldsProps) {
  const isReversed = from !== undefined && to !== undefined && from > to;
  return (
    <>
      <DateFilterField label="First day" date={from} onDateChange={onFrom} />
      <DateFilterField
        label="Last day"
        date={to}
        onDateChange={onTo}
        error={isReversed ? "The last day can't be before the first" : undefined}
      />
    </>
  );
}

interface NoMatchesProps<Sort extends string, Status extends string, Reference extends string>
  extends FilterProps<Sort, Status, Reference> {
  sentence: string;
  addAction: ReactNode;
}

/** Empty state for a filter without matches, with a button that clears the filter. */
export function NoMatches<Sort extends string, Status extends string, Reference extends string = never>({
  definition: { pluralNoun, references, getChips },
  filter,
  onFilter,
  sentence,
  addAction: add,
}: NoMatchesProps<Sort, Status, Reference>) {
  const { search, status, sort, order }: ListFilter<Sort, Status> = filter;
  const hasOtherFilters = references.some(({ name }) => filter[name] !== undefined) || getChips(filter).length > 0;
  const among = hasOtherFilters ? ' with these filters' : status ? ` among ${status} ${pluralNoun}` : '';
  const none = hasOtherFilters ? `No ${pluralNoun} match these filters.` : `There are no ${status} ${pluralNoun}.`;
  return (
    <EmptyState
      icon={SearchX}
      message={sentence}
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
