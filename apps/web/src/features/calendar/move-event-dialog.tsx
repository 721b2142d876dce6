import type { CalendarJob, CalendarTask } from '@callout/contract/calendar';
import { isValidDurationHours } from '@callout/domain/durations/duration';
import { toDecimal, toPlainString } from '@callout/domain/money/decimal';
import { formatDateTime } from '@callout/domain/time/date-format';
import { formatTimeZone } from '@callout/domain/time/time-zones';
import { toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { formatClockChangeNotice } from '../../lib/clock-change.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { BookingClashHint } from './booking-clash.tsx';
import { type CalendarItem, type EventStaff, getEventHours } from './calendar-event.ts';
import {
  buildUnscheduling,
  canUnschedule,
  formatScheduleFailure,
  reportScheduleFailure,
  type ScheduleChange,
  type useScheduleMutation,
} from './calendar-schedule.api.ts';

/** Values that prefill the dialog when the user books a job from the tray. */
export interface SuggestedBooking {
  /** A date as 'yyyy-MM-dd' and a time as 'HH:mm', both in the displayed time zone. */
  readonly date: string;
  readonly time: string;
  /** The person in whose lane the free slot was clicked. Takes precedence over the job's current assignee. */
  readonly slotStaffId?: string | undefined;
  /** The person the calendar is filtered by, or the only person of the company. Used if the job is unassigned. */
  readonly filteredStaffId?: string | undefined;
}

interface MoveDialogProps {
  /** The event to move; undefined while the dialog is closed. */
  event: CalendarItem | undefined;
  suggested: SuggestedBooking;
  zone: string;
  people: readonly EventStaff[];
  onMove: ReturnType<typeof useScheduleMutation>;
  /** Called with the event, because the dialog may already be open for a different event. */
  onClose: (event: CalendarItem) => void;
}

/** Edits an event's date, time, duration and person, as an alternative to dragging for keyboard users and exact times. */
export function MoveEventDialog({ event, ...rest }: MoveDialogProps) {
  const { subject: displayed, count } = useDialogSubject(event);
  return displayed && <MoveForm key={count} {...rest} event={displayed} open={event !== undefined} />;
}

interface MoveValues {
  readonly date: string;
  readonly time: string;
  readonly hours: string;
  readonly staffId: string;
}

type MoveErrors = { readonly [Field in keyof MoveValues]?: string | undefined };

const MOVE_LABELS = { action: 'Move', saving: 'Moving…' };
const BOOK_LABELS = { action: 'Book', saving: 'Booking…' };
const INVALID_DURATION_MESSAGE = 'Duration must be at least 0.5 hours, in steps of 0.25';

interface MoveFormProps extends Omit<MoveDialogProps, 'event'> {
  event: CalendarItem;
  open: boolean;
}

function MoveForm({ event, open, suggested: latestSuggested, zone: displayZone, people, onMove, onClose }: MoveFormProps) {
  const form = useId();
  const close = () => onClose(event);
  const labels = event.start === null ? BOOK_LABELS : MOVE_LABELS;
  /** The time zone in which the user enters the time. Doesn't change if another zone is selected while the dialog is open. */
  const [zone] = useState(displayZone);
  const [suggested] = useState(latestSuggested);
  /** The event as the user last saw it: when the dialog opened or, after a conflict, as stored on the server. */
  const [seen, setSeen] = useState(event);
  const [values, setValues] = useState(() => toValues(event, suggested, zone));
  const [errors, setErrors] = useState<MoveErrors>({});
  const [failure, setFailure] = useState<string>();
  const [saving, setSaving] = useState<'move' | 'unschedule'>();
  const isSaving = saving !== undefined;
  const change = (changed: Partial<MoveValues>) => {
    setValues({ ...values, ...changed });
    setErrors({ ...errors, ...Object.fromEntries(Object.keys(changed).map((field) => [field, undefined])) });
    setFailure(undefined);
  };
  const start = parseStart(values, seen, zone);
  const staff = withAssignedStaff(people, seen);

  const hasMoved = useRef(false);
  const isOpenRef = useRef(open);
  useEffect(() => {
    isOpenRef.current = open;
    return () => {
      isOpenRef.current = false;
    };
  }, [open]);
  const handleFailure = (error: unknown, attempt: ScheduleChange) => {
    if (!isOpenRef.current) {
      reportScheduleFailure(error, attempt);
      return;
    }
    setSaving(undefined);
    const current = findCurrentItem(error, seen);
    if (current) {
      setSeen(current);
      setValues((now) => rebaseValues(now, toValues(seen, suggested, zone), toValues(current, suggested, zone), seen.start === null));
    }
    setFailure(
      [
        formatScheduleFailure(error, attempt),
        current && formatCurrentBooking(current, zone),
        current && formatRetry(current, attempt, labels),
      ]
        .filter(Boolean)
        .join(' '),
    );
  };
  const save = (attempt: ScheduleChange) => {
    setSaving(isUnscheduling(attempt) ? 'unschedule' : 'move');
    setFailure(undefined);
    onMove(attempt).then(
      () => {
        hasMoved.current = true;
        close();
      },
      (error: unknown) => handleFailure(error, attempt),
    );
  };
  const handleSubmit = (submit: SubmitEvent) => {
    submit.preventDefault();
    if (isSaving) return;
    const found = validateValues(values);
    setErrors(found);
    if (start === null || Object.values(found).some(Boolean)) return;
    const attempt = findChange({ start, hours: values.hours.trim(), staff: staff.find(({ id }) => id === values.staffId) ?? null }, seen);
    if (!attempt) {
      close();
      return;
    }
    save(attempt);
  };

  return (
    <Sheet
      open={open}
      onOpenChange={close}
      title={`${labels.action} ${event.title}`}
      // Returns null for a job that stays in the tray, so that the focus returns to the card that opened the dialog.
      findReturnFocus={() => (event.start !== null || hasMoved.current ? findMovedElement(event) : null)}
      actions={
        <>
          {canUnschedule(seen) && (
            <Button
              busy={saving === 'unschedule'}
              disabled={saving === 'move'}
              className="mr-auto"
              onClick={() => save(buildUnscheduling(seen))}
            >
              {saving === 'unschedule' ? 'Unscheduling…' : 'Unschedule'}
            </Button>
          )}
          <Button disabled={isSaving} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} tone="primary" busy={saving === 'move'} disabled={saving === 'unschedule'}>
            {saving === 'move' ? labels.saving : labels.action}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={handleSubmit} className="grid grid-cols-2 items-start gap-4">
        <TextField
          label="Date"
          type="date"
          value={values.date}
          error={errors.date}
          onChange={({ target }) => change({ date: target.value })}
        />
        <TextField
          label="Time"
          type="time"
          step={900}
          value={values.time}
          hint={formatTimeZone(zone)}
          error={errors.time}
          onChange={({ target }) => change({ time: target.value })}
        />
        <DecimalField
          label="Duration (hours)"
          step="0.25"
          value={values.hours}
          error={errors.hours}
          onChange={({ target }) => change({ hours: target.value })}
        />
        <SelectField
          label="Person"
          value={values.staffId}
          choices={[{ value: '', label: UNASSIGNED_LABEL }, ...staff.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={({ target }) => change({ staffId: target.value })}
        />
        <div className="col-span-2 flex flex-col gap-2 empty:hidden">
          <ClockChangeNote values={values} zone={zone} />
          {start !== null && values.staffId !== '' && isValidDurationHours(values.hours.trim()) && (
            <BookingClashHint staffId={values.staffId} start={start} hours={values.hours.trim()} zone={zone} jobId={event.id} />
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

/** Scrolls to the moved event and returns its button. Returns the calendar if the event isn't displayed. */
function findMovedElement({ id }: CalendarItem): HTMLElement | null {
  const event = document.querySelector(`[data-event="${id}"]`);
  event?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return event?.querySelector('button') ?? document.querySelector<HTMLElement>('[data-calendar]');
}

function toValues(event: CalendarItem, suggested: SuggestedBooking, zone: string): MoveValues {
  const { start, staff } = event;
  const hours = toPlainString(toDecimal(getEventHours(event)));
  if (start !== null)
    return { date: toLocalDate(start, zone), time: toTimeInputValue(toWallTime(start, zone)), hours, staffId: staff?.id ?? '' };
  const { date, time, slotStaffId, filteredStaffId } = suggested;
  return { date, time, hours, staffId: slotStaffId ?? staff?.id ?? filteredStaffId ?? '' };
}

/** Updates the fields after a conflict. Edited fields and a suggested start keep their values. Other fields take the stored values. */
function rebaseValues(values: MoveValues, before: MoveValues, current: MoveValues, wasSuggested: boolean): MoveValues {
  const pickNewer = <Field extends keyof MoveValues>(field: Field) => (values[field] === before[field] ? current[field] : values[field]);
  const start = wasSuggested ? { date: values.date, time: values.time } : { date: pickNewer('date'), time: pickNewer('time') };
  return { ...start, hours: pickNewer('hours'), staffId: pickNewer('staffId') };
}

/** Returns null if the date or time is missing or invalid. An unedited start keeps its seconds, which the time field doesn't show. */
function parseStart({ date, time }: MoveValues, { start }: CalendarItem, zone: string): string | null {
  if (date === '' || time === '') return null;
  const isSame = start !== null && toLocalDate(start, zone) === date && toTimeInputValue(toWallTime(start, zone)) === time.slice(0, 5);
  try {
    return isSame ? start : toInstant(date, time.slice(0, 5), zone);
  } catch {
    return null;
  }
}

function validateValues({ date, time, hours }: MoveValues): MoveErrors {
  return {
    date: date === '' ? 'Date is required' : undefined,
    time: time === '' ? 'Time is required' : undefined,
    hours: isValidDurationHours(hours.trim()) ? undefined : INVALID_DURATION_MESSAGE,
  };
}

/** Adds the event's assignee to the choices, because a person who left the company is not in `people`. */
function withAssignedStaff(people: readonly EventStaff[], { staff }: CalendarItem): readonly EventStaff[] {
  return staff && !people.some(({ id }) => id === staff.id) ? [...people, staff] : people;
}

/** Returns a change with only the edited fields, or undefined if nothing was edited. */
function findChange(to: { start: string; hours: string; staff: EventStaff | null }, event: CalendarItem): ScheduleChange | undefined {
  const hasMoved = to.start !== event.start;
  const isResized = Number(to.hours) !== Number(getEventHours(event));
  const isReassigned = (to.staff?.id ?? null) !== (event.staff?.id ?? null);
  if (!hasMoved && !isResized && !isReassigned) return undefined;
  return {
    action: hasMoved || isReassigned ? 'move' : 'resize',
    event,
    to: { start: to.start, ...(isResized && { hours: to.hours }), ...(isReassigned && { staff: to.staff }) },
  };
}

/** Returns the event as stored on the server if the move failed because someone else had changed it. */
function findCurrentItem(error: unknown, event: CalendarItem): CalendarItem | undefined {
  if (!hasErrorCode(error, 'STALE_VERSION')) return undefined;
  const { current } = error.data as { current: CalendarJob | CalendarTask };
  return 'booking_date' in current
    ? { ...event, start: current.booking_date, hours: current.duration, staff: current.staff }
    : { ...event, start: current.calendar_date, hours: current.calendar_duration, staff: current.staff };
}

const formatCurrentBooking = ({ start, staff }: CalendarItem, zone: string) =>
  start === null ? 'It is now unscheduled.' : `It is now booked for ${formatDateTime(start, zone)}, ${staff?.name ?? UNASSIGNED_LABEL}.`;

const isUnscheduling = ({ to }: ScheduleChange) => to.start === null;

/** Says how to repeat the change after a conflict. Returns null if there is nothing left to unschedule. */
function formatRetry(current: CalendarItem, attempt: ScheduleChange, { action }: typeof MOVE_LABELS): string | null {
  if (!isUnscheduling(attempt)) return `Press ${action} again to ${action.toLowerCase()} it anyway.`;
  return canUnschedule(current) ? 'Press Unschedule again to unschedule it anyway.' : null;
}

function ClockChangeNote({ values: { date, time }, zone }: { values: MoveValues; zone: string }) {
  const text = formatClockChangeNotice(date, time, zone, 'It will be booked for');
  return (
    text && (
      <p role="status" className="text-sm text-warn-ink">
        {text}
      </p>
    )
  );
}
