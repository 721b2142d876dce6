import type { CalendarStatus } from '@callout/domain/calendar/calendar-event';
import { CalendarCheck, ChevronDown, ChevronLeft, ChevronRight, Plus, Rss, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { type Choice, SelectField } from '../../ui/select-field.tsx';
import type { EventStaff } from './calendar-event.ts';
import { CALENDAR_VIEWS, type CalendarChoice, type CalendarView, shortTitle, stepDate, viewTitle } from './calendar-view.ts';
import { FeedDialog } from './feed-dialog.tsx';
import { ZoneControl } from './zone-control.tsx';

interface CalendarToolbarProps {
  choice: CalendarChoice;
  /** 'yyyy-MM-dd' in the shown zone. */
  today: string;
  people: readonly EventStaff[];
  /** Not a phone, where everything stands in one line. */
  isWide: boolean;
  canAdd: boolean;
  /** Whose events the switch beside it shows: no filter to be counted. */
  ownId: string | undefined;
  onChoice: (choice: CalendarChoice) => void;
}

const VIEW_WORDS: Record<CalendarView, string> = { day: 'Day', week: 'Week', month: 'Month' };
const VIEW_CHOICES = CALENDAR_VIEWS.map((view) => ({ value: view, label: VIEW_WORDS[view] }));

const STATUS_CHOICES: readonly Choice<CalendarStatus | ''>[] = [
  { value: '', label: 'All Jobs' },
  { value: 'pending', label: 'Pending' },
  { value: 'booked', label: 'Booked' },
  { value: 'complete', label: 'Complete' },
];

/** What is shown, and how to get elsewhere. */
export function CalendarToolbar(props: CalendarToolbarProps) {
  const [isFeedOpen, setFeedOpen] = useState(false);
  return (
    <>
      {props.isWide ? (
        <WideToolbar {...props} onFeed={() => setFeedOpen(true)} />
      ) : (
        <PhoneToolbar {...props} onFeed={() => setFeedOpen(true)} />
      )}
      <FeedDialog open={isFeedOpen} onOpenChange={setFeedOpen} />
    </>
  );
}

interface ToolbarProps extends CalendarToolbarProps {
  onFeed: () => void;
}

function WideToolbar({ choice, today, people, canAdd, onChoice, onFeed }: ToolbarProps) {
  const { view, date } = choice;
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
      <div className="flex min-w-0 flex-wrap items-center gap-1">
        <h1 aria-live="polite" className="mr-1 text-2xl font-semibold tracking-tight whitespace-nowrap">
          {viewTitle(view, date)}
        </h1>
        <Steps choice={choice} onChoice={onChoice} />
        <Button onClick={() => onChoice({ ...choice, date: today })}>Today</Button>
        <ZoneControl />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <StatusFilter choice={choice} onChoice={onChoice} />
        <StaffFilter choice={choice} people={people} onChoice={onChoice} />
        <fieldset className="flex rounded-control bg-sunken p-0.5">
          <legend className="sr-only">View</legend>
          {VIEW_CHOICES.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === view}
              className={classes(
                'min-h-10 rounded-[0.375rem] px-3 text-base font-medium lg:min-h-8',
                value === view ? 'bg-raised text-ink shadow-card' : 'text-ink-2 hover:text-ink',
              )}
              onClick={() => onChoice({ ...choice, view: value })}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <IconButton label="Subscribe" tone="secondary" onClick={onFeed}>
          <Rss aria-hidden="true" />
        </IconButton>
        {canAdd && (
          <LinkButton to="/jobs/new" search={newJobSearch(date, today)} tone="primary">
            <Plus aria-hidden="true" />
            New Job
          </LinkButton>
        )}
      </div>
    </div>
  );
}

