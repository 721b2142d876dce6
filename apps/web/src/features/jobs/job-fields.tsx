import type { Job } from '@callout/contract/jobs';
import { DURATION_STEP_HOURS, isValidDurationHours, toHours } from '@callout/domain/durations/duration';
import { getStatusAfterBooking, isActiveStatus } from '@callout/domain/jobs/job';
import { isDecimalAmount } from '@callout/domain/money/amount';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { isPositiveAmount, subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatTimeZone } from '@callout/domain/time/time-zones';
import { toTimeInputValue } from '@callout/domain/time/wall-time';
import { toInstant } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useId } from 'react';
import { useWatch } from 'react-hook-form';
import { formatClockChangeNotice } from '../../lib/clock-change.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import type { RecordEditor } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { type Choice, SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import { JobCategoriesField } from './job-categories-field.tsx';
import type { JobFormOutput, JobFormValues } from './job-form.ts';
import { JOB_STATUS_CHOICES } from './job-list-filter.ts';
import { RateHint } from './job-rate-hint.tsx';

export type JobEditor = RecordEditor<JobFormValues, JobFormOutput, Job>;

/** Returns the staff choices, including the person already assigned to the job if they aren't in the loaded list. */
export function useStaffChoices(job?: Job): readonly Choice[] {
  const names = useQuery(staffNamesQueryOptions).data ?? [];
  const people = job?.staff && !names.some(({ id }) => id === job.staff_id) ? [...names, job.staff] : names;
  return people.map(({ id, name }) => ({ value: id, label: name }));
}

const FIELD_PAIR_CLASSES = 'grid grid-cols-2 items-start gap-x-3 gap-y-4 sm:col-span-6 sm:grid-cols-6 lg:gap-x-5';

/** A block of time in a staff member's calendar, for a job or a task. */
export interface StaffBooking {
  readonly staffId: string;
  readonly start: string;
  readonly hours: string;
  /** Time zone in which the start was entered. */
  readonly zone: string;
  /** Id of the saved job or task, so that it doesn't clash with itself. Undefined before the first save. */
  readonly jobId?: string | undefined;
}

/** Calendar features that the route passes in. Jobs can't import them, because the calendar imports jobs. */
export interface BookingExtensions {
  /** Warns if the same person has overlapping bookings. */
  ClashHint: ComponentType<StaffBooking>;
  onBooked: (booking: StaffBooking) => void;
}

interface JobFieldsProps {
  editor: JobEditor;
  staff: readonly Choice[];
  zone: string;
  ClashHint: BookingExtensions['ClashHint'];
  job?: Job | undefined;
}

interface ControlledSelectProps {
  editor: JobEditor;
  name: 'staff_id' | 'duration_unit';
  choices: readonly Choice[];
  className: string;
}

/** Orders the fields like a customer's phone call: what, who, when, how much, where. */
export function JobFields({ editor, staff, zone, ClashHint, job }: JobFieldsProps) {
  const companyCurrency = useProfile()?.currency;
  const currency = job ? job.currency : companyCurrency;
  const amount = { leading: getCurrencySymbol(currency), step: '1' };
  const statuses = useStatusChoices(editor);
  return (
    <>
      <FormFields editor={editor} names={['title', 'description']} />
      <JobCategoriesField editor={editor} />
      <ControlledSelect
        editor={editor}
        name="staff_id"
        choices={[{ value: '', label: 'Choose a staff member' }, ...staff]}
        className="sm:col-span-6"
      />
      <BookingFields editor={editor} zone={zone} />
      <div className={FIELD_PAIR_CLASSES}>
        <FormFields editor={editor} names={['duration']} extras={{ duration: { step: DURATION_STEP_HOURS } }} />
        <ControlledSelect
          editor={editor}
          name="duration_unit"
          choices={editor.definition.fields.duration_unit.choices ?? []}
          className="sm:col-span-3"
        />
        <FormClashHint editor={editor} zone={zone} ClashHint={ClashHint} jobId={job?.id} />
      </div>
      <FormFields
        editor={editor}
        names={['status', 'job_type', 'fixed_amount', 'hourly_rate', 'use_alternate_address', 'address']}
        extras={{
          status: { choices: statuses, hint: <StatusHint editor={editor} job={job} currency={currency} /> },
          fixed_amount: amount,
          hourly_rate: { ...amount, trailing: '/hr', hint: <RateHint editor={editor} currency={currency} /> },
          address: { rows: 2 },
        }}
      />
    </>
  );
}

/** Omits Paid for roles that can't record payments, unless the job is already paid. */
function useStatusChoices(editor: JobEditor): readonly Choice[] {
  const canManagePayments = useCan('payments.manage');
  const isPaid = editor.form.formState.defaultValues?.status === 'paid';
  return JOB_STATUS_CHOICES.filter(({ value }) => value !== 'paid' || canManagePayments || isPaid);
}

