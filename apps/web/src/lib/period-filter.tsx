import { CALENDAR_PERIODS, type CalendarPeriod, getCalendarPeriodRange } from '@callout/domain/time/calendar-period';
import { useState } from 'react';
import { DateFilterField } from '../ui/date-filter-field.tsx';
import { type Choice, SelectField } from '../ui/select-field.tsx';
import { withoutEmptyValues } from './list-filter.ts';

/** The part of a list's filter that limits it to a period. Dates are 'yyyy-MM-dd', and both are inclusive. */
interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type PeriodChoice = CalendarPeriod | 'all-time' | 'custom-dates';

const PERIOD_LABELS: Readonly<Record<CalendarPeriod, string>> = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-quarter': 'This quarter',
  'last-quarter': 'Last quarter',
  'this-year': 'This year',
  'last-year': 'Last year',
};

const PERIOD_CHOICES: readonly Choice<PeriodChoice>[] = [
  { value: 'all-time', label: 'All time' },
  ...CALENDAR_PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] })),
  { value: 'custom-dates', label: 'Custom dates' },
];

/** Derives the period from the dates. The URL stores only dates, so that a shared link still shows the same rows next month. */
function getActivePeriod({ from, to }: DateRange, today: string): PeriodChoice {
  if (from === undefined && to === undefined) return 'all-time';
  const matchesPeriod = (period: CalendarPeriod) => {
    const range = getCalendarPeriodRange(period, today);
    return range.from === from && range.to === to;
  };
  return CALENDAR_PERIODS.find(matchesPeriod) ?? 'custom-dates';
}

/** Choosing custom dates keeps the selected range as their starting point. */
function withPeriod<Filter extends DateRange>(filter: Filter, period: PeriodChoice, today: string): Filter {
  if (period === 'custom-dates') return withoutEmptyValues(filter);
  const range = period === 'all-time' ? { from: undefined, to: undefined } : getCalendarPeriodRange(period, today);
  return withoutEmptyValues({ ...filter, ...range });
}

const isSameRange = (a: DateRange, b: DateRange) => a.from === b.from && a.to === b.to;

interface PeriodFilterProps<Filter extends DateRange> {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  /** Today's date in the company's time zone, 'yyyy-MM-dd'. */
  today: string;
}

/** Selects a calendar period or custom dates. */
export function PeriodFilter<Filter extends DateRange>({ filter, onFilter, today }: PeriodFilterProps<Filter>) {
  const { from, to } = filter;
  /** Dates entered by hand, which count as custom even if they match a period. Reset when the filter changes in any other way. */
  const [enteredRange, setEnteredRange] = useState<DateRange | null>(null);
  const [previousRange, setPreviousRange] = useState<DateRange>({ from, to });
  if (!isSameRange(previousRange, filter)) {
    setPreviousRange({ from, to });
    if (enteredRange && !isSameRange(enteredRange, filter)) setEnteredRange(null);
  }
  const period = enteredRange ? 'custom-dates' : getActivePeriod(filter, today);
  const selectPeriod = (choice: PeriodChoice) => {
    setEnteredRange(choice === 'custom-dates' ? { from, to } : null);
    onFilter(withPeriod(filter, choice, today));
  };
  const changeDate = (bound: 'from' | 'to', value: string | undefined) => {
    setEnteredRange({ from, to, [bound]: value });
    onFilter(withPeriod({ ...filter, [bound]: value }, 'custom-dates', today));
  };
  const isReversed = from !== undefined && to !== undefined && from > to;
  return (
    <>
      <SelectField
        label="Period"
        hideLabel
        className="flex-1 basis-32 lg:w-36 lg:flex-none"
        choices={PERIOD_CHOICES}
        value={period}
        onChange={({ target }) => selectPeriod(PERIOD_CHOICES.find(({ value }) => value === target.value)?.value ?? 'all-time')}
      />
      {period === 'custom-dates' && (
        <div className="flex w-full gap-2 lg:w-auto">
          <DateFilterField
            label="First day"
            hideLabel
            className="flex-1 lg:w-36"
            date={from}
            onDateChange={(date) => changeDate('from', date)}
          />
          <DateFilterField
            label="Last day"
            hideLabel
            className="flex-1 lg:w-36"
            date={to}
            onDateChange={(date) => changeDate('to', date)}
            error={isReversed ? "The last day can't be before the first" : undefined}
          />
        </div>
      )}
    </>
  );
}
