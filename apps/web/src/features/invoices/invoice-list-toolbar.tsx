import type { InvoiceSummary } from '@callout/contract/invoices';
import { formatCount } from '@callout/domain/text/count-text';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { FilterToggle } from '../../ui/filter-toggle.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import {
  type InvoiceListFilter,
  PERIODS,
  type PeriodChoice,
  periodOf,
  SORTS,
  shownTab,
  TABS,
  withPeriod,
  withTab,
} from './invoice-list-filter.ts';

interface ToolbarProps {
  filter: InvoiceListFilter;
  onFilter: (filter: InvoiceListFilter) => void;
  /** How many each tab holds; undefined while they are read. */
  counts: InvoiceSummary['filters'] | undefined;
  /** In the company's time zone. */
  today: string;
  /** Of the only customer, once a row of theirs was read. */
  customerName: string | undefined;
}

/** Tabs and search are always in sight; on phones period and order wait behind a button. */
export function InvoiceListToolbar({ filter, onFilter, counts, today, customerName }: ToolbarProps) {
  const { from, to, customer_id: customerId, sort, order } = filter;
  const changed = [from ?? to, sort !== 'late_after' || order !== 'asc' ? sort : undefined].filter(Boolean).length;
  const [open, setOpen] = useState(changed > 0);
  const panel = useId();
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Tabs filter={filter} onFilter={onFilter} counts={counts} />
      <DebouncedSearchField
        label="Search invoices"
        placeholder="Search invoices..."
        maxLength={200}
        value={filter.search ?? ''}
        onChange={(term) => onFilter(withSearch(filter, term))}
        className="flex-1 basis-36 lg:max-w-xs lg:min-w-56"
      />
      <FilterToggle open={open} panel={panel} changed={changed} className="lg:hidden" onClick={() => setOpen(!open)} />
      <div id={panel} className={classes('flex flex-wrap gap-2 max-lg:w-full', !open && 'max-lg:hidden')}>
        <Period filter={filter} onFilter={onFilter} today={today} />
        <SelectField
          label="Sort by"
          hideLabel
          className="flex-1 basis-40 lg:w-48"
          choices={SORTS}
          value={`${sort} ${order}`}
          onChange={({ target }) => onFilter({ ...filter, ...SORTS.find(({ value }) => value === target.value)?.by })}
        />
      </div>
      {customerId !== undefined && (
        <Button tone="tinted" aria-label="Show all customers" onClick={() => onFilter(withoutCustomer(filter))} className="min-w-0">
          <span className="truncate">Only {customerName ?? 'one customer'}</span>
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

const withSearch = ({ search: _search, ...rest }: InvoiceListFilter, term: string): InvoiceListFilter =>
  term ? { ...rest, search: term } : rest;
const withoutCustomer = ({ customer_id: _customer, ...rest }: InvoiceListFilter): InvoiceListFilter => rest;

function Tabs({ filter, onFilter, counts }: Pick<ToolbarProps, 'filter' | 'onFilter' | 'counts'>) {
  const chosen = shownTab(filter);
  return (
    <div
      role="group"
      aria-label="Show"
      className="flex gap-0.5 rounded-control bg-neutral-soft p-0.5 max-sm:w-full max-sm:flex-wrap lg:mr-auto"
    >
      {TABS.map(({ value, count, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onFilter(withTab(filter, value))}
          className="flex min-h-11 items-center justify-center gap-1.5 rounded-md px-3 text-base font-medium text-ink-2 tabular-nums hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card max-sm:flex-1 max-sm:flex-col max-sm:gap-0 max-sm:px-1 lg:min-h-8"
        >
          {label}
          <span className="font-normal text-ink-3 max-sm:text-sm">{counts ? formatCount(counts[count]) : <>&nbsp;</>}</span>
        </button>
      ))}
    </div>
  );
}

interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const isSame = (one: Days, other: Days) => one.from === other.from && one.to === other.to;

function Period({ filter, onFilter, today }: Pick<ToolbarProps, 'filter' | 'onFilter' | 'today'>) {
  const { from, to } = filter;
  /** The days as they were typed here. Other days come from elsewhere, and say themselves which period they are. */
  const [own, setOwn] = useState<Days | null>(null);
  const [shown, setShown] = useState<Days>({ from, to });
  if (!isSame(shown, filter)) {
    setShown({ from, to });
    if (own && !isSame(own, filter)) setOwn(null);
  }
  const period = own ? 'own-dates' : periodOf(filter, today);
  const choose = (chosen: PeriodChoice) => {
    setOwn(chosen === 'own-dates' ? { from, to } : null);
    onFilter(withPeriod(filter, chosen, today));
  };
  const change = (day: 'from' | 'to', value: string | undefined) => {
    setOwn({ from, to, [day]: value });
    onFilter(withPeriod({ ...filter, [day]: value }, 'own-dates', today));
  };
  const isReversed = from !== undefined && to !== undefined && from > to;
  return (
    <>
      <SelectField
        label="Period"
        hideLabel
        className="flex-1 basis-32 lg:w-36"
        choices={PERIODS}
        value={period}
        onChange={({ target }) => choose(PERIODS.find(({ value }) => value === target.value)?.value ?? 'all-time')}
      />
      {period === 'own-dates' && (
        <div className="flex w-full gap-2 lg:w-auto">
          <DayField label="First day" day={from} onDay={(day) => change('from', day)} />
          <DayField
            label="Last day"
            day={to}
            onDay={(day) => change('to', day)}
            error={isReversed ? 'The last day must not be before the first' : undefined}
          />
        </div>
      )}
    </>
  );
}

interface DayFieldProps {
  label: string;
  day: string | undefined;
  onDay: (day: string | undefined) => void;
  error?: string | undefined;
}

/** Keeps what is typed until it is a day of this century: the year 2026 is 2, 20 and 202 first. */
function DayField({ label, day = '', onDay, error }: DayFieldProps) {
  const [typed, setTyped] = useState(day);
  const [reported, setReported] = useState(day);
  if (day !== reported) {
    setReported(day);
    setTyped(day);
  }
  const change = (text: string) => {
    setTyped(text);
    if (text !== '' && !text.startsWith('20')) return;
    setReported(text);
    onDay(text || undefined);
  };
  return (
    <TextField
      label={label}
      hideLabel
      type="date"
      className="flex-1 lg:w-36"
      value={typed}
      onChange={({ target }) => change(target.value)}
      error={error}
    />
  );
}
