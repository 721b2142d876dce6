import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { ChevronDown, ChevronLeft, ChevronRight, Plus, Rss, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { buildChoices, type Choice, SelectField } from '../../ui/select-field.tsx';
import { FORMER_STAFF_LABEL } from '../staff/staff.api.ts';
import type { EventStaff } from './calendar-event.ts';
import { CalendarFeedDialog } from './calendar-feed-dialog.tsx';
import { CALENDAR_VIEWS, type CalendarSelection, type CalendarView, formatPeriod, formatShortPeriod, stepDate } from './calendar-view.ts';
import { TimeZoneSelect } from './time-zone-select.tsx';

interface CalendarToolbarProps {
  selection: CalendarSelection;
  /** Today's date as 'yyyy-MM-dd' in the displayed time zone. */
  today: string;
  /** Undefined until loaded. */
  people: readonly EventStaff[] | undefined;
  /** False on a phone, where the toolbar has only one row. */
  isWide: boolean;
  canAdd: boolean;
  /** The user's staff id. The Mine switch selects this id, so the Filters button doesn't count it. */
  myId: string | undefined;
  onSelect: (selection: CalendarSelection) => void;
}

const VIEW_LABELS: Record<CalendarView, string> = { day: 'Day', week: 'Week', month: 'Month' };
const VIEW_CHOICES = CALENDAR_VIEWS.map((view) => ({ value: view, label: VIEW_LABELS[view] }));

const STATUS_CHOICES: readonly Choice<CalendarStatus | ''>[] = [
  { value: '', label: 'All Jobs' },
  { value: 'pending', label: 'Pending' },
  { value: 'booked', label: 'Booked' },
  { value: 'complete', label: 'Complete' },
];

export function CalendarToolbar(props: CalendarToolbarProps) {
  const [isFeedOpen, setFeedOpen] = useState(false);
  return (
    <>
      {props.isWide ? (
        <DesktopToolbar {...props} onOpenFeed={() => setFeedOpen(true)} />
      ) : (
        <PhoneToolbar {...props} onOpenFeed={() => setFeedOpen(true)} />
      )}
      <CalendarFeedDialog open={isFeedOpen} onOpenChange={setFeedOpen} />
    </>
  );
}

interface ToolbarProps extends CalendarToolbarProps {
  onOpenFeed: () => void;
}

function DesktopToolbar({ selection, today, people, canAdd, onSelect, onOpenFeed }: ToolbarProps) {
  const { view, date } = selection;
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
      <div className="flex min-w-0 flex-wrap items-center gap-1">
        <h1 aria-live="polite" className="mr-1 text-2xl font-semibold tracking-tight whitespace-nowrap">
          {formatPeriod(view, date)}
        </h1>
        <StepButtons selection={selection} onSelect={onSelect} />
        <Button onClick={() => onSelect({ ...selection, date: today })}>Today</Button>
        <TimeZoneSelect />
      </div>
      <div className="flex grow flex-wrap items-center justify-end gap-2">
        <StatusFilter selection={selection} onSelect={onSelect} />
        <StaffFilter selection={selection} people={people} onSelect={onSelect} />
        <fieldset className="flex rounded-control bg-sunken p-0.5">
          <legend className="sr-only">View</legend>
          {VIEW_CHOICES.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === view}
              className={classNames(
                'min-h-10 rounded-[0.375rem] px-3 text-base font-medium lg:min-h-8',
                value === view ? 'bg-raised text-ink shadow-card' : 'text-ink-2 hover:text-ink',
              )}
              onClick={() => onSelect({ ...selection, view: value })}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <IconButton label="Subscribe" tone="secondary" onClick={onOpenFeed}>
          <Rss aria-hidden="true" />
        </IconButton>
        {canAdd && (
          <LinkButton to="/jobs/new" search={toNewJobSearch(date, today)} tone="primary">
            <Plus aria-hidden="true" />
            New Job
          </LinkButton>
        )}
      </div>
    </div>
  );
}

