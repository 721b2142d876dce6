import type { CalendarJob, CalendarTask } from '@callout/contract/calendar';
import { isDurationHours } from '@callout/domain/durations/duration';
import { decimal, plainText } from '@callout/domain/money/decimal';
import { formatDateTime } from '@callout/domain/time/date-format';
import { fieldTime, wallTime } from '@callout/domain/time/wall-time';
import { localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { clockChangeText } from '../../lib/clock-change.ts';
import { hasCode } from '../../lib/error-messages.ts';
import { timeZoneText } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { BookingClash } from './booking-clash.tsx';
import { type EventStaff, hoursOf, type Schedulable } from './calendar-event.ts';
import { reportScheduleFailure, type ScheduleChange, scheduleFailure, type useSchedule } from './calendar-schedule.api.ts';

/** For a job of the tray. */
export interface SuggestedBooking {
  /** 'yyyy-MM-dd' and 'HH:mm' in the shown zone. */
  readonly date: string;
  readonly time?: string;
  /** Whose lane was pressed: it was chosen for the job. */
  readonly pressedStaff?: string | undefined;
  /** The only one whose events are shown: for a job that is nobody's. */
  readonly shownStaff: string | undefined;
}

interface MoveDialogProps {
  /** Open while there is one. */
  event: Schedulable | undefined;
  suggested: SuggestedBooking;
  zone: string;
  people: readonly EventStaff[];
  onMove: ReturnType<typeof useSchedule>;
  /** A dialog closes itself only: another one may be open by then. */
  onClose: (event: Schedulable) => void;
}

/** Date, time, duration and person of an event, for the keyboard and for exact times. */
export function MoveDialog({ event, ...rest }: MoveDialogProps) {
  const [opened, setOpened] = useState<{ readonly event: Schedulable | undefined; readonly count: number }>({ event: undefined, count: 0 });
  const [last, setLast] = useState<Schedulable>();
  if (event !== last) {
    setLast(event);
    if (event) setOpened(({ count }) => ({ event, count: count + 1 }));
  }
  // What it says stays while it closes.
  if (!opened.event) return null;
  return <MoveForm key={opened.count} {...rest} event={opened.event} open={event !== undefined} />;
}

interface Typed {
  readonly date: string;
  readonly time: string;
  readonly hours: string;
  readonly staffId: string;
}

type Wrong = { readonly [Field in keyof Typed]?: string | undefined };

const DAY_STARTS = '08:00';
const MOVE = { action: 'Move', saving: 'Moving…' };
/** Of a job of the tray. */
const BOOK = { action: 'Book', saving: 'Booking…' };
const DURATION_STEPS = 'Duration must be at least 0.5 hours, in steps of 0.25';

interface MoveFormProps extends Omit<MoveDialogProps, 'event'> {
  event: Schedulable;
  open: boolean;
}

function MoveForm({ event, open, suggested: suggestedNow, zone: shownZone, people, onMove, onClose }: MoveFormProps) {
  const form = useId();
  const close = () => onClose(event);
  const words = event.start === null ? BOOK : MOVE;
  /** What is typed means this zone, also when another one is chosen elsewhere. */
  const [zone] = useState(shownZone);
  const [suggested] = useState(suggestedNow);
  /** As it was when it was opened, or when the server last refused. */
  const [seen, setSeen] = useState(event);
  const [typed, setTyped] = useState(() => typedOf(event, suggested, zone));
  const [wrong, setWrong] = useState<Wrong>({});
  const [failure, setFailure] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const change = (changed: Partial<Typed>) => {
    setTyped({ ...typed, ...changed });
    setWrong({ ...wrong, ...Object.fromEntries(Object.keys(changed).map((field) => [field, undefined])) });
    setFailure(undefined);
  };
  const start = startOf(typed, seen, zone);
  const staff = staffChoices(people, seen);

  const isMoved = useRef(false);
  const isShown = useRef(open);
  useEffect(() => {
    isShown.current = open;
    return () => {
      isShown.current = false;
    };
  }, [open]);
  const fail = (error: unknown, moved: ScheduleChange) => {
    if (!isShown.current) {
      reportScheduleFailure(error, moved);
      return;
    }
    setSaving(false);
    const current = currentOf(error, seen);
    if (current) {
      setSeen(current);
      setTyped((now) => rebased(now, typedOf(seen, suggested, zone), typedOf(current, suggested, zone), seen.start === null));
    }
    setFailure(
      `${scheduleFailure(error, moved)}${current ? ` ${nowAt(current, zone)} Press ${words.action} again to ${words.action.toLowerCase()} it anyway.` : ''}`,
    );
  };
  const save = (submit: SubmitEvent) => {
    submit.preventDefault();
    if (isSaving) return;
    const found = problemsOf(typed);
    setWrong(found);
    if (start === null || Object.values(found).some(Boolean)) return;
    const moved = changeTo({ start, hours: typed.hours.trim(), staff: staff.find(({ id }) => id === typed.staffId) ?? null }, seen);
    if (!moved) {
      close();
      return;
    }
    setSaving(true);
    setFailure(undefined);
    onMove(moved).then(
      () => {
        isMoved.current = true;
        close();
      },
      (error: unknown) => fail(error, moved),
    );
  };

  return (
    <Sheet
      open={open}
      onOpenChange={close}
      title={`${words.action} ${event.title}`}
      // A job that stays in the tray is where it was opened.
      findFocus={() => (event.start !== null || isMoved.current ? movedEvent(event) : null)}
      actions={
        <>
          <Button disabled={isSaving} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} tone="primary" busy={isSaving}>
            {isSaving ? words.saving : words.action}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={save} className="grid grid-cols-2 items-start gap-4">
        <TextField
          label="Date"
          type="date"
          value={typed.date}
          error={wrong.date}
          onChange={({ target }) => change({ date: target.value })}
        />
        <TextField
          label="Time"
          type="time"
          step={900}
          value={typed.time}
          hint={timeZoneText(zone)}
          error={wrong.time}
          onChange={({ target }) => change({ time: target.value })}
        />
        <DecimalField
          label="Duration (hours)"
          step="0.25"
          value={typed.hours}
          error={wrong.hours}
          onChange={({ target }) => change({ hours: target.value })}
        />
        <SelectField
          label="Person"
          value={typed.staffId}
          choices={[{ value: '', label: UNASSIGNED }, ...staff.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={({ target }) => change({ staffId: target.value })}
        />
        <div className="col-span-2 flex flex-col gap-2 empty:hidden">
          <ClockChange typed={typed} zone={zone} />
          {start !== null && typed.staffId !== '' && isDurationHours(typed.hours.trim()) && (
            <BookingClash staffId={typed.staffId} start={start} hours={typed.hours.trim()} zone={zone} jobId={event.id} />
          )}
          {failure !== undefined && (
            <p role="alert" className="text-sm text-danger-ink">
              {failure}
            </p>
          )}
        </div>
      </form>
    </Sheet>
  );
}

/** The event where it is now, brought into view; the calendar when it has left what is shown. The next row would be another event. */
function movedEvent({ id }: Schedulable): HTMLElement | null {
  const event = document.querySelector(`[data-event="${id}"]`);
  event?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return event?.querySelector('button') ?? document.querySelector<HTMLElement>('[data-calendar]');
}

function typedOf(event: Schedulable, suggested: SuggestedBooking, zone: string): Typed {
  const { start, staff } = event;
  const hours = plainText(decimal(hoursOf(event)));
  if (start !== null) return { date: localDate(start, zone), time: fieldTime(wallTime(start, zone)), hours, staffId: staff?.id ?? '' };
  const { date, time = DAY_STARTS, pressedStaff, shownStaff } = suggested;
  return { date, time, hours, staffId: pressedStaff ?? staff?.id ?? shownStaff ?? '' };
}

/** What was typed stays; the rest follows what somebody else has made of it. A time that was suggested counts as typed. */
function rebased(typed: Typed, before: Typed, current: Typed, wasSuggested: boolean): Typed {
  const newer = <Field extends keyof Typed>(field: Field) => (typed[field] === before[field] ? current[field] : typed[field]);
  const at = wasSuggested ? { date: typed.date, time: typed.time } : { date: newer('date'), time: newer('time') };
  return { ...at, hours: newer('hours'), staffId: newer('staffId') };
}

/** Null while date or time is missing. Fields show minutes: a start that was not touched keeps its seconds. */
function startOf({ date, time }: Typed, { start }: Schedulable, zone: string): string | null {
  if (date === '' || time === '') return null;
  const isSame = start !== null && localDate(start, zone) === date && fieldTime(wallTime(start, zone)) === time.slice(0, 5);
  try {
    return isSame ? start : zonedInstant(date, time.slice(0, 5), zone);
  } catch {
    return null;
  }
}

function problemsOf({ date, time, hours }: Typed): Wrong {
  return {
    date: date === '' ? 'Date is required' : undefined,
    time: time === '' ? 'Time is required' : undefined,
    hours: isDurationHours(hours.trim()) ? undefined : DURATION_STEPS,
  };
}

/** Everybody, and whoever has it now. */
function staffChoices(people: readonly EventStaff[], { staff }: Schedulable): readonly EventStaff[] {
  return staff && !people.some(({ id }) => id === staff.id) ? [...people, staff] : people;
}

/** What differs from what was seen; nothing when it stays where it is. */
function changeTo(to: { start: string; hours: string; staff: EventStaff | null }, event: Schedulable): ScheduleChange | undefined {
  const isMoved = to.start !== event.start;
  const isResized = Number(to.hours) !== Number(hoursOf(event));
  const isReassigned = (to.staff?.id ?? null) !== (event.staff?.id ?? null);
  if (!isMoved && !isResized && !isReassigned) return undefined;
  return {
    action: isMoved || isReassigned ? 'move' : 'resize',
    event,
    to: { start: to.start, ...(isResized && { hours: to.hours }), ...(isReassigned && { staff: to.staff }) },
  };
}

/** Where it is by now, when someone else has moved it. */
function currentOf(error: unknown, event: Schedulable): Schedulable | undefined {
  if (!hasCode(error, 'STALE_VERSION')) return undefined;
  const { current } = error.data as { current: CalendarJob | CalendarTask };
  return 'booking_date' in current
    ? { ...event, start: current.booking_date, hours: current.duration, staff: current.staff }
    : { ...event, start: current.calendar_date, hours: current.calendar_duration, staff: current.staff };
}

const nowAt = ({ start, staff }: Schedulable, zone: string) =>
  start === null ? 'It has no date now.' : `It is now at ${formatDateTime(start, zone)}, ${staff?.name ?? UNASSIGNED}.`;

function ClockChange({ typed: { date, time }, zone }: { typed: Typed; zone: string }) {
  const text = clockChangeText(date, time, zone, 'It will be booked for');
  return (
    text && (
      <p role="status" className="text-sm text-warn-ink">
        {text}
      </p>
    )
  );
}