/** Announces the side effects of saving. A separate component, so that typing doesn't re-render the whole form. */
function StatusHint({ editor: { form }, job, currency }: Pick<JobFieldsProps, 'editor' | 'job'> & { currency: string | null | undefined }) {
  const canManagePayments = useCan('payments.manage');
  const [status, date, time, type, fixed] = useWatch({
    control: form.control,
    name: ['status', 'booking_date', 'booking_time', 'job_type', 'fixed_amount'],
  });
  const { booking_date: dateBefore, booking_time: timeBefore } = form.formState.defaultValues ?? {};
  const isRebooked = !job || date !== dateBefore || time !== timeBefore;
  if (isRebooked && status !== 'booked' && getStatusAfterBooking(status) === 'booked')
    return 'This job has a date and time, so it will be saved as Booked.';
  if (status !== 'paid' || job?.status === 'paid' || !canManagePayments) return null;
  const normalizedAmount = normalizeDecimal(fixed);
  const price = type === 'fixed' && isDecimalAmount(normalizedAmount) ? normalizedAmount : '0';
  const due = job?.billed_amount ?? (job && job.items.length > 0 ? job.totals.total_amount : price);
  const outstanding = subtractMoney(due, job?.paid_amount ?? '0');
  return isPositiveAmount(outstanding)
    ? `Saving records a payment of ${formatMoney(outstanding, currency)} by bank transfer, today.`
    : null;
}

/** A controlled select, which shows the right choice even if the choices load after the value is set. */
function ControlledSelect({ editor: { form, definition }, name, choices, className }: ControlledSelectProps) {
  return (
    <SelectField
      {...form.register(name)}
      label={definition.fields[name].label}
      choices={choices}
      value={useWatch({ control: form.control, name })}
      error={form.getFieldState(name, form.formState).error?.message}
      className={className}
    />
  );
}

const QUARTER_HOURS = Array.from({ length: 96 }, (_, i) => toTimeInputValue({ hour: Math.floor(i / 4), minute: (i % 4) * 15 }));

/** Date and time of the booking. Changing either selects Booked; the user can still choose another status. */
function BookingFields({ editor, zone }: { editor: JobEditor; zone: string }) {
  const { form } = editor;
  const quarters = useId();
  const selectBooked = () => form.setValue('status', 'booked', { shouldDirty: true });
  const getError = (name: 'booking_date' | 'booking_time') => form.getFieldState(name, form.formState).error?.message;
  return (
    <div className={FIELD_PAIR_CLASSES}>
      <TextField
        {...form.register('booking_date', { onChange: selectBooked })}
        label="Booking date"
        type="date"
        error={getError('booking_date')}
        className="sm:col-span-3"
      />
      <TextField
        {...form.register('booking_time', { onChange: selectBooked })}
        label="Booking time"
        type="time"
        step={900}
        list={quarters}
        hint={`Times are in ${formatTimeZone(zone)}`}
        error={getError('booking_time')}
        className="sm:col-span-3"
      />
      <ClockChangeWarning editor={editor} zone={zone} />
      <datalist id={quarters}>
        {QUARTER_HOURS.map((time) => (
          <option key={time} value={time}>
            {time}
          </option>
        ))}
      </datalist>
    </div>
  );
}

interface FormClashHintProps extends Pick<JobFieldsProps, 'editor' | 'zone' | 'ClashHint'> {
  jobId: string | undefined;
}

const isCompleteDateTime = (date: string, time: string) => /^\d{4}-\d\d-\d\d$/.test(date) && /^\d\d:\d\d$/.test(time);

/** Shows the clash hint for the entered booking. A separate component, so that typing doesn't re-render the whole form. */
function FormClashHint({ editor: { form }, zone, ClashHint, jobId }: FormClashHintProps) {
  const [staffId, date, time, value, unit, status] = useWatch({
    control: form.control,
    name: ['staff_id', 'booking_date', 'booking_time', 'duration', 'duration_unit', 'status'],
  });
  const isNumber = /^\d+(\.\d+)?$/.test(value);
  const hours = isNumber ? toHours({ value, unit }) : '';
  if (!staffId || !isCompleteDateTime(date, time) || !isValidDurationHours(hours) || !isActiveStatus(status)) return null;
  const booking = { staffId, start: toInstant(date, time, zone), hours, zone, jobId };
  return (
    <div className="col-span-full empty:hidden">
      <ClashHint {...booking} />
    </div>
  );
}

/** Warns if a clock change skips or repeats the entered time. A separate component, so typing doesn't re-render the whole form. */
function ClockChangeWarning({ editor: { form }, zone }: { editor: JobEditor; zone: string }) {
  const [date, time] = useWatch({ control: form.control, name: ['booking_date', 'booking_time'] });
  const text = formatClockChangeNotice(date, time, zone, 'The job is booked for');
  return (
    text && (
      <Banner tone="warn" className="col-span-full">
        {text}
      </Banner>
    )
  );
}
