import type { CalendarJob, CalendarTask } from '@callout/contract/calendar';
import { isValidDurationHours } from '@callout/domain/durations/duration';
import { toDecimal, toPlainString } from '@callout/domain/money/decimal';
import { formatDateTime } from '@callout/domain/time/date-format';
import { toTimeInputValue, toWallTime } from '@callout/domain/time/wall-time';
import { toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { formatClockChangeNotice } from '../../lib/clock-change.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { formatTimeZone } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UNASSIGNED_LABEL } from '../jobs/job-labels.tsx';
import { BookingClashHint } from './booking-clash.tsx';
import { type CalendarItem, type EventStaff, getEventHours } from './calendar-event.ts';
import { formatScheduleFailure, reportScheduleFailure, type ScheduleChange, type useScheduleMutation } from './calendar-schedule.api.ts';

/** Prefilled values when booking a job from the tray. */
export interface SuggestedBooking {
  /** 'yyyy-MM-dd' in the displayed time zone; `time` is 'HH:mm'. */
  readonly date: string;
  readonly time?: string;
  /** The lane of the selected free slot. Takes precedence over the job's own assignee. */
  readonly pressedStaffId?: string | undefined;
  /** The person the calendar is filtered to. Used for an unassigned job. */
  readonly filteredStaffId: string | undefined;
}

interface MoveDialogProps {
  /** Undefined while the dialog is closed. */
  event: CalendarItem | undefined;
  suggested: SuggestedBooking;
  zone: string;
  people: readonly EventStaff[];
  onMove: ReturnType<typeof useScheduleMutation>;
  /** Receives the event, because the dialog may have been opened for another event since. */
  onClose: (event: CalendarItem) => void;
}

/** Edits an event's date, time, duration and person. An alternative to dragging, for keyboards and exact times. */
export function MoveEventDialog({ event, ...rest }: MoveDialogProps) {
  const [opened, setOpened] = useState<{ event: CalendarItem | undefined; count: number }>({ event: undefined, count: 0 });
  const [last, setLast] = useState<CalendarItem>();
  if (event !== last) {
    setLast(event);
    if (event) setOpened(({ count }) => ({ event, count: count + 1 }));
  }
  // The content stays rendered during the closing animation.
  if (!opened.event) return null;
  return <MoveForm key={opened.count} {...rest} event={opened.event} open={event !== undefined} />;
}

interface MoveValues {
  readonly date: string;
  readonly time: string;
  readonly hours: string;
  readonly staffId: string;
}

type MoveErrors = { readonly [Field in keyof MoveValues]?: string | undefined };

const DEFAULT_START_TIME = '08:00';
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
  /** The entered time keeps its zone even if another zone is selected while the dialog is open. */
  const [zone] = useState(displayZone);
  const [suggested] = useState(latestSuggested);
  /** The event as the person last saw it: when the dialog opened, or after a conflict. */
  const [seen, setSeen] = useState(event);
  const [values, setValues] = useState(() => toValues(event, suggested, zone));
  const [errors, setErrors] = useState<MoveErrors>({});
  const [failure, setFailure] = useState<string>();
  const [isSaving, setSaving] = useState(false);
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
    setSaving(false);
    const current = findCurrentItem(error, seen);
    if (current) {
      setSeen(current);
      setValues((now) => rebaseValues(now, toValues(seen, suggested, zone), toValues(current, suggested, zone), seen.start === null));
    }
    setFailure(
      `${formatScheduleFailure(error, attempt)}${current ? ` ${formatCurrentBooking(current, zone)} Press ${labels.action} again to ${labels.action.toLowerCase()} it anyway.` : ''}`,
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
    setSaving(true);
    setFailure(undefined);
    onMove(attempt).then(
      () => {
        hasMoved.current = true;
        close();
      },
      (error: unknown) => handleFailure(error, attempt),
    );
  };

  return (
    <Sheet
      open={open}
      onOpenChange={close}
      title={`${labels.action} ${event.title}`}
      // For a job that stays in the tray, focus returns to the card that opened the dialog.
      findReturnFocus={() => (event.start !== null || hasMoved.current ? findMovedElement(event) : null)}
      actions={
        <>
          <Button disabled={isSaving} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} tone="primary" busy={isSaving}>
            {isSaving ? labels.saving : labels.action}
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

/** Scrolls to the moved event and returns its button, or the calendar if the event is no longer displayed. */
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
  const { date, time = DEFAULT_START_TIME, pressedStaffId, filteredStaffId } = suggested;
  return { date, time, hours, staffId: pressedStaffId ?? staff?.id ?? filteredStaffId ?? '' };
}

/** After a conflict, keeps edited fields and takes the newer values for the rest. A suggested time counts as edited. */
function rebaseValues(values: MoveValues, before: MoveValues, current: MoveValues, wasSuggested: boolean): MoveValues {
  const pickNewer = <Field extends keyof MoveValues>(field: Field) => (values[field] === before[field] ? current[field] : values[field]);
  const start = wasSuggested ? { date: values.date, time: values.time } : { date: pickNewer('date'), time: pickNewer('time') };
  return { ...start, hours: pickNewer('hours'), staffId: pickNewer('staffId') };
}

/** Returns null if the date or time is missing or invalid. An unedited start keeps its seconds, which the field doesn't show. */
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

/** Adds the current assignee, who may no longer be on the staff list. */
function withAssignedStaff(people: readonly EventStaff[], { staff }: CalendarItem): readonly EventStaff[] {
  return staff && !people.some(({ id }) => id === staff.id) ? [...people, staff] : people;
}

/** Returns only the changed fields, or undefined if nothing changed. */
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

/** Returns the stored booking if the server reports a conflict. */
function findCurrentItem(error: unknown, event: CalendarItem): CalendarItem | undefined {
  if (!hasErrorCode(error, 'STALE_VERSION')) return undefined;
  const { current } = error.data as { current: CalendarJob | CalendarTask };
  return 'booking_date' in current
    ? { ...event, start: current.booking_date, hours: current.duration, staff: current.staff }
    : { ...event, start: current.calendar_date, hours: current.calendar_duration, staff: current.staff };
}

const formatCurrentBooking = ({ start, staff }: CalendarItem, zone: string) =>
  start === null ? 'It is now unscheduled.' : `It is now booked for ${formatDateTime(start, zone)}, ${staff?.name ?? UNASSIGNED_LABEL}.`;

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