function PhoneToolbar({ selection, today, people, myId, onSelect, onOpenFeed }: ToolbarProps) {
  const { view, date, status, staff } = selection;
  const [isOpen, setOpen] = useState(false);
  const count = [status, staff !== myId && staff].filter(Boolean).length;
  return (
    // With large text, the row is too narrow, so the date moves to its own row and the buttons wrap.
    <div className="mb-2 flex flex-wrap items-center justify-end gap-0.5">
      <h1 aria-live="polite" className="min-w-22 flex-1 text-lg leading-5 font-semibold tracking-tight">
        {formatShortPeriod(view, date)}
      </h1>
      <div className="flex max-w-full flex-wrap items-center gap-0.5">
        <StepButtons selection={selection} onSelect={onSelect} />
        <Button tone="quiet" className="px-2!" onClick={() => onSelect({ ...selection, date: today })}>
          Today
        </Button>
        <OverlaidSelect
          label="View"
          choices={VIEW_CHOICES}
          value={view}
          onChange={(next) => onSelect({ ...selection, view: VIEW_CHOICES.find(({ value }) => value === next)?.value ?? view })}
        >
          {VIEW_LABELS[view]}
        </OverlaidSelect>
        <IconButton label={count > 0 ? `Filters, ${count} active` : 'Filters'} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <SlidersHorizontal aria-hidden="true" className={count > 0 ? 'text-accent-ink' : undefined} />
          {count > 0 && <span aria-hidden="true" className="-ml-1 size-2 shrink-0 rounded-full bg-accent" />}
        </IconButton>
      </div>
      <Sheet open={isOpen} onOpenChange={setOpen} title="Filters">
        <div className="flex flex-col gap-4">
          <SelectField
            label="Status"
            className="w-full"
            choices={STATUS_CHOICES}
            value={status ?? ''}
            onChange={({ target }) => onSelect({ ...selection, status: parseStatus(target.value) })}
          />
          <SelectField
            label="Staff"
            className="w-full"
            choices={getStaffChoices(people, staff)}
            value={staff ?? ''}
            onChange={({ target }) => onSelect({ ...selection, staff: target.value || undefined })}
          />
          <Button
            onClick={() => {
              setOpen(false);
              onOpenFeed();
            }}
          >
            <Rss aria-hidden="true" />
            Subscribe
          </Button>
        </div>
      </Sheet>
    </div>
  );
}

/** Returns search parameters that prefill a new job with the displayed date, unless that date is today or in the past. */
export const toNewJobSearch = (date: string, today: string) => (date > today ? { date } : {});

type FilterProps = Pick<CalendarToolbarProps, 'selection' | 'onSelect'>;

function StepButtons({ selection, onSelect }: FilterProps) {
  const { view, date } = selection;
  return (
    <>
      <IconButton label="Previous" className="max-md:w-9" onClick={() => onSelect({ ...selection, date: stepDate(view, date, -1) })}>
        <ChevronLeft aria-hidden="true" />
      </IconButton>
      <IconButton label="Next" className="max-md:w-9" onClick={() => onSelect({ ...selection, date: stepDate(view, date, 1) })}>
        <ChevronRight aria-hidden="true" />
      </IconButton>
    </>
  );
}

const parseStatus = (text: string) => STATUS_CHOICES.find(({ value }) => value === text)?.value || undefined;
const getStaffChoices = (people: readonly EventStaff[] | undefined, selected: string | undefined) => [
  { value: '', label: 'All Staff' },
  ...buildChoices(people, selected, FORMER_STAFF_LABEL),
];

function StatusFilter({ selection, onSelect }: FilterProps) {
  const { status } = selection;
  return (
    <OverlaidSelect
      label="Status"
      choices={STATUS_CHOICES}
      value={status ?? ''}
      isActive={status !== undefined}
      onChange={(next) => onSelect({ ...selection, status: parseStatus(next) })}
    >
      {STATUS_CHOICES.find(({ value }) => value === (status ?? ''))?.label}
    </OverlaidSelect>
  );
}

function StaffFilter({ selection, people, onSelect }: FilterProps & Pick<CalendarToolbarProps, 'people'>) {
  const { staff } = selection;
  const selected = people?.find(({ id }) => id === staff);
  const choices = getStaffChoices(people, staff);
  return (
    <OverlaidSelect
      label="Staff"
      choices={choices}
      value={staff ?? ''}
      isActive={staff !== undefined}
      onChange={(next) => onSelect({ ...selection, staff: next || undefined })}
    >
      {selected && (
        <span
          aria-hidden="true"
          className="h-4 w-1 shrink-0 rounded-full bg-line-strong"
          style={selected.hex_code ? { backgroundColor: selected.hex_code } : {}}
        />
      )}
      <span className="max-w-32 truncate">{choices.find(({ value }) => value === (staff ?? ''))?.label}</span>
    </OverlaidSelect>
  );
}

interface OverlaidSelectProps {
  label: string;
  choices: readonly Choice[];
  value: string;
  /** True if a value other than the default is selected. */
  isActive?: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
}

/** Shows a button with the selected value. An invisible native select on top of the button handles clicks and keys. */
function OverlaidSelect({ label, choices, value, isActive = false, onChange, children }: OverlaidSelectProps) {
  return (
    <div
      className={classNames(
        'relative inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-control px-2.5 text-base font-medium focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent lg:min-h-9 lg:px-3',
        isActive ? 'bg-accent-soft text-accent-ink' : 'bg-raised text-ink shadow-card hover:bg-sunken',
      )}
    >
      {children}
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <select
        aria-label={label}
        className="absolute inset-0 size-full cursor-pointer appearance-none text-lg opacity-0"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} className="bg-raised text-ink">
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}