function PhoneToolbar({ choice, today, people, ownId, onChoice, onFeed }: ToolbarProps) {
  const { view, date, status, staff } = choice;
  const [isOpen, setOpen] = useState(false);
  const changed = [status, staff !== ownId && staff].filter(Boolean).length;
  return (
    // With large text the date has a row of its own, and what does not fit goes to the next.
    <div className="mb-2 flex flex-wrap items-center justify-end gap-0.5">
      <h1 aria-live="polite" className="min-w-22 flex-1 text-lg leading-5 font-semibold tracking-tight">
        {shortTitle(view, date)}
      </h1>
      <div className="flex max-w-full flex-wrap items-center gap-0.5">
        <Steps choice={choice} onChoice={onChoice} />
        <IconButton label="Today" onClick={() => onChoice({ ...choice, date: today })}>
          <CalendarCheck aria-hidden="true" />
        </IconButton>
        <OverlaidSelect
          label="View"
          choices={VIEW_CHOICES}
          value={view}
          onChange={(next) => onChoice({ ...choice, view: VIEW_CHOICES.find(({ value }) => value === next)?.value ?? view })}
        >
          {VIEW_WORDS[view]}
        </OverlaidSelect>
        <IconButton label={changed > 0 ? `Filters, ${changed} set` : 'Filters'} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <SlidersHorizontal aria-hidden="true" className={changed > 0 ? 'text-accent-ink' : undefined} />
          {changed > 0 && <span aria-hidden="true" className="-ml-1 size-2 shrink-0 rounded-full bg-accent" />}
        </IconButton>
      </div>
      <Sheet open={isOpen} onOpenChange={setOpen} title="Filters">
        <div className="flex flex-col gap-4">
          <SelectField
            label="Status"
            className="w-full"
            choices={STATUS_CHOICES}
            value={status ?? ''}
            onChange={({ target }) => onChoice({ ...choice, status: statusOf(target.value) })}
          />
          <SelectField
            label="Staff"
            className="w-full"
            choices={staffChoices(people)}
            value={staff ?? ''}
            onChange={({ target }) => onChoice({ ...choice, staff: target.value || undefined })}
          />
          <Button
            onClick={() => {
              setOpen(false);
              onFeed();
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

/** Where New Job begins: on the day that is shown. */
export const newJobSearch = (date: string, today: string) => (date > today ? { date } : {});

type FilterProps = Pick<CalendarToolbarProps, 'choice' | 'onChoice'>;

function Steps({ choice, onChoice }: FilterProps) {
  const { view, date } = choice;
  return (
    <>
      <IconButton label="Previous" className="max-md:w-9" onClick={() => onChoice({ ...choice, date: stepDate(view, date, -1) })}>
        <ChevronLeft aria-hidden="true" />
      </IconButton>
      <IconButton label="Next" className="max-md:w-9" onClick={() => onChoice({ ...choice, date: stepDate(view, date, 1) })}>
        <ChevronRight aria-hidden="true" />
      </IconButton>
    </>
  );
}

const statusOf = (text: string) => STATUS_CHOICES.find(({ value }) => value === text)?.value || undefined;
const staffChoices = (people: readonly EventStaff[]) => [
  { value: '', label: 'All Staff' },
  ...people.map(({ id, name }) => ({ value: id, label: name })),
];

function StatusFilter({ choice, onChoice }: FilterProps) {
  const { status } = choice;
  return (
    <OverlaidSelect
      label="Status"
      choices={STATUS_CHOICES}
      value={status ?? ''}
      isSet={status !== undefined}
      onChange={(next) => onChoice({ ...choice, status: statusOf(next) })}
    >
      {STATUS_CHOICES.find(({ value }) => value === (status ?? ''))?.label}
    </OverlaidSelect>
  );
}

function StaffFilter({ choice, people, onChoice }: FilterProps & Pick<CalendarToolbarProps, 'people'>) {
  const { staff } = choice;
  const chosen = people.find(({ id }) => id === staff);
  return (
    <OverlaidSelect
      label="Staff"
      choices={staffChoices(people)}
      value={staff ?? ''}
      isSet={staff !== undefined}
      onChange={(next) => onChoice({ ...choice, staff: next || undefined })}
    >
      {chosen && (
        <span
          aria-hidden="true"
          className="h-4 w-1 shrink-0 rounded-full bg-line-strong"
          style={chosen.hex_code ? { backgroundColor: chosen.hex_code } : {}}
        />
      )}
      <span className="max-w-32 truncate">{chosen?.name ?? 'All Staff'}</span>
    </OverlaidSelect>
  );
}

interface OverlaidSelectProps {
  label: string;
  choices: readonly Choice[];
  value: string;
  /** Not at its default. */
  isSet?: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
}

/** Looks like a button with what is chosen; the platform's own select lies over it. */
function OverlaidSelect({ label, choices, value, isSet = false, onChange, children }: OverlaidSelectProps) {
  return (
    <div
      className={classes(
        'relative inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-control px-2.5 text-base font-medium focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent lg:min-h-9 lg:px-3',
        isSet ? 'bg-accent-soft text-accent-ink' : 'bg-raised text-ink shadow-card hover:bg-sunken',
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
